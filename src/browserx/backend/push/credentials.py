"""What an app of the push server is known by: made on first start, kept where only its owner can read."""

import os
import secrets
import tempfile
from pathlib import Path

import msgspec

from browserx.errors import InvalidArgumentError


class AppCredentials(msgspec.Struct, frozen=True):
    """``key`` is told to every client, ``secret`` to nobody: it signs who may hear what. ``id`` stands in addresses."""

    id: str
    key: str
    secret: str

    def __post_init__(self) -> None:
        if not (self.id and self.key and self.secret):
            raise ValueError("id, key and secret must not be empty")

    def __repr__(self) -> str:
        return f"AppCredentials(id={self.id!r}, key={self.key!r}, secret=…)"


def credentials(path: Path) -> AppCredentials:
    """Those in the file; where there is none, new ones are made and kept there (0600).

    Several processes may ask at the same time: all get the same.

    Raises:
        InvalidArgumentError: the file cannot be read or made, or holds something else.
    """
    try:
        try:
            return _read(path)
        except FileNotFoundError:
            _make(path)
            return _read(path)
    except OSError as error:
        raise InvalidArgumentError(
            f"the credentials of the push server cannot be kept in {path}: {error.strerror}; name another file"
        ) from error


def _read(path: Path) -> AppCredentials:
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_mode & 0o077:
            os.fchmod(file.fileno(), 0o600)
        text = file.read()
    try:
        return msgspec.json.decode(text, type=AppCredentials)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise InvalidArgumentError(
            f"{path} does not hold the credentials of a push server ({error}); remove it, and new ones are made"
        ) from error


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = AppCredentials(
        id=str(secrets.randbelow(9 * 10**6) + 10**6), key=secrets.token_hex(10), secret=secrets.token_hex(32)
    )
    # mkstemp makes it 0600; a link appears whole or not at all, and never in the place of another's.
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(made))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
    finally:
        os.unlink(draft)
