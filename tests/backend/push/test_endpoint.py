"""What clients ask for before they connect, and who may connect."""

import httpx2
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from browserx.backend.push.signatures import channel_auth
from browserx.errors import InvalidArgumentError
from tests.backend.push.served import APP, TOKEN, Backend

CHANNEL = "private-session-ann-1"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


async def test_forms_and_json_are_signed_alike() -> None:
    async with Backend() as backend, httpx2.AsyncClient(base_url=backend.url, headers=BEARER) as http:
        asked = {"socket_id": "1.2", "channel_name": CHANNEL}
        for answer in (
            await http.post("/api/pusher/auth", data=asked),
            await http.post("/api/pusher/auth", json=asked),
        ):
            assert answer.status_code == 200
            assert answer.json() == {"auth": channel_auth(APP, "1.2", CHANNEL)}


@pytest.mark.parametrize(
    ("asked", "status", "field"),
    [
        ({"socket_id": "1.2", "channel_name": "private-session-bob-1"}, 403, None),
        ({"socket_id": "1.2", "channel_name": "private-other"}, 403, None),
        ({"socket_id": "1.2", "channel_name": "session-ann-1"}, 403, None),
        ({"socket_id": "1.2", "channel_name": "presence-ann"}, 422, "channel_name"),
        ({"socket_id": "1.2", "channel_name": "private-session-ann 1"}, 422, "channel_name"),
        ({"socket_id": "1.2"}, 422, "channel_name"),
        ({"channel_name": CHANNEL}, 422, "socket_id"),
        # Signed as it is, this would be the signature of another channel.
        ({"socket_id": "1.2:private-session-bob-1", "channel_name": CHANNEL}, 422, "socket_id"),
        ({"socket_id": 1, "channel_name": CHANNEL}, 422, "socket_id"),
        ({"socket_id": "1.2", "channel_name": "x" * 10_000}, 413, None),
    ],
)
async def test_what_is_not_signed(asked: dict[str, object], status: int, field: str | None) -> None:
    async with Backend() as backend, httpx2.AsyncClient(base_url=backend.url, headers=BEARER) as http:
        answer = await http.post("/api/pusher/auth", json=asked)
        assert answer.status_code == status
        told = answer.json()
        assert told["success"] is False
        assert told["error"]["details"].get("field") == field


async def test_nobody_gets_nothing() -> None:
    async with Backend() as backend, httpx2.AsyncClient(base_url=backend.url) as http:
        asked = {"socket_id": "1.2", "channel_name": CHANNEL}
        assert (await http.post("/api/pusher/auth", data=asked)).status_code == 401
        assert (await http.get("/api/pusher/config")).status_code == 401


async def test_the_config_names_this_server() -> None:
    async with Backend() as backend, httpx2.AsyncClient(base_url=backend.url, headers=BEARER) as http:
        assert (await http.get("/api/pusher/config")).json() == {
            "key": APP.key,
            "cluster": "browserx",
            "wsHost": "127.0.0.1",
            "wsPort": backend.port,
            "wssPort": backend.port,
            "forceTLS": False,
            "authEndpoint": "/api/pusher/auth",
        }


async def test_only_pages_of_ours_open_the_socket() -> None:
    async with Backend() as backend:
        for foreign in ("http://evil.example", "null", f"{backend.url}.evil.example", backend.url.upper()):
            with pytest.raises(InvalidStatus) as refused:
                await connect(backend.socket_url, additional_headers={"Origin": foreign})
            assert refused.value.response.status_code == 403
        async with connect(backend.socket_url, additional_headers={"Origin": backend.url}) as socket:
            assert "connection_established" in str(await socket.recv())
        async with connect(backend.socket_url) as socket:
            assert "connection_established" in str(await socket.recv())


async def test_origins_are_those_that_the_container_has() -> None:
    """One that is asked, as an app has whose guard has seen the origin already."""

    class Ours:
        def __contains__(self, origin: object) -> bool:
            return str(origin).endswith(".ours.example")

    async with Backend(allowed_origins=Ours()) as backend:
        async with connect(backend.socket_url, additional_headers={"Origin": "http://a.ours.example"}) as socket:
            assert "connection_established" in str(await socket.recv())
        with pytest.raises(InvalidStatus):
            await connect(backend.socket_url, additional_headers={"Origin": "http://other.example"})
    with pytest.raises(InvalidArgumentError, match="not one text"):
        await Backend(allowed_origins="http://127.0.0.1").start()
