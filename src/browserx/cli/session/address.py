"""Where a session is found: its socket and its locks, in a folder that only the user may enter."""

import os
import stat
import sys
from collections.abc import Mapping
from typing import IO, NamedTuple

#: What the system's ``sun_path`` holds, less the final zero.
_MAX_PATH_BYTES = 103 if sys.platform == "darwin" else 107
_MAX_NAME = 64


class SessionError(Exception):
    """A session cannot be used; the message says what to do next, ``exit_code`` is what the command ends with."""

    def __init__(self, message: str, *, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class Address(NamedTuple):
    """Of one session."""

    folder: str
    name: str

    @property
    def socket(self) -> str:
        """It listens here."""
        return os.path.join(self.folder, f"{self.name}.sock")

    @property
    def lock(self) -> str:
        """Its process holds a lock on this file for as long as it lives, and says in it which one it is."""
        return os.path.join(self.folder, f"{self.name}.lock")

    @property
    def start_lock(self) -> str:
        """Whoever starts a session holds a lock on this file meanwhile, so that nobody starts a second one."""
        return os.path.join(self.folder, "start")


def address_of(name: str, environ: Mapping[str, str]) -> Address:
    """The address of session ``name``; makes the folder.

    Raises:
        SessionError: the name is none, or the folder is not ours alone.
    """
    if not _is_name(name):
        raise SessionError(f"{name!r} is no name of a session: use letters, digits, - and _", exit_code=2)
    address = Address(_folder(environ), name)
    if len(os.fsencode(address.socket)) > _MAX_PATH_BYTES:
        raise SessionError(
            f"{address.socket} is too long for a socket: take a shorter --session, or set XDG_RUNTIME_DIR"
        )
    _make_private(address.folder)
    return address


def _is_name(name: str) -> bool:
    # Not a regular expression: it takes longer to compile than the rest of the client to run.
    plain = name.replace("-", "a").replace(".", "a").replace("_", "a")
    return plain.isascii() and plain.isalnum() and len(name) <= _MAX_NAME and name[0] not in "-."


def _folder(environ: Mapping[str, str]) -> str:
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    # Under sudo it may still be that of somebody else.
    if os.path.isabs(runtime) and _owner(runtime) == os.geteuid():
        return os.path.join(runtime, "browserx")
    home = environ.get("HOME") or os.path.expanduser("~")
    cache = os.path.join(home, "Library", "Caches") if sys.platform == "darwin" else os.path.join(home, ".cache")
    return os.path.join(environ.get("XDG_CACHE_HOME") or cache, "browserx", "sessions")


def _owner(path: str) -> int | None:
    try:
        return os.stat(path).st_uid
    except OSError:
        return None


def _make_private(folder: str) -> None:
    try:
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            pass
        there = os.lstat(folder)
    except OSError as error:
        raise SessionError(f"the folder {folder} cannot be made: {error.strerror}; set XDG_RUNTIME_DIR") from error
    if not stat.S_ISDIR(there.st_mode) or there.st_uid != os.geteuid() or there.st_mode & 0o077:
        raise SessionError(
            f"{folder} is not a folder of yours alone (mode 0700), so others could use your browser:"
            " remove it, or set XDG_RUNTIME_DIR"
        )


def take_lock(file: "IO[str]", timeout_s: float) -> bool:
    """Lock ``file`` until it is closed; False when somebody else holds it all that time. Main thread only."""
    import fcntl
    import signal

    def expired(number: int, frame: object) -> None:
        raise TimeoutError

    # The alarm bounds the wait, and the wait ends the moment that the other lets go.
    before = signal.signal(signal.SIGALRM, expired)
    signal.setitimer(signal.ITIMER_REAL, timeout_s)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
    except TimeoutError:
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return True
