"""Who hears what, and who is sent away, over real sockets."""

import asyncio
import contextlib
import gc
import json
import tracemalloc
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from browserx.backend.push.connection import Limits
from browserx.backend.push.hub import Hub
from browserx.errors import InvalidArgumentError
from tests.backend.push.clients import Client, connected, decoded
from tests.backend.push.served import APP, Backend

CHANNEL = "private-session-ann-1"


async def closed(client: Client | ClientConnection) -> tuple[int, list[dict[str, Any]]]:
    """The code it is closed with, and the frames that came before."""
    socket = client.socket if isinstance(client, Client) else client
    frames = []
    async with asyncio.timeout(30):
        with contextlib.suppress(ConnectionClosed):
            while True:
                frames.append(decoded(await socket.recv()))
    assert socket.close_code is not None
    return socket.close_code, frames


async def test_a_message_reaches_those_who_listen() -> None:
    async with Backend() as backend, connected(backend) as one, connected(backend) as two, connected(backend) as deaf:
        assert (await one.subscribe(CHANNEL))["event"] == "pusher_internal:subscription_succeeded"
        await two.subscribe(CHANNEL)
        await deaf.subscribe("private-session-ann-2")
        await backend.publisher.publish(CHANNEL, "new_message", {"n": 1}, socket_id=two.socket_id)
        await backend.publisher.publish(CHANNEL, "new_message", {"n": 2})
        await backend.publisher.publish("private-session-ann-2", "new_message", {"n": 3})
        assert await one.hear() == {"event": "new_message", "channel": CHANNEL, "data": {"n": 1}}
        assert (await one.hear())["data"] == {"n": 2}
        assert (await two.hear())["data"] == {"n": 2}
        assert (await deaf.hear())["data"] == {"n": 3}


async def test_nothing_is_heard_after_unsubscribing() -> None:
    async with Backend() as backend, connected(backend) as client:
        await client.subscribe(CHANNEL)
        await client.subscribe("public")
        await client.send("pusher:unsubscribe", {"channel": CHANNEL})
        await client.send("pusher:unsubscribe", {"channel": "never"})
        await client.send("pusher:ping")
        assert (await client.hear())["event"] == "pusher:pong"
        assert backend.hub.channels() == {"public": 1}
        await backend.publisher.publish(CHANNEL, "new_message", {})
        await backend.publisher.publish("public", "news", {})
        assert (await client.hear())["channel"] == "public"


async def test_who_is_gone_leaves_nothing() -> None:
    async with Backend() as backend:
        async with connected(backend) as client:
            await client.subscribe(CHANNEL)
            assert (backend.hub.connections, backend.hub.channels()) == (1, {CHANNEL: 1})
        async with connected(backend) as client:
            await client.subscribe("public")
            client.socket.transport.abort()
        async with asyncio.timeout(30):
            await backend.hub._empty.wait()
        assert (backend.hub.connections, backend.hub.channels()) == (0, {})
        assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("push ")]


@pytest.mark.parametrize("auth", ["", "no", f"{APP.key}:0", f"another:{'0' * 64}"])
async def test_a_bad_signature_is_refused(auth: str) -> None:
    async with Backend() as backend, connected(backend) as client:
        answer = await client.subscribe(CHANNEL, auth)
        assert (answer["event"], answer["channel"]) == ("pusher:subscription_error", CHANNEL)
        assert (answer["data"]["type"], answer["data"]["status"]) == ("AuthError", 401)
        assert backend.hub.channels() == {}


async def test_what_is_wrong_is_said_and_the_connection_lives() -> None:
    async with Backend(Limits(channels_per_connection=1)) as backend, connected(backend) as client:
        for channel, kind in (("presence-a", "InvalidChannel"), ("a b", "InvalidChannel")):
            assert (await client.subscribe(channel))["data"]["type"] == kind
        await client.subscribe("a")
        assert (await client.subscribe("b"))["data"]["type"] == "LimitReached"
        assert (await client.subscribe("a"))["event"] == "pusher_internal:subscription_succeeded"
        await client.send("client-hello")
        assert (await client.hear())["data"]["code"] == 4301
        await client.socket.send("no json")
        assert (await client.hear())["data"]["code"] is None
        await client.socket.send(b'{"event": "pusher:ping"}')
        assert (await client.hear())["event"] == "pusher:pong"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("key-of-tests", "another"), 4001),
        (("protocol=7", "protocol=5"), 4007),
        (("protocol=7", "protocol=new"), 4006),
        (("protocol=7&", ""), 4008),
    ],
)
async def test_who_cannot_be_served_is_told_why(change: tuple[str, str], code: int) -> None:
    from websockets.asyncio.client import connect

    async with Backend() as backend, connect(backend.socket_url.replace(*change)) as socket:
        assert await closed(socket) == (code, [{"event": "pusher:error", "data": {"code": code, "message": ANY}}])


class _Any:
    def __eq__(self, other: object) -> bool:
        return bool(other)

    __hash__ = None  # type: ignore[assignment]


ANY = _Any()


async def test_no_more_connections_than_there_may_be() -> None:
    from websockets.asyncio.client import connect

    async with Backend(Limits(connections=1)) as backend:
        async with connected(backend), connect(backend.socket_url) as second:
            assert (await closed(second))[0] == 4004
        await backend.hub._empty.wait()
        async with connected(backend) as third:
            await third.subscribe("a")


async def test_a_frame_that_is_too_large() -> None:
    async with Backend(Limits(frame_chars=1000)) as backend, connected(backend) as client:
        await client.socket.send("x" * 1001)
        assert (await closed(client))[0] == 1009


