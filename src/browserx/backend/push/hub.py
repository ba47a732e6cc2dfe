"""The connections and channels of this process."""

import asyncio
from types import TracebackType
from typing import Self

from browserx.backend.push.connection import Connection, Limits, Socket, say_goodbye
from browserx.backend.push.credentials import AppCredentials
from browserx.backend.push.protocol import (
    MAX_CHANNEL_NAME,
    PONG,
    ClientEvent,
    Code,
    Ping,
    Pong,
    Subscribe,
    Unknown,
    Unsubscribe,
    check_channel,
    error_frame,
    needs_auth,
    read,
    subscription_error,
    subscription_succeeded,
)
from browserx.backend.push.signatures import is_channel_auth
from browserx.errors import InvalidArgumentError


class Hub:
    """Who listens to what. Use it with ``async with``: every connection ends with it.

    Whoever keeps up gets what is published on its channels once, in the order it was published, from the moment its
    subscription succeeded. Publishing never waits for a client.
    """

    def __init__(self, app: AppCredentials, limits: Limits | None = None) -> None:
        self.app = app
        self.limits = limits or Limits()
        self._connections: set[Connection] = set()
        self._channels: dict[str, set[Connection]] = {}
        self._closed = False
        self._empty = asyncio.Event()
        self._empty.set()

    async def __aenter__(self) -> Self:
        self._closed = False
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Send every client away, to come back at once, and wait until the last is gone."""
        self._closed = True
        for connection in self._connections:
            connection.end(Code.RECONNECT, "the server stops")
        await self._empty.wait()

    async def serve(self, socket: Socket) -> None:
        """Serve one accepted client until it goes, or has to."""
        if self._closed:
            await self.refuse(socket, Code.RECONNECT, "the server stops")
        elif len(self._connections) >= self.limits.connections:
            await self.refuse(socket, Code.TOO_MANY_CONNECTIONS, "too many connections")
        else:
            await self._serve(Connection(socket, self.limits))

    async def refuse(self, socket: Socket, code: Code, reason: str) -> None:
        """Send a client away before it is one."""
        await say_goodbye(socket, code, reason, timeout_s=self.limits.close_timeout_s)

    def publish(self, channel: str, frame: str, socket_id: str | None = None) -> None:
        """Queue a frame for all who listen to the channel, but not for the connection ``socket_id``."""
        for connection in self._channels.get(channel, ()):
            if connection.socket_id != socket_id:
                connection.send(frame)

    def channels(self, prefix: str = "") -> dict[str, int]:
        """How many of this process listen to each channel that somebody listens to, by name."""
        return {name: len(members) for name, members in self._channels.items() if name.startswith(prefix)}

    @property
    def connections(self) -> int:
        """How many clients there are now."""
        return len(self._connections)

    async def _serve(self, connection: Connection) -> None:
        self._connections.add(connection)
        self._empty.clear()
        try:
            await connection.run(self._handle)
        finally:
            for channel in tuple(connection.channels):
                self._leave(connection, channel)
            self._connections.discard(connection)
            if not self._connections:
                self._empty.set()

    def _handle(self, connection: Connection, frame: str | bytes) -> None:
        match read(frame):
            case Subscribe(channel, auth):
                connection.send(self._subscribe(connection, channel, auth))
            case Unsubscribe(channel):
                self._leave(connection, channel)
            case Ping():
                connection.send(PONG)
            case Pong():
                pass
            case ClientEvent():
                connection.send(
                    error_frame(Code.CLIENT_EVENT_REFUSED, "clients cannot send events here: ask the backend")
                )
            case Unknown(problem):
                connection.send(error_frame(None, problem))

    def _subscribe(self, connection: Connection, channel: str, auth: str) -> str:
        """The answer to a client that asks for a channel; where it may, it is in it from here on."""
        try:
            check_channel(channel)
        except InvalidArgumentError as refused:
            return subscription_error(channel[:MAX_CHANNEL_NAME], "InvalidChannel", refused.message, 400)
        if needs_auth(channel) and not is_channel_auth(self.app, connection.socket_id, channel, auth):
            return subscription_error(channel, "AuthError", "auth is not a signature for this channel", 401)
        if channel not in connection.channels and len(connection.channels) >= self.limits.channels_per_connection:
            most = f"a connection has at most {self.limits.channels_per_connection} channels: unsubscribe from one"
            return subscription_error(channel, "LimitReached", most, 429)
        connection.channels.add(channel)
        self._channels.setdefault(channel, set()).add(connection)
        return subscription_succeeded(channel)

    def _leave(self, connection: Connection, channel: str) -> None:
        if channel not in connection.channels:
            return
        connection.channels.discard(channel)
        members = self._channels[channel]
        members.discard(connection)
        if not members:
            del self._channels[channel]
