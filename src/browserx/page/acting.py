"""Acting on one tab: one method for each action. ``DomService`` is this, and the seeing half."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from browserx.actions import ActionResult
from browserx.actions.perform import Performance, Settling
from browserx.actions.pointer import Button, click
from browserx.actions.scrolling import Direction, scroll
from browserx.actions.target import Target
from browserx.actions.typing import focused_frame, press_key, type_text
from browserx.actions.visit import visit
from browserx.browser import Tab
from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.errors import BrowserXError, NoSnapshotError, NotActionableError
from browserx.page import describe
from browserx.page.config import Metric, ServiceConfig
from browserx.page.observation import Observation
from browserx.page.sight import Sight

_log = logging.getLogger("browserx.page")

Act = Callable[[Performance], Awaitable[ActionResult]]
ActOn = Callable[[Performance, Target], Awaitable[ActionResult]]


class Acting:
    """Carries out one action at a time; whatever comes of it, the snapshot it was based on holds no more."""

    def __init__(self, tab: Tab, config: ServiceConfig) -> None:
        self.tab = tab
        self.config = config
        self._lock = asyncio.Lock()
        self._sight = Sight(tab, config, self._lock)

    async def click(
        self,
        node_id: str | int,
        *,
        button: Button = "left",
        click_count: int = 1,
        modifiers: list[str] | tuple[str, ...] = (),
        offset: tuple[float, float] | None = None,
    ) -> ActionResult:
        """Click an element, at the centre of what shows of it or at ``offset`` from its top left corner.

        Raises:
            NoSnapshotError: the page was not looked at since the last action.
            NodeNotFoundError: there is no such element (any more).
            NotActionableError: it is hidden, covered (says by what), disabled, moving, or a dialog is open.
        """
        ignore = self.config.ignore_opt_out
        return await self._act_on(
            "click",
            node_id,
            lambda performance, target: click(
                performance,
                target,
                button=button,
                click_count=click_count,
                modifiers=modifiers,
                offset=offset,
                ignore_opt_out=ignore,
            ),
        )

    async def type(
        self, node_id: str | int, text: str, *, clear: bool = True, char_by_char: bool = False
    ) -> ActionResult:
        """Type into a field: focus, clear, insert exactly ``text``; a newline at its end presses Enter.

        Raises:
            NoSnapshotError, NodeNotFoundError: as ``click``.
            NotActionableError: it takes no text, or is hidden, disabled or read-only.
        """
        ignore = self.config.ignore_opt_out
        return await self._act_on(
            "type",
            node_id,
            lambda performance, target: type_text(
                performance, target, text, clear=clear, char_by_char=char_by_char, ignore_opt_out=ignore
            ),
        )

    async def keypress(self, key: str, modifiers: list[str] | tuple[str, ...] = ()) -> ActionResult:
        """Press one key ("Enter", "a") or chord ("Control+A") on whatever has the focus."""

        async def act(attachment: Attachment) -> ActionResult:
            frame = await focused_frame(attachment)
            return await self._perform(frame, lambda performance: press_key(performance, key, modifiers))

        return await self._act("keypress", act)

    async def scroll(
        self,
        node_id: str | int | None = None,
        direction: Direction = "down",
        *,
        amount: float = 1.0,
        to: Literal["start", "end"] | None = None,
    ) -> ActionResult:
        """Scroll the page, or the box that ``node_id`` is or is in, by ``amount`` windows or to its start or end."""
        if node_id is not None:
            return await self._act_on(
                "scroll",
                node_id,
                lambda performance, target: scroll(performance, target, direction=direction, amount=amount, to=to),
            )

        async def act(attachment: Attachment) -> ActionResult:
            return await self._perform(
                attachment.frames.main,
                lambda performance: scroll(performance, None, direction=direction, amount=amount, to=to),
            )

        return await self._act("scroll", act)

    async def navigate(self, url: str) -> ActionResult:
        """Open ``url`` in the tab; returns when its page is loaded and quiet.

        Raises:
            NavigationError, OperationTimeoutError: no page came.
        """
        return await self._go("navigate", lambda: self.tab.goto(url))

    async def back(self) -> ActionResult:
        """Go back in the tab's history."""
        return await self._go("back", self.tab.back)

    async def forward(self) -> ActionResult:
        """Go forward in the tab's history."""
        return await self._go("forward", self.tab.forward)

    async def reload(self) -> ActionResult:
        """Load the page anew."""
        return await self._go("reload", self.tab.reload)

    # inside

    async def _act_on(self, name: str, node_id: str | int, act: ActOn) -> ActionResult:
        """Carry out an action on an element of the current snapshot."""

        async def on_target(attachment: Attachment) -> ActionResult:
            snapshot = self._sight.snapshot
            if snapshot is None:
                raise NoSnapshotError("the page was not looked at since it last changed; observe first")
            target = self._sight.target(node_id)
            try:
                return await self._perform(target.frame, lambda performance: act(performance, target))
            except NotActionableError as error:
                if error.reason == "detached":
                    raise describe.not_found(target.node_id, snapshot) from error
                raise

        return await self._act(name, on_target)

    async def _go(self, name: str, go: Callable[[], Awaitable[Any]]) -> ActionResult:
        return await self._act(name, lambda attachment: visit(attachment, go))

    async def _perform(self, frame: Frame, act: Act) -> ActionResult:
        settling = Settling(self.config.stability_threshold_ms, self.config.settle_timeout_ms)
        performance = Performance(self.tab, await self._sight.attached(), self._sight.ids, settling, frame)
        try:
            await performance.watch.begin_around()
            return await act(performance)
        finally:
            performance.close()

    async def _act(self, name: str, act: Callable[[Attachment], Awaitable[ActionResult]]) -> ActionResult:
        """Whatever comes of it, the snapshot it was based on holds no more."""
        started = time.perf_counter()
        try:
            async with self._lock:
                attachment = await self._sight.attached()
                try:
                    if attachment.dialogs.current is not None:
                        words = attachment.dialogs.current.describe()
                        raise NotActionableError(words, node_id="", reason="dialog")
                    result = await act(attachment)
                finally:
                    self._sight.forget()
        except BrowserXError as error:
            self._count("action", name, started, failure=error.code)
            raise
        failure = result.error.code if result.error is not None else ""
        self._count("action", name, started, verdict=result.verdict.value, failure=failure)
        return result

    def _count(
        self,
        kind: str,
        name: str,
        started: float,
        *,
        verdict: str = "",
        failure: str = "",
        partial: bool = False,
        seen: Observation | None = None,
    ) -> None:
        duration_ms = (time.perf_counter() - started) * 1000
        _log.debug("%s %s: %.1f ms %s%s", kind, name, duration_ms, verdict, failure)
        if self.config.metrics is not None:
            told = {"tokens": seen.tokens, "interactive": len(seen.ids)} if seen is not None else {}
            self.config.metrics(Metric(kind, name, duration_ms, verdict, failure, partial, told))
