"""From what was heard of requests to an HTTP archive: values in, a HAR 1.2 out.

Source: http://www.softwareishard.com/blog/har-12-spec/ and, for the timings,
https://chromedevtools.github.io/devtools-protocol/tot/Network/#type-ResourceTiming.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

MASK = "***"
#: Milliseconds that do not apply, sizes that are not known.
_NONE = -1
_COOKIE_VALUE = re.compile(r"=[^;]*")


class Timing(msgspec.Struct, rename="camel"):
    """Network.ResourceTiming: ``request_time`` in s, all else in ms after it, -1 for what did not happen."""

    request_time: float = 0.0
    dns_start: float = -1
    dns_end: float = -1
    connect_start: float = -1
    connect_end: float = -1
    ssl_start: float = -1
    ssl_end: float = -1
    send_start: float = 0
    send_end: float = 0
    receive_headers_end: float = 0


class Answer(msgspec.Struct, rename="camel"):
    """Network.Response."""

    url: str = ""
    status: int = 0
    status_text: str = ""
    headers: dict[str, str] = {}
    mime_type: str = ""
    protocol: str = ""
    connection_id: float = 0
    remote_ip_address: str = msgspec.field(default="", name="remoteIPAddress")
    encoded_data_length: float = 0
    from_disk_cache: bool = False
    timing: Timing | None = None


@dataclass(eq=False, slots=True)
class Exchange:
    """A request and what became of it. Times are in s on the browser's clock, ``wall_time`` since 1970."""

    url: str
    method: str
    headers: Mapping[str, str]
    kind: str
    began: float
    wall_time: float
    page: "Page | None" = None
    post_data: str | None = None
    has_post_data: bool = False
    answer: Answer | None = None
    #: Whether the browser tells the headers as they went over the wire too; None until it is known.
    has_wire_headers: bool | None = None
    sent_headers: Mapping[str, str] | None = None
    received_headers: Mapping[str, str] | None = None
    ended: float | None = None
    failure: str = ""
    wire_size: float = 0
    size: int = 0
    body: str | None = None
    body_is_base64: bool = False
    redirect_url: str = ""
    comment: str = ""


@dataclass(eq=False, slots=True)
class Page:
    """A document of the tab. Times as in ``Exchange``; None until it is that far."""

    id: str
    title: str
    began: float
    wall_time: float
    content_loaded: float | None = None
    loaded: float | None = None


@dataclass(frozen=True)
class Archive:
    """What there is to write, and how. Without ``secrets`` what identifies somebody is masked."""

    exchanges: Sequence[Exchange]
    pages: Sequence[Page]
    version: str
    browser: str
    secrets: bool = False
    creator: str = field(default="BrowserX")


def to_har(archive: Archive) -> dict[str, Any]:
    """The archive as HAR 1.2, ready for JSON."""
    name, _, version = archive.browser.partition("/")
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": archive.creator, "version": archive.version},
            "browser": {"name": name, "version": version},
            "pages": [_page(page) for page in archive.pages],
            "entries": [_entry(exchange, archive.secrets) for exchange in archive.exchanges],
        }
    }


def _page(page: Page) -> dict[str, Any]:
    return {
        "startedDateTime": _date(page.wall_time),
        "id": page.id,
        "title": page.title,
        "pageTimings": {
            "onContentLoad": _after(page.began, page.content_loaded),
            "onLoad": _after(page.began, page.loaded),
        },
    }


def _entry(exchange: Exchange, secrets: bool) -> dict[str, Any]:
    timings = _timings(exchange)
    entry: dict[str, Any] = {
        "startedDateTime": _date(exchange.wall_time),
        "time": sum(value for name, value in timings.items() if value >= 0 and name != "ssl"),
        "request": _request(exchange, secrets),
        "response": _response(exchange, secrets),
        "cache": {},
        "timings": timings,
        "_resourceType": exchange.kind.lower(),
    }
    if exchange.page is not None:
        entry["pageref"] = exchange.page.id
    if exchange.answer is not None and exchange.answer.remote_ip_address:
        entry["serverIPAddress"] = exchange.answer.remote_ip_address.strip("[]")
    if exchange.answer is not None and exchange.answer.connection_id:
        entry["connection"] = f"{exchange.answer.connection_id:.0f}"
    if exchange.answer is not None and exchange.answer.from_disk_cache:
        entry["_fromDiskCache"] = True
    if exchange.failure:
        entry["_error"] = exchange.failure
    if exchange.comment:
        entry["comment"] = exchange.comment
    return entry


