"""Who we are to servers and proxies."""

from typing import Any

import pytest

from browserx.browser.credentials import Login, Logins, read_http_credentials, read_proxy
from browserx.errors import InvalidArgumentError


def test_a_login_answers_its_origin_only() -> None:
    logins = Logins(
        read_http_credentials({"origin": "https://a.example/", "username": "ann", "password": "s3cret"}),
        Login("p", "q"),
    )
    assert logins.answer("Server", "https://a.example") == Login("ann", "s3cret")
    assert logins.answer("Server", "https://a.example:8443") is None
    assert logins.answer("Proxy", "http://proxy:3128") == Login("p", "q")
    assert "s3cret" not in repr(logins)
    assert logins
    assert not Logins()


@pytest.mark.parametrize(
    ("given", "server", "login"),
    [
        ("http://proxy:3128", "http://proxy:3128", None),
        ("socks5://proxy:1080", "socks5://proxy:1080", None),
        ("proxy:3128", "proxy:3128", None),
        ("http://ann:p%40ss@proxy:3128", "http://proxy:3128", Login("ann", "p@ss")),
        ({"server": "http://proxy:3128", "username": "a", "password": "b"}, "http://proxy:3128", Login("a", "b")),
    ],
)
def test_a_proxy_and_its_login(given: Any, server: str, login: Login | None) -> None:
    proxy = read_proxy(given)
    assert proxy is not None
    assert (proxy.server, proxy.login) == (server, login)


@pytest.mark.parametrize("given", [7, "ann:s3cret", [1], {"origin": "https://a.example", "username": "ann"}])
def test_what_is_no_login(given: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="http_credentials looks like"):
        read_http_credentials(given)


@pytest.mark.parametrize("given", [None, "", {}])
def test_no_proxy(given: Any) -> None:
    assert read_proxy(given) is None


@pytest.mark.parametrize("given", [[1], {"server": 7}, {"server": ""}, 7])
def test_what_is_no_proxy(given: Any) -> None:
    with pytest.raises(InvalidArgumentError):
        read_proxy(given)
