"""``browserx mcp`` as clients run it: a process that speaks the protocol on its standard input and output."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.stdio import stdio_client

from browserx import Browser, DomService
from mcp import StdioServerParameters
from tests import javascript
from tests.e2e.test_launch import processes_with
from tests.web import Site, wait_until

pytestmark = pytest.mark.e2e

SERVER = ("-m", "browserx.cli.main", "mcp")
SHOP = """<h1>Tea</h1><p>All our teas are dried, tinned, and sent to you by post within a week of your order.</p>
<label>Name <input id=name></label>
<button onclick="out.textContent = 'Hello ' + document.getElementById('name').value">Greet</button>
<button onclick="out.textContent = confirm('Sure?') ? 'Yes' : 'No'">Ask</button>
<a href=/next>Next</a> <a href=/next target=_blank>Other</a><p id=out></p>"""


class Reader:
    """A client, and what it reads: the text of each answer."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.notes: list[str] = []

    async def _note(self, progress: float, total: float | None, message: str | None) -> None:
        self.notes.append(message or "")

    async def __call__(self, tool: str, **arguments: Any) -> str:
        result = await self.client.call_tool(tool, arguments, progress_callback=self._note)
        assert not result.is_error, result.content
        return str(result.content[0].model_dump()["text"])

    async def failing(self, tool: str, **arguments: Any) -> str:
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error, result.content
        return str(result.content[0].model_dump()["text"])


@asynccontextmanager
async def served(*arguments: str, temp: Path | None = None, mode: Any = "auto") -> AsyncIterator[Reader]:
    env = {"TMPDIR": str(temp)} if temp is not None else {}
    parameters = StdioServerParameters(command=sys.executable, args=[*SERVER, *arguments], env=env)
    async with Client(stdio_client(parameters), mode=mode) as client:
        yield Reader(client)


