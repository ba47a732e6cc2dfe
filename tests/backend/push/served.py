"""A backend with nothing but push, on a port of its own, which can be stopped and started again."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Callable, Container
from typing import Any

import uvicorn
from fastapi import FastAPI, Header, HTTPException, Response

from browserx.backend.push.connection import Connection, Limits
from browserx.backend.push.credentials import AppCredentials
from browserx.backend.push.endpoint import push_router
from browserx.backend.push.hub import Hub
from browserx.backend.push.publisher import LocalPublisher, Publisher
from tests.backend.running import Server
from tests.javascript import FOLDER

APP = AppCredentials(id="4711", key="key-of-tests", secret="secret-of-tests")
TOKEN = "token-of-ann"
MakePublisher = Callable[[Hub], contextlib.AbstractAsyncContextManager[Publisher]]
#: Runs pusher-js in a page: what happens is kept in ``heard``.
PAGE = """<!doctype html><title>push</title><script src="/pusher.js"></script><script>
const heard = [];
let pusher;
async function start(token) {
  const headers = { Authorization: "Bearer " + token };
  const config = await (await fetch("/api/pusher/config", { headers })).json();
  pusher = new Pusher(config.key, { ...config, enabledTransports: ["ws"], disableStats: true,
    channelAuthorization: { endpoint: config.authEndpoint, headers } });
  pusher.connection.bind("state_change", ({ current }) => heard.push(current));
}
function until(name, event) {
  return new Promise((resolve) => (pusher.channel(name) ?? pusher.subscribe(name)).bind(event, resolve));
}
</script>"""


@contextlib.asynccontextmanager
async def _local(hub: Hub) -> AsyncIterator[Publisher]:
    yield LocalPublisher(hub)


async def _principal(authorization: str = Header(default="")) -> str:
    if authorization != f"Bearer {TOKEN}":
        raise HTTPException(401, "a token is needed")
    return "ann"


async def _may_subscribe(who: object, channel: str) -> bool:
    return channel.startswith(f"private-session-{who}")


class _Hub(Hub):
    """A hub that a test can look into: which events clients sent, and sending them away."""

    def __init__(self, limits: Limits | None) -> None:
        super().__init__(APP, limits)
        self.heard: asyncio.Queue[str] = asyncio.Queue()

    def _handle(self, connection: Connection, frame: str | bytes) -> None:
        super()._handle(connection, frame)
        with contextlib.suppress(ValueError, TypeError, KeyError):
            self.heard.put_nowait(json.loads(frame)["event"])

    def send_away(self, code: int, reason: str) -> None:
        for connection in self._connections:
            connection.end(code, reason)


class Backend:
    """``async with Backend() as backend``; ``hub`` and ``publisher`` are those of the server that runs now."""

    hub: _Hub
    publisher: Publisher

    def __init__(
        self,
        limits: Limits | None = None,
        make_publisher: MakePublisher = _local,
        allowed_origins: Container[str] | None = None,
    ) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._limits = limits
        self._allowed_origins = [self.url] if allowed_origins is None else allowed_origins
        self._make_publisher = make_publisher
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> "Backend":
        await self.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/app/{APP.key}?protocol=7&client=js&version=8.6.0"

    async def heard(self) -> str:
        """The event that some client sent next."""
        async with asyncio.timeout(30):
            return await self.hub.heard.get()

    async def start(self) -> None:
        stack = contextlib.AsyncExitStack()
        self.hub = await stack.enter_async_context(_Hub(self._limits))
        self.publisher = await stack.enter_async_context(self._make_publisher(self.hub))
        app = FastAPI()
        app.include_router(
            push_router(
                self.hub,
                self.publisher,
                principal=_principal,
                may_subscribe=_may_subscribe,
                allowed_origins=self._allowed_origins,
            )
        )

        @app.get("/")
        async def page() -> Response:
            return Response(PAGE, media_type="text/html")

        @app.get("/pusher.js")
        async def script() -> Response:
            built = FOLDER / "node_modules" / "pusher-js" / "dist" / "web" / "pusher.js"
            return Response(built.read_bytes(), media_type="text/javascript")

        bound = socket.socket()
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", self.port))
        server = Server(uvicorn.Config(app, log_level="critical", ws_per_message_deflate=False))
        task = asyncio.create_task(server.serve([bound]))

        async def stop() -> None:
            server.should_exit = True
            await task

        stack.push_async_callback(stop)
        await server.ready.wait()
        self._stack = stack

    async def stop(self) -> None:
        """The port is free, and every client has lost its connection, when this returns."""
        await self._stack.pop_all().aclose()

    def options(self, token: str = TOKEN) -> dict[str, Any]:
        """What pusher-js is given in Node."""
        return {
            "cluster": "x",
            "wsHost": "127.0.0.1",
            "wsPort": self.port,
            "forceTLS": False,
            "enabledTransports": ["ws"],
            "disableStats": True,
            "channelAuthorization": {
                "endpoint": f"{self.url}/api/pusher/auth",
                "headers": {"Authorization": f"Bearer {token}"},
            },
        }
