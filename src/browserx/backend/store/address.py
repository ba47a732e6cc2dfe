"""Where the database is: its url, read and checked, and the file and folder of one on this machine."""

import os
from contextlib import suppress
from errno import EISDIR
from pathlib import Path
from stat import S_ISDIR

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from browserx.errors import DatabaseUnavailableError, InvalidArgumentError

_SQLITE = ("sqlite", "sqlite+aiosqlite")
_POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")
_EXAMPLES = "sqlite:////folder/browserx.db or postgresql://user@host/database"


def default_url() -> str:
    """The file ``browserx.db`` in the user's data folder. Nothing is made yet."""
    from platformdirs import user_data_path

    return URL.create("sqlite+aiosqlite", database=str(user_data_path("browserx") / "browserx.db")).render_as_string()


def parse(url: str) -> URL:
    """The url with the driver we use for its kind of database.

    Raises:
        InvalidArgumentError: no url, another kind of database, or SQLite without a file of its own.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        # It may hold a password, so it is not repeated.
        raise InvalidArgumentError(f"the url of the database makes no sense; write {_EXAMPLES}") from error
    if parsed.drivername in _POSTGRESQL:
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername not in _SQLITE:
        raise InvalidArgumentError(f"there is no storage in {parsed.drivername}; write {_EXAMPLES}")
    if not parsed.database or parsed.database == ":memory:" or parsed.database.startswith("file:"):
        # In memory every connection would see a database of its own.
        raise InvalidArgumentError("SQLite needs a plain file here: write sqlite:////folder/browserx.db")
    if "\0" in parsed.database:
        raise InvalidArgumentError("the file of the database has a NUL character in its name; write another")
    return parsed.set(drivername="sqlite+aiosqlite")


def shown(url: URL) -> str:
    """The url as people and logs may see it: without its password."""
    secret = [name for name in url.query if "pass" in name.lower()]
    return url.difference_update_query(secret).render_as_string(hide_password=True)


def is_sqlite(url: URL) -> bool:
    """Whether it is a file, and not a server."""
    return url.get_backend_name() == "sqlite"


def prepare_file(url: URL, *, make: bool = True) -> None:
    """See to the file of an SQLite database, and to its folder: nobody else may read them (0600 and 0700).

    A folder that is there already stays as it is. The files SQLite makes beside its own get the same mode. Without
    ``make`` nothing is made.

    Raises:
        DatabaseUnavailableError: it is not there, or cannot be made.
    """
    assert url.database
    path = Path(url.database)
    try:
        if make:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        # One that was there is not opened here: closing it would take the locks from under another connection of this
        # process.
        mode = path.stat().st_mode
        if S_ISDIR(mode):
            raise IsADirectoryError(EISDIR, "it is a folder")
        if mode & 0o077:
            path.chmod(0o600)
    except OSError as error:
        raise DatabaseUnavailableError(
            f"the database {shown(url)} cannot be made or opened ({error.strerror}): name a file in a folder that is"
            " yours and has room",
            database=shown(url),
        ) from error
