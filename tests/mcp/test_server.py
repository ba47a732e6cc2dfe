"""The server over a browser that cannot be had: what it does before, and without, one."""

import asyncio
import subprocess
import sys

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from browserx.browser import Browser
from browserx.errors import BrowserNotFoundError
from browserx.mcp.server import build_server
from browserx.mcp.session import BrowserSession
from browserx.mcp.tools import offered
from browserx.tool.dom_tool import ACTIONS


class Nowhere:
    """Opens no browser, and counts how often it was asked to; ``wait`` makes it take until it is cancelled."""

    def __init__(self, *, wait: bool = False) -> None:
        self.asked = 0
        self.cancelled = 0
        self._wait = wait
        self.began = asyncio.Event()

    async def __call__(self) -> Browser:
        self.asked += 1
        self.began.set()
        try:
            if self._wait:
                await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        raise BrowserNotFoundError("no Chromium was found; install one")


def client_of(session: BrowserSession) -> Client:
    return Client(build_server(session, offered((), ACTIONS)))


async def test_listing_needs_no_browser() -> None:
    nowhere = Nowhere()
    async with client_of(BrowserSession(nowhere)) as client:
        listed = await client.list_tools()
        assert {"browser_navigate", "browser_snapshot", "browser_click"} <= {tool.name for tool in listed.tools}
        click = next(tool for tool in listed.tools if tool.name == "browser_click")
        assert click.annotations is not None
        assert click.annotations.destructive_hint is True
        for tool, arguments in (("browser_click", {"ref": "1"}), ("browser_click", {}), ("browser_snapshot", {})):
            assert (await client.call_tool(tool, arguments)).is_error
    assert nowhere.asked == 0


async def test_a_browser_that_cannot_be_had_is_said() -> None:
    nowhere = Nowhere()
    async with client_of(BrowserSession(nowhere)) as client:
        result = await client.call_tool("browser_navigate", {"url": "https://example.com/"})
    assert result.is_error
    assert result.content[0].model_dump()["text"] == "browser_navigate failed: no Chromium was found; install one"
    assert nowhere.asked == 1


async def test_an_unknown_tool_is_said() -> None:
    async with client_of(BrowserSession(Nowhere())) as client:
        with pytest.raises(MCPError, match="there is no tool browser_fly; there are browser_click"):
            await client.call_tool("browser_fly", {})
        with pytest.raises(MCPError, match="--caps history"):
            await client.call_tool("browser_reload", {})


async def test_whoever_gives_up_lets_the_next_go_on() -> None:
    nowhere = Nowhere(wait=True)
    session = BrowserSession(nowhere)
    async with client_of(session) as client:
        waiting = asyncio.ensure_future(client.call_tool("browser_navigate", {"url": "https://example.com/"}))
        await nowhere.began.wait()
        behind = asyncio.ensure_future(client.call_tool("browser_tabs", {"action": "select"}))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        async with asyncio.timeout(10):
            assert (await behind).is_error
    assert (nowhere.asked, nowhere.cancelled) == (1, 1)


async def test_its_end_ends_what_is_being_done() -> None:
    nowhere = Nowhere(wait=True)
    session = BrowserSession(nowhere)
    navigate = next(tool for tool in offered((), ACTIONS) if tool.name == "browser_navigate")
    waiting = asyncio.ensure_future(session.call(navigate, {"url": "https://example.com/"}))
    await nowhere.began.wait()
    await session.close()
    assert "is ending" in (await waiting).text
    late = await session.call(navigate, {"url": "https://example.com/"})
    assert late.failed
    assert "is ending" in late.text
    assert (nowhere.asked, nowhere.cancelled) == (1, 1)


async def test_a_bug_is_an_answer() -> None:
    async def broken() -> Browser:
        raise ZeroDivisionError("a bug")

    async with client_of(BrowserSession(broken)) as client:
        result = await client.call_tool("browser_tabs", {"action": "list"})
    assert result.is_error
    assert "ZeroDivisionError: a bug" in result.content[0].model_dump()["text"]


def test_without_the_extra_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['mcp'] = None; from browserx.cli.main import main; sys.exit(main(['mcp']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert 'pip install "browserx[mcp]"' in done.stderr
    assert "Traceback" not in done.stderr


def test_other_commands_do_not_wait_for_it() -> None:
    code = "import sys; from browserx.cli.main import main; main([]); sys.exit('mcp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
