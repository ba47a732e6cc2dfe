"""What a page says in its console and what goes wrong in it."""

import time
from typing import Any

import pytest

from browserx import ConsoleMessage, DomService, DOMTool, Tab
from browserx.cdp import Session
from tests.conftest import OpenPage, See
from tests.web import Site


def said(tab: Tab) -> list[tuple[str, str]]:
    return [(message.level, message.text) for message in tab.console if message.kind == "console"]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("'a', 1, true, null, undefined, 1n, -0, NaN", "a 1 true null undefined 1n -0 NaN"),
        ("{a: 1, b: 'x', c: {d: 2}}", '{a: 1, b: "x", c: Object}'),
        ("[1, 'two', [3]]", '[1, "two", Array(1)]'),
        ("'%s is %d%% of %o %c!', 'tea', 50, {all: 1}, 'color: red', 'and more'", "tea is 50% of {all: 1} ! and more"),
        ("'100%'", "100%"),
        ("document.body", "body"),
        ("new Map([[1, 2]]), Symbol('s'), /x/g", "Map(1) Symbol(s) /x/g"),
    ],
)
async def test_values_as_the_console_shows_them(open_page: OpenPage, call: str, text: str) -> None:
    tab = await open_page("<p>hi")
    await tab.evaluate(f"console.log({call})")
    assert said(tab) == [("log", text)]


async def test_levels_places_and_times(open_page: OpenPage) -> None:
    tab = await open_page(
        "<script>\nfor (const say of ['debug', 'log', 'info', 'warn', 'error', 'group', 'groupEnd'])\n console[say](say);\n"
        "console.assert(false, 'assert')</script>"
    )
    assert said(tab) == [
        ("debug", "debug"),
        ("log", "log"),
        ("info", "info"),
        ("warning", "warn"),
        ("error", "error"),
        ("log", "group"),
        ("error", "assert"),
    ]
    message = tab.console[0]
    assert (message.url, message.line) == (tab.url, 3)
    assert abs(time.time() - message.time) < 300


async def test_what_goes_wrong_without_anybody_saying_so(open_page: OpenPage, site: Site) -> None:
    tab = await open_page(
        "<script>setTimeout(() => missing()); Promise.reject(new TypeError('no tea')); setTimeout(() => { throw 'text' })"
        "</script><img src=/no-picture>"
    )
    assert tab.attachment is not None
    assert await tab.attachment.changes.until(lambda: tab.attachment.network.in_flight() == 0, timeout_s=10)  # type: ignore[union-attr]
    await tab.evaluate("1")
    errors = [(m.kind, m.describe()) for m in tab.console if m.level == "error"]
    assert ("exception", f"Uncaught ReferenceError: missing is not defined ({tab.url}:1)") in errors
    assert ("exception", f"Uncaught (in promise) TypeError: no tea ({tab.url}:1)") in errors
    assert ("exception", f"Uncaught text ({tab.url}:1)") in errors
    failed = (
        f"Failed to load resource: the server responded with a status of 404 (Not Found) ({site.url('/no-picture')})"
    )
    assert ("browser", failed) in errors


async def test_frames_of_other_sites_are_heard(open_page: OpenPage, site: Site) -> None:
    frame = site.page("<script>console.log('from the frame')</script>").replace("localhost", "127.0.0.1")
    tab = await open_page(f"<iframe src='{frame}'></iframe>")
    assert ("log", "from the frame") in said(tab)


async def test_what_was_said_before_we_listened(open_page: OpenPage) -> None:
    tab = await open_page("<script>console.log('early')</script>")
    await tab.detach()
    assert tab.console == []
    await tab.attach()
    assert said(tab) == [("log", "early")]


async def test_only_the_newest_are_kept_and_long_ones_cut(open_page: OpenPage) -> None:
    tab = await open_page("<p>hi")
    await tab.evaluate("for (let i = 0; i < 700; i++) console.log(i, {i}); console.log('x'.repeat(1e6))")
    assert len(tab.console) == 500
    assert len(tab.console[-1].text) == 2000
    assert tab.console[0].text == "201 {i: 201}"


async def test_an_action_tells_what_went_wrong(see: See) -> None:
    dom = await see(
        "<script>console.error('long ago')</script><button onclick='pay()'>Pay</button>"
        "<button onclick=\"console.error('no', {money: 1}); console.log('fine'); document.title = 'x'\">Say</button>"
        "<button onclick='for (let i = 0; i < 30; i++) console.error(i)'>Many</button>"
    )
    for name, errors in (
        ("Pay", [f"Uncaught ReferenceError: pay is not defined ({dom.tab.url}:1)"]),
        ("Say", [f"no {{money: 1}} ({dom.tab.url}:1)"]),
    ):
        assert await _click(dom, name) == errors
    many = await _click(dom, "Many")
    assert len(many) == 11
    assert many[-1] == "… and 20 more"


async def _click(dom: DomService, name: str) -> list[str]:
    seen = await dom.observe()
    line = next(line for line in seen.text.splitlines() if line.endswith(f"button {name}"))
    result = await dom.click(line.split()[0])
    assert result.changes is not None
    return result.changes.console_errors


async def test_a_quiet_page_costs_nothing(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that says nothing causes no message over the wire, whatever else it does."""
    tab = await open_page("<p>quiet</p><script>setInterval(() => document.title += '.', 5)</script>")
    methods: list[str] = []
    deliver = Session.deliver_event

    def counting(session: Session, method: str, params: Any) -> None:
        methods.append(method)
        deliver(session, method, params)

    monkeypatch.setattr(Session, "deliver_event", counting)
    await tab.evaluate("fetch(location.href).then(r => r.text()).then(() => 1)")
    assert methods
    assert not [m for m in methods if m.startswith(("Runtime.", "Log.", "Fetch."))]


async def test_a_model_reads_the_console_and_the_requests(open_page: OpenPage, tool: DOMTool, site: Site) -> None:
    tab = await open_page("<script>console.log('fine'); console.error('bad'); fetch('/nowhere?q=1')</script>")
    told = await tool.execute({"action": "console", "tabId": tab.id})
    assert told.success
    assert told.data["messages"][0] == f"log: fine ({tab.url}:1)"
    errors = await tool.execute({"action": "console", "tabId": tab.id, "options": {"errorsOnly": True, "limit": 1}})
    assert len(errors.data["messages"]) == 1
    assert errors.data["messages"][0].startswith("error: ")
    assert errors.data["omitted"] >= 1
    requests = await tool.execute({"action": "network", "tabId": tab.id})
    lines = requests.data["requests"]
    assert f"GET {tab.url} 200 document" in lines
    assert f"GET {site.url('/nowhere?q=1')} 404 fetch" in lines
    failed = await tool.execute({"action": "network", "tabId": tab.id, "options": {"failedOnly": True}})
    assert all(" 404 " in line for line in failed.data["requests"])
    assert failed.data["requests"]


def test_a_description_is_one_line() -> None:
    message = ConsoleMessage(
        1, "error", "Error: a\n b\n    at f (x.js:1)", url="https://x.example/" + "y" * 500, line=3
    )
    assert message.describe() == "Error: a b"
    assert len(ConsoleMessage(1, "error", "z" * 900, url="https://x.example/", line=3).describe(100)) == 100
