"""A backend on a port of its own, in this process: what the tests of the HTTP contract talk to."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from browserx.agent.backends import HttpBackend
from browserx.agent.brain import Brain
from browserx.backend.app import create_app
from browserx.backend.settings import Settings
from browserx.backend.tokens import OWNER, add_token, read_tokens
from tests.backend.running import Server


class Served:
    """A running backend. ``ann`` and ``ben`` are two principals with tokens of their own."""

    def __init__(self, settings: Settings, port: int) -> None:
        self.settings = settings
        self.url = f"http://127.0.0.1:{port}"
        self.port = port
        tokens = read_tokens(settings.token_file)
        self.ann, self.ben = tokens.of(OWNER) or "", tokens.of("ben") or ""

    def client(self, token: str | None = None, **headers: str) -> httpx2.AsyncClient:
        """Plain HTTP, with ann's token when no other is given; "" for none."""
        token = self.ann if token is None else token
        own = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx2.AsyncClient(base_url=self.url, headers={**own, **headers}, timeout=30)

    def backend(self, token: str | None = None) -> HttpBackend:
        """The client's side of the contract."""
        return HttpBackend(self.url, token=token or self.ann)


@contextlib.asynccontextmanager
async def serve(folder: Path, brain: Brain | None = None, **given: Any) -> AsyncIterator[Served]:
    """Serve from a folder, until the block ends; the same folder goes on where it ended."""
    settings = Settings(data_dir=str(folder), **{"rate": "100000/minute", **given})
    if not settings.token_file.exists():
        add_token(settings.token_file, OWNER)
        add_token(settings.token_file, "ben")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            create_app(settings, brain), log_level="error", log_config=None, timeout_graceful_shutdown=5
        )
        server = Server(config)
        running = asyncio.create_task(server.serve(sockets=[listener]))
        ready = asyncio.create_task(server.ready.wait())
        try:
            await asyncio.wait((running, ready), return_when=asyncio.FIRST_COMPLETED)
            assert server.started, "the server did not start"
            yield Served(settings, listener.getsockname()[1])
        finally:
            ready.cancel()
            server.should_exit = True
            await running
