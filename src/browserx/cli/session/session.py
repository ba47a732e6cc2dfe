"""Carries out the commands of one session: its browser, its present tab, what its reader was last told of each tab."""

import argparse
import base64
import logging
import shlex
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from browserx import __version__
from browserx.browser import Browser, Tab
from browserx.cli.opening import full_address, open_browser
from browserx.cli.session import files
from browserx.cli.session.command import CalledWronglyError, Command, Params, Tells
from browserx.cli.session.ids_for_people import IdsForPeople
from browserx.cli.session.on_tab import ON_TAB
from browserx.cli.session.overheard import overheard
from browserx.cli.session.parsing import DEFAULT_IDLE_S, parse
from browserx.cli.session.printing import Told, answer_of, told_answer, told_batch, told_change, told_failure, told_tabs
from browserx.cli.session.wire import Answer
from browserx.dom.options import MAX_TOKENS
from browserx.errors import BrowserXError, InvalidArgumentError, TabClosedError
from browserx.page import DomService
from browserx.tool import DOMTool, DOMToolResponse
from browserx.tool.dom_tool import ACTIONS

_NOTHING_OPEN = "nothing is open: begin with browserx open URL"
#: What a look after an action asks for, unless the last look of that tab asked for something else.
_USUAL_LOOK: Params = {"maxTokens": MAX_TOKENS}
_WHICH_BROWSER = ("cdp", "executable", "headed")
#: A change can be told from the last text only when that text told the page, not a part of it.
_BASELINE = frozenset(("format", "fullPage", "maxTokens", "includeLayout"))


