"""One client's browser: started when first needed, one call at a time, ended with the client."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from browserx.browser import Browser
from browserx.errors import BrowserXError, ConnectionClosedError
from browserx.mcp import answer
from browserx.mcp.answer import Answer, Picture
from browserx.mcp.arguments import Arguments, Navigate, Snapshot, Tabs
from browserx.mcp.limits import check_address, check_files
from browserx.mcp.tools import Tool
from browserx.tool import DOMTool, DOMToolErrorCode, DOMToolResponse
from browserx.tool.mapping import code_of

_log = logging.getLogger("browserx.mcp")

#: After these failures there is nothing to look at.
_NOTHING_TO_SEE = frozenset((DOMToolErrorCode.TAB_NOT_FOUND, DOMToolErrorCode.PERMISSION_DENIED))

_ENDING = "this server is ending; start it again"

OpenBrowser = Callable[[], Awaitable[Browser]]


class _Look(NamedTuple):
    """The last look that the client was told of: what it asked for, and its name."""

    options: dict[str, Any]
    snapshot_id: str


class BrowserSession:
    """Serves calls in the order in which they came.

    Each call runs in a task of this session: a caller that gives up cancels it, and the next call begins when it has
    cleaned up. ``close`` ends the browser; it is started again by a call that needs one after it was lost.

    Args:
        open_browser: starts the browser, or connects to one.
        upload_dir: the folder that files may be sent from; the working directory when left out.
        output_dir: the folder that PDFs are saved in; ``output`` in the working directory when left out.
        may_evaluate: whether script may be run in pages.
    """

    def __init__(
        self,
        open_browser: OpenBrowser,
        *,
        upload_dir: Path | None = None,
        output_dir: Path | None = None,
        may_evaluate: bool = False,
    ) -> None:
        self._open_browser = open_browser
        self._upload_dir = upload_dir or Path.cwd()
        self._output_dir = output_dir or Path("output")
        self._may_evaluate = may_evaluate
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[Answer]] = set()
        self._browser: Browser | None = None
        self._tool: DOMTool | None = None
        self._tab: int | None = None
        #: By tab.
        self._looks: dict[int, _Look] = {}
        self._closed = False
        #: What is being done, for those who wait.
        self.doing = ""

    async def call(self, tool: Tool, given: Mapping[str, Any] | None) -> Answer:
        """Carry out one call. What goes wrong is in the answer; only a caller that is cancelled itself is raised to."""
        task = asyncio.create_task(self._in_turn(tool, given), name=tool.name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            caller = asyncio.current_task()
            if task.cancelled() and caller is not None and not caller.cancelling():
                return Answer(answer.failure(tool.name, DOMToolErrorCode.ACTION_FAILED, _ENDING), failed=True)
            task.cancel()
            raise

    async def close(self) -> None:
        """End what is being done, and the browser."""
        self._closed = True
        running = list(self._tasks)
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)
        await self._end_browser()

    # inside

    async def _in_turn(self, tool: Tool, given: Mapping[str, Any] | None) -> Answer:
        async with self._turn:
            self.doing = tool.name
            try:
                return await self._serve(tool, tool.parse(given))
            except BrowserXError as error:
                return Answer(answer.failure(tool.name, code_of(error), error.message), failed=True)
            except Exception as error:
                _log.exception("%s failed", tool.name)
                why = f"{tool.name} failed: {type(error).__name__}: {error} → browser_snapshot shows what is there now"
                return Answer(why, failed=True)
            finally:
                self.doing = ""

    async def _serve(self, tool: Tool, arguments: Arguments) -> Answer:
        call = arguments.call()
        if call["action"] in ("navigate", "new_tab") and "url" in call["options"]:
            check_address(call["options"]["url"])
        check_files(arguments.files(), self._upload_dir)
        if self._tab is None and not isinstance(arguments, Navigate | Tabs):
            # Not worth starting a browser for.
            return _failed(tool, DOMToolErrorCode.TAB_NOT_FOUND, "no page is open")
        dom_tool = await self._ready()
        if isinstance(arguments, Tabs):
            return await self._tabs(tool, dom_tool, call)
        if self._tab is None and isinstance(arguments, Navigate):
            call = {**call, "action": "new_tab"}
        elif self._tab is None:
            return _failed(tool, DOMToolErrorCode.TAB_NOT_FOUND, "the tab was closed")
        if isinstance(arguments, Snapshot):
            return await self._snapshot(tool, dom_tool, call["options"])
        response = await dom_tool.execute({**call, "tabId": self._tab})
        if response.error is not None:
            return await self._went_wrong(tool, dom_tool, response)
        if isinstance(response.data, dict) and "base64" in response.data:
            return Answer("", picture=Picture(response.data["base64"], response.data["mimeType"]))
        if call["action"] == "new_tab":
            self._tab = response.data["tabId"]
            return await self._with_page(dom_tool, f"opened tab {self._tab}", anew=True)
        line = answer.told(response.data)
        if not arguments.shows_page:
            return Answer(line)
        shown = await self._with_page(dom_tool, line, anew=_verdict(response) == "navigated")
        return shown._replace(failed=isinstance(response.data, dict) and response.data.get("success") is False)

    async def _tabs(self, tool: Tool, dom_tool: DOMTool, call: dict[str, Any]) -> Answer:
        action = call["action"]
        if action == "close_tab" and "tabId" not in call:
            if self._tab is None:
                return _failed(tool, DOMToolErrorCode.TAB_NOT_FOUND, "no page is open")
            call = {**call, "tabId": self._tab}
        response = await dom_tool.execute(call)
        if response.error is not None:
            return _failed(tool, response.error.code, response.error.message)
        if action in ("new_tab", "switch_tab"):
            self._tab = response.data["tabId"]
            return await self._with_page(dom_tool, f"on tab {self._tab}", anew=True)
        if action == "close_tab":
            self._looks.pop(response.data["closed"], None)
            if response.data["closed"] == self._tab:
                self._tab = None
        listed = answer.tabs(response.data["tabs"], self._tab)
        if self._tab is None and response.data["tabs"]:
            listed += "\nnone of them is selected: browser_tabs select goes to one"
        return Answer(listed)

    async def _snapshot(self, tool: Tool, dom_tool: DOMTool, options: dict[str, Any]) -> Answer:
        response = await dom_tool.execute({"action": "get_dom", "tabId": self._tab, "options": options})
        if response.error is not None:
            return _failed(tool, response.error.code, response.error.message)
        if "scope" not in options and "query" not in options:
            self._remember(response, options)
        return Answer(response.data["text"])

    async def _went_wrong(self, tool: Tool, dom_tool: DOMTool, response: DOMToolResponse) -> Answer:
        """Why, and what the page is like now: every ref that the client goes on with is one it has seen."""
        error = response.error
        assert error is not None
        dialog = self._dialog_is_open()
        why = answer.failure(tool.name, error.code, error.message, dialog=dialog)
        if error.code in _NOTHING_TO_SEE or self._tab is None:
            return Answer(why, failed=True)
        return (await self._with_page(dom_tool, why))._replace(failed=True)

    async def _with_page(self, dom_tool: DOMTool, line: str, *, anew: bool = False) -> Answer:
        """``line``, and what changed since the client's last look; the page as it is where it is a new one."""
        assert self._tab is not None
        if self._tab not in {tab.id for tab in dom_tool.browser.tabs}:
            tab, self._tab = self._tab, None
            self._looks.pop(tab, None)
            return Answer(f"{line}\nTab {tab} was closed. browser_tabs lists the others")
        last = self._looks.get(self._tab)
        if last is None or anew:
            options: dict[str, Any] = {}
            asked = options
        else:
            options = last.options
            asked = {**options, "diffFrom": last.snapshot_id}
        response = await dom_tool.execute({"action": "get_dom", "tabId": self._tab, "options": asked})
        if response.error is not None:
            return Answer(f"{line}\nThe page could not be looked at: {response.error.message}")
        self._remember(response, options)
        return Answer(f"{line}\n{response.data['text']}")

    def _remember(self, response: DOMToolResponse, options: dict[str, Any]) -> None:
        # A look that found a dialog, or no answer, is not one that later ones can be compared with.
        if response.data["snapshotId"] and self._tab is not None:
            self._looks[self._tab] = _Look(options, response.data["snapshotId"])

    def _dialog_is_open(self) -> bool:
        tabs = self._browser.tabs if self._browser is not None else []
        return any(tab.id == self._tab and tab.dialog is not None for tab in tabs)

    async def _ready(self) -> DOMTool:
        """The tool, over a browser that runs."""
        if self._closed:
            raise ConnectionClosedError(_ENDING)
        if self._browser is not None and self._browser.connection.closed:
            _log.warning("the browser is gone; starting another")
            await self._end_browser()
        if self._tool is None:
            doing, self.doing = self.doing, "starting the browser"
            self._browser = await self._open_browser()
            self._tool = DOMTool(self._browser, may_evaluate=self._may_evaluate, output_dir=self._output_dir)
            self.doing = doing
        if self._tab is not None and self._tab not in {tab.id for tab in self._tool.browser.tabs}:
            self._looks.pop(self._tab, None)
            self._tab = None
        return self._tool

    async def _end_browser(self) -> None:
        browser, self._browser, self._tool, self._tab = self._browser, None, None, None
        self._looks.clear()
        if browser is not None:
            with suppress(BrowserXError):
                await browser.close()


def _verdict(response: DOMToolResponse) -> str:
    return str(response.data.get("verdict", "")) if isinstance(response.data, dict) else ""


def _failed(tool: Tool, code: DOMToolErrorCode, message: str) -> Answer:
    return Answer(answer.failure(tool.name, code, message), failed=True)
