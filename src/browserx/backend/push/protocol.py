"""The Pusher Channels protocol, version 7, without any I/O: frames in, frames out, names of channels.

Source: https://pusher.com/docs/channels/library_auth_reference/pusher-websockets-protocol/. Two things in it are easy
to get wrong: ``data`` of what a server sends is a JSON text within the JSON text, except in ``pusher:error``; and the
hundreds of a closing code tell the client what to do next (40xx: give up, 41xx: come back after a second, 42xx: come
back at once).
"""

import re
from enum import IntEnum
from typing import Any, Final

import msgspec

from browserx.errors import InvalidArgumentError

PROTOCOL_VERSION: Final = 7
#: Longest names the protocol has, in characters.
MAX_CHANNEL_NAME: Final = 164
MAX_EVENT_NAME: Final = 200

_CHANNEL_NAME = re.compile(r"[A-Za-z0-9_\-=@,.;]+")
_SOCKET_ID = re.compile(r"\d{1,20}\.\d{1,20}")
_PRIVATE = "private-"
_NOT_SERVED = {
    "presence-": "presence channels are not served here: use a private channel",
    "cache-": "cache channels are not served here: use a channel without cache in its name",
    "private-cache-": "cache channels are not served here: use a channel without cache in its name",
    "#": "channels of a user are not served here: use a private channel",
}


class Code(IntEnum):
    """Why a server sends ``pusher:error``, or closes."""

    NO_SUCH_APP = 4001
    TOO_MANY_CONNECTIONS = 4004
    BAD_VERSION = 4006
    UNSUPPORTED_PROTOCOL = 4007
    NO_PROTOCOL = 4008
    OVER_CAPACITY = 4100
    RECONNECT = 4200
    PONG_MISSING = 4201
    CLIENT_EVENT_REFUSED = 4301


class Subscribe(msgspec.Struct, frozen=True):
    """The client wants what is published on ``channel``. ``auth`` is "" where it sent none."""

    channel: str
    auth: str = ""


class Unsubscribe(msgspec.Struct, frozen=True):
    """The client wants no more of ``channel``."""

    channel: str


class Ping(msgspec.Struct, frozen=True):
    """The client asks whether we are there."""


class Pong(msgspec.Struct, frozen=True):
    """The client answers that it is there."""


class ClientEvent(msgspec.Struct, frozen=True):
    """The client wants to tell other clients something (``client-…``)."""

    event: str


class Unknown(msgspec.Struct, frozen=True):
    """What no client of this protocol sends; ``problem`` says what is wrong with it."""

    problem: str


Incoming = Subscribe | Unsubscribe | Ping | Pong | ClientEvent | Unknown


class _Frame(msgspec.Struct):
    event: str
    data: msgspec.Raw = msgspec.Raw(b"{}")


_decode_frame = msgspec.json.Decoder(_Frame).decode
_encode = msgspec.json.Encoder().encode


def read(text: str | bytes) -> Incoming:
    """What a client sent. Never raises: page content is not to be trusted, nor are clients."""
    try:
        frame = _decode_frame(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return Unknown("a frame is a JSON object with an event, which is a text")
    try:
        match frame.event:
            case "pusher:ping":
                return Ping()
            case "pusher:pong":
                return Pong()
            case "pusher:subscribe":
                return msgspec.json.decode(_plain(frame.data), type=Subscribe)
            case "pusher:unsubscribe":
                return msgspec.json.decode(_plain(frame.data), type=Unsubscribe)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return Unknown(f"the data of {frame.event} is not right: {error}")
    if frame.event.startswith("client-"):
        return ClientEvent(frame.event[:MAX_EVENT_NAME])
    return Unknown(f"no event {frame.event[:MAX_EVENT_NAME]!r} is known here")


def _plain(data: msgspec.Raw) -> bytes:
    """Some libraries send ``data`` as an object, some as a JSON text within a JSON text."""
    raw = bytes(data)
    return msgspec.json.decode(raw, type=str).encode() if raw.startswith(b'"') else raw


def connection_established(socket_id: str, activity_timeout_s: float) -> str:
    """The first frame of a connection. The client pings after so many seconds without a frame, rounded up to whole."""
    timeout_s = max(1, -int(-activity_timeout_s // 1))
    return event_frame(
        "pusher:connection_established", json_text({"socket_id": socket_id, "activity_timeout": timeout_s})
    )


def subscription_succeeded(channel: str) -> str:
    """From this frame on the client gets everything that is published on ``channel``."""
    return event_frame("pusher_internal:subscription_succeeded", "{}", channel)


def subscription_error(channel: str, kind: str, problem: str, status: int) -> str:
    """The client does not get ``channel``. ``status`` is the HTTP status that says the same."""
    return event_frame(
        "pusher:subscription_error", json_text({"type": kind, "error": problem, "status": status}), channel
    )


def error_frame(code: int | None, message: str) -> str:
    """Something is wrong; ``code`` is None where the protocol has no number for it."""
    return _encode({"event": "pusher:error", "data": {"code": code, "message": message}}).decode()


PING: Final = '{"event":"pusher:ping","data":"{}"}'
PONG: Final = '{"event":"pusher:pong","data":"{}"}'


def event_frame(event: str, data: str, channel: str | None = None) -> str:
    """One event as it goes over the wire; ``data`` is a text already, mostly of JSON."""
    frame = {"event": event, "data": data} if channel is None else {"event": event, "channel": channel, "data": data}
    return _encode(frame).decode()


def json_text(data: Any) -> str:
    """``data`` of an event: a text stays as it is, everything else becomes JSON.

    Raises:
        InvalidArgumentError: it is no JSON.
    """
    if isinstance(data, str):
        return data
    try:
        return _encode(data).decode()
    except (TypeError, ValueError, RecursionError) as problem:
        raise InvalidArgumentError(f"the data of an event must be JSON: {problem}") from problem


def is_socket_id(socket_id: str) -> bool:
    """Whether it has the form of the id of a connection: two numbers with a dot between."""
    return _SOCKET_ID.fullmatch(socket_id) is not None


def check_channel(channel: str) -> None:
    """Whether such a channel can be.

    Raises:
        InvalidArgumentError: the name is empty, too long, has a sign that none may have, or is of a kind not served.
    """
    for prefix, problem in _NOT_SERVED.items():
        if channel.startswith(prefix):
            raise InvalidArgumentError(problem)
    if len(channel) > MAX_CHANNEL_NAME or _CHANNEL_NAME.fullmatch(channel) is None:
        raise InvalidArgumentError(
            f"the name of a channel has 1 to {MAX_CHANNEL_NAME} letters, digits and signs of _-=@,.; and this"
            f" one does not: {channel[:MAX_CHANNEL_NAME]!r}"
        )


def check_event(event: str) -> None:
    """Whether an event may be published under this name.

    Raises:
        InvalidArgumentError: the name is empty, too long, or one that only the protocol itself uses.
    """
    if not 0 < len(event) <= MAX_EVENT_NAME:
        raise InvalidArgumentError(f"the name of an event has 1 to {MAX_EVENT_NAME} characters: {event[:50]!r}")
    if event.startswith(("pusher:", "pusher_internal:")):
        raise InvalidArgumentError(f"{event!r} is an event of the protocol itself: name yours otherwise")


def needs_auth(channel: str) -> bool:
    """Whether a client must show that it may hear this channel."""
    return channel.startswith(_PRIVATE)
