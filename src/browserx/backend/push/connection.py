"""One client's connection: what waits for it, the task that writes to it, and when it is taken for gone."""

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from typing import Protocol

import msgspec

from browserx.backend.push.protocol import PING, Code, connection_established, error_frame


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much a hub takes on.

    Sizes are in characters of JSON. What waits for a connection is one text for all its receivers, so that a slow one
    costs the list of what it has not got, and that list ends at ``queued_frames`` or ``queued_chars``.
    """

    connections: int = 5_000
    channels_per_connection: int = 100
    frame_chars: int = 16_384
    event_chars: int = 256_000
    queued_frames: int = 1_000
    queued_chars: int = 2_000_000
    #: Silence after which each side asks whether the other is there, and how long it waits for the answer.
    activity_timeout_s: float = 120.0
    pong_timeout_s: float = 30.0
    #: How long one frame may take to leave this process, and how long saying goodbye may.
    send_timeout_s: float = 15.0
    close_timeout_s: float = 5.0


class SocketGoneError(Exception):
    """The other side of a socket is not there any more."""


class Socket(Protocol):
    """An accepted WebSocket. Each method is called by one task at a time, and may be cancelled."""

    async def send(self, text: str) -> None:
        """Send one text frame; returns when there is room for the next. Raises SocketGoneError."""
        ...

    async def receive(self) -> str | bytes | None:
        """The next frame, or None when the client has gone."""
        ...

    async def close(self, code: int, reason: str) -> None:
        """Say goodbye. Raises SocketGoneError."""
        ...


class Connection:
    """A client, from its first frame to its last.

    ``send`` never waits: frames go into a bounded queue that one task empties. A client that lets it fill up, does
    not take a frame in time, or does not answer a ping is closed, and with that hears what it has to do.
    """

    def __init__(self, socket: Socket, limits: Limits) -> None:
        self.socket_id = f"{secrets.randbelow(10**9)}.{secrets.randbelow(10**9)}"
        self.channels: set[str] = set()
        self._socket = socket
        self._limits = limits
        self._queue: deque[str] = deque()
        self._queued_chars = 0
        self._wake = asyncio.Event()
        self._ending = asyncio.Event()
        self._goodbye: tuple[int, str] | None = None
        self._heard_s = asyncio.get_running_loop().time()
        self._pinged_s: float | None = None

    def send(self, frame: str) -> None:
        """Queue one frame; ends the connection when too much waits already."""
        if self._ending.is_set():
            return
        self._queued_chars += len(frame)
        if len(self._queue) >= self._limits.queued_frames or self._queued_chars > self._limits.queued_chars:
            self.end(Code.OVER_CAPACITY, "too slow: too much waits for this connection")
            return
        self._queue.append(frame)
        self._wake.set()

    def end(self, code: int, reason: str) -> None:
        """Close the connection soon, and say so to the client. The first reason counts."""
        if not self._ending.is_set():
            self._goodbye = (code, reason)
            self._drop()

    async def run(self, handle: Callable[["Connection", str | bytes], None]) -> None:
        """Greet the client, and pass what it sends to ``handle`` until it goes, or ``end`` was called.

        When this returns (or is cancelled) nothing of the connection is left.
        """
        self.send(connection_established(self.socket_id, self._limits.activity_timeout_s))
        tasks = [
            asyncio.create_task(self._read(handle), name=f"push reads {self.socket_id}"),
            asyncio.create_task(self._write(), name=f"push writes {self.socket_id}"),
        ]
        try:
            await self._ending.wait()
        finally:
            self._drop()
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        if self._goodbye is not None:
            await say_goodbye(self._socket, *self._goodbye, timeout_s=self._limits.close_timeout_s)
        for result in results:
            if isinstance(result, Exception):
                raise result

    def _drop(self) -> None:
        """Nothing more is queued, and what waits is forgotten."""
        self._ending.set()
        self._queue.clear()

    async def _read(self, handle: Callable[["Connection", str | bytes], None]) -> None:
        try:
            while (frame := await self._socket.receive()) is not None:
                self._heard_s, self._pinged_s = asyncio.get_running_loop().time(), None
                if len(frame) > self._limits.frame_chars:
                    self.end(1009, f"a frame has at most {self._limits.frame_chars} characters")
                    return
                handle(self, frame)
        finally:
            self._drop()

    async def _write(self) -> None:
        try:
            while not self._ending.is_set():
                self._look_at_the_clock()
                if not self._queue:
                    await self._sleep()
                    continue
                frame = self._queue.popleft()
                self._queued_chars -= len(frame)
                async with asyncio.timeout(self._limits.send_timeout_s):
                    await self._socket.send(frame)
        except TimeoutError:
            self.end(Code.OVER_CAPACITY, "too slow: a frame was not taken in time")
        except SocketGoneError:
            pass
        finally:
            self._drop()

    def _look_at_the_clock(self) -> None:
        now_s = asyncio.get_running_loop().time()
        if now_s < self._due_s():
            return
        if self._pinged_s is not None:
            self.end(Code.PONG_MISSING, "no pong came")
        else:
            self._pinged_s = now_s
            self.send(PING)

    def _due_s(self) -> float:
        """When, on the loop's clock, the client has to be asked, or given up."""
        if self._pinged_s is not None:
            return self._pinged_s + self._limits.pong_timeout_s
        return self._heard_s + self._limits.activity_timeout_s

    async def _sleep(self) -> None:
        """Until something is to be sent, or the clock is to be looked at."""
        try:
            async with asyncio.timeout_at(self._due_s()):
                await self._wake.wait()
        except TimeoutError:
            return
        self._wake.clear()


async def say_goodbye(socket: Socket, code: int, reason: str, *, timeout_s: float) -> None:
    """Tell the client why, and close; where it does not listen any more, give up after ``timeout_s``."""
    try:
        async with asyncio.timeout(timeout_s):
            await socket.send(error_frame(code, reason))
            await socket.close(code, reason)
    except (TimeoutError, SocketGoneError):
        pass
