"""The way into the push server: the WebSocket, and what clients ask for before they use it."""

from collections.abc import Awaitable, Callable, Container
from typing import Annotated, Any, Final
from urllib.parse import parse_qs

import msgspec
from fastapi import APIRouter, Depends, Request, WebSocket
from fastapi.responses import JSONResponse, Response
from starlette.websockets import WebSocketDisconnect

from browserx.backend.push.body import TooLargeError, read_body
from browserx.backend.push.connection import SocketGoneError
from browserx.backend.push.http_api import http_api
from browserx.backend.push.hub import Hub
from browserx.backend.push.protocol import PROTOCOL_VERSION, Code, check_channel, is_socket_id
from browserx.backend.push.publisher import SESSION_PREFIX, Publisher
from browserx.backend.push.signatures import channel_auth
from browserx.errors import InvalidArgumentError

AUTH_PATH: Final = "/api/pusher/auth"
#: pusher-js wants one, and does not use it when it is given a host.
_CLUSTER: Final = "browserx"
_MOST_AUTH_BYTES: Final = 10_000


class ClientConfig(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a client needs to connect: ``new Pusher(key, {cluster, wsHost, wsPort, wssPort, forceTLS, …})``."""

    key: str
    cluster: str
    ws_host: str
    ws_port: int
    wss_port: int
    force_tls: bool = msgspec.field(name="forceTLS")
    auth_endpoint: str = AUTH_PATH


class _AuthRequest(msgspec.Struct, frozen=True):
    socket_id: str = ""
    channel_name: str = ""


def push_router(
    hub: Hub,
    publisher: Publisher,
    *,
    principal: Callable[..., Any],
    may_subscribe: Callable[[Any, str], Awaitable[bool]],
    allowed_origins: Container[str],
    config: ClientConfig | None = None,
) -> APIRouter:
    """The WebSocket ``/app/{key}``, ``/api/pusher/auth`` and ``/config``, and the HTTP API under ``/apps/{id}``.

    Raises InvalidArgumentError where ``allowed_origins`` is one text.

    ``principal`` is a FastAPI dependency: what it returns is who asks, and it refuses who is nobody.
    ``may_subscribe(principal, channel)`` says whether they may hear a channel of a session. Pages open the socket
    only from ``allowed_origins`` (``http://127.0.0.1:8000``); programs, which send no Origin, always. ``config`` is
    told to clients instead of the address they asked, where the push server is another one.

    The socket and the HTTP API need no token of the backend: the first gives nothing without a signature that
    ``/api/pusher/auth`` made, the second is signed.
    """
    router = APIRouter(tags=["push"])
    router.include_router(http_api(hub, publisher))
    if isinstance(allowed_origins, str):
        # In a text any part of it would be found.
        raise InvalidArgumentError("allowed_origins must be a set or a list of origins, not one text")

    @router.websocket("/app/{key}")
    async def socket(websocket: WebSocket, key: str) -> None:
        origin = websocket.headers.get("origin")
        if origin is not None and origin not in allowed_origins:
            # Before it is accepted: the handshake is answered with 403.
            await websocket.close()
            return
        await websocket.accept()
        accepted = _StarletteSocket(websocket)
        if refused := _refusal(hub, key, websocket.query_params.get("protocol")):
            await hub.refuse(accepted, *refused)
        else:
            await hub.serve(accepted)

    @router.post(AUTH_PATH, response_model=None)
    async def auth(request: Request, who: Annotated[Any, Depends(principal)]) -> Response:
        try:
            asked = _auth_request(await read_body(request, _MOST_AUTH_BYTES))
        except TooLargeError as error:
            return _error(413, "TOO_LARGE", str(error))
        if not is_socket_id(asked.socket_id):
            return _error(422, "VALIDATION_ERROR", "socket_id must be the id of a connection", field="socket_id")
        try:
            check_channel(asked.channel_name)
        except InvalidArgumentError as error:
            return _error(422, error.code, error.message, field="channel_name")
        if not asked.channel_name.startswith(SESSION_PREFIX) or not await may_subscribe(who, asked.channel_name):
            return _error(403, "FORBIDDEN", "this channel is not yours; yours are private-session-<sessionId>")
        return JSONResponse({"auth": channel_auth(hub.app, asked.socket_id, asked.channel_name)})

    @router.get("/api/pusher/config", response_model=None, dependencies=[Depends(principal)])
    async def client_config(request: Request) -> Response:
        return JSONResponse(msgspec.to_builtins(config or _here(hub, request)))

    return router


def _refusal(hub: Hub, key: str, protocol: str | None) -> tuple[Code, str] | None:
    """Why this client is sent away, if it is."""
    if key != hub.app.key:
        return Code.NO_SUCH_APP, "no app has this key: ask /api/pusher/config for it"
    if not protocol:
        return Code.NO_PROTOCOL, f"no protocol was named: add protocol={PROTOCOL_VERSION} to the address"
    if not (protocol.isascii() and protocol.isdigit()):
        return Code.BAD_VERSION, f"protocol must be a number, such as {PROTOCOL_VERSION}"
    if protocol != str(PROTOCOL_VERSION):
        return Code.UNSUPPORTED_PROTOCOL, f"only protocol {PROTOCOL_VERSION} is spoken here: use a newer client"
    return None


def _auth_request(body: bytes) -> _AuthRequest:
    """From JSON or from a form; what is missing, or is no text, is empty."""
    if body.lstrip().startswith(b"{"):
        try:
            return msgspec.json.decode(body, type=_AuthRequest)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return _AuthRequest()
    try:
        form = parse_qs(body.decode(), max_num_fields=20)
    except ValueError:
        return _AuthRequest()
    return _AuthRequest(form.get("socket_id", [""])[0], form.get("channel_name", [""])[0])


def _here(hub: Hub, request: Request) -> ClientConfig:
    """This very server, by the address it was asked under."""
    tls = request.url.scheme == "https"
    port = request.url.port or (443 if tls else 80)
    host = request.url.hostname or "127.0.0.1"
    return ClientConfig(
        key=hub.app.key,
        cluster=_CLUSTER,
        # Clients put it into an address as it is, where IPv6 has brackets.
        ws_host=f"[{host}]" if ":" in host else host,
        ws_port=port,
        wss_port=port,
        force_tls=tls,
    )


def _error(status: int, code: str, message: str, **details: str) -> Response:
    told = {"success": False, "error": {"code": code, "message": message, "details": details}}
    return JSONResponse(told, status_code=status)


class _StarletteSocket:
    """A WebSocket of Starlette as a ``Socket``."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket

    async def send(self, text: str) -> None:
        try:
            await self._websocket.send_text(text)
        except (WebSocketDisconnect, RuntimeError, OSError) as error:
            # RuntimeError is what Starlette and servers raise when one side has closed already.
            raise SocketGoneError from error

    async def receive(self) -> str | bytes | None:
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            return None
        text: str | None = message.get("text")
        return text if text is not None else message.get("bytes") or b""

    async def close(self, code: int, reason: str) -> None:
        try:
            await self._websocket.close(code, reason)
        except (WebSocketDisconnect, RuntimeError, OSError) as error:
            raise SocketGoneError from error
