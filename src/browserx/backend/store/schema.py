"""The tables, the same in both databases, and the one clock all workers share."""

from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, MetaData, Table, Text, text
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

from browserx.backend.store.text import clean

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class CleanText(TypeDecorator[str]):
    """Text that both databases take, also where something is compared with it: a bad id is an unknown one."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """What the database is given."""
        return None if value is None else clean(value)


class database_ms(FunctionElement[int]):  # noqa: N801
    """The database's own clock, in ms since 1970: leases hold between machines whose clocks differ."""

    type = BigInteger()
    inherit_cache = True


@compiles(database_ms, "sqlite")
def _sqlite_ms(element: database_ms, compiler: SQLCompiler, **options: Any) -> str:
    return "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"


@compiles(database_ms, "postgresql")
def _postgresql_ms(element: database_ms, compiler: SQLCompiler, **options: Any) -> str:
    # Not now(): that is when the transaction began, which may have waited for a lock since.
    return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"


#: One row a conversation. Moments are µs since 1970, so that two of one millisecond still have an order.
sessions = Table(
    "sessions",
    metadata,
    Column("session_id", CleanText, primary_key=True),
    Column("principal", CleanText, nullable=False),
    Column("tab_id", CleanText),
    Column("title", CleanText, nullable=False),
    Column("url", CleanText, nullable=False),
    Column("domain", CleanText, nullable=False),
    Column("initial_url", CleanText, nullable=False),
    Column("initial_domain", CleanText, nullable=False),
    Column("is_renamed", Boolean, nullable=False),
    Column("is_active", Boolean, nullable=False),
    Column("created_us", BigInteger, nullable=False),
    Column("updated_us", BigInteger, nullable=False),
    # What the next message is numbered. Counted in the transaction that adds messages, so a number is never lost.
    Column("next_sequence", Integer, nullable=False),
    Index(None, "principal", "updated_us"),
    Index(None, "principal", "domain", "updated_us"),
    Index(None, "updated_us"),
    Index(
        "one_active_session_per_tab",
        "principal",
        "tab_id",
        unique=True,
        sqlite_where=text("is_active AND tab_id IS NOT NULL"),
        postgresql_where=text("is_active AND tab_id IS NOT NULL"),
    ),
)

_OF_SESSION = ("sessions.session_id",)

messages = Table(
    "messages",
    metadata,
    Column("session_id", CleanText, ForeignKey(*_OF_SESSION, ondelete="CASCADE"), primary_key=True),
    Column("sequence_number", Integer, primary_key=True),
    Column("message_id", CleanText, nullable=False),
    Column("created_us", BigInteger, nullable=False),
    # All else of the message, as JSON.
    Column("body", CleanText, nullable=False),
)

tasks = Table(
    "tasks",
    metadata,
    Column("task_id", CleanText, primary_key=True),
    Column("session_id", CleanText, ForeignKey(*_OF_SESSION, ondelete="CASCADE"), nullable=False, index=True),
    Column("principal", CleanText, nullable=False),
    Column("state", CleanText, nullable=False),
    Column("owner", CleanText),
    Column("lease_until_ms", BigInteger),
    Column("created_us", BigInteger, nullable=False),
    Column("updated_us", BigInteger, nullable=False),
)

#: Requests with an ``Idempotency-Key``. Without a status they are still being worked on.
answers = Table(
    "answers",
    metadata,
    Column("principal", CleanText, primary_key=True),
    Column("key", CleanText, primary_key=True),
    Column("fingerprint", CleanText, nullable=False),
    # So that what was answered goes with its session.
    Column("session_id", CleanText, ForeignKey(*_OF_SESSION, ondelete="CASCADE"), index=True),
    Column("owner", CleanText, nullable=False),
    Column("lease_until_ms", BigInteger, nullable=False),
    Column("status", Integer),
    Column("body", CleanText),
    Column("created_ms", BigInteger, nullable=False, index=True),
)
