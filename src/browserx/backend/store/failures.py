"""What databases and drivers raise, in our own errors. Told by codes and types, never by their texts."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from browserx.errors import (
    BrowserXError,
    DatabaseBusyError,
    DatabaseFullError,
    DatabaseUnavailableError,
    InvalidArgumentError,
    SchemaVersionError,
)

_BUSY, _FULL, _UNAVAILABLE, _DAMAGED, _REFERENCE, _SCHEMA = range(6)

#: Primary result codes of SQLite (https://www.sqlite.org/rescode.html).
_SQLITE = {
    5: _BUSY,  # BUSY
    6: _BUSY,  # LOCKED
    8: _UNAVAILABLE,  # READONLY
    10: _UNAVAILABLE,  # IOERR
    11: _DAMAGED,  # CORRUPT
    13: _FULL,  # FULL
    14: _UNAVAILABLE,  # CANTOPEN
    19: _REFERENCE,  # CONSTRAINT
    23: _UNAVAILABLE,  # AUTH
    26: _DAMAGED,  # NOTADB
}

#: SQLSTATEs, or their first two characters (https://www.postgresql.org/docs/current/errcodes-appendix.html).
_POSTGRESQL = {
    "08": _UNAVAILABLE,  # connection exception
    "23": _REFERENCE,  # integrity constraint violation
    "25006": _UNAVAILABLE,  # read only: a standby
    "25P03": _BUSY,  # idle in a transaction for too long
    "28": _UNAVAILABLE,  # authorization
    "3D": _UNAVAILABLE,  # no such database
    "40": _BUSY,  # deadlock, serialization failure
    "42501": _UNAVAILABLE,  # insufficient privilege
    "42P01": _SCHEMA,  # undefined table
    "42703": _SCHEMA,  # undefined column
    "53": _UNAVAILABLE,  # out of memory, too many connections
    "53100": _FULL,  # disk full
    "55P03": _BUSY,  # lock not available in time
    "57": _UNAVAILABLE,  # shut down, starting up
    "57014": _BUSY,  # statement timeout
    "58": _UNAVAILABLE,  # the system under it
}


@contextmanager
def translated(database: str) -> Iterator[None]:
    """Raise what the database raises inside as our own errors; what we do not know travels on as it is."""
    try:
        yield
    except PoolTimeoutError as error:
        raise _error(_BUSY, database, "all connections are in use") from error
    except DBAPIError as error:
        kind = _kind(error)
        if kind is None:
            raise
        raise _error(kind, database, _detail(error)) from error


def _kind(error: DBAPIError) -> int | None:
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return _SQLITE.get(code & 0xFF)
    state = getattr(error.orig, "sqlstate", None)
    if state is not None:
        return _POSTGRESQL.get(state, _POSTGRESQL.get(state[:2]))
    # Without a code nobody answered: it could not be reached, or went away.
    unreached = error.connection_invalidated or type(error.orig).__name__ in ("OperationalError", "ConnectionTimeout")
    return _UNAVAILABLE if unreached else None


def _detail(error: DBAPIError) -> str:
    """The first line of what the driver says; it has no statement and no values in it."""
    return (str(error.orig).strip().splitlines() or [type(error.orig).__name__])[0]


def _error(kind: int, database: str, detail: str) -> BrowserXError:
    what = f"the database {database}"
    if kind == _BUSY:
        return DatabaseBusyError(f"{what} is held by others ({detail}); try again", database=database)
    if kind == _FULL:
        return DatabaseFullError(
            f"{what} has no room left ({detail}): make room, or remove old sessions (browserx db purge)",
            database=database,
        )
    if kind == _DAMAGED:
        return DatabaseUnavailableError(
            f"{what} is damaged, or not a database ({detail}): put a backup in its place, or name another file",
            database=database,
        )
    if kind == _SCHEMA:
        return SchemaVersionError(
            f"{what} lacks a part of its schema ({detail}): run browserx db upgrade", database=database, found=None
        )
    if kind == _REFERENCE:
        return InvalidArgumentError(
            f"this belongs to a session that is not (or no longer) there, or is there already ({detail})"
        )
    return DatabaseUnavailableError(
        f"{what} cannot be used ({detail}): see that it runs, that its address and user are right, and that it may be"
        " written",
        database=database,
    )