async def test_who_does_not_answer_a_ping_is_closed() -> None:
    async with Backend(Limits(activity_timeout_s=0.2, pong_timeout_s=0.2)) as backend, connected(backend) as client:
        code, frames = await closed(client)
        assert code == 4201
        assert [frame["event"] for frame in frames] == ["pusher:ping", "pusher:error"]


async def test_the_end_of_the_hub_is_the_end_of_all() -> None:
    async with Backend() as backend:
        async with connected(backend) as one, connected(backend) as two:
            await backend.hub.__aexit__(None, None, None)
            assert [(await closed(client))[0] for client in (one, two)] == [4200, 4200]
            assert backend.hub.connections == 0
        from websockets.asyncio.client import connect

        async with connect(backend.socket_url) as late:
            assert (await closed(late))[0] == 4200


@pytest.mark.parametrize(
    "limits",
    [
        Limits(queued_frames=50, send_timeout_s=60, close_timeout_s=0.2),
        Limits(queued_chars=300_000, send_timeout_s=60, close_timeout_s=0.2),
        Limits(send_timeout_s=0.2, close_timeout_s=0.2),
    ],
    ids=["too many frames", "too much text", "too long"],
)
async def test_who_never_reads_is_closed_and_holds_up_nobody(limits: Limits) -> None:
    """Only the socket's own buffers, which have a size, lie between the two: they are soon full."""
    text = "x" * 60_000
    async with Backend(limits) as backend, connected(backend, max_queue=1) as deaf, connected(backend) as reader:
        await deaf.subscribe(CHANNEL)
        await reader.subscribe(CHANNEL)
        sent = 0
        async with asyncio.timeout(60):
            while backend.hub.connections == 2:
                await backend.publisher.publish(CHANNEL, "new_message", {"n": sent, "text": text})
                assert (await reader.hear())["data"]["n"] == sent
                sent += 1
        assert backend.hub.channels() == {CHANNEL: 1}
        await backend.publisher.publish(CHANNEL, "new_message", {"n": "last"})
        assert (await reader.hear())["data"] == {"n": "last"}
        # What it did get is in order, and nothing is missing before the end.
        frames = (await closed(deaf))[1]
        got = [frame["data"]["n"] for frame in frames if frame["event"] == "new_message"]
        assert got == list(range(len(got)))


async def test_what_waits_for_a_slow_reader_is_bounded() -> None:
    limits = Limits(queued_chars=2_000_000, send_timeout_s=60, close_timeout_s=0.2)
    async with Backend(limits) as backend, connected(backend, max_queue=1) as deaf:
        await deaf.subscribe(CHANNEL)
        gc.collect()
        tracemalloc.start()
        try:
            # 100 MB, of which it may keep what waits, and what the socket has taken.
            for number in range(2_000):
                await backend.publisher.publish(CHANNEL, "new_message", {"n": number, "text": "x" * 50_000})
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert most < 10_000_000
        async with asyncio.timeout(30):
            await backend.hub._empty.wait()


async def test_who_was_slow_is_told_to_come_back() -> None:
    limits = Limits(queued_frames=20, send_timeout_s=60)
    async with Backend(limits) as backend, connected(backend, max_queue=1) as slow:
        await slow.subscribe(CHANNEL)
        while backend.hub.channels() and not all(c._ending.is_set() for c in backend.hub._connections):
            await backend.publisher.publish(CHANNEL, "new_message", {"text": "x" * 50_000})
        # It reads again before it is given up, so that the goodbye still reaches it.
        code, frames = await closed(slow)
        assert code == 4100
        assert frames[-1]["data"]["code"] == 4100


async def test_many_hear_everything_once_and_in_order() -> None:
    clients, messages = 200, 50
    async with Backend() as backend, contextlib.AsyncExitStack() as stack:

        async def join() -> Client:
            client = await stack.enter_async_context(connected(backend))
            await client.subscribe(CHANNEL)
            return client

        async def hear(client: Client) -> list[int]:
            return [(await client.hear())["data"]["n"] for _ in range(messages)]

        joined = await asyncio.gather(*(join() for _ in range(clients)))
        hearing = [asyncio.create_task(hear(client)) for client in joined]
        for number in range(messages):
            await backend.publisher.publish(CHANNEL, "new_message", {"n": number})
        assert await asyncio.gather(*hearing) == [list(range(messages))] * clients
        # And no more than that.
        await backend.publisher.publish(CHANNEL, "last", {})
        assert {(await client.hear())["event"] for client in joined} == {"last"}


async def test_what_cannot_be_published() -> None:
    async with Backend(Limits(event_chars=100)) as backend:
        for channel, event, data in (
            ("a b", "e", {}),
            ("a", "", {}),
            ("a", "pusher:error", {}),
            ("a", "e", object()),
            ("a", "e", "x" * 101),
        ):
            with pytest.raises(InvalidArgumentError):
                await backend.publisher.publish(channel, event, data)


async def test_a_bug_in_the_hub_is_not_swallowed() -> None:
    class Broken(Hub):
        def _handle(self, connection: object, frame: object) -> None:
            raise ZeroDivisionError

    class Said:
        def __init__(self) -> None:
            self.texts: list[str] = []

        async def send(self, text: str) -> None:
            self.texts.append(text)

        async def receive(self) -> str:
            return "{}"

        async def close(self, code: int, reason: str) -> None:
            pass

    async with Broken(APP) as hub:
        socket = Said()
        with pytest.raises(ZeroDivisionError):
            await hub.serve(socket)
        assert all("event" in json.loads(text) for text in socket.texts)
