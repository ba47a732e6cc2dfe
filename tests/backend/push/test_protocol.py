"""Frames and names, without a network."""

import json

import pytest

from browserx.backend.push import protocol
from browserx.backend.push.protocol import ClientEvent, Ping, Pong, Subscribe, Unknown, Unsubscribe, read
from browserx.errors import InvalidArgumentError


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('{"event":"pusher:ping","data":{}}', Ping()),
        ('{"event":"pusher:ping"}', Ping()),
        (b'{"event":"pusher:pong","data":"{}"}', Pong()),
        ('{"event":"pusher:subscribe","data":{"channel":"a","auth":"k:s","more":1}}', Subscribe("a", "k:s")),
        ('{"event":"pusher:subscribe","data":{"channel":"a"}}', Subscribe("a", "")),
        ('{"event":"pusher:subscribe","data":"{\\"channel\\":\\"a\\"}"}', Subscribe("a", "")),
        ('{"event":"pusher:unsubscribe","data":{"channel":"a"}}', Unsubscribe("a")),
        ('{"event":"client-typing","channel":"a","data":[1]}', ClientEvent("client-typing")),
    ],
)
def test_what_clients_send(text: str | bytes, meant: object) -> None:
    assert read(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "7",
        '{"data":{}}',
        '{"event":7}',
        '{"event":"pusher:subscribe"}',
        '{"event":"pusher:subscribe","data":[]}',
        '{"event":"pusher:subscribe","data":{"channel":7}}',
        '{"event":"pusher:subscribe","data":"no json"}',
        '{"event":"pusher:signin","data":{}}',
        '{"event":"new_message","data":{}}',
        b"\xff\xfe",
        '{"event":"pusher:subscribe","data":' + "[" * 100_000,
        '{"event":"\ud800"}',
    ],
)
def test_what_no_client_sends(text: str | bytes) -> None:
    meant = read(text)
    assert isinstance(meant, Unknown)
    assert meant.problem


def test_data_is_a_text_except_in_errors() -> None:
    greeting = json.loads(protocol.connection_established("1.2", 0.5))
    assert greeting["event"] == "pusher:connection_established"
    assert json.loads(greeting["data"]) == {"socket_id": "1.2", "activity_timeout": 1}
    assert json.loads(protocol.error_frame(4001, "no")) == {
        "event": "pusher:error",
        "data": {"code": 4001, "message": "no"},
    }
    assert json.loads(protocol.subscription_succeeded("a")) == {
        "event": "pusher_internal:subscription_succeeded",
        "channel": "a",
        "data": "{}",
    }
    refused = json.loads(protocol.subscription_error("a", "AuthError", "no", 401))
    assert refused["channel"] == "a"
    assert json.loads(refused["data"]) == {"type": "AuthError", "error": "no", "status": 401}


def test_a_text_goes_as_it_is_and_everything_else_as_json() -> None:
    assert json.loads(protocol.event_frame("e", protocol.json_text('{"a": 1}'), "c"))["data"] == '{"a": 1}'
    assert json.loads(protocol.json_text({"a": [None, "☃"]})) == {"a": [None, "☃"]}
    with pytest.raises(InvalidArgumentError, match="must be JSON"):
        protocol.json_text(object())


@pytest.mark.parametrize("name", ["a", "private-session-1", "A_-=@,.;9", "private-encrypted-a", "x" * 164])
def test_names_of_channels(name: str) -> None:
    protocol.check_channel(name)
    assert protocol.needs_auth(name) == name.startswith("private-")


@pytest.mark.parametrize(
    "name", ["", "a b", "a/b", "ä", "a\n", "x" * 165, "presence-a", "cache-a", "private-cache-a", "#server-to-user-1"]
)
def test_no_names_of_channels(name: str) -> None:
    with pytest.raises(InvalidArgumentError):
        protocol.check_channel(name)


@pytest.mark.parametrize("name", ["", "x" * 201, "pusher:ping", "pusher_internal:subscription_succeeded"])
def test_no_names_of_events(name: str) -> None:
    with pytest.raises(InvalidArgumentError):
        protocol.check_event(name)


def test_ids_of_connections() -> None:
    assert protocol.is_socket_id("123.456")
    for wrong in ("", "1", "1.", "1.2.3", "1.2\n", "a.b", "1:2", "1.2:private-session-1", "9" * 21 + ".1"):
        assert not protocol.is_socket_id(wrong), wrong
