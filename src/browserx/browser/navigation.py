"""Going somewhere: a navigation returns when the page is loaded and quiet, or says why it is not."""

import asyncio
from dataclasses import dataclass
from typing import TypeVar

from browserx.browser.attachment import Attachment
from browserx.browser.settle import settle, unless_dialog
from browserx.cdp.protocol import HistoryReply, NavigateReply
from browserx.errors import CdpError, InvalidArgumentError, NavigationError, OperationTimeoutError

#: How long to wait for a document to arrive.
NAVIGATION_TIMEOUT_S = 30.0
#: How long a document that has arrived may take to load; then it is shown as it is, and said to be loading.
LOAD_TIMEOUT_S = 10.0
_MOVE_WITHIN_TIMEOUT_S = 1.0
_LOADABLE = ("http:", "https:", "file:", "data:", "blob:")

T = TypeVar("T")


@dataclass(frozen=True)
class Navigation:
    """How a navigation ended. ``status`` is the HTTP status, 0 where there is none (``file:``, ``about:``, same page).

    ``loaded`` is False for a page that was still loading when its time was up, or that a dialog holds; it can be looked
    at all the same.
    """

    url: str
    status: int
    loaded: bool


async def navigate(attachment: Attachment, url: str, *, timeout_s: float = NAVIGATION_TIMEOUT_S) -> Navigation:
    """Open ``url`` in the tab.

    Raises:
        NavigationError: no document came: the address does not resolve, nothing answers, it is a download, or the page
            asks whether it may be left.
        OperationTimeoutError: no document came within ``timeout_s`` seconds.
    """
    if not url.strip():
        raise InvalidArgumentError("the address is empty; give one like https://example.com/")
    _revive(attachment)
    moves = attachment.frames.moves_within
    wait = attachment.session.start("Page.navigate", {"url": url}, NavigateReply, timeout_s=timeout_s)
    try:
        reply = await _unless_asked_to_stay(attachment, wait, url, timeout_s)
    except OperationTimeoutError as error:
        raise _given_up(attachment, timeout_s) from error
    except CdpError as error:
        raise NavigationError(
            f"{url!r} is no address ({error.message}); one looks like https://example.com/",
            url=url,
            reason="net::ERR_INVALID_URL",
        ) from error
    if reply.error_text or reply.is_download:
        raise _failed(attachment, url, reply)
    if not reply.loader_id:
        # A place on the same page: the browser tells of it a moment after its reply.
        await attachment.changes.until(
            lambda: attachment.frames.moves_within != moves, timeout_s=_MOVE_WITHIN_TIMEOUT_S
        )
        return Navigation(attachment.frames.main.url, 0, True)
    return await arrival(attachment, reply.loader_id, timeout_s=timeout_s)


def _revive(attachment: Attachment) -> None:
    """A page whose renderer crashed is replaced by navigating: from now on things may happen again."""
    if attachment.session.crashed and attachment.session.ended is None:
        attachment.changes.recover()


def _failed(attachment: Attachment, url: str, reply: NavigateReply) -> NavigationError:
    status = attachment.network.document_status(reply.loader_id)
    if reply.error_text == "net::ERR_ABORTED" and status in (204, 205):
        return NavigationError(f"{url} answered that there is nothing to show ({status})", url=url, reason="no_content")
    if reply.is_download or (reply.error_text == "net::ERR_ABORTED" and url.startswith(_LOADABLE)):
        return NavigationError(
            f"{url} is a file to download, not a page: see tab.downloads; the tab stays where it was",
            url=url,
            reason="download",
        )
    return NavigationError(f"{url} did not load: {_in_words(reply.error_text)}", url=url, reason=reply.error_text)


def _given_up(attachment: Attachment, timeout_s: float) -> OperationTimeoutError:
    # While a navigation hangs, the browser answers nothing else about the page either.
    attachment.session.post("Page.stopLoading")
    return OperationTimeoutError(
        f"no page came within {timeout_s:g} s; the server may be slow: try again, or allow more time",
        timeout_s=timeout_s,
    )


