"""Going somewhere: a navigation returns when the page is loaded and quiet, or says why it is not."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from browserx.browser.attachment import Attachment
from browserx.cdp.protocol import EvaluateReply, HistoryReply, NavigateReply
from browserx.errors import BrowserXError, CdpError, InvalidArgumentError, NavigationError, OperationTimeoutError

#: How long to wait for a document to arrive.
NAVIGATION_TIMEOUT_S = 30.0
#: How long a document that has arrived may take to load; then it is shown as it is, and said to be loading.
LOAD_TIMEOUT_S = 10.0
#: How long a loaded page may take to come to rest.
SETTLE_TIMEOUT_S = 3.0
#: A page that moved after its load is at rest after this long without another move.
_QUIET_MS = 150
_ASK_SLACK_S = 5.0
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


class _Quiet(msgspec.Struct):
    quiet: bool
    mutations: int = 0
    title: str = ""


async def navigate(attachment: Attachment, url: str, *, timeout_s: float = NAVIGATION_TIMEOUT_S) -> Navigation:
    """Open ``url`` in the tab.

    Raises:
        NavigationError: no document came: the address does not resolve, nothing answers, it is a download, or the page
            asks whether it may be left.
        OperationTimeoutError: no document came within ``timeout_s`` seconds.
    """
    if not url.strip():
        raise InvalidArgumentError("the address is empty; give one like https://example.com/")
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


def _failed(attachment: Attachment, url: str, reply: NavigateReply) -> NavigationError:
    status = attachment.network.document_status(reply.loader_id)
    if reply.error_text == "net::ERR_ABORTED" and status in (204, 205):
        return NavigationError(f"{url} answered that there is nothing to show ({status})", url=url, reason="no_content")
    if reply.is_download or (reply.error_text == "net::ERR_ABORTED" and url.startswith(_LOADABLE)):
        return NavigationError(
            f"{url} is a file to download, not a page; the tab stays where it was", url=url, reason="download"
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
    """Wait for the document of ``loader_id``, or one it is replaced by, to be loaded and quiet.

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
        return "load" in names or attachment.dialogs.current is not None

    loaded = await changes.until(loaded_or_held, timeout_s=min(timeout_s, LOAD_TIMEOUT_S))
    if loaded and attachment.dialogs.current is None:
        await settle(attachment)
    main = frames.main
    return Navigation(
        main.url,
        attachment.network.document_status(main.loader_id),
        loaded and attachment.dialogs.current is None,
    )


async def go_through_history(attachment: Attachment, step: int, *, timeout_s: float) -> Navigation | None:
    """Go ``step`` entries back (negative) or forward. None when there is no such entry."""
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


async def settle(attachment: Attachment, *, timeout_s: float = SETTLE_TIMEOUT_S) -> bool:
    """Wait until nothing is in flight and the page has come to rest; False when it does not within ``timeout_s``.

    A page that does not move takes two frames.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout_s
    network = attachment.network
    while True:
        rest = deadline - loop.time()
        if rest <= 0 or attachment.dialogs.current is not None:
            return False
        if not await attachment.changes.until(
            lambda: network.in_flight() == 0 or attachment.dialogs.current is not None, timeout_s=rest
        ):
            return False
        mark = network.mark
        rest = max(0.0, deadline - loop.time())
        try:
            quiet = await ask_main(
                attachment,
                f"__browserx.quiet({{threshold: {_QUIET_MS}, timeout: {rest * 1000:.0f}}})",
                _Quiet,
                timeout_s=rest + _ASK_SLACK_S,
            )
        except BrowserXError:
            # The document was replaced while we asked; whoever waits for the new one will see to it.
            return False
        if quiet is not None:
            attachment.title = quiet.title
        if quiet is None or not quiet.quiet:
            return False
        if network.mark == mark and network.in_flight() == 0:
            return True


async def ask_main(attachment: Attachment, expression: str, type_: type[T], *, timeout_s: float) -> T | None:
    """Ask the eye of the top frame; None when a dialog opened instead of an answer."""
    answer = await unless_dialog(
        attachment,
        attachment.call(attachment.frames.main, expression, timeout_s=timeout_s),
        timeout_s=timeout_s,
    )
    return None if answer is None else msgspec.convert(answer.result.value, type_)


async def unless_dialog(attachment: Attachment, work: Awaitable[T], *, timeout_s: float) -> T | None:
    """Await ``work``, or give it up and return None when a dialog opens: nothing answers while one is open."""
    task = asyncio.ensure_future(work)
    dialog = asyncio.ensure_future(
        attachment.changes.until(lambda: attachment.dialogs.current is not None, timeout_s=timeout_s + 1)
    )
    futures: set[asyncio.Future[Any]] = {task, dialog}
    try:
        await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        if not dialog.result():
            return await task
        return None
    finally:
        for future in futures:
            if not future.done():
                future.cancel()
            elif not future.cancelled():
                future.exception()


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
    "net::ERR_ABORTED": "the browser opens no such address",
}


def _in_words(reason: str) -> str:
    words = _WORDS.get(reason)
    return f"{reason} ({words})" if words else reason


__all__ = [
    "EvaluateReply",
    "Navigation",
    "arrival",
    "ask_main",
    "navigate",
    "reload",
    "settle",
    "unless_dialog",
]
