"""The store: a database, opened for as long as a server runs, and its transactions."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Self

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.ext.asyncio.exc import AsyncContextNotStarted

from browserx.backend.store import address, versions
from browserx.backend.store.answers import Answers
from browserx.backend.store.engine import for_reading, for_writing, make_engine
from browserx.backend.store.failures import translated
from browserx.backend.store.messages import SessionMessages
from browserx.backend.store.sessions import Sessions
from browserx.backend.store.tasks import Tasks
from browserx.backend.store.transaction import Transaction, present_us, uninterrupted
from browserx.errors import DatabaseBusyError, InvalidArgumentError

#: Seconds to wait for locks of others.
WAIT_S = 5.0
#: Sessions removed in one transaction: others get their turn between two.
_BATCH = 100
_DAY_US = 24 * 3600 * 1_000_000


class Unit:
    """What can be done in one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self.sessions = Sessions(transaction)
        self.messages = SessionMessages(transaction)
        self.tasks = Tasks(transaction)
        self.answers = Answers(transaction)


@dataclass(frozen=True, slots=True)
class Purged:
    """How much was removed."""

    sessions: int
    answers: int


class Store:
    """Sessions, messages, tasks and answers in a database. ``Store.open`` makes one."""

    def __init__(self, url: URL, engine: AsyncEngine, wait_s: float) -> None:
        self.database = address.shown(url)
        self._wait_s = wait_s
        self._writing = for_writing(engine)
        self._reading = for_reading(engine)
        # SQLite lets one write at a time: those of this process queue up here, in order, and without polling a lock.
        self._turn = asyncio.Lock() if address.is_sqlite(url) else None

    @classmethod
    @asynccontextmanager
    async def open(cls, url: str | None = None, *, upgrade: bool = True, wait_s: float = WAIT_S) -> AsyncIterator[Self]:
        """A store for as long as the block lasts. Without a url it is a file in the user's data folder.

        With ``upgrade`` the schema is made, or brought up to this version of BrowserX. ``wait_s`` bounds how long a
        statement waits for others.

        Raises:
            InvalidArgumentError: the url makes no sense.
            MissingExtraError: PostgreSQL without its driver.
            DatabaseUnavailableError: it cannot be reached or opened.
            SchemaVersionError: it is of a newer version, or of an older one and ``upgrade`` is off.
        """
        parsed = address.parse(address.default_url() if url is None else url)
        engine = make_engine(parsed, wait_s=wait_s)
        try:
            await versions.prepare(parsed, engine, upgrade=upgrade)
            yield cls(parsed, engine, wait_s)
        finally:
            await engine.dispose()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Unit]:
        """A unit that reads: all it tells is of one moment.

        Raises:
            StoreError: the database failed.
        """
        async with self._transaction(self._reading, writing=False) as unit:
            yield unit

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Unit]:
        """A unit that writes: all it did is there when the block ends, or, when it raises, nothing is.

        With SQLite all others that write wait meanwhile, so do nothing slow in it.

        Raises:
            DatabaseBusyError: others wrote for longer than ``wait_s``.
            StoreError: the database failed.
        """
        async with self._in_turn(), self._transaction(self._writing, writing=True) as unit:
            yield unit

    async def purge(self, older_than_days: float | None = None) -> Purged:
        """Remove old answers; and, when a number of days is given, sessions in which nothing has happened since.

        Raises:
            InvalidArgumentError: a negative number of days.
            StoreError: the database failed; what was removed until then is.
        """
        sessions = 0
        if older_than_days is not None:
            if not older_than_days >= 0:
                raise InvalidArgumentError(f"{older_than_days} is no number of days: give 0 or more")
            before_us = max(0, present_us() - round(min(older_than_days, 1e6) * _DAY_US))
            removed = _BATCH
            while removed == _BATCH:
                async with self.write() as unit:
                    removed = await unit.sessions.purge(before_us, _BATCH)
                sessions += removed
        async with self.write() as unit:
            answers = await unit.answers.purge()
        return Purged(sessions, answers)

    @asynccontextmanager
    async def _in_turn(self) -> AsyncIterator[None]:
        if self._turn is None:
            yield
            return
        try:
            async with asyncio.timeout(self._wait_s):
                await self._turn.acquire()
        except TimeoutError as error:
            raise DatabaseBusyError(
                f"others have written to {self.database} for {self._wait_s:g} s; try again", database=self.database
            ) from error
        try:
            yield
        finally:
            self._turn.release()

    @asynccontextmanager
    async def _transaction(self, engine: AsyncEngine, *, writing: bool) -> AsyncIterator[Unit]:
        with translated(self.database):
            async with _begun(engine) as connection:
                yield Unit(Transaction(connection, database=self.database, writing=writing))


@asynccontextmanager
async def _begun(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection in a transaction, which is committed when the block ends, and rolled back when it raises."""

    async def begin() -> None:
        await connection.start()
        await connection.begin()

    async def commit() -> None:
        try:
            await connection.commit()
        finally:
            await connection.close()

    connection = engine.connect()
    try:
        await uninterrupted(begin())
        yield connection
    except BaseException:
        # One that could not be had has nothing to close.
        with suppress(AsyncContextNotStarted):
            await uninterrupted(connection.close())
        raise
    await uninterrupted(commit())