async def arrival(attachment: Attachment, loader_id: str, *, timeout_s: float = NAVIGATION_TIMEOUT_S) -> Navigation:
    """Wait for the document of ``loader_id``, or the one it sends us on to, to be loaded and quiet.

    Raises:
        OperationTimeoutError: it did not arrive within ``timeout_s`` seconds.
    """
    changes, frames = attachment.changes, attachment.frames

    def arrived() -> bool:
        return frames.main.loader_id == loader_id or attachment.dialogs.current is not None

    if not await changes.until(arrived, timeout_s=timeout_s):
        raise _given_up(attachment, timeout_s)

    def loaded_or_held() -> bool:
        names = attachment.lifecycle.get(frames.main.loader_id, ())
        return ("load" in names and not frames.main.leaving) or attachment.dialogs.current is not None

    loop = asyncio.get_running_loop()
    deadline = loop.time() + min(timeout_s, LOAD_TIMEOUT_S)
    while True:
        loaded = await changes.until(loaded_or_held, timeout_s=deadline - loop.time())
        document = frames.main.loader_id
        if not loaded or attachment.dialogs.current is not None:
            break
        await settle(attachment)
        if frames.main.loader_id == document and not frames.main.leaving:
            break
        # It sent us on to another page.
    main = frames.main
    return Navigation(
        main.url,
        attachment.network.document_status(main.loader_id),
        loaded and attachment.dialogs.current is None,
    )


async def go_through_history(attachment: Attachment, step: int, *, timeout_s: float) -> Navigation | None:
    """Go ``step`` entries back (negative) or forward. None when there is no such entry."""
    _revive(attachment)
    history = await attachment.session.send("Page.getNavigationHistory", None, HistoryReply)
    index = history.current_index + step
    if not 0 <= index < len(history.entries):
        return None
    entry = history.entries[index]
    before = attachment.frames.main.loader_id
    url_before = attachment.frames.main.url
    wait = attachment.session.start("Page.navigateToHistoryEntry", {"entryId": entry.id}, timeout_s=timeout_s)
    await _unless_asked_to_stay(attachment, wait, entry.url, timeout_s)
    return await _next_document(attachment, before, url_before, timeout_s=timeout_s)


async def reload(attachment: Attachment, *, timeout_s: float) -> Navigation:
    """Load the page anew."""
    _revive(attachment)
    before = attachment.frames.main.loader_id
    url = attachment.frames.main.url
    wait = attachment.session.start("Page.reload", timeout_s=timeout_s)
    await _unless_asked_to_stay(attachment, wait, url, timeout_s)
    return await _next_document(attachment, before, "", timeout_s=timeout_s)


async def _next_document(attachment: Attachment, before: str, url_before: str, *, timeout_s: float) -> Navigation:
    frames = attachment.frames

    def moved() -> bool:
        main = frames.main
        return main.loader_id != before or (url_before != "" and main.url != url_before)

    if not await attachment.changes.until(moved, timeout_s=timeout_s):
        raise _given_up(attachment, timeout_s)
    if frames.main.loader_id == before:
        await settle(attachment)
        return Navigation(frames.main.url, 0, True)
    return await arrival(attachment, frames.main.loader_id, timeout_s=timeout_s)


async def _unless_asked_to_stay(attachment: Attachment, wait: "asyncio.Future[T]", url: str, timeout_s: float) -> T:
    """A page may ask (beforeunload) whether it can be left; then nothing happens until somebody answers."""
    reply = await unless_dialog(attachment, wait, timeout_s=timeout_s)
    if reply is not None:
        return reply
    dialog = attachment.dialogs.current
    what = dialog.describe() if dialog else "a dialog opened"
    raise NavigationError(f"{url} was not opened: {what}", url=url, reason="dialog")


_WORDS = {
    "net::ERR_NAME_NOT_RESOLVED": "there is no such host; check the address",
    "net::ERR_CONNECTION_REFUSED": "nothing listens there; is the server running, and is this its port?",
    "net::ERR_CONNECTION_TIMED_OUT": "the host does not answer",
    "net::ERR_INTERNET_DISCONNECTED": "there is no network",
    "net::ERR_ADDRESS_UNREACHABLE": "the host cannot be reached",
    "net::ERR_INVALID_URL": "this is no address; one looks like https://example.com/",
    "net::ERR_UNSAFE_PORT": "the browser refuses this port",
    "net::ERR_CERT_AUTHORITY_INVALID": "its certificate is not trusted; ignore_https_errors=True opens it all the same",
    "net::ERR_INVALID_AUTH_CREDENTIALS": "the server asks who we are; give http_credentials for its origin",
    "net::ERR_ABORTED": "the browser opens no such address",
}


def _in_words(reason: str) -> str:
    words = _WORDS.get(reason)
    return f"{reason} ({words})" if words else reason


__all__ = ["Navigation", "arrival", "go_through_history", "navigate", "reload"]
