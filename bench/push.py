"""How soon a message reaches everybody who listens, how many a second, what a listener costs, and that none is lost."""

import argparse
import asyncio
import contextlib
import json
import resource
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import httpx2
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

from bench.progress import progress
from browserx.backend.push.credentials import AppCredentials
from browserx.backend.push.signatures import channel_auth, signed_query

APP = AppCredentials(id="1", key="bench", secret="bench")
CHANNEL = "private-session-bench"
_ROOT = Path(__file__).parent.parent
_AT_ONCE = 50
_TIMEOUT_S = 120
_SPARE_FILES = 100
_EXAMPLES = """examples:
  scripts/bench push                       1,000 listeners, 100 messages
  scripts/bench push --listeners 200 --messages 20 --bytes 5000

what is what:
  one by one   a message is published when everybody has the one before; from its POST to each listener's socket
  at once      as many POSTs as there are, 8 at a time: messages wait for each other, and for this process, which is
               all listeners
  memory       what the server grows by with each listener, connected and subscribed
"""


class Measured(NamedTuple):
    """What one run found. Times in ms, sorted; ``wrong`` are listeners that missed, doubled or mixed up a message."""

    one_by_one_ms: list[float]
    at_once_ms: list[float]
    at_once_s: float
    listener_kb: float
    wrong: int


class Heard(NamedTuple):
    """One event of a channel, and when it came, on the clock of ``time.perf_counter``."""

    event: str
    data: str
    at: float

    @property
    def number(self) -> int:
        """Of a message that begins with one."""
        return int(self.data.partition(" ")[0])


class Listener(asyncio.Protocol):
    """A client of a push server that does as little as one can, so that not it is measured."""

    def __init__(self, url: str, app: AppCredentials, channel: str) -> None:
        self.channel = channel
        self._app = app
        self._protocol = ClientProtocol(parse_uri(url), max_size=None)
        self._wanted = 0
        self._gone = False
        self.joined: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.complete = asyncio.Event()
        self.heard: list[Heard] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            # The server's pings are answered by the library.
            if isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                self._frame(json.loads(bytes(event.data)), now)
            elif isinstance(event, Response) and self._protocol.handshake_exc is not None:
                self.joined.set_exception(self._protocol.handshake_exc)
        self._flush()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.joined.done():
            self.joined.set_exception(ConnectionError("the server closed the connection"))
        self._gone = True
        self.complete.set()

    def expect(self, messages: int) -> None:
        """``complete`` is set when so many more have come, or none can come any more."""
        self._wanted = len(self.heard) + messages
        if messages > 0 and not self._gone:
            self.complete.clear()
        else:
            self.complete.set()

    def close(self) -> None:
        self._transport.abort()

    def _frame(self, frame: dict[str, str], now: float) -> None:
        match frame["event"]:
            case "pusher:connection_established":
                auth = channel_auth(self._app, json.loads(frame["data"])["socket_id"], self.channel)
                asked = {"event": "pusher:subscribe", "data": {"channel": self.channel, "auth": auth}}
                self._protocol.send_text(json.dumps(asked).encode())
            case "pusher_internal:subscription_succeeded":
                self.joined.set_result(None)
            case "pusher:error" if not self.joined.done():
                self.joined.set_exception(ConnectionError(frame["data"]))
            case event if not event.startswith("pusher"):
                self.heard.append(Heard(event, frame["data"], now))
                if len(self.heard) == self._wanted:
                    self.complete.set()

    def _flush(self) -> None:
        self._transport.write(b"".join(self._protocol.data_to_send()))


async def measure(listeners: int, messages: int, size: int) -> Measured:
    """One run against a server in a process of its own."""
    with _server() as (port, pid):
        async with (
            joined(port, APP, [CHANNEL]) as _,
            httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http,
        ):
            before_kb = _resident_kb(pid)
            async with joined(port, APP, [CHANNEL] * listeners) as there:
                listener_kb = (_resident_kb(pid) - before_kb) / listeners
                sent: list[float] = []
                for number in range(messages):
                    progress(f"push: message {number + 1} of {messages}")
                    await _publish(http, there, sent, 1, size)
                one_by_one_ms = _delays_ms(there, sent, 0)
                progress(f"push: {messages} messages at once")
                started = time.perf_counter()
                await _publish(http, there, sent, messages, size)
                at_once_s = time.perf_counter() - started
                at_once_ms = _delays_ms(there, sent, messages)
                everything = list(range(2 * messages))
                wrong = sum(sorted(heard.number for heard in one.heard) != everything for one in there)
    progress("")
    return Measured(one_by_one_ms, at_once_ms, at_once_s, listener_kb, wrong)


