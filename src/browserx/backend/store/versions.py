"""The version of the schema: what this code works with, what a database has, and the way from one to the other."""

from pathlib import Path

from sqlalchemy import URL, Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncEngine

from browserx.backend.store import address
from browserx.backend.store.engine import for_writing, make_engine, use_write_ahead_log
from browserx.backend.store.failures import translated
from browserx.errors import SchemaVersionError

#: All revisions there have been, oldest first; a test holds this to the migrations. Here, because asking Alembic takes
#: longer than all else a start does.
REVISIONS = ("0001",)
_MIGRATIONS = Path(__file__).parent / "migrations"
#: Only one worker upgrades at a time: the number PostgreSQL knows this lock by ("BrowserX" in ASCII).
_LOCK = 0x42726F7773657258
_UPGRADE_S = 60.0


async def upgrade(url: str | None = None) -> None:
    """Make the schema, or bring it up to this version of BrowserX. Does nothing when it is.

    Raises:
        SchemaVersionError: it is of a newer version.
        StoreError: the database failed; its schema is as it was.
    """
    parsed = address.parse(address.default_url() if url is None else url)
    engine = make_engine(parsed, wait_s=_UPGRADE_S)
    try:
        await prepare(parsed, engine, upgrade=True)
    finally:
        await engine.dispose()


async def prepare(url: URL, engine: AsyncEngine, *, upgrade: bool) -> None:
    """See that the database is there and has the schema of this version; ``upgrade`` says whether to make it so."""
    database = address.shown(url)
    if address.is_sqlite(url):
        address.prepare_file(url, make=upgrade)
    with translated(database):
        async with engine.connect() as connection:
            found = await connection.run_sync(_found)
        if _is_current(found, database):
            return
        if not upgrade:
            state = "has no schema yet" if found is None else f"has schema {found}, which is older than this BrowserX"
            raise SchemaVersionError(
                f"the database {database} {state}: run browserx db upgrade", database=database, found=found
            )
        await _upgrade(url, database)


async def _upgrade(url: URL, database: str) -> None:
    # An engine of its own: this may take longer than a request waits for anything.
    engine = make_engine(url, wait_s=_UPGRADE_S)
    try:
        if address.is_sqlite(url):
            await use_write_ahead_log(engine)
        async with for_writing(engine).connect() as connection, connection.begin():
            if not address.is_sqlite(url):
                await connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
                await connection.exec_driver_sql("SET LOCAL statement_timeout = '600s'")
                await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            # Another worker may have done it while this one waited.
            if not _is_current(await connection.run_sync(_found), database):
                await connection.run_sync(_run_migrations)
    finally:
        await engine.dispose()


def _found(connection: Connection) -> str | None:
    """The revision of the database; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return revision


def _is_current(found: str | None, database: str) -> bool:
    if found is not None and found not in REVISIONS:
        raise SchemaVersionError(
            f"the database {database} has schema {found}, which is newer than this BrowserX knows: upgrade BrowserX, or"
            " name another database",
            database=database,
            found=found,
        )
    return found == REVISIONS[-1]


def _run_migrations(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    # Percent signs are special to the parser behind it.
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
