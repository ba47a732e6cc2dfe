"""Who has the app's secret shows it: signatures of channels, and of requests to the HTTP API.

Source: https://pusher.com/docs/channels/library_auth_reference/auth-signatures/ and …/rest-api/#authentication.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from typing import Final

from browserx.backend.push.credentials import AppCredentials

#: A request may be so many seconds old, or come from so far ahead.
REQUEST_WINDOW_S: Final = 600
_VERSION: Final = "1.0"


def channel_auth(app: AppCredentials, socket_id: str, channel: str) -> str:
    """What a client must send with its subscription: ``key:signature``."""
    return f"{app.key}:{_sign(app.secret, f'{socket_id}:{channel}')}"


def is_channel_auth(app: AppCredentials, socket_id: str, channel: str, auth: str) -> bool:
    """Whether ``auth`` is of this app, this connection and this channel. Takes as long for any wrong one."""
    return _equal(channel_auth(app, socket_id, channel), auth)


def signed_query(
    app: AppCredentials, method: str, path: str, body: bytes, now_s: float, query: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The query of a request to an HTTP API: ``query`` and everything that shows who asks. ``now_s`` is Unix time."""
    signed = {
        **(query or {}),
        "auth_key": app.key,
        "auth_timestamp": str(int(now_s)),
        "auth_version": _VERSION,
        "body_md5": _md5(body),
    }
    return {**signed, "auth_signature": _request_signature(app, method, path, signed)}


def refusal(
    app: AppCredentials, method: str, path: str, query: Iterable[tuple[str, str]], body: bytes, now_s: float
) -> str | None:
    """Why a request to the HTTP API is not to be carried out, or None where all is well."""
    pairs = list(query)
    given = {name.lower(): value for name, value in pairs}
    if len(given) != len(pairs):
        return "a parameter stands twice in the query"
    signature = given.pop("auth_signature", "")
    if not _equal(app.key, given.get("auth_key", "")):
        return "auth_key is not the key of this app"
    if given.get("auth_version") != _VERSION:
        return f"auth_version must be {_VERSION}"
    stamp = given.get("auth_timestamp", "")
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) < 16):
        return "auth_timestamp must be Unix time in whole seconds"
    if abs(now_s - int(stamp)) > REQUEST_WINDOW_S:
        return f"auth_timestamp is more than {REQUEST_WINDOW_S} s off: set the clock"
    if not _equal(_md5(body), given.get("body_md5", "" if body else _md5(body))):
        return "body_md5 is not that of the body"
    if not _equal(_request_signature(app, method, path, given), signature):
        return "auth_signature is wrong: see to it that both sides have the same secret"
    return None


def _request_signature(app: AppCredentials, method: str, path: str, query: Mapping[str, str]) -> str:
    line = "&".join(f"{name.lower()}={query[name]}" for name in sorted(query))
    return _sign(app.secret, f"{method.upper()}\n{path}\n{line}")


def _sign(secret: str, text: str) -> str:
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def _md5(body: bytes) -> str:
    # The protocol asks for it; what protects the body is the HMAC, which covers this sum.
    return hashlib.md5(body, usedforsecurity=False).hexdigest()


def _equal(right: str, given: str) -> bool:
    return hmac.compare_digest(right.encode(), given.encode("utf-8", "surrogatepass"))
