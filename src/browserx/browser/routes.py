"""A request that is held until somebody says what becomes of it."""

import base64
import mimetypes
import os
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from browserx.browser.frames import Frame
from browserx.browser.storage import origin_of
from browserx.cdp import Session
from browserx.errors import CdpError, InvalidArgumentError

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

    @property
    def gone(self) -> bool:
        """Whether the process it came from is gone, and the request with it."""
        return self._session.ended is not None

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
