"""Who may come in: each token is a principal. Kept in one file that only its owner can read, a line for each."""

import hmac
import os
import re
import secrets
from pathlib import Path

from browserx.errors import InvalidArgumentError

OWNER = "owner"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}", re.IGNORECASE)
_LENGTH_BYTES = 32
_SHORTEST = 16


class Tokens:
    """The tokens of a server, by principal."""

    def __init__(self, by_name: dict[str, str]) -> None:
        self._by_name = by_name

    def principal(self, token: str) -> str | None:
        """Whose token that is; None: nobody's. All are compared, each in constant time."""
        given = token.encode("utf-8", "replace")
        found = None
        for name, own in self._by_name.items():
            if hmac.compare_digest(own.encode(), given):
                found = name
        return found

    def of(self, name: str) -> str | None:
        """The token of a principal."""
        return self._by_name.get(name)


def given_tokens(token: str) -> Tokens:
    """One principal with a token that was given.

    Raises:
        InvalidArgumentError: it is too short to be one.
    """
    if len(token) < _SHORTEST or not token.isprintable() or " " in token:
        raise InvalidArgumentError(f"a token has at least {_SHORTEST} characters, and no blanks: make a longer one")
    return Tokens({OWNER: token})


def read_tokens(path: Path) -> Tokens:
    """Those in the file; where there is none, one for ``owner`` is made.

    Raises:
        InvalidArgumentError: the file cannot be used, or holds something else.
    """
    if not path.exists():
        add_token(path, OWNER)
    try:
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgumentError(f"the tokens in {path} cannot be read: {error}") from error
    by_name: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, token = line.partition(" ")
        if not _NAME.fullmatch(name) or len(token.strip()) < _SHORTEST:
            raise InvalidArgumentError(f"{path}, line {number}: a line is a name, a blank and a token")
        by_name[name] = token.strip()
    if not by_name:
        raise InvalidArgumentError(f"{path} holds no token: remove it, and one is made")
    return Tokens(by_name)


def add_token(path: Path, name: str) -> str:
    """Make a token for a new principal, and keep it.

    Raises:
        InvalidArgumentError: that is no name, or somebody has it.
    """
    if not _NAME.fullmatch(name):
        raise InvalidArgumentError(f"{name!r} is no name for a token: letters, digits, dots and dashes, at most 63")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists() and read_tokens(path).of(name) is not None:
            raise InvalidArgumentError(f"{name} has a token already; remove its line from {path} first")
        token = secrets.token_urlsafe(_LENGTH_BYTES)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as file:
            file.write(f"{name} {token}\n")
    except OSError as error:
        raise InvalidArgumentError(f"tokens cannot be kept in {path}: {error.strerror}; name another folder") from error
    return token
