"""The requests of a tab, heard passively: which are in flight, and what became of them."""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from browserx.browser.changes import Changes
from browserx.cdp import Session
from browserx.cdp.protocol import LoadingEnded, ResponseReceived, WillBeSent

#: Requests that stay open for as long as the page likes say nothing about whether it is still loading.
_NEVER_AWAITED = frozenset({"WebSocket", "EventSource", "Ping", "Media", "CSPViolationReport", "SignedExchange"})
_LOG_LENGTH = 1000
#: The end of an answer whose body nobody reads (a ``fetch`` that only looks at the status) is never announced: it is
#: not waited for longer than this after its beginning.
_UNREAD_AFTER_S = 0.5


@dataclass(eq=False, slots=True)
class Request:
    """One request. ``number`` counts up within the tab; ``status`` is 0 until an answer came, -1 if none did.

    ``wall_time`` is in seconds since 1970, ``duration_ms`` 0 until it ended, ``size`` in bytes as they came over the
    wire, ``failure`` the browser's word for why none came (``net::ERR_…``).
    """

    number: int
    method: str
    url: str
    kind: str
    wall_time: float
    awaited: bool
    frame_id: str = ""
    document: bool = False
    session: str = ""
    status: int = 0
    finished: bool = False
    mime_type: str = ""
    size: int = 0
    duration_ms: float = 0.0
    failure: str = ""
    began: float = field(default=0.0, repr=False)
    #: Whether it was given up: of a document that was answered, because the answer is a file to download.
    aborted: bool = False


class Network:
    """Follows the sessions of a tab."""

    def __init__(self, changes: Changes) -> None:
        self.log: deque[Request] = deque(maxlen=_LOG_LENGTH)
        self._open: dict[str, Request] = {}
        self._documents: dict[str, int] = {}
        self._changes = changes
        self._number = 0

    @property
    def mark(self) -> int:
        """The number of the newest request; requests after it came later."""
        return self._number

    def in_flight(self, since: int = 0) -> int:
        """How many awaited requests that began after ``since`` have not ended."""
        return sum(1 for request in self._open.values() if request.awaited and request.number > since)

    def since(self, mark: int) -> list[Request]:
        """The requests that began after ``mark``, oldest first."""
        return [request for request in self.log if request.number > mark]

    def document_status(self, loader_id: str) -> int:
        """HTTP status of the document loaded by ``loader_id``; 0 if it had none."""
        return self._documents.get(loader_id, 0)

    def follow(self, session: Session) -> None:
        """Hear the requests of one session.

        A request keeps its id when it moves: that of a frame's document begins in the parent's process, and ends in the
        one the frame is given.
        """
        name = session.session_id or ""

        def will_be_sent(event: WillBeSent) -> None:
            if event.request.url.startswith("data:"):
                return
            if (before := self._open.pop(event.request_id, None)) is not None:
                before.finished = True
                before.duration_ms = (event.timestamp - before.began) * 1000
                if event.redirect_response is not None:
                    before.status = event.redirect_response.status
            self._number += 1
            request = Request(
                self._number,
                event.request.method,
                event.request.url,
                event.type,
                event.wall_time,
                awaited=event.type not in _NEVER_AWAITED,
                frame_id=event.frame_id,
                document=event.request_id == event.loader_id,
                session=name,
                began=event.timestamp,
            )
            self._open[event.request_id] = request
            self.log.append(request)
            self._changes.notify()

        def response(event: ResponseReceived) -> None:
            if (request := self._open.get(event.request_id)) is not None:
                request.status = event.response.status
                request.mime_type = event.response.mime_type
                if request.kind == "Fetch":
                    asyncio.get_running_loop().call_later(_UNREAD_AFTER_S, self._await_no_more, request)
                if request.document:
                    if len(self._documents) > _LOG_LENGTH:
                        self._documents.clear()
                    self._documents[event.request_id] = event.response.status

        def finished(event: LoadingEnded) -> None:
            if (request := self._open.pop(event.request_id, None)) is not None:
                request.finished = True
                request.duration_ms = max(0.0, event.timestamp - request.began) * 1000
                request.size = int(event.encoded_data_length)
                request.failure = event.error_text
                request.aborted = event.canceled
                if event.error_text and not request.status:
                    request.status = -1
                self._changes.notify()

        session.on("Network.requestWillBeSent", WillBeSent, will_be_sent)
        session.on("Network.responseReceived", ResponseReceived, response)
        session.on("Network.loadingFinished", LoadingEnded, finished)
        session.on("Network.loadingFailed", LoadingEnded, finished)
        session.on_end(lambda error: self._session_ended(name))

    def _await_no_more(self, request: Request) -> None:
        request.awaited = False
        self._changes.notify()

    def _session_ended(self, name: str) -> None:
        for request_id in [key for key, request in self._open.items() if request.session == name]:
            self._open.pop(request_id).finished = True
        self._changes.notify()
