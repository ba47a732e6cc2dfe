"""What clients of push hear of a conversation, through the whole backend."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import websockets

from tests.backend.asking import asked, data
from tests.backend.served import Served


@asynccontextmanager
async def listening(served: Served, session_id: str) -> AsyncIterator[websockets.ClientConnection]:
    """A connection that is subscribed to a session."""
    async with served.client() as http:
        config = (await http.get("/api/pusher/config")).json()
        address = f"ws://127.0.0.1:{served.port}/app/{config['key']}?protocol=7&client=test&version=1"
        async with websockets.connect(address) as socket:
            begun = json.loads(await socket.recv())
            socket_id = json.loads(begun["data"])["socket_id"]
            channel = f"private-session-{session_id}"
            auth = await http.post("/api/pusher/auth", data={"socket_id": socket_id, "channel_name": channel})
            subscribe = {"event": "pusher:subscribe", "data": {"channel": channel, **auth.json()}}
            await socket.send(json.dumps(subscribe))
            assert json.loads(await socket.recv())["event"] == "pusher_internal:subscription_succeeded"
            yield socket


async def heard(socket: websockets.ClientConnection, events: int) -> list[tuple[str, dict[str, Any]]]:
    told: list[tuple[str, dict[str, Any]]] = []
    async with asyncio.timeout(10):
        while len(told) < events:
            frame = json.loads(await socket.recv())
            if not frame["event"].startswith("pusher:"):
                told.append((frame["event"], json.loads(frame["data"])))
    return told


async def test_whoever_listens_hears_the_messages_of_a_turn(served: Served) -> None:
    query = "click Gmail, click Google Search"
    first = await data(served, asked(query))
    async with listening(served, first["sessionId"]) as one, listening(served, first["sessionId"]) as other:
        second = await data(served, asked(query, taskId=first["taskId"], lastActionStatus="success"))
        for socket in (one, other):
            settled, new, done = await heard(socket, 3)
            assert settled[0] == new[0] == "new_message"
            assert settled[1]["message"]["status"] == "success"
            assert settled[1]["message"]["actionString"] == "click(12)"
            message = new[1]["message"]
            assert new[1]["type"] == "new_message"
            assert new[1]["sessionId"] == first["sessionId"]
            assert (message["role"], message["actionString"]) == ("assistant", second["action"])
            assert message["sequenceNumber"] == 2
            assert done[0] == "interact_response"
            assert (done[1]["sessionId"], done[1]["status"]) == (first["sessionId"], "executing")
