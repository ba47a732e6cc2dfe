"""Carrying out a call on the page: the last step from an answer to real input."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from browserx.actions import ActionResult, Verdict
from browserx.errors import BrowserXError, InvalidArgumentError, NodeNotFoundError
from browserx.page import DomService
from browserx.page.expectation import Expectation
from browserx.semantic.call import Call

_LONGEST_WAIT_S = 60.0


class Carried(NamedTuple):
    """What came of a call. ``selector`` is one that was used instead of the id, and whether it fitted one element."""

    result: ActionResult | None
    error: BrowserXError | None = None
    selector: tuple[str, bool] | None = None


class Hands:
    """Carries out calls, in the tab they are about. ``dom`` is that of the tab at work; a call may change it."""

    def __init__(self, dom: DomService) -> None:
        self.dom = dom

    async def carry_out(
        self, call: Call, *, selector: str | None = None, expected: Mapping[str, Any] | None = None
    ) -> Carried:
        """Do what ``call`` says; never raises what the engine says no with.

        Where its element is gone, and ``selector`` fits exactly one, that one is taken.
        """
        act = getattr(self, f"_{call.name}", None)
        if act is None:
            return Carried(None, InvalidArgumentError(f"{call.name} is nothing to do on a page"))
        wanted = expectation_of(expected)
        try:
            return Carried(await act(call, call.element_id, wanted))
        except NodeNotFoundError as error:
            if selector is None or call.element_id is None or error.node_id != call.element_id:
                return Carried(None, error)
            return await self._by_selector(act, call, selector, wanted, error)
        except BrowserXError as error:
            return Carried(None, error)

    async def _by_selector(
        self,
        act: Callable[..., Awaitable[ActionResult]],
        call: Call,
        selector: str,
        wanted: Expectation | None,
        gone: NodeNotFoundError,
    ) -> Carried:
        try:
            node_id = await self.dom.locate(selector)
        except (NodeNotFoundError, InvalidArgumentError):
            return Carried(None, gone, (selector, False))
        try:
            return Carried(await act(call, node_id, wanted), None, (selector, True))
        except BrowserXError as error:
            return Carried(None, error, (selector, True))

    # one method for each call

    async def _click(self, call: Call, node_id: str, expect: Expectation | None) -> ActionResult:
        return await self.dom.click(node_id, expect=expect)

    async def _doubleClick(self, call: Call, node_id: str, expect: Expectation | None) -> ActionResult:  # noqa: N802
        return await self.dom.click(node_id, click_count=2, expect=expect)

    async def _rightClick(self, call: Call, node_id: str, expect: Expectation | None) -> ActionResult:  # noqa: N802
        return await self.dom.click(node_id, button="right", expect=expect)

    async def _setValue(self, call: Call, node_id: str, expect: Expectation | None) -> ActionResult:  # noqa: N802
        return await self.dom.type(node_id, str(call.args["value"]), expect=expect)

    async def _select(self, call: Call, node_id: str, expect: Expectation | None) -> ActionResult:
        option = call.args["option"]
        if isinstance(option, list):
            return await self.dom.select_option(node_id, label=option, expect=expect)
        return await self.dom.choose(node_id, str(option), expect=expect)

    async def _check(self, call: Call, node_id: str, expect: Expectation | None) -> ActionResult:
        return await self.dom.check(node_id, expect=expect)

    async def _uncheck(self, call: Call, node_id: str, expect: Expectation | None) -> ActionResult:
        return await self.dom.uncheck(node_id, expect=expect)

    async def _pickDate(self, call: Call, node_id: str, expect: Expectation | None) -> ActionResult:  # noqa: N802
        return await self.dom.pick_date(node_id, str(call.args["date"]), expect=expect)

    async def _hover(self, call: Call, node_id: str, expect: Expectation | None) -> ActionResult:
        return await self.dom.hover(node_id, expect=expect)

    async def _focus(self, call: Call, node_id: str, expect: Expectation | None) -> ActionResult:
        return await self.dom.focus(node_id, expect=expect)

    async def _drag(self, call: Call, node_id: str, expect: Expectation | None) -> ActionResult:
        return await self.dom.drag(node_id, call.args["targetId"], expect=expect)

    async def _upload(self, call: Call, node_id: str, expect: Expectation | None) -> ActionResult:
        return await self.dom.upload(node_id, call.args["files"], expect=expect)

    async def _submit(self, call: Call, node_id: str, expect: Expectation | None) -> ActionResult:
        return await self.dom.submit(node_id, expect=expect)

    async def _press(self, call: Call, node_id: None, expect: Expectation | None) -> ActionResult:
        return await self.dom.keypress(call.args["key"], expect=expect)

    async def _scroll(self, call: Call, node_id: str | None, expect: Expectation | None) -> ActionResult:
        return await self.dom.scroll(node_id, call.args.get("direction", "down"), expect=expect)

    async def _navigate(self, call: Call, node_id: None, expect: Expectation | None) -> ActionResult:
        return await self.dom.navigate(call.args["url"], expect=expect)

    async def _back(self, call: Call, node_id: None, expect: Expectation | None) -> ActionResult:
        return await self.dom.back(expect=expect)

    async def _forward(self, call: Call, node_id: None, expect: Expectation | None) -> ActionResult:
        return await self.dom.forward(expect=expect)

    async def _reload(self, call: Call, node_id: None, expect: Expectation | None) -> ActionResult:
        return await self.dom.reload(expect=expect)

    async def _wait(self, call: Call, node_id: None, expect: Expectation | None) -> ActionResult:
        wanted = call.args.get("for", 1)
        if isinstance(wanted, str):
            return await (self.dom.wait_for(gone=wanted) if call.args.get("gone") else self.dom.wait_for(text=wanted))
        # Seconds were asked for: the one wait that is for nothing but time.
        started = time.perf_counter()
        await asyncio.sleep(max(0.0, min(float(wanted), _LONGEST_WAIT_S)))
        self.dom.invalidate_snapshot()
        return _done(started)

    # tabs and dialogs

    async def _switchTab(self, call: Call, node_id: None, expect: Expectation | None) -> ActionResult:  # noqa: N802
        started = time.perf_counter()
        tabs = self.dom.tab.context.tabs
        wanted = str(call.args["tab"])
        tab = next((tab for tab in tabs if str(tab.id) == wanted), None)
        tab = tab or next((tab for tab in tabs if wanted.casefold() in (tab.title + " " + tab.url).casefold()), None)
        if tab is None:
            there = ", ".join(f"{tab.id} ({tab.title or tab.url})" for tab in tabs)
            raise InvalidArgumentError(f"there is no tab {wanted}; there are {there}")
        await tab.bring_to_front()
        self.dom = await DomService.for_tab(tab)
        return _done(started, Verdict.CHANGED)

    async def _newTab(self, call: Call, node_id: None, expect: Expectation | None) -> ActionResult:  # noqa: N802
        started = time.perf_counter()
        self.dom = await DomService.for_tab(await self.dom.tab.context.new_tab(call.args.get("url")))
        return _done(started, Verdict.OPENED)

    async def _closeTab(self, call: Call, node_id: None, expect: Expectation | None) -> ActionResult:  # noqa: N802
        started = time.perf_counter()
        context = self.dom.tab.context
        wanted = str(call.args.get("tab", self.dom.tab.id))
        tab = next((tab for tab in context.tabs if str(tab.id) == wanted), None)
        others = [other for other in context.tabs if other is not tab]
        if tab is None or not others:
            raise InvalidArgumentError(f"tab {wanted} cannot be closed: there is none, or no other is left")
        await tab.close()
        if tab is self.dom.tab:
            self.dom = await DomService.for_tab(others[-1])
        return _done(started, Verdict.CHANGED)

    async def _dialog(self, call: Call, node_id: None, expect: Expectation | None) -> ActionResult:
        started = time.perf_counter()
        dialog = self.dom.tab.dialog
        if dialog is None:
            raise InvalidArgumentError("no dialog is open")
        if call.args["answer"] == "dismiss":
            await dialog.dismiss()
        else:
            await dialog.accept(call.args.get("text"))
        self.dom.invalidate_snapshot()
        return _done(started, Verdict.CHANGED)


def _done(started: float, verdict: Verdict = Verdict.UNVERIFIED) -> ActionResult:
    return ActionResult(
        success=True,
        verdict=verdict,
        duration=(time.perf_counter() - started) * 1000,
        snapshot_invalidated=True,
    )


def expectation_of(expected: Mapping[str, Any] | None) -> Expectation | None:
    """What of an ``expectedOutcome`` the engine can check itself; None if that is nothing."""

    def told(name: str) -> str | None:
        value = expected.get(name) if expected else None
        return value if isinstance(value, str) and value else None

    wanted = Expectation(text=told("textAppears"), gone=told("textGone"), url=told("urlContains"))
    return wanted if wanted.needs_look or wanted.url else None
