"""Push between workers through a real Redis. BROWSERX_TEST_REDIS is the address of one."""

import asyncio
import contextlib
import logging
import os
import secrets
import shutil
import signal
import socket
import tempfile
from collections.abc import AsyncIterator
from typing import Any

import pytest

from browserx.backend.push.hub import Hub
from browserx.backend.push.publisher import Publisher
from browserx.backend.push.redis_publisher import RedisPublisher
from browserx.errors import InvalidArgumentError
from tests.backend.push.clients import connected
from tests.backend.push.logged import Logged
from tests.backend.push.served import APP, Backend, MakePublisher

CHANNEL = "private-session-ann-1"
REDIS = os.environ.get("BROWSERX_TEST_REDIS", "")
needs_redis = [
    pytest.mark.services,
    pytest.mark.skipif(not REDIS, reason="BROWSERX_TEST_REDIS names no Redis"),
]


def through(url: str, topic: str) -> MakePublisher:
    @contextlib.asynccontextmanager
    async def make(hub: Hub) -> AsyncIterator[Publisher]:
        async with RedisPublisher(hub, url, topic=topic) as publisher:
            yield publisher

    return make


@contextlib.asynccontextmanager
async def workers(url: str) -> AsyncIterator[tuple[Backend, Backend]]:
    topic = f"browserx-test-{secrets.token_hex(4)}"
    async with Backend(make_publisher=through(url, topic)) as one, Backend(make_publisher=through(url, topic)) as two:
        yield one, two


def redis_of(backend: Backend) -> RedisPublisher:
    assert isinstance(backend.publisher, RedisPublisher)
    return backend.publisher


async def listening(*backends: Backend) -> None:
    async with asyncio.timeout(30):
        for backend in backends:
            await redis_of(backend).listening.wait()