async def _publish(http: httpx2.AsyncClient, there: list[Listener], sent: list[float], count: int, size: int) -> None:
    """Publish so many messages, and wait until everybody has them."""
    for listener in there:
        listener.expect(count)
    turn = asyncio.Semaphore(8)

    async def post(number: int) -> None:
        told = {"name": "new_message", "channels": [CHANNEL], "data": f"{number} ".ljust(size, "x")}
        body, path = json.dumps(told).encode(), f"/apps/{APP.id}/events"
        async with turn:
            sent[number] = time.perf_counter()
            query = signed_query(APP, "POST", path, body, time.time())
            (await http.post(path, params=query, content=body)).raise_for_status()

    first = len(sent)
    sent.extend([0.0] * count)
    await asyncio.gather(*(post(number) for number in range(first, first + count)))
    # Who misses one is counted later.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_TIMEOUT_S):
            for listener in there:
                await listener.complete.wait()


def _delays_ms(there: list[Listener], sent: list[float], first: int) -> list[float]:
    return sorted((h.at - sent[h.number]) * 1000 for one in there for h in one.heard if h.number >= first)


@contextlib.asynccontextmanager
async def joined(port: int, app: AppCredentials, channels: Sequence[str]) -> AsyncIterator[list[Listener]]:
    """A listener for each of the channels, subscribed to it."""
    url = f"ws://127.0.0.1:{port}/app/{app.key}?protocol=7"
    there: list[Listener] = []

    async def join(channel: str) -> None:
        loop = asyncio.get_running_loop()
        _, listener = await loop.create_connection(lambda: Listener(url, app, channel), "127.0.0.1", port)
        there.append(listener)
        await listener.joined

    try:
        for first in range(0, len(channels), _AT_ONCE):
            progress(f"push: {first} of {len(channels)} listeners")
            async with asyncio.timeout(_TIMEOUT_S):
                await asyncio.gather(*(join(channel) for channel in channels[first : first + _AT_ONCE]))
        yield there
    finally:
        for listener in there:
            listener.close()


@contextlib.contextmanager
def _server() -> Iterator[tuple[int, int]]:
    """A push server's port and process."""
    command = [sys.executable, "-m", "bench.push", "--serve"]
    with subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline()), process.pid
        finally:
            # It ends with its input.
            process.communicate()


def _serve() -> None:
    """Serve until the input ends; prints the port."""
    import uvicorn
    from fastapi import FastAPI

    from browserx.backend.push.endpoint import push_router
    from browserx.backend.push.hub import Hub
    from browserx.backend.push.publisher import LocalPublisher

    async def nobody(_: object, channel: str) -> bool:
        return False

    async def run() -> None:
        bound = socket.socket()
        bound.bind(("127.0.0.1", 0))
        bound.listen(1024)
        async with Hub(APP) as hub:
            app = FastAPI()
            app.include_router(
                push_router(hub, LocalPublisher(hub), principal=lambda: None, may_subscribe=nobody, allowed_origins=())
            )
            server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws_per_message_deflate=False))

            def end() -> None:
                server.should_exit = True

            asyncio.get_running_loop().add_reader(sys.stdin, end)
            print(bound.getsockname()[1], flush=True)
            await server.serve([bound])

    allow_files()
    asyncio.run(run())


def allow_files(wanted: int | None = None) -> None:
    """Each connection is an open file, at both ends."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if wanted is not None and hard != resource.RLIM_INFINITY and wanted > hard:
        raise SystemExit(f"so many listeners need {wanted} open files, and the system allows {hard}: take fewer")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else max(soft, 65536), hard))


def _resident_kb(pid: int) -> float:
    """Memory of a process, in KB; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * resource.getpagesize() / 1000


def _line(name: str, times_ms: list[float]) -> str:
    def at(share: float) -> float:
        return times_ms[min(len(times_ms) - 1, int(share * len(times_ms)))] if times_ms else 0.0

    return f"{name:12}{at(0.5):>10.1f}{at(0.99):>10.1f}{at(1):>10.1f}"


def table(found: Measured) -> str:
    """Times from publishing to a listener's socket, and the rest."""
    rate = len(found.at_once_ms) / found.at_once_s
    return "\n".join(
        (
            f"{'ms':12}{'p50':>10}{'p99':>10}{'worst':>10}",
            _line("one by one", found.one_by_one_ms),
            _line("at once", found.at_once_ms),
            f"{rate:,.0f} messages a second reach listeners when published at once",
            f"{found.listener_kb:,.0f} KB of the server's memory for each listener",
            f"{found.wrong or 'no'} listeners missed or doubled a message",
        )
    )


def main() -> int:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("scripts/bench push", description=__doc__, epilog=_EXAMPLES, formatter_class=raw)
    parser.add_argument("--listeners", type=int, default=1000, help="how many (default: %(default)s)")
    parser.add_argument("--messages", type=int, default=100, help="how many of each kind (default: %(default)s)")
    parser.add_argument("--bytes", type=int, default=1000, help="data of a message (default: %(default)s)")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        _serve()
        return 0
    allow_files(given.listeners + _SPARE_FILES)
    found = asyncio.run(measure(given.listeners, given.messages, given.bytes))
    print(table(found))
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
