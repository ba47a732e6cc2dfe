"""Requests held until somebody says what becomes of them: ``Route`` is one of them, ``Routing`` who says so."""

import asyncio
import base64
import inspect
import logging
import mimetypes
import os
import re
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import msgspec

from browserx.browser.frames import Frame
from browserx.browser.patterns import url_pattern
from browserx.browser.storage import origin_of
from browserx.cdp import Session
from browserx.errors import BrowserXError, CdpError, InvalidArgumentError, RouteHandlerError

_log = logging.getLogger("browserx.browser")

HANDLER_TIMEOUT_S = 15.0
#: The failures of a handler that are kept; one that fails always fails alike.
_ERRORS_KEPT = 20
#: What a request can end with, and the protocol's word for it (Network.ErrorReason).
_REASONS = {
    "aborted": "Aborted",
    "accessdenied": "AccessDenied",
    "addressunreachable": "AddressUnreachable",
    "blockedbyclient": "BlockedByClient",
    "blockedbyresponse": "BlockedByResponse",
    "connectionaborted": "ConnectionAborted",
    "connectionclosed": "ConnectionClosed",
    "connectionfailed": "ConnectionFailed",
    "connectionrefused": "ConnectionRefused",
    "connectionreset": "ConnectionReset",
    "failed": "Failed",
    "internetdisconnected": "InternetDisconnected",
    "namenotresolved": "NameNotResolved",
    "timedout": "TimedOut",
}
RESOURCE_TYPES = frozenset(
    (
        *("document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch", "prefetch"),
        *("eventsource", "manifest", "signedexchange", "ping", "cspviolationreport", "other"),
    )
)


@dataclass(frozen=True)
class RoutedRequest:
    """A request that has not left yet. ``frame`` is the one it is for, None where there is none.

    ``resource_type`` is ``document``, ``stylesheet``, ``image``, ``script``, ``xhr`` (``fetch`` too), … Header
    names are as the page gave them; cookies are added later. ``post_data`` has no files in it.
    """

    url: str
    method: str
    headers: Mapping[str, str]
    resource_type: str
    frame: Frame | None
    post_data: bytes | None = None

    def header(self, name: str) -> str | None:
        """A header, whatever the case of its name."""
        return next((value for key, value in self.headers.items() if key.lower() == name.lower()), None)


class Route:
    """One held request. Exactly one of ``fulfill``, ``continue_`` and ``abort`` lets it go.

    A request that its page has given up meanwhile needs no answer: then they do nothing.
    """

    def __init__(self, request: RoutedRequest, session: Session, request_id: str) -> None:
        self.request = request
        #: Whether it has been let go.
        self.answered = False
        self._session = session
        self._request_id = request_id

    async def fulfill(
        self,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        body: str | bytes | None = None,
        json: Any = None,
        path: str | os.PathLike[str] | None = None,
        content_type: str | None = None,
    ) -> None:
        """Answer it ourselves: with ``body``, with ``json`` as such, or with the file at ``path``; nothing is sent.

        A page of another origin may read the answer, unless ``headers`` say otherwise.

        Raises:
            InvalidArgumentError: more than one of them is given, the file cannot be read, the status is none, or the
                request was answered before.
        """
        if sum(given is not None for given in (body, json, path)) > 1:
            raise InvalidArgumentError("give one of body, json and path")
        if not 100 <= status <= 599:
            raise InvalidArgumentError(f"{status} is no HTTP status; they go from 100 to 599")
        data, kind = _content(body, json, path)
        sent = dict(headers or {})
        names = {name.lower() for name in sent}
        if "content-type" not in names and (content_type or kind):
            sent["Content-Type"] = content_type or kind
        origin = self.request.header("Origin")
        if origin and origin != origin_of(self.request.url) and "access-control-allow-origin" not in names:
            sent |= {"Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true"}
        params: dict[str, Any] = {
            "responseCode": status,
            "responseHeaders": _header_list(sent),
            "body": base64.b64encode(data).decode(),
        }
        if status in _PHRASES:
            params["responsePhrase"] = _PHRASES[status]
        await self._answer("Fetch.fulfillRequest", params)

    async def continue_(
        self,
        *,
        url: str | None = None,
        method: str | None = None,
        headers: Mapping[str, str] | None = None,
        post_data: str | bytes | None = None,
    ) -> None:
        """Let it go out, as it is or changed. ``headers`` replace all the page gave; it does not see another ``url``.

        Raises:
            InvalidArgumentError: ``url`` is no http address, or the request was answered before.
        """
        params: dict[str, Any] = {}
        if url is not None:
            if urlsplit(url).scheme not in ("http", "https"):
                raise InvalidArgumentError(f"{url!r} is no http address; a request can only be sent to one")
            params["url"] = url
        if method is not None:
            params["method"] = method
        if headers is not None:
            params["headers"] = _header_list(headers)
        if post_data is not None:
            data = post_data.encode() if isinstance(post_data, str) else post_data
            params["postData"] = base64.b64encode(data).decode()
        await self._answer("Fetch.continueRequest", params)

    async def abort(self, reason: str = "failed") -> None:
        """Let it fail, as ``net::ERR_…`` for the page: ``failed``, ``blockedbyclient``, ``timedout``, …

        Raises:
            InvalidArgumentError: there is no such reason, or the request was answered before.
        """
        if reason not in _REASONS:
            raise InvalidArgumentError(f"there is no reason {reason!r}; they are {', '.join(_REASONS)}")
        await self._answer("Fetch.failRequest", {"errorReason": _REASONS[reason]})

    def release(self) -> None:
        """Let it go out as it is, because nobody answered."""
        self.answered = True
        self._session.post("Fetch.continueRequest", {"requestId": self._request_id})

    async def _answer(self, method: str, params: dict[str, Any]) -> None:
        if self.answered:
            raise InvalidArgumentError(f"the request for {self.request.url} was answered before; answer it once")
        self.answered = True
        held = {"requestId": self._request_id}
        try:
            await self._session.send(method, held | params)
        except CdpError as error:
            try:
                await self._session.send("Fetch.continueRequest", held)
            except CdpError:
                return  # its page gave it up
            raise InvalidArgumentError(
                f"the browser refuses this answer ({error.message}); the request went out as it was"
            ) from error


