"""From what was heard to a HAR."""

from typing import Any

import pytest

from browserx.browser.har import Answer, Archive, Exchange, Timing, to_har


def entry(secrets: bool = False, **fields: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"headers": {}, "kind": "Fetch", "began": 100.0, "wall_time": 1_700_000_000.25}
    exchange = Exchange(url="https://x.example/a", method="GET", **(given | fields))
    har = to_har(Archive([exchange], [], "1", "Chrome/150.0", secrets))
    (told,) = har["log"]["entries"]
    assert isinstance(told, dict)
    return told


def test_times_add_up() -> None:
    timing = Timing(100.1, 5, 15, 15, 55, 25, 55, 56, 57, 157)
    told = entry(answer=Answer(status=200, timing=timing, protocol="h2"), ended=100.4)
    assert told["startedDateTime"] == "2023-11-14T22:13:20.250+00:00"
    assert {name: round(value, 6) for name, value in told["timings"].items()} == {
        "blocked": 105,
        "dns": 10,
        "connect": 40,
        "ssl": 30,
        "send": 1,
        "wait": 100,
        "receive": 143,
    }
    assert round(told["time"], 6) == 399
    assert told["response"]["httpVersion"] == "h2"


def test_what_never_was_answered() -> None:
    told = entry(failure="net::ERR_FAILED", ended=100.5)
    assert told["timings"] == {"send": 0, "wait": 500, "receive": 0}
    assert (told["response"]["status"], told["_error"]) == (0, "net::ERR_FAILED")


@pytest.mark.parametrize(
    ("name", "value", "masked"),
    [
        ("Authorization", "Bearer abc.def", "Bearer ***"),
        ("authorization", "abc", "***"),
        ("Proxy-Authorization", "Basic eA==", "Basic ***"),
        ("Cookie", "a=1; b=x=y", "a=***; b=***"),
        ("Cookie", "naked", "***"),
        ("X-Other", "a=1", "a=1"),
    ],
)
def test_secrets_are_masked(name: str, value: str, masked: str) -> None:
    assert entry(headers={name: value})["request"]["headers"] == [{"name": name, "value": masked}]
    assert entry(headers={name: value}, secrets=True)["request"]["headers"] == [{"name": name, "value": value}]


def test_cookies_that_are_set() -> None:
    lines = "a=1; Path=/; Expires=Wed, 21 Oct 2065 07:28:00 GMT; Secure\nb=2; HttpOnly; Expires=never\nnaked"
    answer = Answer(status=200, headers={"Set-Cookie": lines})
    assert entry(answer=answer)["response"]["cookies"] == [
        {"name": "a", "value": "***", "path": "/", "expires": "2065-10-21T07:28:00+00:00", "secure": True},
        {"name": "b", "value": "***", "httpOnly": True},
        {"name": "naked", "value": "***"},
    ]
    assert [header["value"].partition(";")[0] for header in entry(answer=answer)["response"]["headers"]] == [
        "a=***",
        "b=***",
        "***",
    ]
    assert entry(secrets=True, answer=answer)["response"]["cookies"][0]["value"] == "1"


def test_headers_that_went_over_the_wire_win() -> None:
    told = entry(headers={"A": "page"}, sent_headers={"A": "wire", "Cookie": "k=v"})
    assert [header["value"] for header in told["request"]["headers"]] == ["wire", "k=***"]
    assert told["request"]["cookies"] == [{"name": "k", "value": "***"}]