class OwnRedis:
    """A Redis of the test's own, which it stops and starts again."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    async def start(self) -> None:
        executable = shutil.which("redis-server")
        if executable is None:
            pytest.skip("no redis-server here (Debian: apt-get install redis-server)")
        self._process = await asyncio.create_subprocess_exec(
            executable,
            *("--port", str(self.port), "--bind", "127.0.0.1", "--dir", self._folder, "--save", ""),
            stdout=asyncio.subprocess.PIPE,
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(30):
            while b"Ready to accept connections" not in (line := await self._process.stdout.readline()):
                assert line, "Redis did not start"

    def pause(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    async def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            await self._process.communicate()
            self._process = None


@pytest.fixture
async def own_redis() -> AsyncIterator[OwnRedis]:
    with tempfile.TemporaryDirectory() as folder:
        redis = OwnRedis(folder)
        await redis.start()
        yield redis
        await redis.stop()


class TestServices:
    pytestmark = needs_redis

    async def test_clients_of_every_worker_hear_it_once(self) -> None:
        async with workers(REDIS) as (one, two), connected(one) as here, connected(two) as there:
            await listening(one, two)
            await here.subscribe(CHANNEL)
            await there.subscribe(CHANNEL)
            for number in range(100):
                publisher = (one, two)[number % 2].publisher
                await publisher.publish(CHANNEL, "new_message", {"n": number}, socket_id=None)
            heard = {client: [(await client.hear())["data"]["n"] for _ in range(100)] for client in (here, there)}
            for numbers in heard.values():
                # Those of one worker in order, and each once.
                assert sorted(numbers) == list(range(100))
                for parity in (0, 1):
                    of_one = [number for number in numbers if number % 2 == parity]
                    assert of_one == sorted(of_one)

    async def test_who_sent_it_is_left_out_everywhere(self) -> None:
        async with workers(REDIS) as (one, two), connected(one) as here, connected(two) as there:
            await listening(one, two)
            await here.subscribe(CHANNEL)
            await there.subscribe(CHANNEL)
            await one.publisher.publish(CHANNEL, "new_message", {"n": 1}, socket_id=there.socket_id)
            await one.publisher.publish(CHANNEL, "new_message", {"n": 2})
            assert (await there.hear())["data"] == {"n": 2}
            assert (await here.hear())["data"] == {"n": 1}

    async def test_topics_are_apart(self) -> None:
        async with workers(REDIS) as (one, _), workers(REDIS) as (other, _), connected(other) as stranger:
            await listening(one, other)
            await stranger.subscribe(CHANNEL)
            await one.publisher.publish(CHANNEL, "new_message", {})
            await asyncio.wait_for(redis_of(one)._queue.join(), 30)
            await other.publisher.publish(CHANNEL, "own", {})
            assert (await stranger.hear())["event"] == "own"

    async def test_what_others_write_there_does_no_harm(self) -> None:
        from redis.asyncio import Redis

        async with workers(REDIS) as (one, two), connected(one) as client, Redis.from_url(REDIS) as redis:
            await listening(one, two)
            await client.subscribe(CHANNEL)
            for junk in (b"", b"\xff", b'{"channel": "a"}', b"\x92\x01\x02"):
                await redis.publish(redis_of(one)._topic, junk)
            await two.publisher.publish(CHANNEL, "new_message", {})
            assert (await client.hear())["event"] == "new_message"


async def test_redis_goes_and_comes_back(own_redis: OwnRedis, logged: Logged) -> None:
    async with workers(own_redis.url) as (one, two), connected(one) as here, connected(two) as there:
        await listening(one, two)
        await here.subscribe(CHANNEL)
        await there.subscribe(CHANNEL)
        await there.subscribe("public")

        await own_redis.stop()
        for _ in range(2):
            level, text = await logged.next()
            assert (level, text.startswith("Redis cannot be used now")) == (logging.WARNING, True)
        assert not redis_of(one).listening.is_set()
        assert not redis_of(two).listening.is_set()
        for number in range(3):
            await one.publisher.publish(CHANNEL, "new_message", {"n": number})
        assert [(await here.hear())["data"]["n"] for _ in range(3)] == [0, 1, 2]

        await own_redis.start()
        await listening(one, two)
        refetch = {"event": "interact_response", "data": {"type": "interact_response", "sessionId": "ann-1"}}
        # Both may have missed something, and are told before they get anything new.
        for client in (here, there):
            assert (await client.hear()) == {**refetch, "channel": CHANNEL}
        await two.publisher.publish(CHANNEL, "new_message", {"n": 3})
        assert await until_new(there) == {"n": 3}
        assert await until_new(here, 3) == {"n": 3}
        assert [await logged.next() for _ in range(2)] == [(logging.INFO, "Redis is back")] * 2
        # However often it was tried.
        assert logged.nothing_more()


async def test_what_could_not_be_sent_is_made_up_for(own_redis: OwnRedis, logged: Logged) -> None:
    """Here only one direction fails, so that nobody but the sender can know that something was missed."""
    from redis.asyncio import Redis

    async with (
        workers(own_redis.url) as (one, two),
        connected(one) as here,
        connected(two) as there,
        Redis.from_url(own_redis.url) as redis,
    ):
        await listening(one, two)
        await here.subscribe(CHANNEL)
        await there.subscribe(CHANNEL)
        await redis.execute_command("ACL", "SETUSER", "default", "-publish")  # type: ignore[no-untyped-call]
        await one.publisher.publish(CHANNEL, "new_message", {"n": 1})
        assert (await logged.next())[0] == logging.WARNING
        await redis.execute_command("ACL", "SETUSER", "default", "+publish")  # type: ignore[no-untyped-call]
        assert (await there.hear())["event"] == "interact_response"
        await one.publisher.publish(CHANNEL, "new_message", {"n": 2})
        assert (await there.hear())["data"] == {"n": 2}
        # Who is with the sender has missed nothing.
        assert [(await here.hear())["data"] for _ in range(2)] == [{"n": 1}, {"n": 2}]


async def test_a_redis_that_says_nothing_more_is_gone(
    own_redis: OwnRedis, logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("browserx.backend.push.redis_publisher._SILENCE_S", 0.3)
    async with workers(own_redis.url) as (one, two), connected(two) as there:
        await listening(one, two)
        await there.subscribe(CHANNEL)
        own_redis.pause()
        for _ in range(2):
            assert (await logged.next())[0] == logging.WARNING
        await one.publisher.publish(CHANNEL, "new_message", {"n": 1})
        own_redis.resume()
        assert (await there.hear())["event"] in ("interact_response", "new_message")
        await listening(one, two)
        await one.publisher.publish(CHANNEL, "new_message", {"n": 2})
        assert await until_new(there, 2) == {"n": 2}


async def test_a_worker_that_starts_before_redis(own_redis: OwnRedis) -> None:
    await own_redis.stop()
    async with workers(own_redis.url) as (one, two), connected(one) as here, connected(two) as there:
        await here.subscribe(CHANNEL)
        await there.subscribe(CHANNEL)
        await one.publisher.publish(CHANNEL, "new_message", {"n": 1})
        assert (await here.hear())["data"] == {"n": 1}
        await own_redis.start()
        await listening(one, two)
        assert (await there.hear())["event"] in ("interact_response", "new_message")
        await one.publisher.publish(CHANNEL, "new_message", {"n": 2})
        assert await until_new(there, 2) == {"n": 2}


async def test_nothing_is_left_when_redis_is_gone_at_the_end(own_redis: OwnRedis) -> None:
    async with workers(own_redis.url) as (one, two):
        await listening(one, two)
        await own_redis.stop()
        await one.publisher.publish(CHANNEL, "new_message", {})
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("push ")]


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "redis://:secret/word@127.0.0.1", ""])
async def test_an_address_that_is_none(url: str) -> None:
    async with Hub(APP) as hub:
        with pytest.raises(InvalidArgumentError, match="redis://") as raised:
            RedisPublisher(hub, url)
        assert "secret" not in str(raised.value)


async def until_new(client: Any, number: int | None = None) -> Any:
    """The data of the next new message (of this number), whatever comes before."""
    while True:
        frame = await client.hear()
        if frame["event"] == "new_message" and number in (None, frame["data"]["n"]):
            return frame["data"]
