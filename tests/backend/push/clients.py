"""Clients that tests drive: a bare WebSocket that speaks the protocol, and pusher-js in Node."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from browserx.backend.push.signatures import channel_auth
from tests.backend.push.served import APP, Backend
from tests.javascript import FOLDER, node

TIMEOUT_S = 30


class Client:
    """A connection that has been greeted."""

    def __init__(self, socket: ClientConnection, socket_id: str) -> None:
        self.socket = socket
        self.socket_id = socket_id

    async def send(self, event: str, data: object = None) -> None:
        await self.socket.send(json.dumps({"event": event, "data": data or {}}))

    async def hear(self) -> dict[str, Any]:
        """The next frame, its data decoded."""
        async with asyncio.timeout(TIMEOUT_S):
            return decoded(await self.socket.recv())

    async def subscribe(self, channel: str, auth: str | None = None) -> dict[str, Any]:
        """Returns the answer, with a good signature unless another is given."""
        signature = channel_auth(APP, self.socket_id, channel) if auth is None else auth
        await self.send("pusher:subscribe", {"channel": channel, "auth": signature})
        return await self.hear()


def decoded(text: str | bytes) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(text)
    if isinstance(frame.get("data"), str):
        with contextlib.suppress(ValueError):
            frame["data"] = json.loads(frame["data"])
    return frame


@contextlib.asynccontextmanager
async def connected(backend: Backend, **options: Any) -> AsyncIterator[Client]:
    async with connect(backend.socket_url, compression=None, ping_interval=None, close_timeout=1, **options) as socket:
        greeting = decoded(await socket.recv())
        assert greeting["event"] == "pusher:connection_established"
        yield Client(socket, greeting["data"]["socket_id"])


class PusherJs:
    """pusher-js in Node; ``until`` waits for what it tells."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def do(self, *command: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command).encode() + b"\n")
        await self._process.stdin.drain()

    async def tells(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        async with asyncio.timeout(TIMEOUT_S):
            line = await self._process.stdout.readline()
        assert line, "pusher-js ended"
        told: dict[str, Any] = json.loads(line)
        return told

    async def until(self, **wanted: object) -> dict[str, Any]:
        """The next thing told that has all of ``wanted``."""
        while True:
            told = await self.tells()
            if wanted.items() <= told.items():
                return told


@contextlib.asynccontextmanager
async def pusher_js(backend: Backend, **options: Any) -> AsyncIterator[PusherJs]:
    executable = await asyncio.to_thread(node)
    given = json.dumps({"key": APP.key, "options": {**backend.options(), **options}})
    process = await asyncio.create_subprocess_exec(
        executable,
        FOLDER / "push_client.mjs",
        given,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield PusherJs(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(5):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
