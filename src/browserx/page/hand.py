"""Carrying out one action on a tab: on the right element, with what was expected of it checked, and counted.

Whatever comes of an action, the snapshot it was based on holds no more.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from browserx.actions import ActionResult, ExpectationMet, Healed
from browserx.actions.effects import Effects
from browserx.actions.perform import Performance, Settling
from browserx.actions.target import Target
from browserx.browser import Tab
from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.dom import DomSnapshot
from browserx.dom.ids import normalize
from browserx.dom.options import DEADLINE_MS
from browserx.errors import (
    BrowserXError,
    NodeNotFoundError,
    NoSnapshotError,
    NotActionableError,
    OperationTimeoutError,
    SnapshotError,
)
from browserx.page import describe
from browserx.page.config import ServiceConfig
from browserx.page.expectation import Expectation, expectation, unmet
from browserx.page.looking import Looking
from browserx.page.mending import successor
from browserx.page.shown_ids import ShownIds
from browserx.page.sight import Sight

#: A page that changes all the time is not looked at all the time.
_BETWEEN_LOOKS_S = 0.05

Act = Callable[[Performance], Awaitable[ActionResult]]
ActOn = Callable[[Performance, Target], Awaitable[ActionResult]]
Expected = Expectation | dict[str, Any] | None


class Hand(Looking[Sight]):
    """The acting of one tab, one action at a time."""

    def __init__(self, tab: Tab, config: ServiceConfig) -> None:
        lock = asyncio.Lock()
        super().__init__(config, "cdp", Sight(tab, config, lock), lock)
        self.tab = tab
        self._effects: Effects | None = None
        self._shown_ids: ShownIds | None = None

    async def _act_on(self, name: str, node_id: str | int, act: ActOn, expect: Expected = None) -> ActionResult:
        """Carry out an action on an element of the current snapshot, or on what has taken over from it."""

        def at(target: Target) -> Awaitable[ActionResult]:
            return self._perform(target.frame, lambda performance: act(performance, target))

        return await self._act_at(name, node_id, at, expect)

    async def _act_at(
        self,
        name: str,
        node_id: str | int,
        act: Callable[[Target], Awaitable[ActionResult]],
        expect: Expected = None,
    ) -> ActionResult:
        """As ``_act_on``, of several performances on one element."""

        async def on_target(attachment: Attachment) -> ActionResult:
            snapshot = self._sight.snapshot
            if snapshot is None:
                raise NoSnapshotError("the page was not looked at since it last changed; observe first")
            try:
                return await self._on(self._sight.target(node_id), snapshot, act)
            except NodeNotFoundError as error:
                if error.node_id != normalize(node_id):
                    raise  # another element that the action needs: what to drag onto
                target, healed = await self._healed(attachment, error, snapshot)
                result = await self._on(target, snapshot, act)
                return replace(result, healed=healed)

        return await self._act(name, on_target, expect, node_id)

    @staticmethod
    async def _on(
        target: Target, snapshot: DomSnapshot, act: Callable[[Target], Awaitable[ActionResult]]
    ) -> ActionResult:
        try:
            return await act(target)
        except NotActionableError as error:
            if error.reason == "detached":
                raise describe.not_found(error.node_id, snapshot) from error
            raise

    async def _healed(
        self, attachment: Attachment, error: NodeNotFoundError, before: DomSnapshot
    ) -> tuple[Target, Healed | None]:
        """Look once more for an element that is gone: for what has become of it.

        Raises:
            NodeNotFoundError: nothing is like it, or two are.
        """
        if before.index_of(error.node_id) is None:
            raise error
        after = await self._sight.look(attachment, whole=True, deadline_s=DEADLINE_MS / 1000)
        if after is None:
            raise error
        new_id, healed = successor(error.node_id, before, after)
        return self._sight.target(new_id), healed

    async def _perform(self, frame: Frame, act: Act) -> ActionResult:
        settling = Settling(self.config.stability_threshold_ms, self.config.settle_timeout_ms)
        attachment = await self._sight.attached()
        if self.config.enable_visual_effects and (self._effects is None or self._effects.attachment is not attachment):
            self._effects = Effects(attachment)
        performance = Performance(self.tab, attachment, self._sight.ids, settling, frame, self._effects)
        try:
            if self.config.measure_performance:
                await performance.measure()
            await performance.watch.begin_around()
            return await act(performance)
        finally:
            performance.close()

    async def _act(
        self,
        name: str,
        act: Callable[[Attachment], Awaitable[ActionResult]],
        expect: Expected = None,
        node_id: str | int | None = None,
    ) -> ActionResult:
        started = time.perf_counter()
        wanted = expectation(expect, node_id) if expect is not None else None
        try:
            async with self._lock:
                attachment = await self._sight.attached()
                try:
                    if attachment.dialogs.current is not None:
                        words = attachment.dialogs.current.describe()
                        raise NotActionableError(words, node_id="", reason="dialog")
                    result = await act(attachment)
                    if wanted is not None:
                        result = replace(result, expectation=await self._met(attachment, wanted))
                finally:
                    self._sight.forget()
                    if self._shown_ids is not None:
                        self._shown_ids.renew()
        except BrowserXError as error:
            self._count("action", name, started, failure=error.code)
            raise
        failure = result.error.code if result.error is not None else ""
        self._count("action", name, started, verdict=result.verdict.value, failure=failure)
        return result

    # what should be so

    async def _then(
        self, act: Callable[[], Awaitable[ActionResult]], expect: Expected, node_id: str | int
    ) -> ActionResult:
        """An action of several steps, with what was expected of it all checked."""
        if expect is None:
            return await act()
        wanted = expectation(expect, node_id)
        result = await act()
        async with self._lock:
            try:
                met = await self._met(await self._sight.attached(), wanted)
            finally:
                self._sight.forget()
        return replace(result, expectation=met)

    async def _met(self, attachment: Attachment, wanted: Expectation) -> ExpectationMet:
        """Whether it came true while the page settled; what an action sets going may take as long again."""
        why = await self._until(attachment, wanted, self.config.settle_timeout_ms / 1000)
        return ExpectationMet(not why, why or "it is as expected")

    async def _until(self, attachment: Attachment, wanted: Expectation, timeout_s: float) -> str:
        """Wait until an expectation holds; "" when it does, else what does not hold after ``timeout_s`` seconds.

        The page is looked at anew when it has changed, and once more at the end: what is only shown differently is
        no change that anybody hears of.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        heard = asyncio.Event()

        def hear(*_: object) -> None:
            heard.set()
            attachment.changes.notify()

        def has_moved(url: str) -> bool:
            return heard.is_set() or attachment.frames.main.url != url

        hooks: list[list[Callable[..., None]]] = [attachment.on_dirty, attachment.on_document_replaced]
        for hook in hooks:
            hook.append(hear)
        try:
            while True:
                heard.clear()
                url = attachment.frames.main.url
                why = unmet(wanted, url, await self._looked(attachment, wanted))
                rest_s = deadline - loop.time()
                if not why or rest_s <= 0:
                    return why
                if await attachment.changes.until(partial(has_moved, url), timeout_s=rest_s):
                    await asyncio.sleep(min(_BETWEEN_LOOKS_S, max(0.0, deadline - loop.time())))
        finally:
            for hook in hooks:
                hook.remove(hear)

    async def _looked(self, attachment: Attachment, wanted: Expectation) -> DomSnapshot | None:
        if not wanted.needs_look or attachment.dialogs.current is not None:
            return None
        try:
            return await self._sight.look(attachment, whole=True, deadline_s=DEADLINE_MS / 1000)
        except (SnapshotError, OperationTimeoutError):
            return None
