"""The cookies of a context, in the form Playwright gives them: read, set, cleared.

Source: https://chromedevtools.github.io/devtools-protocol/tot/Storage/ and RFC 6265, 5.1.3 and 5.1.4 (which cookies an
address is sent).
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from browserx.cdp import Session
from browserx.errors import CdpError, InvalidArgumentError

SameSite = Literal["Strict", "Lax", "None"]
_SESSION_ONLY = -1.0
_LONG_AGO = 1.0
_TRUSTWORTHY_HOSTS = ("localhost", "127.0.0.1", "::1")


class Cookie(msgspec.Struct, rename="camel", kw_only=True, frozen=True):
    """One cookie. ``expires`` is in seconds since 1970, -1 for one that ends with the browser.

    To set one, give ``url``, or ``domain`` (with a leading dot: subdomains too) and ``path``. A partitioned cookie has
    the site of the page around it as ``partition_key``. Its value is not printed.
    """

    name: str
    value: str
    domain: str = ""
    path: str = ""
    expires: float = _SESSION_ONLY
    http_only: bool = False
    secure: bool = False
    same_site: SameSite = "Lax"
    url: str | None = None
    partition_key: str | None = None
    cross_site_ancestor: bool | None = msgspec.field(default=None, name="_crHasCrossSiteAncestor")

    def __repr__(self) -> str:
        return f"<Cookie {self.name!r} of {self.url or self.domain + self.path}>"

    def to_dict(self) -> dict[str, Any]:
        """As Playwright writes it; what does not apply is left out."""
        return {name: value for name, value in msgspec.to_builtins(self).items() if value is not None}

    def goes_to(self, url: str) -> bool:
        """Whether a request for ``url`` from the same site carries it."""
        where = urlsplit(url)
        host, path, own = where.hostname or "", where.path or "/", self.domain.lower()
        if not (host == own.lstrip(".") or (own.startswith(".") and host.endswith(own))):
            return False
        if self.secure and where.scheme != "https" and host not in _TRUSTWORTHY_HOSTS:
            return False
        return path == self.path or path.startswith(self.path if self.path.endswith("/") else self.path + "/")


class _PartitionKey(msgspec.Struct, rename="camel"):
    top_level_site: str = ""
    has_cross_site_ancestor: bool = False


class _Stored(msgspec.Struct, rename="camel"):
    """Network.Cookie."""

    name: str
    value: str
    domain: str = ""
    path: str = ""
    expires: float = _SESSION_ONLY
    http_only: bool = False
    secure: bool = False
    same_site: SameSite = "Lax"
    partition_key: _PartitionKey | None = None


class _Reply(msgspec.Struct):
    """Reply of Storage.getCookies."""

    cookies: list[_Stored]


async def cookies(browser: Session, context_id: str | None, urls: str | Iterable[str] | None = None) -> list[Cookie]:
    """The cookies of a context; with ``urls`` only those sent to one of them."""
    reply = await browser.send("Storage.getCookies", _in(context_id), _Reply)
    found = [_read(stored) for stored in reply.cookies]
    if urls is None:
        return found
    wanted = [urls] if isinstance(urls, str) else list(urls)
    return [cookie for cookie in found if any(cookie.goes_to(url) for url in wanted)]


async def add(browser: Session, context_id: str | None, given: Iterable[Cookie | Mapping[str, Any]]) -> None:
    """Set cookies; one of the same name, domain and path is replaced.

    Raises:
        InvalidArgumentError: one is incomplete, or the browser refuses it.
    """
    wanted = [_checked(cookie) for cookie in given]
    if not wanted:
        return
    try:
        await browser.send("Storage.setCookies", {"cookies": [_write(c) for c in wanted], **_in(context_id)})
    except CdpError as error:
        raise InvalidArgumentError(
            f"the browser refuses one of these cookies ({error.message}): {', '.join(map(repr, wanted))}; a secure one "
            "needs an https address, and SameSite=None needs secure"
        ) from error


async def clear(browser: Session, context_id: str | None, *, name: str | None, domain: str | None) -> None:
    """Clear all cookies, or those of ``name`` and of ``domain`` (with or without its dot)."""
    if name is None and domain is None:
        await browser.send("Storage.clearCookies", _in(context_id))
        return
    ended = [
        msgspec.structs.replace(cookie, expires=_LONG_AGO)
        for cookie in await cookies(browser, context_id)
        if name in (None, cookie.name) and (domain is None or cookie.domain.lstrip(".") == domain.lstrip("."))
    ]
    await add(browser, context_id, ended)


def _in(context_id: str | None) -> dict[str, Any]:
    return {} if context_id is None else {"browserContextId": context_id}


def _read(stored: _Stored) -> Cookie:
    key = stored.partition_key
    return Cookie(
        name=stored.name,
        value=stored.value,
        domain=stored.domain,
        path=stored.path,
        expires=stored.expires,
        http_only=stored.http_only,
        secure=stored.secure,
        same_site=stored.same_site,
        partition_key=None if key is None else key.top_level_site,
        cross_site_ancestor=None if key is None else key.has_cross_site_ancestor,
    )


def _checked(given: Cookie | Mapping[str, Any]) -> Cookie:
    if isinstance(given, Cookie):
        cookie = given
    else:
        try:
            cookie = msgspec.convert(dict(given), Cookie)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            raise InvalidArgumentError(
                f"this is no cookie ({error}); one looks like "
                '{"name": "id", "value": "7", "domain": "example.com", "path": "/"}'
            ) from error
    if not cookie.name and not cookie.value:
        raise InvalidArgumentError("a cookie needs a name")
    if bool(cookie.url) == bool(cookie.domain):
        raise InvalidArgumentError(f"cookie {cookie.name!r} needs either a url, or a domain and a path")
    return cookie


def _write(cookie: Cookie) -> dict[str, Any]:
    """Network.CookieParam."""
    params: dict[str, Any] = {
        "name": cookie.name,
        "value": cookie.value,
        "secure": cookie.secure,
        "httpOnly": cookie.http_only,
        "sameSite": cookie.same_site,
    }
    if cookie.url:
        params["url"] = cookie.url
    else:
        params |= {"domain": cookie.domain, "path": cookie.path or "/"}
    if cookie.expires != _SESSION_ONLY:
        params["expires"] = cookie.expires
    if cookie.partition_key is not None:
        params["partitionKey"] = {
            "topLevelSite": cookie.partition_key,
            "hasCrossSiteAncestor": bool(cookie.cross_site_ancestor),
        }
    return params
