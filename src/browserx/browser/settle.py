"""Coming to rest: waiting until nothing is in flight and the page does not move any more."""

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from browserx.errors import BrowserXError

if TYPE_CHECKING:
    from browserx.browser.attachment import Attachment

#: How long a loaded page may take to come to rest.
SETTLE_TIMEOUT_S = 3.0
#: A page that moved is at rest after this long without another move.
_QUIET_MS = 150
_ASK_SLACK_S = 5.0

T = TypeVar("T")


class _Quiet(msgspec.Struct):
    quiet: bool
    mutations: int = 0
    title: str = ""


async def settle(attachment: "Attachment", *, timeout_s: float = SETTLE_TIMEOUT_S) -> bool:
    """Wait until nothing is in flight and the page has come to rest; False when it does not within ``timeout_s``.

    A page that does not move takes two frames.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout_s
    network, frames = attachment.network, attachment.frames

    def at_rest() -> bool:
        return network.in_flight() == 0 and not frames.main.leaving

    while True:
        rest = deadline - loop.time()
        if rest <= 0 or attachment.dialogs.current is not None:
            return False
        if not await attachment.changes.until(
            lambda: at_rest() or attachment.dialogs.current is not None, timeout_s=rest
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
        if network.mark == mark and at_rest():
            return True


async def ask_main(attachment: "Attachment", expression: str, type_: type[T], *, timeout_s: float) -> T | None:
    """Ask the eye of the top frame; None when a dialog opened instead of an answer."""
    answer = await unless_dialog(
        attachment,
        attachment.call(attachment.frames.main, expression, timeout_s=timeout_s),
        timeout_s=timeout_s,
    )
    return None if answer is None else msgspec.convert(answer.result.value, type_)


async def unless_dialog(attachment: "Attachment", work: Awaitable[T], *, timeout_s: float) -> T | None:
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
