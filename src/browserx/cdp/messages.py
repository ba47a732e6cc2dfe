"""What goes over the wire: one envelope for everything that arrives, plain JSON for everything that leaves.

Source: https://chromedevtools.github.io/devtools-protocol/ (flattened sessions).
"""

from collections.abc import Mapping
from typing import Any

import msgspec


class ErrorBody(msgspec.Struct):
    """The protocol's own error object."""

    code: int = 0
    message: str = ""
    data: str = ""


class Envelope(msgspec.Struct, rename="camel"):
    """A reply (``id``) or an event (``method``). Bodies stay raw until somebody wants them as a type."""

    id: int | None = None
    method: str | None = None
    session_id: str | None = None
    result: msgspec.Raw = msgspec.Raw(b"{}")
    params: msgspec.Raw = msgspec.Raw(b"{}")
    error: ErrorBody | None = None


class Empty(msgspec.Struct):
    """A reply nobody reads."""


_ENVELOPES = msgspec.json.Decoder(Envelope)
_ENCODER = msgspec.json.Encoder()


def decode(message: bytes) -> Envelope:
    """Open one message. Raises ``msgspec.DecodeError`` when it is no JSON object."""
    return _ENVELOPES.decode(message)


def encode(number: int, method: str, params: Mapping[str, Any] | None, session_id: str | None) -> bytes:
    """Close one command."""
    command: dict[str, Any] = {"id": number, "method": method}
    if params:
        command["params"] = params
    if session_id is not None:
        command["sessionId"] = session_id
    return _ENCODER.encode(command)
