"""Transport over ``--remote-debugging-pipe``: NUL-terminated JSON over two inherited descriptors.

No port is opened, so no other program of the machine can drive the browser, and the browser ends by itself when
our end closes. Socket pairs are used rather than pipes because they carry more per wake-up.
"""

import asyncio
import socket

from browserx.cdp.transport import CloseReceiver, MessageReceiver

_READ_SIZE = 1 << 20


class _NulFramed(asyncio.BufferedProtocol):
    """Cuts the incoming bytes at NUL, without copying a message more than once."""

    def __init__(self) -> None:
        self._buffer = bytearray(_READ_SIZE)
        self._parts: list[bytes] = []
        self._backlog: list[bytes] = []
        self._on_message: MessageReceiver | None = None
        self._on_close: CloseReceiver | None = None
        self._closed_because: str | None = None
        self.closed = asyncio.Event()

    def start(self, on_message: MessageReceiver, on_close: CloseReceiver) -> None:
        self._on_message, self._on_close = on_message, on_close
        backlog, self._backlog = self._backlog, []
        for message in backlog:
            on_message(message)
        if self._closed_because is not None:
            on_close(self._closed_because)

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        start = 0
        while (end := self._buffer.find(b"\0", start, nbytes)) >= 0:
            self._parts.append(bytes(memoryview(self._buffer)[start:end]))
            message = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
            self._parts.clear()
            start = end + 1
            if self._on_message is None:
                self._backlog.append(message)
            else:
                self._on_message(message)
        if start < nbytes:
            self._parts.append(bytes(memoryview(self._buffer)[start:nbytes]))

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed_because = f"the browser's pipe broke: {exc}" if exc else "the browser closed its pipe"
        self.closed.set()
        if self._on_close is not None:
            self._on_close(self._closed_because)


class PipeTransport:
    """Both directions of one debugging pipe. Made by ``open_pair`` before the browser is started."""

    def __init__(self, reader: asyncio.Transport, writer: asyncio.Transport, framed: _NulFramed) -> None:
        self._reader, self._writer, self._framed = reader, writer, framed

    @classmethod
    async def open(cls, read_from: socket.socket, write_to: socket.socket) -> "PipeTransport":
        """Take over our two ends: replies come from ``read_from``, commands go to ``write_to``.

        Cancelled, it lets go of what it has taken over; the sockets stay the caller's.
        """
        loop = asyncio.get_running_loop()
        reader, framed = await loop.create_connection(_NulFramed, sock=read_from)
        try:
            writer, _ = await loop.create_connection(asyncio.Protocol, sock=write_to)
        except BaseException:
            reader.close()
            raise
        return cls(reader, writer, framed)

    def start(self, on_message: MessageReceiver, on_close: CloseReceiver) -> None:
        """Begin delivering."""
        self._framed.start(on_message, on_close)

    def send(self, message: bytes) -> None:
        """Queue one message."""
        if not self._writer.is_closing():
            self._writer.write(message + b"\0")

    async def close(self) -> None:
        """Close both ends; the browser takes it as the order to quit."""
        self._writer.close()
        self._reader.close()
        await self._framed.closed.wait()
