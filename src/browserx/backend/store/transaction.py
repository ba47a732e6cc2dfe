"""One transaction: how the operations run their statements in it."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from time import time_ns
from typing import Any, TypeVar

from sqlalchemy import CursorResult, Executable
from sqlalchemy.ext.asyncio import AsyncConnection

from browserx.backend.store.failures import translated

_T = TypeVar("_T")


class Transaction:
    """Runs statements. ``database`` is its address for people."""

    def __init__(self, connection: AsyncConnection, *, database: str, writing: bool) -> None:
        self._connection = connection
        self._writing = writing
        self.database = database

    @property
    def is_sqlite(self) -> bool:
        """Whether only one transaction writes at a time anyway."""
        return self._connection.dialect.name == "sqlite"

    async def read(self, statement: Executable, values: Mapping[str, Any] | None = None) -> CursorResult[Any]:
        """The rows, all fetched.

        Raises:
            StoreError: the database failed.
        """
        with translated(self.database):
            return await uninterrupted(self._connection.execute(statement, values))

    async def write(
        self, statement: Executable, values: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None
    ) -> CursorResult[Any]:
        """Change something.

        Raises:
            RuntimeError: the transaction only reads.
            StoreError: the database failed.
        """
        if not self._writing:
            raise RuntimeError("this is a reading unit: what changes something needs store.write()")
        with translated(self.database):
            return await uninterrupted(self._connection.execute(statement, values))


async def uninterrupted(work: Awaitable[_T]) -> _T:
    """Await it to its end, also when cancelled meanwhile; that is heard of afterwards.

    A driver that is left in the middle of a statement may keep a connection, and with it the lock on the database.
    All we ask of databases is bounded, so this is.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait((task,))
        if not task.cancelled():
            task.exception()  # Of less interest than that we are cancelled.
        raise


def present_us() -> int:
    """The present, in µs since 1970."""
    return time_ns() // 1000


def moment(us: int) -> datetime:
    """A stored moment, in whole milliseconds as on the wire."""
    return datetime.fromtimestamp(us // 1000 / 1000, UTC)
