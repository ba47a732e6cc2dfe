"""The wire: every command ends, every event arrives, and nothing waits for nobody."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
import pytest

from browserx.cdp import Connection, MethodPolicy
from browserx.cdp.policy import ALL_GROUPS
from browserx.cdp.session import Session
from browserx.errors import (
    BlockedByPolicyError,
    CdpError,
    ConnectionClosedError,
    NotAttachedError,
    OperationTimeoutError,
    TabClosedError,
    TargetCrashedError,
)
from tests.fakes import ScriptedTransport, turns


class Version(msgspec.Struct):
    product: str


class Ping(msgspec.Struct):
    number: int


Connect = Callable[..., tuple[Connection, ScriptedTransport]]


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    made: list[Connection] = []

    def make(answers: dict[str, Any] | None = None) -> tuple[Connection, ScriptedTransport]:
        transport = ScriptedTransport(answers)
        connection = Connection(transport, MethodPolicy(ALL_GROUPS, world="w"))
        made.append(connection)
        return connection, transport

    yield make
    for connection in made:
        await connection.close()


def page_session(connection: Connection, transport: ScriptedTransport, kind: str = "page") -> Session:
    transport.attach("S1", kind)
    return connection.session("S1")


async def test_a_reply_is_decoded_as_what_the_caller_asked_for(connect: Connect) -> None:
    connection, _ = connect({"Browser.getVersion": {"product": "Chrome/1", "extra": 1}})
    assert await connection.browser.send("Browser.getVersion", None, Version) == Version("Chrome/1")


async def test_commands_leave_in_the_order_they_were_started(connect: Connect) -> None:
    connection, transport = connect()
    session = page_session(connection, transport)
    started = [session.start(f"Page.{name}") for name in ("enable", "reload", "disable")]
    assert transport.methods() == ["Page.enable", "Page.reload", "Page.disable"]
    await asyncio.gather(*started)


async def test_replies_may_come_in_any_order(connect: Connect) -> None:
    connection, transport = connect({"Page.enable": None, "Page.disable": None})
    session = page_session(connection, transport)
    first, second = session.start("Page.enable", None, Ping), session.start("Page.disable", None, Ping)
    one, two = (command["id"] for command in transport.sent)
    transport.raw(b'{"id":%d,"result":{"number":2}}' % two)
    transport.raw(b'{"id":%d,"result":{"number":1}}' % one)
    assert (await first, await second) == (Ping(1), Ping(2))


async def test_an_error_of_the_browser_names_the_command(connect: Connect) -> None:
    connection, _ = connect({"Browser.getVersion": ValueError("no such thing")})
    with pytest.raises(CdpError, match=r"Browser\.getVersion: no such thing") as caught:
        await connection.browser.send("Browser.getVersion")
    assert (caught.value.method, caught.value.number) == ("Browser.getVersion", -32000)


async def test_a_reply_of_the_wrong_shape_is_an_error(connect: Connect) -> None:
    connection, _ = connect({"Browser.getVersion": {"product": 7}})
    with pytest.raises(CdpError, match="unexpected reply"):
        await connection.browser.send("Browser.getVersion", None, Version)


async def test_no_answer_ends_in_a_timeout(connect: Connect) -> None:
    connection, _ = connect({"Browser.getVersion": None})
    with pytest.raises(OperationTimeoutError, match=r"not answered within 0\.01 s") as caught:
        await connection.browser.send("Browser.getVersion", timeout_s=0.01)
    assert caught.value.timeout_s == 0.01


async def test_an_answer_after_the_timeout_is_dropped(connect: Connect) -> None:
    connection, transport = connect({"Browser.getVersion": None})
    with pytest.raises(OperationTimeoutError):
        await connection.browser.send("Browser.getVersion", timeout_s=0.01)
    transport.raw(b'{"id":1,"result":{}}')
    transport.answers["Browser.getVersion"] = {"product": "Chrome/1"}
    assert await connection.browser.send("Browser.getVersion", None, Version) == Version("Chrome/1")


async def test_a_caller_that_gave_up_leaves_nothing_behind(connect: Connect) -> None:
    connection, transport = connect({"Browser.getVersion": None})
    task = asyncio.ensure_future(connection.browser.send("Browser.getVersion"))
    await turns()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    transport.raw(b'{"id":1,"result":{}}')


@pytest.mark.parametrize(
    ("event", "error"),
    [
        (("Inspector.targetCrashed", {}, "S1"), TargetCrashedError),
        (("Target.detachedFromTarget", {"sessionId": "S1"}, None), TabClosedError),
    ],
)
async def test_a_target_that_goes_away_ends_its_commands(connect: Connect, event: Any, error: type[Exception]) -> None:
    connection, transport = connect({"Page.enable": None})
    pending = page_session(connection, transport).start("Page.enable")
    transport.event(*event)
    with pytest.raises(error):
        await pending


async def test_a_frame_that_goes_away_is_no_closed_tab(connect: Connect) -> None:
    connection, transport = connect({"Page.enable": None})
    pending = page_session(connection, transport, "iframe").start("Page.enable")
    transport.event("Target.detachedFromTarget", {"sessionId": "S1"})
    with pytest.raises(CdpError, match="the iframe went away"):
        await pending
    with pytest.raises(CdpError):
        connection.session("S1")


async def test_a_crashed_page_takes_nothing_but_a_navigation(connect: Connect) -> None:
    connection, transport = connect()
    session = page_session(connection, transport)
    transport.event("Inspector.targetCrashed", {}, "S1")
    with pytest.raises(TargetCrashedError, match="navigate the tab again"):
        await session.send("Page.enable")
    await session.send("Page.navigate", {"url": "about:blank"})
    transport.event("Page.frameNavigated", {"frame": {"id": "F"}}, "S1")
    await session.send("Page.enable")


async def test_the_end_of_the_connection_ends_everything(connect: Connect) -> None:
    connection, transport = connect({"Page.enable": None, "Browser.getVersion": None})
    session = page_session(connection, transport)
    pending = [session.start("Page.enable"), connection.browser.start("Browser.getVersion")]
    transport.hang_up("the browser closed its pipe")
    for future in pending:
        with pytest.raises(ConnectionClosedError, match="the browser closed its pipe"):
            await future
    with pytest.raises(ConnectionClosedError):
        await session.send("Page.enable")
    assert connection.closed


async def test_a_session_we_left_says_so(connect: Connect) -> None:
    connection, transport = connect({"Page.enable": None})
    session = page_session(connection, transport)
    pending = session.start("Page.enable")
    connection.forget(session)
    with pytest.raises(NotAttachedError):
        await pending


async def test_each_waiter_gets_an_error_of_its_own(connect: Connect) -> None:
    connection, transport = connect({"Page.enable": None})
    session = page_session(connection, transport)
    first, second = session.start("Page.enable"), session.start("Page.enable")
    transport.hang_up()
    assert first.exception() is not second.exception()


async def test_events_go_to_the_handlers_of_their_session(connect: Connect) -> None:
    connection, transport = connect()
    heard: list[tuple[str, int]] = []
    for name in ("S1", "S2"):
        transport.attach(name)
        connection.session(name).on("Some.event", Ping, lambda e, name=name: heard.append((name, e.number)))
    transport.event("Some.event", {"number": 1}, "S1")
    transport.event("Some.event", {"number": 2}, "S2")
    transport.event("Some.event", {"number": 3}, "S3")
    transport.event("Some.event", {"number": 4})
    assert heard == [("S1", 1), ("S2", 2)]


async def test_several_handlers_hear_one_event_in_order_and_can_leave(connect: Connect) -> None:
    connection, transport = connect()
    heard: list[str] = []
    first = connection.browser.on("Some.event", Ping, lambda _: heard.append("first"))
    connection.browser.on("Some.event", Ping, lambda _: heard.append("second"))
    transport.event("Some.event", {"number": 1})
    first.cancel()
    first.cancel()
    transport.event("Some.event", {"number": 2})
    assert heard == ["first", "second", "second"]


async def test_a_handler_may_itself_send_commands(connect: Connect) -> None:
    connection, transport = connect({"Browser.getVersion": {"product": "Chrome/1"}})
    done: asyncio.Future[Version] = asyncio.get_running_loop().create_future()

    async def handler(event: Ping) -> None:
        done.set_result(await connection.browser.send("Browser.getVersion", None, Version))

    connection.browser.on("Some.event", Ping, handler)
    transport.event("Some.event", {"number": 1})
    assert await asyncio.wait_for(done, 1) == Version("Chrome/1")


async def test_a_new_session_is_known_before_its_first_event(connect: Connect) -> None:
    connection, transport = connect()
    heard: list[int] = []

    class Attached(msgspec.Struct, rename="camel"):
        session_id: str

    def attached(event: Attached) -> None:
        connection.session(event.session_id).on("Some.event", Ping, lambda e: heard.append(e.number))

    connection.browser.on("Target.attachedToTarget", Attached, attached)
    transport.attach("S9")
    transport.event("Some.event", {"number": 1}, "S9")
    assert heard == [1]


@pytest.mark.parametrize(
    "message", [b"", b"not json", b"[]", b'{"id":"x"}', b'{"method":5}', b"{}", b'{"id":99,"result":{}}']
)
async def test_a_message_that_is_none_disturbs_nobody(connect: Connect, message: bytes) -> None:
    connection, transport = connect({"Browser.getVersion": {"product": "Chrome/1"}})
    transport.raw(message)
    assert await connection.browser.send("Browser.getVersion", None, Version) == Version("Chrome/1")


async def test_what_the_policy_forbids_is_never_sent(connect: Connect) -> None:
    connection, transport = connect()
    with pytest.raises(BlockedByPolicyError):
        await connection.browser.send("Page.setBypassCSP", {"enabled": True})
    assert transport.sent == []


async def test_a_posted_command_may_fail_unheard(connect: Connect, no_lost_errors: None) -> None:
    connection, transport = connect({"Browser.getVersion": ValueError("no")})
    connection.browser.post("Browser.getVersion")
    await turns()
    assert transport.methods() == ["Browser.getVersion"]


async def test_hooks_hear_of_the_end_also_afterwards(connect: Connect) -> None:
    connection, transport = connect()
    session = page_session(connection, transport)
    ends: list[str] = []
    session.on_end(lambda error: ends.append(type(error).__name__))
    transport.event("Target.detachedFromTarget", {"sessionId": "S1"})
    session.on_end(lambda error: ends.append(f"late {type(error).__name__}"))
    assert ends == ["TabClosedError", "late TabClosedError"]
