"""The two transports, over real sockets."""

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
from websockets.asyncio.server import Server, ServerConnection, serve

from browserx.cdp.pipe import PipeTransport
from browserx.cdp.websocket import WebSocketTransport
from browserx.errors import AttachError, OperationTimeoutError
from tests.web import free_port


class Heard:
    """What a transport delivered."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.closed: list[str] = []
        self.changed = asyncio.Event()

    def message(self, message: bytes) -> None:
        self.messages.append(message)
        self.changed.set()

    def close(self, reason: str) -> None:
        self.closed.append(reason)
        self.changed.set()

    async def until(self, messages: int = 0, closed: int = 0) -> None:
        async with asyncio.timeout(5):
            while len(self.messages) < messages or len(self.closed) < closed:
                self.changed.clear()
                await self.changed.wait()


class Pipe:
    """A pipe transport, and the other ends of it."""

    def __init__(self, transport: PipeTransport, reader: socket.socket, writer: socket.socket) -> None:
        self.transport, self.reader, self.writer = transport, reader, writer


@pytest.fixture
async def pipe() -> AsyncIterator[Pipe]:
    commands, their_commands = socket.socketpair()
    replies, their_replies = socket.socketpair()
    commands.setblocking(False)
    replies.setblocking(False)
    transport = await PipeTransport.open(replies, commands)
    yield Pipe(transport, their_commands, their_replies)
    await transport.close()
    their_commands.close()
    their_replies.close()


async def test_the_pipe_cuts_at_nul_wherever_the_bytes_are_cut(pipe: Pipe) -> None:
    heard = Heard()
    pipe.transport.start(heard.message, heard.close)
    for piece in (b'{"a":', b"1}\0", b'{"b":2}\0{"c":3}\0{"d"', b":4}\0"):
        pipe.writer.sendall(piece)
        await asyncio.sleep(0)
    await heard.until(messages=4)
    assert heard.messages == [b'{"a":1}', b'{"b":2}', b'{"c":3}', b'{"d":4}']


async def test_the_pipe_carries_messages_larger_than_its_buffer(pipe: Pipe) -> None:
    heard = Heard()
    pipe.transport.start(heard.message, heard.close)
    large = b"x" * (3 << 20)
    await asyncio.to_thread(pipe.writer.sendall, large + b"\0small\0")
    await heard.until(messages=2)
    assert heard.messages == [large, b"small"]


async def test_what_came_before_the_start_is_not_lost(pipe: Pipe) -> None:
    pipe.writer.sendall(b"early\0")
    await asyncio.sleep(0.01)
    heard = Heard()
    pipe.transport.start(heard.message, heard.close)
    await heard.until(messages=1)
    assert heard.messages == [b"early"]


async def test_the_pipe_sends_in_order(pipe: Pipe) -> None:
    pipe.transport.send(b"one")
    pipe.transport.send(b"two")
    assert await asyncio.to_thread(pipe.reader.recv, 100) == b"one\0two\0"


async def test_the_pipe_tells_when_the_other_side_goes(pipe: Pipe) -> None:
    heard = Heard()
    pipe.transport.start(heard.message, heard.close)
    pipe.writer.close()
    await heard.until(closed=1)
    assert heard.closed == ["the browser closed its pipe"]
    pipe.transport.send(b"nobody hears this")


class WebSockets:
    """A server that echoes, and knows who is connected."""

    def __init__(self, server: Server) -> None:
        self.url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/devtools/browser/x"
        self.connections: list[ServerConnection] = []


@pytest.fixture
async def websockets() -> AsyncIterator[WebSockets]:
    made: list[WebSockets] = []

    async def echo(connection: ServerConnection) -> None:
        made[0].connections.append(connection)
        async for message in connection:
            await connection.send(message)

    async with serve(echo, "127.0.0.1", 0, max_size=None) as server:
        made.append(WebSockets(server))
        yield made[0]


async def test_the_websocket_carries_text_both_ways(websockets: WebSockets) -> None:
    transport = await WebSocketTransport.connect(websockets.url)
    heard = Heard()
    transport.start(heard.message, heard.close)
    transport.send(b'{"id":1}')
    transport.send(b'{"id":2}')
    await heard.until(messages=2)
    assert heard.messages == [b'{"id":1}', b'{"id":2}']
    await transport.close()
    assert len(heard.closed) == 1


async def test_the_websocket_has_no_limit_of_size(websockets: WebSockets) -> None:
    transport = await WebSocketTransport.connect(websockets.url)
    heard = Heard()
    transport.start(heard.message, heard.close)
    transport.send(b"x" * (5 << 20))
    await heard.until(messages=1)
    assert len(heard.messages[0]) == 5 << 20
    await transport.close()


async def test_the_websocket_joins_fragments(websockets: WebSockets) -> None:
    transport = await WebSocketTransport.connect(websockets.url)
    heard = Heard()
    transport.start(heard.message, heard.close)
    transport.send(b"hello")
    await heard.until(messages=1)
    await websockets.connections[0].send(["one ", "message ", "in pieces"])
    await heard.until(messages=2)
    assert heard.messages[1] == b"one message in pieces"
    await transport.close()


async def test_the_websocket_tells_when_the_other_side_goes(websockets: WebSockets) -> None:
    transport = await WebSocketTransport.connect(websockets.url)
    heard = Heard()
    transport.start(heard.message, heard.close)
    transport.send(b"hello")
    await heard.until(messages=1)
    websockets.connections[0].transport.abort()
    await heard.until(closed=1)
    transport.send(b"nobody hears this")
    await transport.close()


async def test_nobody_listening_is_said_in_words() -> None:
    with pytest.raises(AttachError, match="nothing answers at ws://"):
        await WebSocketTransport.connect(f"ws://127.0.0.1:{free_port()}/")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "ws://", "nonsense"])
async def test_an_address_that_is_none_is_said_in_words(url: str) -> None:
    with pytest.raises(AttachError, match="is no WebSocket address"):
        await WebSocketTransport.connect(url)


async def test_a_server_that_is_no_websocket_is_said_in_words() -> None:
    async def http(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(http, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(AttachError, match="refused the WebSocket"):
            await WebSocketTransport.connect(f"ws://127.0.0.1:{port}/")


async def test_a_server_that_says_nothing_is_given_up() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(OperationTimeoutError, match="did not answer within"):
            await WebSocketTransport.connect(f"ws://127.0.0.1:{silent.getsockname()[1]}/", timeout_s=0.1)