@pytest.fixture
def temp() -> Iterator[Path]:
    """A folder for temporary files with a short name: sockets of the browser stand in it."""
    with tempfile.TemporaryDirectory(prefix="bx-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture
def shop(site: Site) -> str:
    site.page("<h1>The next page</h1><p>Here is quite something else to be read.</p>", path="/next", title="Next")
    return site.page(SHOP, title="Shop")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_errand(shop: str, mode: str) -> None:
    async with served(mode=mode) as call:
        page = await call("browser_navigate", url=shop)
        assert page.startswith("opened tab 1\n<page ")
        assert "# Tea" in page
        assert "2 button Greet" in page
        typed = await call("browser_type", ref="1", text="Ann", element="the name")
        assert typed.startswith("changed (")
        assert 'value now "Ann"' in typed
        greeted = await call("browser_click", ref="2")
        assert "+ Hello Ann" in greeted
        assert " since " in greeted
        # Not the whole page.
        assert "All our teas" not in greeted
        again = await call("browser_snapshot")
        assert "All our teas" in again
        gone = await call("browser_click", ref="4")
        assert gone.startswith("navigated (new page")
        assert "# The next page" in gone
        assert " since " not in gone
        back = await call("browser_navigate_back")
        assert "# Tea" in back
        assert "All our teas" in await call("browser_snapshot", query="when are teas sent")


async def test_dialogs(shop: str) -> None:
    async with served() as call:
        await call("browser_navigate", url=shop)
        asked = await call("browser_click", ref="3")
        assert "browser_handle_dialog" in asked
        assert "Sure?" in asked
        held = await call.failing("browser_press_key", key="a")
        assert "→ answer it with browser_handle_dialog" in held
        answered = await call("browser_handle_dialog", accept=True)
        assert "+ Yes" in answered
        assert "no dialog is open" in await call.failing("browser_handle_dialog", accept=True)


async def test_tabs(shop: str) -> None:
    async with served() as call:
        assert "no tab is open" in await call("browser_tabs", action="list")
        assert "→ browser_tabs lists the tabs; browser_navigate" in await call.failing("browser_snapshot")
        await call("browser_navigate", url=shop)
        opened = await call("browser_click", ref="5")
        assert opened.startswith("opened")
        assert '{"action": "select", "tab": 2}' in opened
        assert "# The next page" in await call("browser_tabs", action="select", tab=2)
        listed = await call("browser_tabs", action="list")
        assert "→ tab 2: " in listed
        assert '/next"' in listed
        closed = await call("browser_tabs", action="close")
        assert '  tab 1: "Shop"' in closed
        assert "none of them is selected" in closed
        assert "no page is open" in await call.failing("browser_snapshot")
        assert "# Tea" in await call("browser_tabs", action="select", tab=1)
        assert "open tabs: 1" in await call.failing("browser_tabs", action="select", tab=7)
        assert "on tab 3" in await call("browser_tabs", action="new", url=shop)


async def test_a_page_that_closes_itself(site: Site) -> None:
    opener = site.page("<button onclick=\"window.open('/popup')\">Open</button>")
    site.page("<button onclick='window.close()'>Close me</button>", path="/popup")
    async with served() as call:
        await call("browser_navigate", url=opener)
        await call("browser_click", ref="1")
        await call("browser_tabs", action="select", tab=2)
        result = await call.client.call_tool("browser_click", {"ref": "1"})
        assert "closed" in result.content[0].model_dump()["text"]
        assert "browser_tabs" in result.content[0].model_dump()["text"]
        assert "tab 1" in await call("browser_tabs", action="list")


async def test_failures_name_the_next_step_and_show_the_page(site: Site) -> None:
    async with served() as call:
        await call("browser_navigate", url=site.page("<button>Push</button><p>Some words to be read.</p>"))
        missing = await call.failing("browser_click", ref="99")
        assert "→ use a ref of the page as it is now" in missing
        assert "= no change" in missing
        assert "it takes ref" in await call.failing("browser_click", reff="1")
        assert "http: and https:" in await call.failing("browser_navigate", url="file:///etc/passwd")
        assert "http: and https:" in await call.failing("browser_tabs", action="new", url="chrome://version")
        assert (await call("browser_press_key", key="Tab")).startswith("changed (focus on 1)")


async def test_a_page_that_left_by_itself_is_shown_before_it_is_acted_on(site: Site) -> None:
    site.page("<button>Delete everything</button>", path="/later")
    leaving = site.page("<button>Push</button><script>onmessage = () => location = '/later'</script>")
    async with Browser.launch(debugging_port=0) as host, served("--cdp", host.debugging_url) as call:
        await call("browser_navigate", url=leaving)
        (tab,) = host.tabs
        dom = await DomService.for_tab(tab)
        await tab.evaluate("postMessage('go', '*')")
        assert tab.attachment is not None
        assert await tab.attachment.changes.until(lambda: "/later" in tab.url, timeout_s=10)
        assert "Delete everything" in (await dom.observe()).text
        assert "Delete everything" in await call.failing("browser_click", ref="1")


async def test_reading(site: Site) -> None:
    rows = "".join(f"<tr><td>Tea {n}<td>{n} €" for n in range(60))
    page = site.page(f"<h1>List</h1><table><tr><th>Name<th>Price{rows}</table><a href=/x>Terms</a>")
    async with served("--caps", "reading") as call:
        shown = await call("browser_navigate", url=page)
        assert "Terms" not in shown
        found = json.loads(await call("browser_find", text="terms"))
        (terms,) = [one for one in found["found"] if one["role"] == "link"]
        assert terms["nodeId"].isdigit()
        tables = await call("browser_extract")
        assert '"Tea 59"' in tables
        assert "Tea 59" in await call("browser_read")
        assert "Terms" in await call("browser_scroll", to="end")


async def test_forms(site: Site, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear")
    form = """<label>Name <input></label><label><input type=checkbox>News</label>
    <label>Size <select><option>Small<option>Large</select></label><label>File <input type=file></label>
    <input disabled aria-label=Fixed>"""
    async with served("--caps", "files", "--upload-dir", str(tmp_path)) as call:
        await call("browser_navigate", url=site.page(form))
        fields = [{"ref": "1", "value": "Ann"}, {"ref": "2", "value": True}, {"ref": "3", "value": "Large"}]
        filled = await call("browser_fill_form", fields=fields)
        assert [line.partition(":")[0] for line in filled.splitlines()[:3]] == ["1", "2", "3"]
        assert "= Large" in filled
        assert "[x]" in filled
        stopped = await call.failing(
            "browser_fill_form", fields=[{"ref": "5", "value": "x"}, {"ref": "1", "value": "Bea"}]
        )
        assert "5: not filled: " in stopped
        assert "Bea" not in stopped
        assert "= Small" in await call("browser_select_option", ref="3", values=["Small"])
        assert "letter.txt" in await call("browser_file_upload", ref="4", paths=[str(letter)])
        for tool, arguments in (
            ("browser_file_upload", {"ref": "4", "paths": ["/etc/passwd"]}),
            ("browser_fill_form", {"fields": [{"ref": "4", "value": "/etc/passwd"}]}),
        ):
            assert "--upload-dir" in await call.failing(tool, **arguments)


async def test_what_is_saved(site: Site, tmp_path: Path) -> None:
    site.publish(b"a,b", "text/csv", path="/list.csv", headers={"Content-Disposition": "attachment"})
    page = site.page("<a href=/list.csv>List</a><script>document.write(innerWidth)</script>", title="Report")
    async with served("--caps", "files,devices", "--output-dir", str(tmp_path)) as call:
        await call("browser_navigate", url=page)
        saved = json.loads(await call("browser_pdf_save", filename="../report"))
        assert (Path(saved["path"]).parent, Path(saved["path"]).read_bytes()[:4]) == (tmp_path, b"%PDF")
        await call("browser_click", ref="1")
        (download,) = json.loads(await call("browser_downloads", wait=10))["downloads"]
        assert Path(download["path"]).parent == tmp_path
        assert Path(download["path"]).read_bytes() == b"a,b"
        assert "<page " in await call("browser_resize", width=400, height=700)


async def test_script_runs_only_where_it_was_asked_for(shop: str) -> None:
    async with served("--caps", "script") as call:
        await call("browser_navigate", url=shop)
        ran = await call("browser_evaluate", script="document.getElementById('out').textContent = 'Ran'")
        assert ran.startswith('{"value":"Ran"}')
        assert "+ Ran" in ran


async def test_waiting(site: Site) -> None:
    page = site.page("""<button onclick="setTimeout(() => out.textContent = 'Ready', 300)">Go</button><p id=out></p>""")
    async with served() as call:
        await call("browser_navigate", url=page)
        await call("browser_click", ref="1")
        assert "Ready" in await call("browser_wait_for", text="Ready") + await call("browser_snapshot")
        assert "→ browser_snapshot shows" in await call.failing("browser_wait_for", text="Never", timeout=0.2)


async def test_a_screenshot_is_a_picture(shop: str) -> None:
    async with served() as call:
        await call("browser_navigate", url=shop)
        result = await call.client.call_tool("browser_take_screenshot", {})
        (picture,) = [block.model_dump() for block in result.content]
        assert (picture["type"], picture["mime_type"]) == ("image", "image/png")
        part = await call.client.call_tool("browser_take_screenshot", {"ref": "2"})
        assert len(part.content[0].model_dump()["data"]) < len(picture["data"])


async def test_a_browser_that_runs_is_used_and_left(shop: str) -> None:
    async with Browser.launch(debugging_port=0) as host:
        mine = await host.new_tab(shop)
        async with served("--cdp", host.debugging_url) as call:
            assert "no page is open" in await call.failing("browser_snapshot")
            assert '"Shop"' in await call("browser_tabs", action="list")
            assert "# Tea" in await call("browser_tabs", action="select", tab=1)
            await call("browser_click", ref="2")
        assert await mine.evaluate("document.getElementById('out').textContent") == "Hello "


async def test_two_calls_at_once_are_served_in_order(shop: str) -> None:
    async with served() as call:
        first = asyncio.ensure_future(call("browser_navigate", url=shop))
        await asyncio.sleep(0)
        second = asyncio.ensure_future(call("browser_type", ref="1", text="Bea"))
        await asyncio.sleep(0)
        third = asyncio.ensure_future(call("browser_click", ref="2"))
        assert "# Tea" in await first
        assert 'value now "Bea"' in await second
        assert "+ Hello Bea" in await third


async def test_a_call_that_is_cancelled_does_not_break_the_next(site: Site, shop: str) -> None:
    async with served() as call:
        await call("browser_navigate", url=shop)
        waiting = asyncio.ensure_future(call("browser_navigate", url=site.url("/never")))
        assert await asyncio.to_thread(wait_until, lambda: ("GET", "/never") in site.requests)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        async with asyncio.timeout(20):
            assert "# The next page" in await call("browser_navigate", url=site.url("/next"))
            assert "The next page" in await call("browser_snapshot")


async def test_what_takes_long_is_told_of(site: Site) -> None:
    slow = site.page("<p>At last</p>", delay_s=3)
    async with served() as call:
        await call("browser_tabs", action="new")
        call.notes.clear()
        assert "At last" in await call("browser_navigate", url=slow)
        assert call.notes
        assert all(note.startswith("browser_navigate: ") for note in call.notes)


async def test_a_browser_that_died_is_started_again(shop: str, temp: Path) -> None:
    async with served(temp=temp) as call:
        await call("browser_navigate", url=shop)
        for number in processes_with(f"--user-data-dir={temp}"):
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        lost = await call.failing("browser_click", ref="1")
        assert "browserx" not in lost
        assert "# Tea" in await call("browser_navigate", url=shop)


# The process itself.


class Raw:
    """The server, and lines of JSON."""

    def __init__(self, temp: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": str(temp)},
            text=True,
        )

    def say(self, **message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        heard: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert heard["jsonrpc"] == "2.0"
        return heard

    def ask(self, number: int, method: str, **params: Any) -> None:
        self.say(id=number, method=method, params=params)

    def begin(self) -> None:
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
        self.ask(0, "initialize", **hello)
        assert self.hear()["result"]["serverInfo"]["name"] == "browserx"
        self.say(method="notifications/initialized")


@pytest.fixture
def raw(temp: Path) -> Iterator[Raw]:
    server = Raw(temp)
    with server.process:
        server.begin()
        yield server
        server.process.kill()


@pytest.mark.parametrize(
    ("how", "busy"),
    [
        ("eof", False),
        ("eof", True),
        ("gone", True),
        (signal.SIGTERM, False),
        (signal.SIGINT, True),
        (signal.SIGKILL, True),
    ],
)
def test_nothing_outlives_it(
    raw: Raw, site: Site, shop: str, temp: Path, how: str | signal.Signals, busy: bool
) -> None:
    raw.ask(1, "tools/call", name="browser_navigate", arguments={"url": shop})
    assert "# Tea" in raw.hear()["result"]["content"][0]["text"]
    assert processes_with(str(temp))
    if busy:
        raw.ask(2, "tools/call", name="browser_navigate", arguments={"url": site.url("/never")})
        assert wait_until(lambda: ("GET", "/never") in site.requests)
    assert raw.process.stdin is not None
    assert raw.process.stdout is not None
    if isinstance(how, signal.Signals):
        raw.process.send_signal(how)
    else:
        if how == "gone":
            raw.process.stdout.close()
        raw.process.stdin.close()
    raw.process.wait(20)
    assert wait_until(lambda: not processes_with(str(temp)), 15)
    assert wait_until(lambda: not list(temp.glob("browserx-*")), 15)


def test_standard_output_carries_the_protocol_only(raw: Raw, shop: str) -> None:
    raw.ask(1, "tools/list")
    assert len(raw.hear()["result"]["tools"]) >= 10
    assert raw.process.stdin is not None
    raw.process.stdin.write("this is no JSON\n")
    raw.ask(2, "tools/call", name="browser_navigate", arguments={"url": shop})
    raw.ask(3, "tools/call", name="browser_click", arguments={"ref": "2"})
    answers: dict[Any, dict[str, Any]] = {}
    while 3 not in answers:
        heard = raw.hear()
        answers[heard.get("id")] = heard
    assert "Hello" in answers[3]["result"]["content"][0]["text"]
    raw.process.stdin.close()
    assert raw.process.stdout is not None
    rest = raw.process.stdout.read().splitlines()
    assert [line for line in rest if "jsonrpc" not in line] == []
    assert raw.process.wait(20) == 0


# Clients of other makers.


def test_the_javascript_client(shop: str) -> None:
    calls = [
        {"name": "browser_navigate", "arguments": {"url": shop}},
        {"name": "browser_type", "arguments": {"element": "Name", "ref": "1", "text": "Kim"}},
        {"name": "browser_click", "arguments": {"element": "Greet", "ref": "2"}},
        {"name": "browser_click", "arguments": {"ref": "99"}},
        {"name": "browser_take_screenshot", "arguments": {}},
    ]
    done = subprocess.run(
        [javascript.node(), "mcp_client.mjs", sys.executable, *SERVER],
        cwd=javascript.FOLDER,
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["server"]["name"] == "browserx"
    assert "never an instruction" in told["instructions"]
    assert {"browser_navigate", "browser_click", "browser_snapshot"} <= {tool["name"] for tool in told["tools"]}
    page, typed, clicked, missing, picture = told["results"]
    assert "# Tea" in page["content"][0]["text"]
    assert 'value now "Kim"' in typed["content"][0]["text"]
    assert "+ Hello Kim" in clicked["content"][0]["text"]
    assert missing["isError"] is True
    assert picture["content"][0]["mimeType"] == "image/png"
