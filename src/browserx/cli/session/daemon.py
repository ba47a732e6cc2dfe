"""The daemon of one session: ``python -m browserx.cli.session.daemon FOLDER NAME``.

It listens on a Unix socket, carries out one command at a time in the order they came in, and ends, with its browser,
on ``close``, when nobody has asked for long, on a signal, or when there is no browser to keep. If it is killed, the
reaper ends the browser, and the next daemon takes over its socket.
"""

import asyncio
import contextlib
import json
import os
import signal
import socket
import struct
import sys
from collections.abc import Callable

import msgspec

from browserx import __version__
from browserx.cli.session.address import Address, take_lock
from browserx.cli.session.session import Session
from browserx.cli.session.wire import MAX_ANSWER_BYTES, MAX_REQUEST_BYTES, Answer, answer_line

_READ_TIMEOUT_S = 10.0
_WRITE_TIMEOUT_S = 30.0
#: Whoever starts a daemon asks it for something at once, or was interrupted.
_UNUSED_S = 30.0
#: A daemon that ends first closes its browser.
_TAKE_OVER_TIMEOUT_S = 20.0
_BACKLOG = 100
_TOO_MUCH = "browserx: the answer is too long to be told; ask for less, as with --max-tokens or --scope\n"
_GONE = Answer(1, "", "", gone=True)


class _Versioned(msgspec.Struct):
    version: str


class _Request(msgspec.Struct):
    argv: list[str]
    cwd: str
    environ: dict[str, str]
    stdin: str | None = None


class Daemon:
    """Serves one session until it ends."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._session = Session(self._browser_gone)
        self._turn = asyncio.Lock()
        self._end = asyncio.Event()
        self._reading: set[asyncio.Task[None]] = set()
        #: Commands that run, or wait for their turn.
        self._busy = 0
        self._idle: asyncio.TimerHandle | None = None

    async def serve(self, ready: Callable[[], None]) -> None:
        """Listen, call ``ready``, and return when everything has ended."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self._end.set)
        # We hold the lock: whoever left a socket is dead.
        self._unlink()
        try:
            async with asyncio.TaskGroup() as tasks:
                server = await asyncio.start_unix_server(
                    lambda reader, writer: self._accept(tasks, reader, writer),
                    self._address.socket,
                    limit=MAX_REQUEST_BYTES,
                    backlog=_BACKLOG,
                )
                os.chmod(self._address.socket, 0o600)
                self._rest()
                ready()
                await self._end.wait()
                # From here on nobody finds us. Whoever has connected and is not read yet hears that from the system;
                # who waits for a turn, from us; and what runs ends now, with the browser.
                self._unlink()
                server.close()
                for task in self._reading:
                    task.cancel()
                await self._session.close()
        finally:
            self._unlink()
            await self._session.close()

    def _unlink(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._address.socket)

    def _accept(self, tasks: asyncio.TaskGroup, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.create_task(self._serve_one(reader, writer), name="session command")

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answer = await self._answer(reader, writer)
            if answer is not None:
                line = answer_line(answer)
                if len(line) > MAX_ANSWER_BYTES:
                    line = answer_line(Answer(1, "", _TOO_MUCH, gone=False))
                writer.write(line)
                async with asyncio.timeout(_WRITE_TIMEOUT_S):
                    await writer.drain()
        except (ConnectionError, TimeoutError):
            pass  # It died meanwhile, or does not read: its own loss.
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Answer | None:
        if not _is_ours(writer.get_extra_info("socket")):
            return Answer(1, "", "browserx: this session belongs to another user\n", gone=False)
        try:
            line = await self._read(reader)
        except ValueError:
            return _wrong(f"a command is at most {MAX_REQUEST_BYTES} bytes long")
        if not line.endswith(b"\n"):
            return None
        try:
            # Not msgspec's own decoder: it refuses the names of files that are no UTF-8.
            told = json.loads(line)
            if msgspec.convert(told, _Versioned).version != __version__:
                self._end.set()
                return _GONE
            request = msgspec.convert(told, _Request)
        except (ValueError, RecursionError) as error:
            return _wrong(f"this is no command: {error}")
        return await self._in_turn(request, reader)

    async def _read(self, reader: asyncio.StreamReader) -> bytes:
        task = asyncio.current_task()
        assert task is not None
        self._reading.add(task)
        try:
            async with asyncio.timeout(_READ_TIMEOUT_S):
                return await reader.readline()
        finally:
            self._reading.discard(task)

    async def _in_turn(self, request: _Request, reader: asyncio.StreamReader) -> Answer | None:
        self._busy += 1
        if self._idle is not None:
            self._idle.cancel()
        try:
            async with self._turn:
                if self._end.is_set():
                    return _GONE
                if reader.at_eof():
                    return None  # Whoever asked did not wait for its turn.
                answer = await self._session.run(request.argv, request.cwd, request.environ, request.stdin)
                if not self._session.is_open:
                    self._end.set()
                return answer
        finally:
            self._busy -= 1
            self._rest()

    def _browser_gone(self) -> None:
        """It died, or a person closed its window; a command that runs meanwhile has to say so first."""
        if not self._busy:
            self._end.set()

    def _rest(self) -> None:
        """Nobody asks for anything: end when that goes on for long."""
        if not self._busy and not self._end.is_set():
            idle_s = self._session.idle_s if self._session.is_open else _UNUSED_S
            self._idle = asyncio.get_running_loop().call_later(idle_s, self._end.set)


def _wrong(why: str) -> Answer:
    return Answer(2, "", f"browserx: {why}\n", gone=False)


def _is_ours(connection: socket.socket) -> bool:
    """Whether the other end runs as the same user, where the system tells; the folder keeps others out everywhere."""
    if sys.platform != "linux":
        return True
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", told)
    return bool(user == os.geteuid())


def main(folder: str, name: str) -> int:
    """Take over session ``name``, say ``ready`` on standard output, and serve it. 0: it ended well."""
    address = Address(folder, name)
    with open(address.lock, "a+", encoding="ascii") as lock:
        if not take_lock(lock, _TAKE_OVER_TIMEOUT_S):
            lock.seek(0)
            print(f"process {lock.read().strip()} holds session {name!r}, and does not answer: end it, and try again")
            return 1
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        asyncio.run(Daemon(address).serve(_ready))
        os.unlink(address.lock)
    return 0


def _ready() -> None:
    """Whoever started us need not wait any longer; from now on nobody hears us."""
    os.write(1, b"ready\n")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
