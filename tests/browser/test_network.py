"""Following requests."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest

from browserx.browser.changes import Changes
from browserx.browser.network import Network
from browserx.cdp import Connection, MethodPolicy
from tests.fakes import ScriptedTransport, turns


class Followed(NamedTuple):
    network: Network
    transport: ScriptedTransport

    def sent(self, request_id: str, session: str = "S1", **fields: Any) -> None:
        request = {"url": fields.pop("url", "http://x/"), "method": fields.pop("method", "GET")}
        params = {"requestId": request_id, "request": request, "type": "Fetch", "wallTime": 1.5, **fields}
        self.transport.event("Network.requestWillBeSent", params, session)

    def answered(self, request_id: str, status: int, session: str = "S1") -> None:
        params = {"requestId": request_id, "response": {"url": "", "status": status}}
        self.transport.event("Network.responseReceived", params, session)

    def finished(self, request_id: str, session: str = "S1") -> None:
        self.transport.event("Network.loadingFinished", {"requestId": request_id}, session)

    def failed(self, request_id: str, session: str = "S1") -> None:
        params = {"requestId": request_id, "errorText": "net::ERR_FAILED", "canceled": False}
        self.transport.event("Network.loadingFailed", params, session)


@pytest.fixture
async def followed() -> AsyncIterator[Followed]:
    transport = ScriptedTransport()
    connection = Connection(transport, MethodPolicy())
    network = Network(Changes())
    for name in ("S1", "S2"):
        transport.attach(name, target_id=name)
        network.follow(connection.session(name))
    yield Followed(network, transport)
    await connection.close()


async def test_a_request_is_in_flight_until_it_ends(followed: Followed) -> None:
    followed.sent("1")
    followed.sent("2")
    assert followed.network.in_flight() == 2
    followed.answered("1", 200)
    followed.finished("1")
    followed.failed("2")
    assert followed.network.in_flight() == 0
    assert [(r.status, r.finished) for r in followed.network.log] == [(200, True), (-1, True)]


async def test_only_what_came_after_a_mark_counts(followed: Followed) -> None:
    followed.sent("1")
    mark = followed.network.mark
    followed.sent("2", url="http://x/two", method="POST")
    assert followed.network.in_flight(mark) == 1
    assert [(r.method, r.url) for r in followed.network.since(mark)] == [("POST", "http://x/two")]


@pytest.mark.parametrize("kind", ["WebSocket", "EventSource", "Ping", "Media"])
async def test_what_stays_open_is_not_waited_for(followed: Followed, kind: str) -> None:
    followed.sent("1", type=kind)
    assert followed.network.in_flight() == 0
    assert len(followed.network.log) == 1


async def test_a_redirect_ends_one_request_and_begins_another(followed: Followed) -> None:
    followed.sent("1", url="http://x/a")
    followed.sent("1", url="http://x/b", redirectResponse={"url": "http://x/a", "status": 302})
    followed.answered("1", 200)
    followed.finished("1")
    assert [(r.url, r.status) for r in followed.network.log] == [("http://x/a", 302), ("http://x/b", 200)]
    assert followed.network.in_flight() == 0


async def test_a_frames_document_may_end_in_another_process_than_it_began(followed: Followed) -> None:
    followed.sent("1", session="S1")
    followed.finished("1", session="S2")
    assert followed.network.in_flight() == 0


async def test_requests_end_with_their_process(followed: Followed) -> None:
    followed.sent("1", session="S1")
    followed.sent("2", session="S2")
    followed.transport.event("Target.detachedFromTarget", {"sessionId": "S2"})
    assert followed.network.in_flight() == 1


async def test_the_status_of_a_document_is_kept(followed: Followed) -> None:
    followed.sent("L1", type="Document", loaderId="L1", frameId="F")
    followed.answered("L1", 404)
    assert followed.network.document_status("L1") == 404
    assert followed.network.document_status("L2") == 0


async def test_an_answer_nobody_reads_is_not_waited_for(followed: Followed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("browserx.browser.network._UNREAD_AFTER_S", 0.0)
    followed.sent("1")
    assert followed.network.in_flight() == 1
    followed.answered("1", 404)
    await turns()
    assert followed.network.in_flight() == 0


async def test_data_addresses_are_no_requests(followed: Followed) -> None:
    followed.sent("1", url="data:text/plain,x")
    assert (followed.network.in_flight(), len(followed.network.log)) == (0, 0)
