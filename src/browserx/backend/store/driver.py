"""aiosqlite with fewer errands: each statement goes to the connection's thread once, and comes back with its rows.

By itself a statement goes there four times: to make a cursor, to execute, to fetch, and to close. For statements as
small as ours that is most of what they take.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

import aiosqlite

_Description = tuple[tuple[Any, ...], ...] | None


class Cursor:
    """What SQLAlchemy uses of a cursor. The rows are all fetched as soon as there are any."""

    arraysize = 1

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: _Description = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, statement: str, values: Sequence[Any] = ()) -> Self:
        """One statement."""
        return await self._run(lambda cursor: cursor.execute(statement, values))

    async def executemany(self, statement: str, rows: Iterable[Sequence[Any]]) -> Self:
        """One statement for each row."""
        return await self._run(lambda cursor: cursor.executemany(statement, rows))

    async def fetchall(self) -> list[Any]:
        """The rows that have not been given yet."""
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Nothing is held."""

    async def _run(self, do: Callable[[sqlite3.Cursor], object]) -> Self:
        await self._connection.errand(lambda: self._executed(do))
        return self

    def _executed(self, do: Callable[[sqlite3.Cursor], object]) -> None:
        """In the connection's thread."""
        cursor = self._connection.sqlite.cursor()
        try:
            do(cursor)
            self._rows = cursor.fetchall() if cursor.description is not None else []
            self.description, self.rowcount = cursor.description, cursor.rowcount
            self.lastrowid = cursor.lastrowid
        finally:
            cursor.close()


class Connection(aiosqlite.Connection):
    """A connection whose cursors are ours."""

    @property
    def sqlite(self) -> sqlite3.Connection:
        """For use in its thread."""
        return self._conn

    async def errand(self, do: Callable[[], None]) -> None:
        """Have it done in the connection's thread."""
        await self._execute(do)  # type: ignore[no-untyped-call]

    def cursor(self) -> Cursor:  # type: ignore[override]
        """One that costs nothing until it executes."""
        return Cursor(self)


def connect(database: str, **given: Any) -> Connection:
    """A connection to be awaited; takes what ``sqlite3.connect`` takes."""
    connection = Connection(lambda: sqlite3.connect(database, **given), iter_chunk_size=64)
    # As SQLAlchemy does with those it makes itself: one that nobody closed does not keep the process alive.
    connection._thread.daemon = True
    return connection
