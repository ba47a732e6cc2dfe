"""Waiting for a page to become as wanted, as an action of its own."""

import time
from collections.abc import Awaitable, Callable

from browserx.actions import ActionChanges, ActionResult, ExpectationMet, Verdict
from browserx.errors import OperationTimeoutError


async def wait(until: Callable[[float], Awaitable[str]], address: Callable[[], str], timeout_s: float) -> ActionResult:
    """Wait by ``until``, which says after so many seconds what is still not so, and tell what became of it.

    ``address`` says where the page is.

    Raises:
        OperationTimeoutError: it did not come to that; says what is so instead.
    """
    started = time.perf_counter()
    before = address()
    why = await until(timeout_s)
    if why:
        raise OperationTimeoutError(f"after {timeout_s:g} s {why}; observe, and go on", timeout_s=timeout_s)
    moved = address() != before
    return ActionResult(
        success=True,
        verdict=Verdict.CHANGED if moved else Verdict.NO_EFFECT,
        duration=(time.perf_counter() - started) * 1000,
        expectation=ExpectationMet(True, "it is as expected"),
        snapshot_invalidated=True,
        changes=ActionChanges(url_changed=moved, url=address() if moved else None),
    )
