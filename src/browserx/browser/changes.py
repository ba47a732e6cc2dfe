"""Waiting for a state by event: a condition over what a tab's trackers know, checked when one of them changes."""

import asyncio
from collections.abc import Callable

from browserx.errors import BrowserXError

ErrorFactory = Callable[[], BrowserXError]


class Changes:
    """Trackers call ``notify`` when something changed; ``until`` waits for a condition over what they know.

    ``fail`` ends every wait with an error, now and later, until ``recover``.
    """

    def __init__(self) -> None:
        self._waiters: list[tuple[Callable[[], object], asyncio.Future[bool]]] = []
        self._failure: ErrorFactory | None = None

    def notify(self) -> None:
        """Something changed: wake whoever waited for that."""
        for condition, future in tuple(self._waiters):
            if not future.done() and condition():
                future.set_result(True)

    def fail(self, make_error: ErrorFactory) -> None:
        """Nothing more will change: every wait, now and later, raises."""
        self._failure = make_error
        for _, future in self._waiters:
            if not future.done():
                future.set_exception(make_error())

    def recover(self) -> None:
        """Things may change again."""
        self._failure = None

    async def until(self, condition: Callable[[], object], *, timeout_s: float) -> bool:
        """Wait until ``condition`` is true: True, or False when it is not within ``timeout_s`` seconds.

        Raises:
            BrowserXError: what ``fail`` was given.
        """
        if condition():
            return True
        if self._failure is not None:
            raise self._failure()
        if timeout_s <= 0:
            return False
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        waiter = (condition, future)
        self._waiters.append(waiter)
        try:
            async with asyncio.timeout(timeout_s):
                return await future
        except TimeoutError:
            return False
        finally:
            self._waiters.remove(waiter)