Handler = Callable[[Route], Awaitable[object] | object]
Pattern = str | re.Pattern[str] | Callable[[RoutedRequest], bool]


class Routing:
    """A handler at work on the requests a pattern means: what ``route`` returns.

    ``async with await tab.route(…):`` ends it with the block. A request whose handler raises, or does not answer within
    ``timeout_s`` seconds, goes out as it was; the failure is logged, kept in ``errors``, and raised when the routing
    ends.
    """

    def __init__(
        self, pattern: Pattern, handler: Handler, timeout_s: float, remove: "Callable[[Routing], Awaitable[None]]"
    ) -> None:
        self.pattern = pattern
        self.handler = handler
        self.errors: deque[Exception] = deque(maxlen=_ERRORS_KEPT)
        self._timeout_s = timeout_s
        self._remove = remove
        self._running: set[asyncio.Task[Any]] = set()
        self._expression = None if callable(pattern) else url_pattern(pattern)

    async def __aenter__(self) -> "Routing":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self._remove(self)
        except RouteHandlerError:
            if error is None:
                raise

    def means(self, request: RoutedRequest) -> bool:
        """Whether this request is one of those. A predicate that fails is told of, and means no."""
        if self._expression is not None:
            return self._expression.search(request.url) is not None
        assert callable(self.pattern)
        try:
            return bool(self.pattern(request))
        except Exception as error:  # the caller's own code
            self._failed(request, error)
            return False

    async def handle(self, route: Route) -> None:
        """Let the handler answer, and see to it that the request is answered. Never raises."""
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        try:
            async with asyncio.timeout(self._timeout_s):
                outcome = self.handler(route)
                if inspect.isawaitable(outcome):
                    await outcome
            if not route.answered:
                self._failed(route.request, InvalidArgumentError("the handler returned without answering the request"))
        except TimeoutError as error:
            self._failed(route.request, error)
        except BrowserXError as error:
            # A tab that was closed under the handler is nobody's failure.
            if isinstance(error, InvalidArgumentError):
                self._failed(route.request, error)
        except Exception as error:  # the caller's own code
            self._failed(route.request, error)
        finally:
            self._running.discard(task)
            if not route.answered:
                route.release()

    async def finish(self) -> None:
        """Wait for the handlers at work; each is bounded.

        Raises:
            RouteHandlerError: some failed.
        """
        running = self._running - {asyncio.current_task()}
        if running:
            await asyncio.wait(running, timeout=self._timeout_s + 1)
        if self.errors:
            first = self.errors[0]
            raise RouteHandlerError(
                f"the handler of {self.pattern!r} failed for {len(self.errors)} requests, first with: "
                f"{first or type(first).__name__}; mend it",
                errors=tuple(self.errors),
            ) from first

    def _failed(self, request: RoutedRequest, error: Exception) -> None:
        why = f"it did not answer within {self._timeout_s:g} s" if isinstance(error, TimeoutError) else repr(error)
        _log.error("the handler of %r failed for %s, which goes out as it was: %s", self.pattern, request.url, why)
        self.errors.append(error)


def _content(body: str | bytes | None, json: Any, path: str | os.PathLike[str] | None) -> tuple[bytes, str]:
    if json is not None:
        return msgspec.json.encode(json), "application/json"
    if path is not None:
        try:
            return Path(path).read_bytes(), mimetypes.guess_type(os.fspath(path))[0] or "application/octet-stream"
        except OSError as error:
            raise InvalidArgumentError(f"{os.fspath(path)!r} cannot be read: {error.strerror}") from error
    if isinstance(body, str):
        return body.encode(), "text/html; charset=utf-8" if body.lstrip().startswith(
            "<"
        ) else "text/plain; charset=utf-8"
    return body or b"", ""


def _header_list(headers: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": str(value)} for name, value in headers.items()]


_PHRASES = {status.value: status.phrase for status in HTTPStatus}


def blocker(what: Sequence[str | re.Pattern[str]]) -> Callable[[RoutedRequest], bool]:
    """A predicate for the requests of some resource types (``image``, …) or to some addresses.

    Raises:
        InvalidArgumentError: nothing is given, or a pattern is none.
    """
    if isinstance(what, str) or not what:
        raise InvalidArgumentError('give a list of patterns and resource types, like ["image", "**/ads/**"]')
    for one in what:
        if isinstance(one, str) and one.isalpha() and one not in RESOURCE_TYPES:
            raise InvalidArgumentError(
                f"there is no resource type {one!r}; they are {', '.join(sorted(RESOURCE_TYPES))}"
            )
    named = {one for one in what if isinstance(one, str) and one in RESOURCE_TYPES}
    expressions = [url_pattern(one) for one in what if one not in named]
    # The browser holds both under one name.
    types = named | {"xhr"} if "fetch" in named else named
    return lambda request: request.resource_type in types or any(e.search(request.url) for e in expressions)
