"""Recording the requests of a tab for an HTTP archive: hears more of each than the tab does by itself."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from browserx.browser.attachment import Attachment
from browserx.browser.har import Answer, Exchange, Page
from browserx.cdp import Session
from browserx.cdp.session import Subscription
from browserx.errors import BrowserXError

#: Requests that are recorded; later ones are not.
_MOST_EXCHANGES = 20_000
_MOST_BODY = 20_000_000
_MOST_BODIES = 200_000_000
_BODY_TIMEOUT_S = 10.0
_KEEP_BODIES = {"maxTotalBufferSize": _MOST_BODIES, "maxResourceBufferSize": _MOST_BODY}


class _Request(msgspec.Struct, rename="camel"):
    url: str = ""
    method: str = "GET"
    headers: dict[str, str] = {}
    post_data: str | None = None
    has_post_data: bool = False


class _Sent(msgspec.Struct, rename="camel"):
    """Event Network.requestWillBeSent."""

    request_id: str
    request: _Request
    timestamp: float = 0.0
    wall_time: float = 0.0
    type: str = "Other"
    frame_id: str = ""
    loader_id: str = ""
    redirect_response: Answer | None = None
    redirect_has_extra_info: bool = False


class _Headers(msgspec.Struct, rename="camel"):
    """Events Network.requestWillBeSentExtraInfo and Network.responseReceivedExtraInfo."""

    request_id: str
    headers: dict[str, str] = {}


class _Answered(msgspec.Struct, rename="camel"):
    """Event Network.responseReceived."""

    request_id: str
    response: Answer
    has_extra_info: bool = False


class _Data(msgspec.Struct, rename="camel"):
    """Event Network.dataReceived."""

    request_id: str
    data_length: int = 0


class _Ended(msgspec.Struct, rename="camel"):
    """Events Network.loadingFinished and Network.loadingFailed."""

    request_id: str
    timestamp: float = 0.0
    encoded_data_length: float = 0.0
    error_text: str = ""


class _Fired(msgspec.Struct):
    """Events Page.domContentEventFired and Page.loadEventFired."""

    timestamp: float = 0.0


class _Body(msgspec.Struct, rename="camel"):
    body: str
    base64_encoded: bool = False


class _PostData(msgspec.Struct, rename="camel"):
    post_data: str


class _Chain:
    """A request with its redirects, which share an id, and the headers that went over the wire for them, in order."""

    __slots__ = ("hops", "received", "sent")

    def __init__(self) -> None:
        self.hops: list[Exchange] = []
        self.sent: list[dict[str, str]] = []
        self.received: list[dict[str, str]] = []

    def join(self) -> None:
        """Give each hop its headers; they are announced apart from it, sometimes before, sometimes after."""
        sent, received = iter(self.sent), iter(self.received)
        for hop in self.hops:
            if hop.has_wire_headers is not False:
                hop.sent_headers, hop.received_headers = next(sent, None), next(received, None)


class Recording:
    """Of one attached tab, from its making until ``stop``. With ``bodies`` also what was sent and answered."""

    def __init__(self, attachment: Attachment, title: Callable[[], str], *, bodies: bool) -> None:
        self.exchanges: list[Exchange] = []
        self.pages: list[Page] = []
        self._attachment = attachment
        self._title = title
        self._bodies = bodies
        self._body_room = _MOST_BODIES
        self._chains: dict[str, _Chain] = {}
        self._subscriptions: list[Subscription] = []
        self._reading: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Hear all sessions there are, and those that come."""
        attachment = self._attachment
        for session in attachment.sessions:
            self._follow(session)
        attachment.on_session.append(self._follow)
        if self._bodies:
            attachment.keep_bodies = _KEEP_BODIES
            await attachment.network_enabled()

    async def stop(self) -> None:
        """Hear no more."""
        if self._follow in self._attachment.on_session:
            self._attachment.on_session.remove(self._follow)
        for subscription in self._subscriptions:
            subscription.cancel()
        self._subscriptions.clear()
        await self.read_bodies()
        if self._bodies and self._attachment.session.ended is None:
            self._attachment.keep_bodies = None
            await self._attachment.network_enabled()

    async def read_bodies(self) -> None:
        """Wait for the bodies on their way; bounded."""
        if self._reading:
            await asyncio.wait(self._reading, timeout=_BODY_TIMEOUT_S)

    def finish(self) -> None:
        """Bring together what was announced apart, as far as it is known now."""
        for chain in self._chains.values():
            chain.join()
        if self.pages:
            self.pages[-1].title = self._title()

    def _follow(self, session: Session) -> None:
        def ended(event: _Ended) -> None:
            exchange = self._exchange(event.request_id)
            if exchange is None or exchange.ended is not None:
                return
            exchange.ended, exchange.failure = event.timestamp, event.error_text
            exchange.wire_size = event.encoded_data_length
            if self._bodies and not event.error_text:
                work = self._read_bodies(session, event.request_id, exchange)
                task = session.connection.tasks.start(work, name="body for a HAR")
                self._reading.add(task)
                task.add_done_callback(self._reading.discard)

        hear = session.on
        self._subscriptions += [
            hear("Network.requestWillBeSent", _Sent, self._sent),
            hear("Network.requestWillBeSentExtraInfo", _Headers, self._headers_sent),
            hear("Network.responseReceived", _Answered, self._answered),
            hear("Network.responseReceivedExtraInfo", _Headers, self._headers_received),
            hear("Network.dataReceived", _Data, self._data),
            hear("Network.loadingFinished", _Ended, ended),
            hear("Network.loadingFailed", _Ended, ended),
        ]
        if session is self._attachment.session:
            self._subscriptions += [
                hear("Page.domContentEventFired", _Fired, self._content_loaded),
                hear("Page.loadEventFired", _Fired, self._loaded),
            ]

    def _chain(self, event: _Headers | _Sent) -> _Chain:
        chain = self._chains.get(event.request_id)
        if chain is None:
            chain = _Chain()
            if len(self.exchanges) < _MOST_EXCHANGES:
                self._chains[event.request_id] = chain
        return chain

    def _headers_sent(self, event: _Headers) -> None:
        self._chain(event).sent.append(event.headers)

    def _headers_received(self, event: _Headers) -> None:
        self._chain(event).received.append(event.headers)

    def _exchange(self, request_id: str) -> Exchange | None:
        chain = self._chains.get(request_id)
        return chain.hops[-1] if chain is not None and chain.hops else None

    def _sent(self, event: _Sent) -> None:
        request = event.request
        if request.url.startswith("data:") or len(self.exchanges) >= _MOST_EXCHANGES:
            return
        before = self._exchange(event.request_id)
        if before is not None and event.redirect_response is not None:
            before.answer = event.redirect_response
            before.wire_size = event.redirect_response.encoded_data_length
            before.ended, before.redirect_url = event.timestamp, request.url
            before.has_wire_headers = event.redirect_has_extra_info
        exchange = Exchange(
            url=request.url,
            method=request.method,
            headers=request.headers,
            kind=event.type,
            began=event.timestamp,
            wall_time=event.wall_time,
            post_data=request.post_data if self._bodies else None,
            has_post_data=request.has_post_data,
        )
        exchange.page = self._page(event, exchange, redirected=before)
        self._chain(event).hops.append(exchange)
        self.exchanges.append(exchange)

    def _page(self, event: _Sent, exchange: Exchange, *, redirected: Exchange | None) -> Page | None:
        """The page it belongs to; the request for a document of the tab begins one, its redirects are part of it."""
        own = event.frame_id == self._attachment.frames.main_id and event.request_id == event.loader_id
        if own and redirected is None:
            if self.pages:
                self.pages[-1].title = self._title()
            number = len(self.pages) + 1
            self.pages.append(Page(f"page_{number}", exchange.url, exchange.began, exchange.wall_time))
        return self.pages[-1] if self.pages else None

    def _answered(self, event: _Answered) -> None:
        if (exchange := self._exchange(event.request_id)) is not None:
            exchange.answer = event.response
            exchange.has_wire_headers = event.has_extra_info

    def _data(self, event: _Data) -> None:
        if (exchange := self._exchange(event.request_id)) is not None:
            exchange.size += event.data_length

    def _content_loaded(self, event: _Fired) -> None:
        if self.pages:
            self.pages[-1].content_loaded = event.timestamp

    def _loaded(self, event: _Fired) -> None:
        if self.pages:
            self.pages[-1].loaded = event.timestamp

    async def _read_bodies(self, session: Session, request_id: str, exchange: Exchange) -> None:
        params: dict[str, Any] = {"requestId": request_id}
        if exchange.size > min(_MOST_BODY, self._body_room):
            exchange.comment = "the body is left out: it is too large"
            return
        self._body_room -= exchange.size
        try:
            if exchange.has_post_data and exchange.post_data is None:
                sent = await session.send("Network.getRequestPostData", params, _PostData, timeout_s=_BODY_TIMEOUT_S)
                exchange.post_data = sent.post_data
            got = await session.send("Network.getResponseBody", params, _Body, timeout_s=_BODY_TIMEOUT_S)
            exchange.body, exchange.body_is_base64 = got.body, got.base64_encoded
        except BrowserXError as error:
            exchange.comment = f"the body is left out: {error.message}"
