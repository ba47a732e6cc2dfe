"""A browser process of our own: started over a debugging pipe, and never left behind."""

import asyncio
import contextlib
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

from browserx.browser import reaper
from browserx.cdp.pipe import PipeTransport
from browserx.errors import BrowserNotFoundError

_log = logging.getLogger("browserx.browser")

_EXIT_TIMEOUT_S = 5.0


class BrowserProcess:
    """One launched browser, its profile and the reaper that watches over both.

    ``end`` ends all three. If it is never called, because the program forgot or was killed, the reaper does it.
    """

    def __init__(self, pid: int, watcher: "subprocess.Popen[str]", exited: "_Exit") -> None:
        self.pid = pid
        self._watcher = watcher
        self._exited = exited
        self._words = _Words()
        self._reader: asyncio.ReadTransport | None = None

    @classmethod
    async def start(
        cls, executable: Path, arguments: list[str], profile: Path, *, keep_profile: bool
    ) -> "tuple[BrowserProcess, PipeTransport]":
        """Start ``executable`` in a process group of its own, with the two ends of its debugging pipe inherited.

        Raises:
            BrowserNotFoundError: it cannot be run.
        """
        watcher = _watch_over("" if keep_profile else str(profile))
        commands_ours, commands_theirs = socket.socketpair()
        replies_ours, replies_theirs = socket.socketpair()
        words_ours, words_theirs = os.pipe()
        try:
            line = ["--remote-debugging-pipe", *arguments]
            pid = _spawn(executable, line, commands_theirs.fileno(), replies_theirs.fileno(), words_theirs)
        except OSError as error:
            commands_ours.close()
            replies_ours.close()
            os.close(words_ours)
            _dismiss(watcher)
            raise BrowserNotFoundError(f"{executable} cannot be started: {error.strerror}") from error
        finally:
            commands_theirs.close()
            replies_theirs.close()
            os.close(words_theirs)
        _tell(watcher, f"pid {pid}")
        process = cls(pid, watcher, _Exit(pid))
        try:
            await process._listen(words_ours)
            for ours in (commands_ours, replies_ours):
                ours.setblocking(False)
            return process, await PipeTransport.open(replies_ours, commands_ours)
        except BaseException:
            # Whoever is cancelled here holds nothing that could be ended.
            commands_ours.close()
            replies_ours.close()
            process.kill()
            await asyncio.shield(process.end())
            raise

    async def _listen(self, words: int) -> None:
        """Hear what the browser writes to its standard error, whose other end is the descriptor ``words``."""
        loop = asyncio.get_running_loop()
        with contextlib.ExitStack() as unless_heard:
            pipe = unless_heard.enter_context(os.fdopen(words, "rb", buffering=0))
            self._reader, _ = await loop.connect_read_pipe(lambda: self._words, pipe)
            unless_heard.pop_all()

    def take_along(self, folder: Path) -> None:
        """When the browser ends, however it does, remove ``folder`` too."""
        _tell(self._watcher, f"folder {os.fsencode(folder).hex()}")

    def last_words(self) -> str:
        """The end of what the browser wrote to its standard error, for messages about a failed start."""
        return self._words.text.strip()

    async def wait_for_words(self, pattern: re.Pattern[str], timeout_s: float) -> "re.Match[str] | None":
        """Wait until the browser's standard error says ``pattern``; None when it does not in time."""
        return await self._words.wait_for(pattern, timeout_s)

    def kill(self) -> None:
        """Kill the process and all that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    async def end(self) -> None:
        """Wait for the process to exit, kill its group if it does not, and remove the profile."""
        exited = await self._exited.wait(_EXIT_TIMEOUT_S)
        # Also after a clean exit: a renderer that hangs outlives its browser.
        self.kill()
        if not exited:
            _log.warning("the browser (process %d) did not exit by itself and was killed", self.pid)
            await self._exited.wait(_EXIT_TIMEOUT_S)
        self._exited.close()
        if self._reader is not None:
            self._reader.close()
        _tell(self._watcher, "gone")
        # The reaper removes the profile; waiting for it makes the removal part of our own end.
        await asyncio.to_thread(_dismiss, self._watcher)


class _Words(asyncio.Protocol):
    """What the browser writes to its standard error: the end of it, and whoever waits for some of it."""

    _KEPT = 4000

    def __init__(self) -> None:
        self.text = ""
        self._waiting: list[tuple[re.Pattern[str], asyncio.Future[re.Match[str]]]] = []

    def data_received(self, data: bytes) -> None:
        self.text = (self.text + data.decode(errors="replace"))[-self._KEPT :]
        for pattern, future in self._waiting:
            if not future.done() and (match := pattern.search(self.text)):
                future.set_result(match)

    async def wait_for(self, pattern: re.Pattern[str], timeout_s: float) -> "re.Match[str] | None":
        if match := pattern.search(self.text):
            return match
        future: asyncio.Future[re.Match[str]] = asyncio.get_running_loop().create_future()
        waiter = (pattern, future)
        self._waiting.append(waiter)
        try:
            async with asyncio.timeout(timeout_s):
                return await future
        except TimeoutError:
            return None
        finally:
            self._waiting.remove(waiter)


class _Exit:
    """Tells when a child has ended, by event where the system has one for it."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._ended = asyncio.Event()
        self._pidfd = -1
        self._waiting: asyncio.Task[None] | None = None
        loop = asyncio.get_running_loop()
        if hasattr(os, "pidfd_open"):
            self._pidfd = os.pidfd_open(pid)
            loop.add_reader(self._pidfd, self._reap)
        else:
            self._waiting = loop.create_task(self._wait_in_thread(), name="browser exit")

    async def wait(self, timeout_s: float) -> bool:
        try:
            async with asyncio.timeout(timeout_s):
                await self._ended.wait()
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        if self._pidfd >= 0:
            asyncio.get_running_loop().remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1

    def _reap(self) -> None:
        asyncio.get_running_loop().remove_reader(self._pidfd)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._pid, os.WNOHANG)
        self._ended.set()

    async def _wait_in_thread(self) -> None:
        with contextlib.suppress(ChildProcessError):
            await asyncio.to_thread(os.waitpid, self._pid, 0)
        self._ended.set()


