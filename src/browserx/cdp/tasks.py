"""Every background task has an owner, and ends with it."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from browserx.errors import BrowserXError


class TaskOwner:
    """Starts tasks, knows them, and ends them.

    Unlike ``asyncio.TaskGroup`` it may be opened in one task and closed in another, as ``__aenter__`` and
    ``__aexit__`` of a long-lived object are. A task that ends with one of our own errors (its tab was closed while
    it worked) ends quietly; any other error reaches the loop's exception handler.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    def start(self, work: Coroutine[Any, Any, Any], *, name: str) -> asyncio.Task[Any]:
        """Run ``work`` until it ends or the owner is closed."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        if self._closed:
            task.cancel()
        return task

    async def close(self) -> None:
        """Cancel what still runs, and wait for it."""
        self._closed = True
        current = asyncio.current_task()
        tasks = [task for task in self._tasks if task is not current]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not isinstance(error, BrowserXError):
            task.get_loop().call_exception_handler(
                {"message": f"background task {task.get_name()!r} failed", "exception": error, "task": task}
            )
