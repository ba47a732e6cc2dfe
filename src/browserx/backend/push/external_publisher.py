"""Push through a server that others run: anything that speaks Pusher's HTTP API, by configuration."""

import asyncio
import time
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

import httpx2
import msgspec

from browserx.backend.push.credentials import AppCredentials
from browserx.backend.push.outage import Outage, emptied, put_newest, started
from browserx.backend.push.protocol import check_channel, check_event, json_text
from browserx.backend.push.signatures import signed_query
from browserx.errors import InvalidArgumentError

_QUEUED: Final = 1_000
#: Of each part of a request, and of the whole of it.
_TIMEOUT_S: Final = 5.0
_WHOLE_TIMEOUT_S: Final = 15.0
#: An event that nobody took for so long is of no use to anybody: clients have fetched what it told of.
_KEPT_S: Final = 30.0
_FLUSH_S: Final = 2.0
_TOO_MANY_REQUESTS: Final = 429


class _Event(msgspec.Struct, frozen=True):
    body: bytes
    queued_s: float


class ExternalPublisher:
    """Posts what is published, in order, to the server at ``url`` (``https://api-eu.pusher.com``).

    Use it with ``async with``. The caller never waits for that server and never fails because of it: events wait in
    a bounded queue, are tried again while the server is gone, and are given up after a while; the log tells of it.
    """

    def __init__(self, app: AppCredentials, url: str, *, most_bytes: int = 10_240) -> None:
        """``most_bytes`` of data are what that server takes in an event. Raises InvalidArgumentError."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise InvalidArgumentError(
                f"the address of a Pusher server must be like https://api-eu.pusher.com: {url!r}"
            )
        self._app = app
        self._most_bytes = most_bytes
        self._url = url.rstrip("/")
        self._queue: asyncio.Queue[_Event] = asyncio.Queue(_QUEUED)
        # Only the server itself: an address that it redirects to was not configured.
        self._http = httpx2.AsyncClient(timeout=_TIMEOUT_S, follow_redirects=False)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = started(self._post_all(), "push posts to an external server")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None, "entered first"
        try:
            await emptied(self._queue, _FLUSH_S)
        finally:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            await self._http.aclose()

    async def publish(self, channel: str, event: str, data: Any, socket_id: str | None = None) -> None:
        """See ``Publisher``."""
        check_channel(channel)
        check_event(event)
        text = json_text(data)
        if (size := len(text.encode())) > self._most_bytes:
            raise InvalidArgumentError(
                f"the push server takes at most {self._most_bytes} bytes of data in an event, these are {size}:"
                " publish less, and let clients fetch the rest"
            )
        told = {"name": event, "channels": [channel], "data": text}
        body = msgspec.json.encode(told if socket_id is None else {**told, "socket_id": socket_id})
        put_newest(self._queue, _Event(body, time.monotonic()))

    async def _post_all(self) -> None:
        outage = Outage("the push server", f"what it does not take within {_KEPT_S:g} s does not reach clients")
        while True:
            event = await self._queue.get()
            try:
                while time.monotonic() - event.queued_s < _KEPT_S:
                    problem, again = await self._post(event.body)
                    if problem is None:
                        outage.over()
                        break
                    pause_s = outage.failed(problem)
                    if not again:
                        break
                    await asyncio.sleep(pause_s)
            finally:
                self._queue.task_done()

    async def _post(self, body: bytes) -> tuple[str | None, bool]:
        """Post one event. Returns what went wrong, if anything, and whether trying again makes sense."""
        path = f"/apps/{self._app.id}/events"
        try:
            async with asyncio.timeout(_WHOLE_TIMEOUT_S):
                answer = await self._http.post(
                    self._url + path,
                    params=signed_query(self._app, "POST", path, body, time.time()),
                    content=body,
                    headers={"Content-Type": "application/json"},
                )
        except httpx2.ConnectError as error:
            return str(error), True
        except (httpx2.HTTPError, TimeoutError) as error:
            # It may have arrived: not again.
            return f"{type(error).__name__} {error}".strip(), False
        if answer.is_success:
            return None, False
        again = answer.status_code == _TOO_MANY_REQUESTS or answer.is_server_error
        return f"it answered {answer.status_code}: {' '.join(answer.text[:200].split())}", again