def make_profile() -> Path:
    """A fresh, private directory for a profile."""
    return Path(tempfile.mkdtemp(prefix="browserx-profile-"))


def _watch_over(profile: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-I", "-S", reaper.__file__, profile],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _spawn(executable: Path, arguments: list[str], commands: int, replies: int, stderr: int) -> int:
    # The protocol wants exactly descriptors 3 and 4; subprocess can pass descriptors on, but not renumber them.
    high = [_above_four(descriptor) for descriptor in (stderr, commands, replies)]
    actions: list[tuple[int, ...] | tuple[int, int, str, int, int]] = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        *((os.POSIX_SPAWN_DUP2, descriptor, number) for number, descriptor in zip((2, 3, 4), high, strict=True)),
    ]
    try:
        return os.posix_spawn(
            str(executable), [str(executable), *arguments], os.environ, file_actions=actions, setpgroup=0
        )
    finally:
        for descriptor in high:
            os.close(descriptor)


def _above_four(descriptor: int) -> int:
    # Renumbering must not overwrite a descriptor that is itself still to be renumbered.
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)


def _tell(watcher: "subprocess.Popen[str]", line: str) -> None:
    pipe: IO[str] | None = watcher.stdin
    if pipe is not None and not pipe.closed:
        with contextlib.suppress(BrokenPipeError):
            pipe.write(line + "\n")
            pipe.flush()


def _dismiss(watcher: "subprocess.Popen[str]") -> None:
    if watcher.stdin is not None:
        with contextlib.suppress(BrokenPipeError):
            watcher.stdin.close()
    try:
        watcher.wait(timeout=15)
    except subprocess.TimeoutExpired:
        watcher.kill()
        watcher.wait()