def _request(exchange: Exchange, secrets: bool) -> dict[str, Any]:
    headers = exchange.sent_headers or exchange.headers
    sent = exchange.post_data
    request: dict[str, Any] = {
        "method": exchange.method,
        "url": exchange.url,
        "httpVersion": _http_version(exchange),
        "cookies": [
            {"name": name.strip(), "value": value if secrets else MASK}
            for pair in _header(headers, "cookie").split(";")
            if (name := pair.partition("=")[0]).strip() and (value := pair.partition("=")[2]) is not None
        ],
        "headers": _headers(headers, secrets),
        "queryString": [
            {"name": name, "value": value}
            for name, value in parse_qsl(urlsplit(exchange.url).query, keep_blank_values=True)
        ],
        "headersSize": _NONE,
        "bodySize": len(sent.encode()) if sent is not None else _NONE if exchange.has_post_data else 0,
    }
    if sent is not None:
        request["postData"] = {"mimeType": _header(headers, "content-type"), "text": sent, "params": []}
    return request


def _response(exchange: Exchange, secrets: bool) -> dict[str, Any]:
    answer = exchange.answer or Answer()
    headers = exchange.received_headers or answer.headers
    content: dict[str, Any] = {"size": exchange.size, "mimeType": answer.mime_type or "x-unknown"}
    if exchange.body is not None:
        content["text"] = exchange.body
        if exchange.body_is_base64:
            content["encoding"] = "base64"
    wire = exchange.wire_size - answer.encoded_data_length if exchange.ended is not None else _NONE
    return {
        "status": answer.status,
        "statusText": answer.status_text,
        "httpVersion": _http_version(exchange),
        "cookies": [_set_cookie(line, secrets) for line in _header(headers, "set-cookie").split("\n") if line.strip()],
        "headers": _headers(headers, secrets),
        "content": content,
        "redirectURL": exchange.redirect_url,
        "headersSize": _NONE,
        "bodySize": max(_NONE, round(wire)),
    }


def _timings(exchange: Exchange) -> dict[str, float]:
    """In ms. ``send``, ``wait`` and ``receive`` are never left out; where nothing is known, all is waiting."""
    timing = exchange.answer.timing if exchange.answer is not None else None
    if timing is None:
        return {"send": 0, "wait": max(0.0, _after(exchange.began, exchange.ended)), "receive": 0}
    first = next((at for at in (timing.dns_start, timing.connect_start, timing.send_start) if at >= 0), 0.0)
    headers_at = timing.request_time + timing.receive_headers_end / 1000
    return {
        "blocked": max(0.0, (timing.request_time - exchange.began) * 1000 + first),
        "dns": _between(timing.dns_start, timing.dns_end),
        "connect": _between(timing.connect_start, timing.connect_end),
        "ssl": _between(timing.ssl_start, timing.ssl_end),
        "send": max(0.0, timing.send_end - timing.send_start),
        "wait": max(0.0, timing.receive_headers_end - timing.send_end),
        "receive": max(0.0, _after(headers_at, exchange.ended)),
    }


def _headers(headers: Mapping[str, str], secrets: bool) -> list[dict[str, str]]:
    return [
        {"name": name, "value": line if secrets else _masked(name.lower(), line)}
        for name, value in headers.items()
        for line in value.split("\n")
    ]


def _masked(name: str, value: str) -> str:
    """A header without its secret: which cookies there are stays, and by which scheme somebody says who they are."""
    if name in ("authorization", "proxy-authorization"):
        return f"{value.partition(' ')[0]} {MASK}" if " " in value else MASK
    if name == "cookie":
        return _COOKIE_VALUE.sub(f"={MASK}", value) if "=" in value else MASK
    if name == "set-cookie":
        return _COOKIE_VALUE.sub(f"={MASK}", value, count=1) if "=" in value.partition(";")[0] else MASK
    return value


def _set_cookie(line: str, secrets: bool) -> dict[str, Any]:
    first, *attributes = line.split(";")
    name, _, value = first.partition("=")
    cookie: dict[str, Any] = {"name": name.strip(), "value": value.strip() if secrets else MASK}
    for attribute in attributes:
        key, _, told = (part.strip() for part in attribute.partition("="))
        match key.lower():
            case "path" | "domain":
                cookie[key.lower()] = told
            case "secure":
                cookie["secure"] = True
            case "httponly":
                cookie["httpOnly"] = True
            case "expires":
                try:
                    cookie["expires"] = parsedate_to_datetime(told).isoformat()
                except ValueError:
                    pass  # a date nobody can read is none
    return cookie


def _header(headers: Mapping[str, str], name: str) -> str:
    return next((value for key, value in headers.items() if key.lower() == name), "")


def _http_version(exchange: Exchange) -> str:
    protocol = exchange.answer.protocol if exchange.answer is not None else ""
    return protocol.upper() if protocol.startswith("http") else protocol or "unknown"


def _date(wall_time: float) -> str:
    return datetime.fromtimestamp(wall_time, UTC).isoformat(timespec="milliseconds")


def _after(began: float, at: float | None) -> float:
    return _NONE if at is None else round((at - began) * 1000, 3)


def _between(start: float, end: float) -> float:
    return round(end - start, 3) if 0 <= start <= end else _NONE
