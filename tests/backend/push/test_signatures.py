"""Signatures: those of Pusher's own documentation and library, and every way to get one wrong."""

import re
import time
from collections.abc import Mapping
from types import MappingProxyType

import pusher
import pytest
from pusher.http import Request as PusherRequest

from browserx.backend.push.credentials import AppCredentials
from browserx.backend.push.signatures import channel_auth, is_channel_auth, refusal, signed_query

# https://pusher.com/docs/channels/library_auth_reference/auth-signatures/ and rest-api/#worked-authentication-example
DOCUMENTED = AppCredentials(id="3", key="278d425bdf160c739803", secret="7ad3773142a6692b25b8")
BODY = b'{"name":"foo","channels":["project-3"],"data":"{\\"some\\":\\"data\\"}"}'
NOW_S = 1353088179


def documented_query() -> dict[str, str]:
    return {
        "auth_key": DOCUMENTED.key,
        "auth_timestamp": str(NOW_S),
        "auth_version": "1.0",
        "body_md5": "ec365a775a4cd0599faeb73354201b6f",
        "auth_signature": "da454824c97ba181a32ccc17a72625ba02771f50b50e1e7430e47a1f3f457e6c",
    }


def test_the_documented_signatures() -> None:
    assert channel_auth(DOCUMENTED, "1234.1234", "private-foobar") == (
        "278d425bdf160c739803:58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4"
    )
    assert refused() is None
    assert signed_query(DOCUMENTED, "POST", "/apps/3/events", BODY, NOW_S) == documented_query()


def refused(
    changed: Mapping[str, str | None] = MappingProxyType({}),
    *,
    now_s: float = NOW_S,
    body: bytes = BODY,
    path: str = "/apps/3/events",
) -> str | None:
    query = {name: value for name, value in {**documented_query(), **changed}.items() if value is not None}
    return refusal(DOCUMENTED, "POST", path, query.items(), body, now_s)


@pytest.mark.parametrize(
    ("changed", "about"),
    [
        ({"auth_key": "another"}, "auth_key"),
        ({"auth_key": None}, "auth_key"),
        ({"auth_version": "2.0"}, "auth_version"),
        ({"auth_timestamp": None}, "auth_timestamp"),
        ({"auth_timestamp": "-1"}, "auth_timestamp"),
        ({"auth_timestamp": "٣"}, "auth_timestamp"),
        ({"auth_timestamp": str(NOW_S + 1)}, "auth_signature"),
        ({"body_md5": None}, "body_md5"),
        ({"body_md5": "0" * 32}, "body_md5"),
        ({"auth_signature": None}, "auth_signature"),
        ({"auth_signature": "ä"}, "auth_signature"),
        ({"info": "more"}, "auth_signature"),
        ({"AUTH_KEY": DOCUMENTED.key}, "twice"),
    ],
)
def test_a_wrong_request_is_refused(changed: dict[str, str | None], about: str) -> None:
    assert about in (refused(changed) or "")


def test_a_request_is_good_for_ten_minutes() -> None:
    assert refused(now_s=NOW_S + 600) is None
    assert refused(now_s=NOW_S - 600) is None
    assert "clock" in (refused(now_s=NOW_S + 601) or "")
    assert "clock" in (refused(now_s=NOW_S - 601) or "")


def test_a_request_for_another_place_or_body_is_refused() -> None:
    assert "auth_signature" in (refused(path="/apps/3/batch_events") or "")
    assert "body_md5" in (refused(body=BODY + b" ") or "")


def test_the_library_signs_alike() -> None:
    client = pusher.Pusher("3", DOCUMENTED.key, DOCUMENTED.secret)
    assert client.authenticate("private-session-1", "12.34")["auth"] == channel_auth(
        DOCUMENTED, "12.34", "private-session-1"
    )
    request = PusherRequest(client._pusher_client, "GET", "/apps/3/channels", {"info": "x", "filter_by_prefix": "a"})
    query = request.query_params.items()
    assert refusal(DOCUMENTED, "GET", "/apps/3/channels", query, b"", time.time()) is None


def test_a_signature_is_for_one_connection_and_channel() -> None:
    auth = channel_auth(DOCUMENTED, "1.2", "private-a")
    assert is_channel_auth(DOCUMENTED, "1.2", "private-a", auth)
    for wrong in ("", auth[:-1], auth.upper(), auth.partition(":")[2], "ä", "\ud800"):
        assert not is_channel_auth(DOCUMENTED, "1.2", "private-a", wrong)
    assert not is_channel_auth(DOCUMENTED, "1.3", "private-a", auth)
    assert not is_channel_auth(DOCUMENTED, "1.2", "private-b", auth)
    assert not is_channel_auth(AppCredentials("3", DOCUMENTED.key, "other"), "1.2", "private-a", auth)


def test_secrets_are_not_shown() -> None:
    assert re.search(DOCUMENTED.secret, repr(DOCUMENTED)) is None
