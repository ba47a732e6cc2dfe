"""Push between the workers of one backend: what one publishes reaches the clients of all, through Redis."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from browserx.backend.push.hub import Hub
from browserx.backend.push.outage import Outage, emptied, put_newest, started
from browserx.backend.push.publisher import compose, refetch_all
from browserx.errors import InvalidArgumentError, MissingExtraError

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.asyncio.client import PubSub

_QUEUED: Final = 1_000
_TIMEOUT_S: Final = 5.0
#: After so long without a word from Redis it is asked whether it is there, and has as long again to answer.
_SILENCE_S: Final = 15.0
_FLUSH_S: Final = 1.0


class _Envelope(msgspec.Struct, frozen=True, array_like=True):
    """What goes through Redis. Without a channel: who sent it may have lost something on the way."""

    origin: str
    channel: str = ""
    frame: str = ""
    socket_id: str | None = None


class RedisPublisher:
    """Tells the clients of this hub at once, and those of all others that use the same Redis and ``topic``.

    Use it with ``async with``, inside that of the hub. Redis need not be there: local clients are told nevertheless,
    it is warned of once, and looked for again by itself. When it is back, who may have missed something is told to
    fetch anew.
    """

    def __init__(self, hub: Hub, url: str, *, topic: str = "browserx:push") -> None:
        """``url`` as ``redis://host:port/0``. Raises InvalidArgumentError, MissingExtraError."""
        self._hub = hub
        self._topic = topic
        self._redis = _client(url)
        self._outage = Outage("Redis", "only clients of this worker get what is published here")
        self._origin = secrets.token_hex(8)
        self._queue: asyncio.Queue[_Envelope] = asyncio.Queue(_QUEUED)
        #: Others may have missed something of ours.
        self._lost_some = False
        self._tasks: list[asyncio.Task[None]] = []
        #: Set while what others publish reaches us.
        self.listening = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._tasks = [
            started(self._listen(), "push listens to Redis"),
            started(self._speak(), "push speaks to Redis"),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await emptied(self._queue, _FLUSH_S)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._redis.aclose()

    async def publish(self, channel: str, event: str, data: Any, socket_id: str | None = None) -> None:
        """See ``Publisher``."""
        frame = compose(channel, event, data, self._hub.limits.event_chars)
        self._hub.publish(channel, frame, socket_id)
        if put_newest(self._queue, _Envelope(self._origin, channel, frame, socket_id)):
            self._lost_some = True
        await asyncio.sleep(0)

    async def _speak(self) -> None:
        while True:
            envelope = await self._queue.get()
            try:
                # Whether it arrived is not known when this fails. It is not sent again, which could double it.
                await self._send(envelope)
                if self._lost_some:
                    await self._make_up(0)
            except _failures() as problem:
                self._lost_some = True
                await self._make_up(self._outage.failed(problem))
            finally:
                self._queue.task_done()

    async def _make_up(self, pause_s: float) -> None:
        """Once Redis can be reached again, have the others tell their clients to fetch anew."""
        while self._lost_some:
            await asyncio.sleep(pause_s)
            # Before it is sent: what is lost while it is under way is not made up for by it.
            self._lost_some = False
            try:
                await self._send(_Envelope(self._origin))
                if self.listening.is_set():
                    self._outage.over()
            except _failures() as problem:
                self._lost_some = True
                pause_s = self._outage.failed(problem)

    async def _send(self, envelope: _Envelope) -> None:
        await self._redis.publish(self._topic, msgspec.msgpack.encode(envelope))

    async def _listen(self) -> None:
        missed = False
        while True:
            try:
                async with self._redis.pubsub() as subscription:
                    await subscription.subscribe(self._topic)
                    async for message in _messages(subscription):
                        if message["type"] == "subscribe":
                            # A second one: redis-py has connected anew, by itself.
                            if missed or self.listening.is_set():
                                refetch_all(self._hub)
                            missed = False
                            self.listening.set()
                            self._outage.over()
                        elif message["type"] == "message":
                            self._deliver(message["data"])
            except _failures() as problem:
                missed = True
                self.listening.clear()
                await asyncio.sleep(self._outage.failed(problem))

    def _deliver(self, data: bytes) -> None:
        try:
            envelope = msgspec.msgpack.decode(data, type=_Envelope)
        except (msgspec.DecodeError, UnicodeError):
            # Another version of us, or somebody else who uses this topic.
            return
        if envelope.origin == self._origin:
            return
        if envelope.channel:
            self._hub.publish(envelope.channel, envelope.frame, envelope.socket_id)
        else:
            refetch_all(self._hub)


async def _messages(subscription: "PubSub") -> AsyncIterator[dict[str, Any]]:
    """What Redis says, one after the other. Raises TimeoutError when it says nothing though asked."""
    asked = False
    while True:
        message = await subscription.get_message(timeout=_SILENCE_S)
        if message is not None:
            asked = False
            yield message
        elif asked:
            raise TimeoutError(f"no answer within {_SILENCE_S:g} s")
        else:
            asked = True
            await subscription.ping()


def _client(url: str) -> "Redis":
    try:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
    except ImportError as error:
        raise MissingExtraError("push through Redis needs: pip install 'browserx[redis]'", extra="redis") from error
    try:
        # Trying again is ours, since it has to be known that something was missed.
        return Redis.from_url(
            url,
            retry=Retry(NoBackoff(), 0),
            socket_timeout=_TIMEOUT_S,
            socket_connect_timeout=_TIMEOUT_S,
            socket_keepalive=True,
        )
    except ValueError:
        # Neither the address nor what was said of it: a password may stand in both.
        raise InvalidArgumentError("the address of Redis must be like redis://host:6379/0") from None


def _failures() -> tuple[type[Exception], ...]:
    from redis.exceptions import RedisError

    return (RedisError, OSError, TimeoutError)
