"""The client: asks the session's daemon, starts it if there is none, and prints the answer.

It runs for every command, so it imports next to nothing: a parser only when the command is called wrongly or nobody
listens yet, and never asyncio.
"""

import os
import socket
import sys
from collections.abc import Sequence

from browserx.cli.session import names
from browserx.cli.session.address import Address, SessionError, address_of, take_lock
from browserx.cli.session.wire import MAX_ANSWER_BYTES, MAX_REQUEST_BYTES, Answer, read_answer, request_line

_ANSWER_TIMEOUT_S = 600.0
_START_TIMEOUT_S = 30.0
_READY = b"ready\n"
#: A daemon may end just when it is asked; a new one is started, but not for ever.
_STARTS = 3


def run(argv: Sequence[str]) -> int:
    """Carry out one command of a session, the first of ``argv``; returns its exit code."""
    if {"-h", "--help"} & set(argv[: argv.index("--") if "--" in argv else None]):
        from browserx.cli.session.parsing import help_of

        print(help_of(argv[0]))
        return 0
    try:
        if not hasattr(socket, "AF_UNIX"):
            raise SessionError("sessions need Unix sockets, which are not here: use browserx snapshot URL")
        answer = _answer(argv)
    except SessionError as error:
        print(f"browserx: {error}", file=sys.stderr)
        return error.exit_code
    _print(answer.out, sys.stdout.fileno())
    _print(answer.err, sys.stderr.fileno())
    return answer.exit


def _answer(argv: Sequence[str]) -> Answer:
    try:
        folder = os.getcwd()
    except OSError as error:
        raise SessionError("the folder you are in is gone: go to another one") from error
    address = address_of(_name(argv), os.environ)
    stdin = None
    if argv[0] in names.READ_INPUT and not names.has_positional(argv[1:]) and not sys.stdin.isatty():
        stdin = sys.stdin.read()
    line = request_line(argv, os.environ, stdin, folder)
    if len(line) > MAX_REQUEST_BYTES:
        raise SessionError(
            f"the command is too long ({len(line)} bytes, at most {MAX_REQUEST_BYTES}): give it in parts", exit_code=2
        )
    for _ in range(_STARTS):
        answer = _ask(address, line)
        if answer is not None and not answer.gone:
            return answer
        if argv[0] == "close":
            return Answer(0, f"session {address.name!r} is not open\n", "", False)
        _check(argv, address.name, folder)
        _start(address)
    raise SessionError(f"session {address.name!r} ends as soon as it is started: browserx doctor says what is missing")


def _name(argv: Sequence[str]) -> str:
    """Which session is meant, as the settings of every option go."""
    given = names.option(argv, "--session", "-s") or os.environ.get("BROWSERX_SESSION")
    if given is not None:
        return given
    from browserx.cli.places import PROJECT_FILE, user_file

    if not os.path.exists(PROJECT_FILE) and not os.path.exists(user_file(os.environ)):
        return "default"
    from browserx.cli import settings

    try:
        found = settings.from_files(argv[0], os.environ, os.getcwd()).get("session")
    except settings.SettingError as error:
        raise SessionError(str(error), exit_code=2) from error
    return str(found[0]) if found else "default"


def _check(argv: Sequence[str], name: str, folder: str) -> None:
    """Before anything is started: is this a command that makes sense, and one that begins a session?"""
    from browserx.cli.session.command import CalledWronglyError
    from browserx.cli.session.parsing import begins, parse

    try:
        arguments = parse(argv, os.environ, folder)
    except CalledWronglyError as error:
        raise SessionError(str(error), exit_code=2) from error
    if not begins(arguments):
        raise SessionError(f"nothing is open in session {name!r}: begin with browserx open URL")


def _ask(address: Address, line: bytes) -> Answer | None:
    """Ask whoever listens; None when nobody does, or has not even read the command."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_ANSWER_TIMEOUT_S)
        try:
            connection.connect(address.socket)
            connection.sendall(line)
            told = _read_line(connection)
        # The system tells a daemon that ended before it read (reset) from one that ended afterwards (end of file): only
        # the former may be asked again, or a command could be carried out twice.
        except (FileNotFoundError, ConnectionRefusedError, ConnectionResetError, BrokenPipeError):
            return None
        except BlockingIOError as error:
            raise SessionError(f"too many commands wait for session {address.name!r}: try again later") from error
        except TimeoutError as error:
            raise SessionError(
                f"session {address.name!r} did not answer within {_ANSWER_TIMEOUT_S:.0f} s: it is still busy"
            ) from error
    try:
        return read_answer(told)
    except (ValueError, KeyError, AttributeError) as error:
        raise SessionError(
            f"session {address.name!r} ended while it ran this; what came of it is not known:"
            " begin anew with browserx open URL"
        ) from error


def _read_line(connection: socket.socket) -> bytes:
    parts: list[bytes] = []
    size = 0
    while size < MAX_ANSWER_BYTES:
        part = connection.recv(1 << 18)
        parts.append(part)
        size += len(part)
        if not part or part.endswith(b"\n"):
            break
    return b"".join(parts)


def _start(address: Address) -> None:
    """Start the daemon, unless somebody else just did; returns when it listens."""
    import subprocess

    with open(address.start_lock, "w", encoding="ascii") as lock:
        if not take_lock(lock, _START_TIMEOUT_S):
            raise SessionError("another session is being started, and does not get ready: try again")
        if _listens(address):
            return
        # -P: what lies in the folder we happen to be in is not to be imported.
        line = [sys.executable, "-P", "-m", "browserx.cli.session.daemon", address.folder, address.name]
        daemon = subprocess.Popen(
            line,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        said = _words(daemon.stdout.fileno()) if daemon.stdout is not None else b""
    if not said.endswith(_READY):
        words = said.decode(errors="replace").strip().splitlines()
        daemon.kill()
        daemon.wait()
        raise SessionError(f"session {address.name!r} did not start: {words[-1] if words else 'it said nothing'}")


def _words(descriptor: int) -> bytes:
    """What the daemon says until it is ready, has ended, or has taken too long."""
    import select

    said = b""
    while select.select([descriptor], [], [], _START_TIMEOUT_S)[0]:
        part = os.read(descriptor, 1 << 16)
        said += part
        if not part or said.endswith(_READY):
            break
    return said


def _listens(address: Address) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_START_TIMEOUT_S)
        return connection.connect_ex(address.socket) == 0


def _print(text: str, descriptor: int) -> None:
    if os.isatty(descriptor):
        # What a page says must not steer the terminal.
        text = "".join(sign if sign in "\n\t" or sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    left = memoryview(text.encode(errors="replace"))
    while left:
        left = left[os.write(descriptor, left) :]
