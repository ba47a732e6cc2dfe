"""How each kind of database is connected to, and what every connection is told first."""

from typing import Any

from sqlalchemy import URL, Connection, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from browserx.backend.store.address import is_sqlite
from browserx.backend.store.driver import connect
from browserx.errors import MissingExtraError

#: An execution option of our own: how SQLite begins a transaction.
_BEGIN = "browserx_begin"
#: How long a statement of PostgreSQL may take, in ms. None of ours reads more than one session.
_STATEMENT_MS = 30_000
_CONNECT_S = 5


def make_engine(url: URL, *, wait_s: float) -> AsyncEngine:
    """An engine that waits ``wait_s`` seconds at most for locks of others. Nothing is connected yet.

    Raises:
        MissingExtraError: PostgreSQL without its driver.
    """
    return _sqlite(url, wait_s) if is_sqlite(url) else _postgresql(url, wait_s)


def for_writing(engine: AsyncEngine) -> AsyncEngine:
    """The same connections, for transactions that write."""
    return engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})


def for_reading(engine: AsyncEngine) -> AsyncEngine:
    """The same connections, for transactions that read: all they read is of one moment."""
    if engine.dialect.name == "sqlite":
        return engine
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


async def use_write_ahead_log(engine: AsyncEngine) -> None:
    """Tell an SQLite database, once and for all, to let others read while one writes."""
    async with engine.execution_options(**{_BEGIN: ""}).connect() as connection:
        await connection.exec_driver_sql("PRAGMA journal_mode=WAL")


def _sqlite(url: URL, wait_s: float) -> AsyncEngine:
    # Without an isolation level the driver begins no transactions of its own, and ends none before DDL.
    arguments = {"isolation_level": None, "timeout": wait_s, "async_creator_fn": connect}
    # Our transactions all end before their connection is given back: there is nothing left to roll back then.
    engine = create_async_engine(url, connect_args=arguments, pool_timeout=wait_s, pool_reset_on_return=None)

    @event.listens_for(engine.sync_engine, "connect")
    def _(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
        _run(connection, "PRAGMA foreign_keys=ON")
        # With a write-ahead log this loses nothing when a process is killed; only after a power cut may the last
        # transactions be missing, and the database is whole.
        _run(connection, "PRAGMA synchronous=NORMAL")
        # What was deleted does not stay readable in the file.
        _run(connection, "PRAGMA secure_delete=FAST")

    @event.listens_for(engine.sync_engine, "begin")
    def _(connection: Connection) -> None:
        # Who means to write takes the lock at once: one that has read before cannot wait for it any more.
        begin = connection.get_execution_options().get(_BEGIN, "BEGIN")
        if begin:
            connection.exec_driver_sql(begin)

    return engine


def _postgresql(url: URL, wait_s: float) -> AsyncEngine:
    arguments: dict[str, Any] = {} if "connect_timeout" in url.query else {"connect_timeout": _CONNECT_S}
    try:
        # Asked before it is used: a server that was started anew costs nobody an error.
        engine = create_async_engine(url, connect_args=arguments, pool_pre_ping=True, pool_timeout=wait_s)
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f'PostgreSQL needs more than is installed ({error.name}): pip install "browserx[postgres]"',
            extra="postgres",
        ) from error

    @event.listens_for(engine.sync_engine, "connect")
    def _(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
        _run(
            connection,
            f"SELECT set_config('lock_timeout', '{round(wait_s * 1000)}', false),"
            f" set_config('statement_timeout', '{_STATEMENT_MS}', false),"
            f" set_config('idle_in_transaction_session_timeout', '{_STATEMENT_MS}', false)",
        )
        connection.commit()

    return engine


def _run(connection: DBAPIConnection, statement: str) -> None:
    cursor = connection.cursor()
    cursor.execute(statement)
    cursor.close()
