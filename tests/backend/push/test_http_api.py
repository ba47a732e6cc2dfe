"""The HTTP API, through the library that server programs use."""

import asyncio
import json
import time
from typing import Any

import httpx2
import pusher
import pytest
from pusher.errors import PusherBadAuth, PusherBadRequest, PusherBadStatus

from browserx.backend.push.connection import Limits
from browserx.backend.push.signatures import signed_query
from tests.backend.push.clients import connected
from tests.backend.push.served import APP, Backend


def library(backend: Backend, **other: str) -> Any:
    given = {"app_id": APP.id, "key": APP.key, "secret": APP.secret} | other
    return pusher.Pusher(**given, host="127.0.0.1", port=backend.port, ssl=False)


async def test_trigger_reaches_clients() -> None:
    async with Backend() as backend, connected(backend) as one, connected(backend) as two:
        await one.subscribe("private-a")
        await two.subscribe("private-a")
        await two.subscribe("b")
        call = library(backend)
        await asyncio.to_thread(call.trigger, ["private-a", "b"], "news", {"text": "Größe"}, one.socket_id)
        assert await two.hear() == {"event": "news", "channel": "private-a", "data": {"text": "Größe"}}
        assert (await two.hear())["channel"] == "b"
        batch = [
            {"channel": "private-a", "name": "first", "data": "a text"},
            {"channel": "private-a", "name": "second", "data": {"n": 2}},
        ]
        await asyncio.to_thread(call.trigger_batch, batch)
        # The trigger left this one out.
        assert await one.hear() == {"event": "first", "channel": "private-a", "data": "a text"}
        assert (await one.hear())["data"] == {"n": 2}


async def test_who_listens() -> None:
    async with Backend() as backend, connected(backend) as one, connected(backend) as two:
        await one.subscribe("private-a")
        await two.subscribe("private-a")
        await two.subscribe("b")
        call = library(backend)
        assert await asyncio.to_thread(call.channels_info) == {"channels": {"private-a": {}, "b": {}}}
        assert await asyncio.to_thread(call.channels_info, "private-", ["subscription_count"]) == {
            "channels": {"private-a": {"subscription_count": 2}}
        }
        assert await asyncio.to_thread(call.channel_info, "private-a", ["subscription_count"]) == {
            "occupied": True,
            "subscription_count": 2,
        }
        assert await asyncio.to_thread(call.channel_info, "nobody") == {"occupied": False}
        with pytest.raises(PusherBadRequest, match="user_count"):
            await asyncio.to_thread(call.channels_info, None, ["user_count"])


@pytest.mark.parametrize("other", [{"secret": "wrong"}, {"key": "wrong"}, {"app_id": "1"}])
async def test_who_has_not_the_secret_gets_nothing(other: dict[str, str]) -> None:
    async with Backend() as backend, connected(backend) as client:
        await client.subscribe("a")
        call = library(backend, **other)
        for method, given in ((call.trigger, ("a", "news", {})), (call.channels_info, ()), (call.channel_info, ("a",))):
            with pytest.raises(PusherBadAuth):
                await asyncio.to_thread(method, *given)
        await client.send("pusher:ping")
        assert (await client.hear())["event"] == "pusher:pong"


async def test_unsigned_requests_are_refused() -> None:
    async with Backend() as backend, httpx2.AsyncClient(base_url=backend.url) as http:
        assert (await http.post(f"/apps/{APP.id}/events", json={})).status_code == 401
        assert (await http.get(f"/apps/{APP.id}/channels")).status_code == 401


async def test_too_much_for_an_event() -> None:
    async with Backend(Limits(event_chars=100)) as backend:
        with pytest.raises(PusherBadStatus, match="413"):
            await asyncio.to_thread(library(backend).trigger, "a", "news", "x" * 101)


@pytest.mark.parametrize(
    "body",
    [
        b"no json",
        b"[]",
        b'{"name":"e","channels":["a"]}',
        b'{"name":"e","channels":["a"],"data":{}}',
        b'{"name":"e","data":""}',
        b'{"name":"pusher:e","channels":["a"],"data":""}',
        b'{"name":"e","channels":["presence-a"],"data":""}',
        b'{"name":"e","channels":["a"],"data":"","socket_id":"x"}',
        json.dumps({"name": "e", "channels": ["a"] * 101, "data": ""}).encode(),
    ],
)
async def test_bodies_that_are_not_right(body: bytes) -> None:
    async with Backend() as backend, httpx2.AsyncClient(base_url=backend.url) as http:
        path = f"/apps/{APP.id}/events"
        answer = await http.post(path, params=signed_query(APP, "POST", path, body, time.time()), content=body)
        assert answer.status_code == 400, answer.text
        assert answer.text.strip()


async def test_a_body_that_is_too_large_is_not_read_to_its_end() -> None:
    async with Backend() as backend, httpx2.AsyncClient(base_url=backend.url) as http:
        answer = await http.post(f"/apps/{APP.id}/events", content=b"x" * 4_000_001)
        assert answer.status_code == 413
