"""The storage of a context: saved and restored as Playwright does it (cookies, and localStorage by origin), cleared.

Source: https://playwright.dev/python/docs/api/class-browsercontext#browser-context-storage-state
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from browserx.browser import cookies as jar
from browserx.browser.blank import BlankPage
from browserx.browser.cookies import Cookie
from browserx.cdp import Connection, Session
from browserx.errors import CdpError, InvalidArgumentError, OperationTimeoutError

_ORIGIN = re.compile(r"https?://[^/?#@\s]+")
_ASK_TIMEOUT_S = 2.0


class _Item(msgspec.Struct):
    name: str
    value: str


class _Origin(msgspec.Struct, rename="camel"):
    origin: str
    local_storage: list[_Item] = []


class StorageState(msgspec.Struct):
    """Cookies, and localStorage by origin. What other programs put beside them is passed over."""

    cookies: list[Cookie] = []
    origins: list[_Origin] = []


class _Items(msgspec.Struct):
    """Reply of DOMStorage.getDOMStorageItems: pairs of name and value."""

    entries: list[tuple[str, str]] = []


def read_state(given: str | os.PathLike[str] | Mapping[str, Any]) -> StorageState:
    """A storage state, from a file or as a dict.

    Raises:
        InvalidArgumentError: it cannot be read, or is none. The message has places in it, no values.
    """
    form = 'it looks like {"cookies": [...], "origins": [{"origin": "https://…", "localStorage": [...]}]}'
    where = "storage_state"
    try:
        if isinstance(given, Mapping):
            state = msgspec.convert(dict(given), StorageState)
        else:
            where = f"storage_state {os.fspath(given)!r}"
            state = msgspec.json.decode(Path(given).read_bytes(), type=StorageState)
    except OSError as error:
        raise InvalidArgumentError(f"{where} cannot be read: {error.strerror}; name a file that is there") from error
    except (msgspec.DecodeError, TypeError) as error:
        raise InvalidArgumentError(f"{where} is no storage state: {error}; {form}") from error
    for kept in state.origins:
        check_origin(kept.origin)
    return state


def write_state(state: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write it as JSON, for the owner's eyes only (0600): whoever has it is logged in."""
    write_private(msgspec.json.format(msgspec.json.encode(state), indent=2), path)


def write_private(data: bytes, path: str | os.PathLike[str]) -> None:
    """Write a file that only its owner can read, also where there was one that others could."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        if hasattr(os, "fchmod"):
            os.fchmod(descriptor, 0o600)
        file.write(data)


def check_origin(origin: str) -> str:
    """``origin`` itself.

    Raises:
        InvalidArgumentError: it is none.
    """
    if not isinstance(origin, str) or not _ORIGIN.fullmatch(origin):
        raise InvalidArgumentError(f"{origin!r} is no origin; one looks like https://example.com or http://host:8080")
    return origin


def origin_of(url: str) -> str | None:
    """The origin of an address; None for one that has no storage of its own."""
    where = urlsplit(url)
    return f"{where.scheme}://{where.netloc.rpartition('@')[2]}" if where.scheme in ("http", "https") else None


async def save(
    connection: Connection,
    context_id: str | None,
    *,
    seen: Iterable[str],
    named: Iterable[str],
    open_pages: Mapping[str, Session],
) -> dict[str, Any]:
    """The state of a context in Playwright's format.

    Args:
        connection: to the browser.
        context_id: of the context; None for the one every browser has.
        seen: origins that may have something in localStorage; one that there can be no page of any more is passed over.
        named: origins the caller wants.
        open_pages: sessions of pages, by the origin they are at: these know best what they just wrote.

    Raises:
        InvalidArgumentError: there can be no page of a named origin.
    """
    wanted = set(named)
    found: dict[str, list[tuple[str, str]]] = {}
    rest = []
    for origin in sorted(wanted | set(seen)):
        entries = await _ask(open_pages[origin], origin) if origin in open_pages else None
        if entries is None:
            rest.append(origin)
        else:
            found[origin] = entries
    if rest:
        async with BlankPage(connection, context_id) as page:
            for origin in rest:
                try:
                    await page.visit(origin)
                    reply = await page.session.send("DOMStorage.getDOMStorageItems", _local_storage(origin), _Items)
                except (InvalidArgumentError, CdpError) as error:
                    if origin not in wanted:
                        continue
                    raise InvalidArgumentError(f"{origin} has no storage ({error.message}); correct it") from error
                found[origin] = reply.entries
    return {
        "cookies": [cookie.to_dict() for cookie in await jar.cookies(connection.browser, context_id)],
        "origins": [
            {"origin": origin, "localStorage": [{"name": name, "value": value} for name, value in entries]}
            for origin, entries in sorted(found.items())
            if entries
        ],
    }


async def restore(connection: Connection, context_id: str | None, state: StorageState) -> None:
    """Put a saved state into a context.

    Raises:
        InvalidArgumentError: the browser refuses some of it.
    """
    await jar.add(connection.browser, context_id, state.cookies)
    if not state.origins:
        return
    async with BlankPage(connection, context_id) as page:
        for kept in state.origins:
            await page.visit(kept.origin)
            for item in kept.local_storage:
                params = {**_local_storage(kept.origin), "key": item.name, "value": item.value}
                try:
                    await page.session.send("DOMStorage.setDOMStorageItem", params)
                except CdpError as error:
                    raise InvalidArgumentError(
                        f"localStorage of {kept.origin} does not take {item.name!r} ({error.message}); "
                        "an origin has room for 5 MB"
                    ) from error


async def clear(connection: Connection, context_id: str | None, origin: str) -> None:
    """Clear what ``origin`` keeps: cookies, localStorage, databases, caches, service workers."""
    check_origin(origin)
    async with BlankPage(connection, context_id) as page:
        await page.session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})


def _local_storage(origin: str) -> dict[str, Any]:
    return {"storageId": {"storageKey": f"{origin}/", "isLocalStorage": True}}


async def _ask(session: Session, origin: str) -> list[tuple[str, str]] | None:
    try:
        reply = await session.send(
            "DOMStorage.getDOMStorageItems", _local_storage(origin), _Items, timeout_s=_ASK_TIMEOUT_S
        )
    except (CdpError, OperationTimeoutError):
        return None  # it went elsewhere meanwhile, or is too busy to tell
    return reply.entries