class Session:
    """One browser for many commands, which come one at a time. It is started by the first command that needs it."""

    def __init__(self, on_browser_gone: Callable[[], None] = lambda: None) -> None:
        #: The session may end after so long without a command, in seconds.
        self.idle_s = DEFAULT_IDLE_S
        self._on_browser_gone = on_browser_gone
        self._browser: Browser | None = None
        self._tool: DOMTool | None = None
        self._begun: dict[str, Any] = {}
        self._tab: int | None = None
        self._downloads: files.DownloadsFolder | None = None
        self._ids = IdsForPeople()
        #: Of each tab: the options of its last look, and its snapshot.
        self._looks: dict[int, tuple[Params, str]] = {}
        self._own: dict[str, Callable[[argparse.Namespace], Awaitable[Told]]] = {
            "open": self._open,
            "tabs": self._tabs,
            "tab": self._go_to_tab,
            "close": self._close,
            "batch": self._batch,
        }

    @property
    def is_open(self) -> bool:
        """Whether there is a browser to keep."""
        return self._browser is not None and not self._browser.connection.closed

    async def run(self, argv: Sequence[str], cwd: str, environ: Mapping[str, str], stdin: str | None) -> Answer:
        """Carry out one command, given as the words of its command line. Never raises."""
        started = time.perf_counter()
        try:
            given = parse(argv, environ, cwd)
        except CalledWronglyError as error:
            return Answer(2, "", f"browserx: {error}\n", gone=False)
        given.stdin, given.environ = stdin, environ
        with overheard(logging.DEBUG if given.debug else logging.WARNING) as said:
            told = await self._told(given)
        answer = answer_of(told, as_json=given.json)
        answer = answer._replace(err="".join(f"browserx: {line}\n" for line in said) + answer.err)
        if given.timings:
            spent_ms = (time.perf_counter() - started) * 1000
            answer = answer._replace(err=f"{answer.err}inside the session: {spent_ms:.1f} ms\n")
        return answer

    async def close(self) -> None:
        """End the browser. Closing twice is fine."""
        browser, self._browser, self._tool, self._tab = self._browser, None, None, None
        self._looks.clear()
        await self._ids.end()
        if browser is not None:
            await browser.close()
        if self._downloads is not None:
            self._downloads.leave()
            self._downloads = None

    # carrying out

    async def _told(self, given: argparse.Namespace) -> Told:
        if given.idle_timeout is not None:
            self.idle_s = given.idle_timeout
        command: Command = given.command
        try:
            given.executable = files.program(given.executable, given.folder)
            if command.name != "close":
                self._agree(given)
            if command.call is not None:
                return await self._call(command, command.params(given), given)
            if command.name in ON_TAB:
                return await ON_TAB[command.name](partial(self._tab_for, given), given)
            return await self._own[command.name](given)
        except CalledWronglyError as error:
            return Told(2, "", error=str(error))
        except BrowserXError as error:
            return told_failure(error.code, error.message)
        except Exception as error:  # a session outlives its bugs
            where = traceback.format_exc() if given.debug else "--debug says where"
            return told_failure("UNKNOWN_ERROR", f"{error!r}; this is a bug of BrowserX ({where})")
        finally:
            # Without a tab there is nothing to come back to.
            if self._browser is not None and not self._browser.tabs:
                await self.close()

    def _agree(self, given: argparse.Namespace) -> None:
        """Raises when the command asks for another browser than the session has."""
        for name, has in self._begun.items() if self.is_open else ():
            asked = getattr(given, name)
            if asked and asked != has:
                raise InvalidArgumentError(
                    f"this session was begun {f'with --{name} {has}' if has else f'without --{name}'}:"
                    " browserx close ends it; another --session can be open beside it"
                )

    async def _begin(self, given: argparse.Namespace) -> DOMTool:
        """The tool of the session's browser, which is started, or connected to, if it is not there."""
        if self._tool is not None and self.is_open:
            return self._tool
        await self.close()
        if given.downloads_dir or not given.cdp:
            self._downloads = files.DownloadsFolder(given.downloads_dir, given.folder)
        folder = self._downloads.path if self._downloads is not None else None
        self._browser = await open_browser(given, downloads_dir=folder)
        self._browser.connection.browser.on_end(lambda error: self._on_browser_gone())
        self._begun = {name: getattr(given, name) for name in _WHICH_BROWSER}
        self._tool = DOMTool(self._browser, debug=True)
        return self._tool

    async def _present_tab(self, given: argparse.Namespace) -> tuple[DOMTool, Tab]:
        """The tool, and the tab that commands go to.

        Raises:
            TabClosedError: there is none.
        """
        if not self.is_open and not given.cdp:
            raise TabClosedError(_NOTHING_OPEN)
        tool = await self._begin(given)
        tabs = tool.browser.tabs
        if not tabs:
            raise TabClosedError(_NOTHING_OPEN)
        tab = next((tab for tab in tabs if tab.id == self._tab), tabs[-1])
        self._tab = tab.id
        return tool, tab

    async def _tab_for(self, given: argparse.Namespace) -> Tab:
        return (await self._present_tab(given))[1]

    async def _call(self, command: Command, params: Params, given: argparse.Namespace) -> Told:
        """A command that is one call of the tool."""
        if params["action"] not in ACTIONS:
            raise InvalidArgumentError(f"browserx {command.name} is not in BrowserX {__version__} yet")
        tool, tab = await self._present_tab(given)
        if "nodeId" in params and command.tells is Tells.CHANGE and tab.dialog is None:
            dom = await DomService.for_tab(tab)
            if dom.current_snapshot is None:
                return told_failure(
                    "NO_SNAPSHOT", "the page has changed since you saw it: look first, browserx snapshot"
                )
        files.make_absolute(params, given.folder)
        response = await tool.execute({**params, "tabId": tab.id})
        if command.tells is Tells.CHANGE:
            return await self._change(tool, tab, response, given, params.get("nodeId"))
        if response.error is not None:
            return _failed(response, given)
        if command.tells is Tells.FILE:
            return await files.save(base64.b64decode(response.data["base64"]), given.folder, given.file)
        if command.name == "snapshot":
            self._remember(tab, params.get("options", {}), response.data)
        return told_answer(response.data)

    async def _change(
        self,
        tool: DOMTool,
        tab: Tab,
        response: DOMToolResponse,
        given: argparse.Namespace,
        node_id: str | None = None,
    ) -> Told:
        """What an action did, and what it did to the page: also when it failed, as the page may be why."""
        if response.error is not None:
            failed = _failed(response, given)
            if tab.closed or (await DomService.for_tab(tab)).current_snapshot is not None:
                return failed  # Nothing was done.
            seen = await self._look(tool, tab)
            return failed._replace(text=seen["text"], value={**failed.value, "look": seen})
        looked = None if tab.closed else await self._look(tool, tab)
        return told_change(response.data, looked, node_id)

    async def _look(self, tool: DOMTool, tab: Tab) -> dict[str, Any]:
        """Look at the tab; what is told is the change since the last look where that is shorter."""
        options, last = self._looks.get(tab.id, (_USUAL_LOOK, ""))
        since = {"diffFrom": last} if last else {}
        response = await tool.execute({"action": "get_dom", "tabId": tab.id, "options": {**options, **since}})
        if response.error is not None:
            return {"text": f"the page cannot be seen: {response.error.message}", "ids": [], "dialog": None}
        self._remember(tab, options, response.data)
        await self._ids.show(tab)
        return dict(response.data)

    def _remember(self, tab: Tab, options: Params, seen: Any) -> None:
        if options.keys() <= _BASELINE and options.get("format", "outline") == "outline" and seen.get("snapshotId"):
            self._looks[tab.id] = (options, seen["snapshotId"])

    # commands that are more than one call

    async def _open(self, given: argparse.Namespace) -> Told:
        tool = await self._begin(given)
        self._ids.wanted |= given.show_ids
        url = full_address(given.url)
        there = [tab for tab in tool.browser.tabs if tab.id == self._tab]
        if given.new_tab or not there:
            return await self._open_tab(tool, url, given)
        response = await tool.execute({"action": "navigate", "tabId": there[0].id, "options": {"url": url}})
        return await self._change(tool, there[0], response, given)

    async def _open_tab(self, tool: DOMTool, url: str | None, given: argparse.Namespace) -> Told:
        response = await tool.execute({"action": "new_tab", "options": {"url": url}})
        if response.error is not None:
            return _failed(response, given)
        tab = tool.browser.tab(response.data["tabId"])
        self._tab = tab.id
        return told_change({"verdict": "opened", **response.data}, await self._look(tool, tab))

    async def _tabs(self, given: argparse.Namespace) -> Told:
        tool, present = await self._present_tab(given)
        response = await tool.execute({"action": "tabs"})
        return told_tabs(response.data["tabs"], present.id)

    async def _go_to_tab(self, given: argparse.Namespace) -> Told:
        if given.which == "new":
            return await self._open_tab(await self._begin(given), given.what and full_address(given.what), given)
        closes = given.which == "close"
        number = given.what if closes else given.which
        if (number is not None and not number.isdigit()) or (given.what and not closes):
            raise CalledWronglyError(
                f"{number!r} is no tab: browserx tab 2, browserx tab new URL, browserx tab close 2"
            )
        tool, present = await self._present_tab(given)
        tab = tool.browser.tab(int(number)) if number else present
        if not closes:
            response = await tool.execute({"action": "switch_tab", "tabId": tab.id})
            if response.error is not None:
                return _failed(response, given)
            self._tab = tab.id
            return told_change({"verdict": "switched", **response.data}, await self._look(tool, tab))
        response = await tool.execute({"action": "close_tab", "tabId": tab.id})
        self._looks.pop(tab.id, None)
        if response.error is not None:
            return _failed(response, given)
        left = response.data["tabs"]
        if tab.id == self._tab:
            self._tab = left[-1]["tabId"] if left else None
        return told_tabs(left, self._tab)

    async def _close(self, given: argparse.Namespace) -> Told:
        await self.close()
        return Told(0, f"session {given.session!r} is closed", {"closed": given.session})

    async def _batch(self, given: argparse.Namespace) -> Told:
        """Several commands; between them the page is looked at, as after every command."""
        lines = given.lines or [line for line in (given.stdin or "").splitlines() if line.strip()]
        if not lines:
            raise CalledWronglyError(
                "no commands: browserx batch 'click 3' 'press Enter', or browserx batch < steps.txt"
            )
        ran: list[tuple[str, Told]] = []
        for line in lines:
            try:
                argv = shlex.split(line, comments=True)
                if not argv:
                    continue
                step = parse(argv, given.environ, given.folder)
                step.stdin, step.environ = None, given.environ
                for name in _WHICH_BROWSER:
                    setattr(step, name, getattr(step, name) or getattr(given, name))
                if step.command.name == "batch":
                    raise CalledWronglyError("a batch cannot hold a batch")
                told = await self._told(step)
            except (CalledWronglyError, ValueError) as error:
                told = Told(2, "", error=str(error))
            ran.append((line, told))
            if told.exit and not given.keep_going:
                break
        return told_batch(ran, len(lines))


def _failed(response: DOMToolResponse, given: argparse.Namespace) -> Told:
    assert response.error is not None
    stack = response.error.details.stack if given.debug else None
    return told_failure(response.error.code.value, response.error.message + (f"\n{stack}" if stack else ""))
