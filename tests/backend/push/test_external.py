"""Push through another server: ours stands for it, which the libraries and clients of Pusher find to be one."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator

import pytest

from browserx.backend.push.credentials import AppCredentials
from browserx.backend.push.external_publisher import ExternalPublisher
from browserx.errors import InvalidArgumentError
from tests.backend.push.clients import Client, connected
from tests.backend.push.logged import Logged
from tests.backend.push.served import APP, Backend

CHANNEL = "private-session-ann-1"


@contextlib.asynccontextmanager
async def listening(backend: Backend) -> AsyncIterator[Client]:
    async with connected(backend) as client:
        await client.subscribe(CHANNEL)
        yield client


async def test_what_is_published_arrives_in_order() -> None:
    async with Backend() as server, listening(server) as client, ExternalPublisher(APP, server.url) as publisher:
        await publisher.publish(CHANNEL, "new_message", {"n": "left out"}, socket_id=client.socket_id)
        for number in range(20):
            await publisher.publish(CHANNEL, "new_message", {"n": number, "text": "Größe"})
        heard = [(await client.hear())["data"] for _ in range(20)]
        assert heard == [{"n": number, "text": "Größe"} for number in range(20)]


async def test_what_waits_is_sent_before_the_end() -> None:
    async with Backend() as server, listening(server) as client:
        async with ExternalPublisher(APP, f"{server.url}/") as publisher:
            await publisher.publish(CHANNEL, "new_message", {"n": 1})
        assert (await client.hear())["data"] == {"n": 1}


async def test_a_wrong_secret_is_said_once_and_fails_nobody(logged: Logged) -> None:
    wrong = AppCredentials(APP.id, APP.key, "another-secret")
    async with Backend() as server, ExternalPublisher(wrong, server.url) as publisher:
        for number in range(3):
            await publisher.publish(CHANNEL, "new_message", {"n": number})
        level, text = await logged.next()
        assert level == logging.WARNING
        assert "401" in text
        assert wrong.secret not in text
        async with asyncio.timeout(30):
            await publisher._queue.join()
        assert logged.nothing_more()


async def test_a_server_that_comes_back_gets_what_waited(logged: Logged) -> None:
    async with Backend() as server, ExternalPublisher(APP, server.url) as publisher:
        await server.stop()
        for number in range(3):
            await publisher.publish(CHANNEL, "new_message", {"n": number})
        assert (await logged.next())[0] == logging.WARNING
        await publisher.publish("public", "last", {})
        await server.start()
        assert await logged.next() == (logging.INFO, "the push server is back")
        async with asyncio.timeout(30):
            await publisher._queue.join()
        assert logged.nothing_more()


async def test_a_server_that_never_answers_holds_up_nobody() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        publisher = ExternalPublisher(APP, f"http://127.0.0.1:{silent.getsockname()[1]}")
        async with asyncio.timeout(30), publisher:
            # More than it keeps: the oldest go.
            for number in range(2_500):
                await publisher.publish(CHANNEL, "new_message", {"n": number})
            assert publisher._queue.qsize() <= 1_000
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("push ")]


@pytest.mark.parametrize("url", ["", "127.0.0.1:80", "ws://127.0.0.1", "http://", "https://a.example/?key=1"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(InvalidArgumentError, match="must be like"):
        ExternalPublisher(APP, url)


async def test_too_much_data_is_said_at_once() -> None:
    async with ExternalPublisher(APP, "http://127.0.0.1:1", most_bytes=10) as publisher:
        with pytest.raises(InvalidArgumentError, match="publish less"):
            await publisher.publish(CHANNEL, "new_message", "☃" * 4)
