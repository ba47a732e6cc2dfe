"""What leaves this process leaves through a bounded queue, and a peer that is gone is spoken of once."""

import asyncio
import logging
import random
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

T = TypeVar("T")

FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 10.0

_log = logging.getLogger("browserx.backend.push")


class Outage:
    """Whether a peer is gone: warns when it goes, says when it is back, and how long to wait between tries."""

    def __init__(self, peer: str, meanwhile: str) -> None:
        self._peer = peer
        self._meanwhile = meanwhile
        self._failures = 0

    def failed(self, problem: object) -> float:
        """One try more that failed. Returns the seconds to wait before the next: more each time, within a bound."""
        if not self._failures:
            _log.warning("%s cannot be used now (%s); %s", self._peer, problem, self._meanwhile)
        self._failures += 1
        pause_s = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** min(self._failures - 1, 20))
        # Not all processes at the same moment.
        return pause_s * random.uniform(0.5, 1.0)  # noqa: S311

    def over(self) -> None:
        """It answers."""
        if self._failures:
            _log.info("%s is back", self._peer)
        self._failures = 0


def started(work: Coroutine[Any, Any, None], name: str) -> "asyncio.Task[None]":
    """A task for its owner to cancel; what it fails with by itself is told to the loop at once, not at the end."""
    task = asyncio.get_running_loop().create_task(work, name=name)
    task.add_done_callback(_tell_failure)
    return task


def _tell_failure(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        task.get_loop().call_exception_handler(
            {"message": f"background task {task.get_name()!r} failed", "exception": error, "task": task}
        )


def put_newest(queue: "asyncio.Queue[T]", item: T) -> bool:
    """Put an item into a bounded queue; where it is full the oldest goes. Returns whether one went."""
    dropped = queue.full()
    if dropped:
        queue.get_nowait()
        queue.task_done()
    queue.put_nowait(item)
    return dropped


async def emptied(queue: "asyncio.Queue[T]", timeout_s: float) -> None:
    """Wait until everything in the queue was dealt with, or ``timeout_s`` have passed."""
    try:
        async with asyncio.timeout(timeout_s):
            await queue.join()
    except TimeoutError:
        pass
