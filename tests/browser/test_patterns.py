"""Which addresses a pattern means."""

import re

import pytest

from browserx.browser.patterns import url_pattern
from browserx.errors import InvalidArgumentError


@pytest.mark.parametrize(
    ("glob", "url", "means"),
    [
        ("**/*.png", "https://a.example/x/y.png", True),
        ("**/*.png", "https://a.example/y.png?size=2", False),
        ("**/*.{png,jpg}", "https://a.example/y.jpg", True),
        ("**/*.{png,jpg}", "https://a.example/y.gif", False),
        ("https://a.example/*", "https://a.example/x", True),
        ("https://a.example/*", "https://a.example/x/y", False),
        ("https://a.example/**", "https://a.example/x/y", True),
        ("https://a.example/**/z", "https://a.example/z", True),
        ("https://a.example/**/z", "https://a.example/x/y/z", True),
        ("https://a.example/**/z", "https://a.example/xz", False),
        ("https://*.example/**", "https://a.b.example/", True),
        ("**/search?q=*", "https://a.example/search?q=tea", True),
        ("**/search?q=*", "https://a.example/searchXq=tea", False),
        ("**/a.b", "https://a.example/aXb", False),
        ("**/api/**", "https://a.example/api/", True),
        ("**", "https://a.example/", True),
        ("*", "https://a.example/", False),
        ("**/x(1)[2]|$^+\\", "https://a.example/x(1)[2]|$^+\\", True),
    ],
)
def test_globs(glob: str, url: str, means: bool) -> None:
    assert (url_pattern(glob).search(url) is not None) is means


def test_an_expression_is_found_anywhere() -> None:
    assert url_pattern(re.compile(r"/b\b")).search("https://x/a/b?c")


@pytest.mark.parametrize("glob", ["", " ", "{a", "a}", "{a{b}}", "}{"])
def test_what_is_no_glob(glob: str) -> None:
    with pytest.raises(InvalidArgumentError):
        url_pattern(glob)
