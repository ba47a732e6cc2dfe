"""A uvicorn in this process, for tests."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import uvicorn


class Server(uvicorn.Server):
    """A uvicorn that says when it is there, and leaves the signals to pytest."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
