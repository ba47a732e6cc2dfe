"""Which addresses a cookie goes to."""

import pytest

from browserx import Cookie


@pytest.mark.parametrize(
    ("domain", "path", "secure", "url", "goes"),
    [
        ("example.com", "/", False, "http://example.com/a", True),
        ("example.com", "/", False, "http://www.example.com/", False),
        (".example.com", "/", False, "http://www.example.com/", True),
        (".example.com", "/", False, "http://example.com", True),
        (".example.com", "/", False, "http://badexample.com/", False),
        ("example.com", "/a", False, "http://example.com/a", True),
        ("example.com", "/a", False, "http://example.com/a/b", True),
        ("example.com", "/a", False, "http://example.com/ab", False),
        ("example.com", "/a/", False, "http://example.com/a/b", True),
        ("example.com", "/", True, "http://example.com/", False),
        ("example.com", "/", True, "https://example.com:8443/", True),
        ("localhost", "/", True, "http://localhost:8080/", True),
    ],
)
def test_where_it_goes(domain: str, path: str, secure: bool, url: str, goes: bool) -> None:
    assert Cookie(name="a", value="1", domain=domain, path=path, secure=secure).goes_to(url) is goes


def test_it_is_written_as_playwright_does() -> None:
    cookie = Cookie(name="a", value="1", domain="example.com", path="/", http_only=True, same_site="Strict")
    assert cookie.to_dict() == {
        "name": "a",
        "value": "1",
        "domain": "example.com",
        "path": "/",
        "expires": -1.0,
        "httpOnly": True,
        "secure": False,
        "sameSite": "Strict",
    }
