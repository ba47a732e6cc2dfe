"""Transport over a WebSocket, for browsers that somebody else started.

The protocol is that of the ``websockets`` package (its sans-I/O half); the socket is ours, so that a command is
written in the caller's own turn and a reply is delivered in the socket's.
"""

import asyncio
from urllib.parse import urlsplit

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from browserx.cdp.transport import CloseReceiver, MessageReceiver
from browserx.errors import AttachError, OperationTimeoutError

_CLOSE_TIMEOUT_S = 1.0


class WebSocketTransport(asyncio.Protocol):
    """One client connection. ``connect`` makes it."""

    def __init__(self, url: str) -> None:
        # A whole page can be one message: no limit, or the connection would die with 1009.
        self._protocol = ClientProtocol(parse_uri(url), max_size=None)
        self._socket: asyncio.Transport | None = None
        self._fragments: list[bytes] = []
        self._backlog: list[bytes] = []
        self._on_message: MessageReceiver | None = None
        self._on_close: CloseReceiver | None = None
        self._closed_because: str | None = None
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ended = asyncio.Event()

    @classmethod
    async def connect(cls, url: str, *, timeout_s: float = 10.0) -> "WebSocketTransport":
        """Connect to ``ws://…``.

        Raises:
            AttachError: nothing listens there, or it does not speak WebSocket.
            OperationTimeoutError: it did not answer within ``timeout_s`` seconds.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("ws", "wss") or not parts.hostname:
            raise AttachError(f"{url!r} is no WebSocket address; it should look like ws://127.0.0.1:9222/…")
        port = parts.port or (443 if parts.scheme == "wss" else 80)
        transport = cls(url)
        try:
            async with asyncio.timeout(timeout_s):
                loop = asyncio.get_running_loop()
                await loop.create_connection(
                    lambda: transport, parts.hostname, port, ssl=True if parts.scheme == "wss" else None
                )
                await transport._opened
        except TimeoutError as error:
            transport._abort()
            raise OperationTimeoutError(f"{url} did not answer within {timeout_s:g} s", timeout_s=timeout_s) from error
        except OSError as error:
            raise AttachError(
                f"nothing answers at {url} ({error}); is the browser running with "
                "--remote-debugging-port, and is this its port?"
            ) from error
        except BaseException:
            transport._abort()
            raise
        return transport

    def start(self, on_message: MessageReceiver, on_close: CloseReceiver) -> None:
        """Begin delivering."""
        self._on_message, self._on_close = on_message, on_close
        backlog, self._backlog = self._backlog, []
        for message in backlog:
            on_message(message)
        if self._closed_because is not None:
            on_close(self._closed_because)

    def send(self, message: bytes) -> None:
        """Queue one message."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_text(message)
            self._flush()

    async def close(self) -> None:
        """Say goodbye, and hang up if the other side does not within a second."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_close()
            self._flush()
        try:
            async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                await self._ended.wait()
        except TimeoutError:
            self._abort()
            await self._ended.wait()

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Shake hands."""
        assert isinstance(transport, asyncio.Transport)
        self._socket = transport
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Feed the protocol, and hand on whole messages."""
        self._protocol.receive_data(data)
        self._flush()
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                self._frame(event)
            elif not self._opened.done():
                self._handshake_done()

    def eof_received(self) -> bool:
        """The other side hung up."""
        self._protocol.receive_eof()
        self._flush()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell everyone who waits."""
        if self._protocol.state is not State.CLOSED:
            self._protocol.receive_eof()
        reason = f"the connection to the browser broke: {exc}" if exc else "the browser closed the connection"
        if not self._opened.done():
            self._opened.set_exception(AttachError(reason))
        self._closed_because = reason
        self._ended.set()
        if self._on_close is not None:
            self._on_close(reason)

    # inside

    def _handshake_done(self) -> None:
        error = self._protocol.handshake_exc
        if error is None:
            self._opened.set_result(None)
        else:
            self._opened.set_exception(
                AttachError(
                    f"the browser refused the WebSocket ({error}); "
                    "a browser that checks origins wants --remote-allow-origins"
                )
            )

    def _frame(self, frame: Frame) -> None:
        if frame.opcode is Opcode.TEXT or frame.opcode is Opcode.CONT:
            self._fragments.append(bytes(frame.data))
            if frame.fin:
                message = self._fragments[0] if len(self._fragments) == 1 else b"".join(self._fragments)
                self._fragments.clear()
                if self._on_message is None:
                    self._backlog.append(message)
                else:
                    self._on_message(message)

    def _flush(self) -> None:
        assert self._socket is not None
        for data in self._protocol.data_to_send():
            if data:
                self._socket.write(data)
            else:
                self._socket.close()

    def _abort(self) -> None:
        if self._socket is not None:
            self._socket.abort()
