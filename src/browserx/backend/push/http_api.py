"""Pusher's HTTP API, so that every Pusher server library can publish here and ask who listens.

Source: https://pusher.com/docs/channels/library_auth_reference/rest-api/. Requests are signed with the app's secret.
What is told of channels is what this process knows: other workers have listeners of their own.
"""

import time
from typing import Annotated, Any, Final, TypeVar

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from browserx.backend.push.body import TooLargeError, read_body
from browserx.backend.push.hub import Hub
from browserx.backend.push.protocol import check_channel, check_event, is_socket_id
from browserx.backend.push.publisher import Publisher
from browserx.backend.push.signatures import refusal
from browserx.errors import InvalidArgumentError

_MOST_CHANNELS: Final = 100
_MOST_BATCHED: Final = 10
_MOST_BODY_BYTES: Final = 4_000_000
T = TypeVar("T")


class _Trigger(msgspec.Struct):
    """Body of ``POST …/events``; ``channel`` is what older libraries send."""

    name: str
    data: str
    channels: Annotated[list[str], msgspec.Meta(max_length=_MOST_CHANNELS)] = []
    channel: str = ""
    socket_id: str = ""


class _Batched(msgspec.Struct):
    name: str
    data: str
    channel: str
    socket_id: str = ""


class _Batch(msgspec.Struct):
    batch: Annotated[list[_Batched], msgspec.Meta(max_length=_MOST_BATCHED)]


class _RefusedError(Exception):
    """The request is answered with ``status`` and this text."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text

    def answer(self) -> Response:
        return PlainTextResponse(self.text + "\n", status_code=self.status)


def http_api(hub: Hub, publisher: Publisher) -> APIRouter:
    """The routes under ``/apps/{id}`` that server libraries use."""
    router = APIRouter(prefix="/apps/{app_id}", tags=["push"], include_in_schema=False)

    async def events(request: Request) -> Any:
        event = _decoded(await _signed_body(request, hub), _Trigger)
        channels = event.channels or [event.channel]
        await _publish(publisher, [_Batched(event.name, event.data, name, event.socket_id) for name in channels])
        return {}

    async def batch_events(request: Request) -> Any:
        await _publish(publisher, _decoded(await _signed_body(request, hub), _Batch).batch)
        return {}

    async def channels(request: Request) -> Any:
        await _signed_body(request, hub)
        wanted = _attributes(request)
        found = hub.channels(request.query_params.get("filter_by_prefix", ""))
        return {"channels": {name: _described(count, wanted) for name, count in found.items()}}

    async def channel(request: Request) -> Any:
        await _signed_body(request, hub)
        name = request.path_params["name"]
        _checked(check_channel, name)
        count = hub.channels(name).get(name, 0)
        return {"occupied": count > 0, **_described(count, _attributes(request))}

    for path, method, handler in (
        ("/events", "POST", events),
        ("/batch_events", "POST", batch_events),
        ("/channels", "GET", channels),
        ("/channels/{name}", "GET", channel),
    ):
        router.add_api_route(path, _answering(handler), methods=[method], response_model=None)
    return router


def _answering(handler: Any) -> Any:
    async def answer(request: Request) -> Response:
        try:
            return JSONResponse(await handler(request))
        except _RefusedError as refused:
            return refused.answer()

    return answer


async def _signed_body(request: Request, hub: Hub) -> bytes:
    """The body, once it is known that who sent it has the secret."""
    try:
        body = await read_body(request, _MOST_BODY_BYTES)
    except TooLargeError as error:
        raise _RefusedError(413, str(error)) from error
    # Paths are signed as they are routed: names of apps and channels hold nothing that would be escaped.
    query = request.query_params.multi_items()
    refused = refusal(hub.app, request.method, request.url.path, query, body, time.time())
    if refused is None and request.path_params["app_id"] != hub.app.id:
        refused = "the address names another app than auth_key"
    if refused is not None:
        raise _RefusedError(401, refused)
    return body


def _decoded(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise _RefusedError(400, f"the body is not right: {error}") from error


async def _publish(publisher: Publisher, events: list[_Batched]) -> None:
    """All, or none of them where one is not right."""
    for event in events:
        _checked(check_event, event.name)
        _checked(check_channel, event.channel)
        if event.socket_id and not is_socket_id(event.socket_id):
            raise _RefusedError(400, "socket_id is not the id of a connection")
    try:
        for event in events:
            await publisher.publish(event.channel, event.name, event.data, event.socket_id or None)
    except InvalidArgumentError as error:
        # What is left to be wrong: there is too much of it.
        raise _RefusedError(413, error.message) from error


def _checked(check: Any, name: str) -> None:
    try:
        check(name)
    except InvalidArgumentError as error:
        raise _RefusedError(400, error.message) from error


def _attributes(request: Request) -> set[str]:
    wanted = {name for name in request.query_params.get("info", "").split(",") if name}
    if unknown := wanted - {"subscription_count"}:
        raise _RefusedError(400, f"info knows subscription_count only, not {', '.join(sorted(unknown))[:100]}")
    return wanted


def _described(count: int, wanted: set[str]) -> dict[str, int]:
    return {"subscription_count": count} if "subscription_count" in wanted else {}
