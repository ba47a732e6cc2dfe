"""Carrying out one action by script: on the right element, with what was expected of it checked, and counted.

Whatever comes of an action, the snapshot it was based on holds no more.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec.structs import replace

from browserx.actions import ActionResult, ExpectationMet
from browserx.content.driver import Driver
from browserx.content.eye import AnotherDocumentError
from browserx.content.performing import Performance, Performed, Place
from browserx.content.problems import error_of
from browserx.content.sight import ContentSight, Target
from browserx.dom import DomSnapshot
from browserx.errors import (
    BrowserXError,
    EvaluateError,
    NoSnapshotError,
    NotActionableError,
    OperationTimeoutError,
    SnapshotError,
)
from browserx.page import ServiceConfig, describe
from browserx.page.expectation import Expectation, expectation, unmet
from browserx.page.hand import Expected
from browserx.page.looking import Looking
from browserx.page.mending import successor

ASK_TIMEOUT_S = 10.0
_LOOK_S = 10.0
_LEAST_LOOK_S = 1.0
#: A page that changes all the time, or does not answer now, is not asked all the time.
_BETWEEN_LOOKS_S = 0.05

Act = Callable[[Performance], Awaitable[ActionResult]]
ActOn = Callable[[Performance, Target], Awaitable[ActionResult]]


class ContentHand(Looking[ContentSight]):
    """The acting of one page, one action at a time."""

    def __init__(self, driver: Driver, config: ServiceConfig) -> None:
        super().__init__(config, "content", ContentSight(driver, config), asyncio.Lock())
        self.driver = driver

    async def _act_at(self, name: str, node_id: str | int, act: ActOn, expect: Expected = None) -> ActionResult:
        """Carry out an action on an element of the current snapshot, or on what has taken over from it."""

        async def on_target() -> ActionResult:
            before = self._sight.snapshot
            if before is None:
                raise NoSnapshotError("the page was not looked at since it last changed; observe first")
            target = self._sight.target(node_id)
            try:
                return await self._performed(lambda performance: act(performance, target))
            except DetachedError as error:
                return await self._mended(error.target, target, before, act)

        return await self._locked(name, on_target, expect, node_id)

    async def _act(self, name: str, act: Act, expect: Expected = None) -> ActionResult:
        """Carry out an action on the page."""
        return await self._locked(name, lambda: self._performed(act), expect)

    async def _performed(self, act: Act) -> ActionResult:
        performance = Performance(self._sight.eye, self._sight.ids, self.config)
        await performance.begin()
        return await act(performance)

    async def _mended(self, gone: Target, target: Target, before: DomSnapshot, act: ActOn) -> ActionResult:
        """The element was gone, so that nothing was done: look once more for one that took over from it.

        Raises:
            NodeNotFoundError: none did, or it was another element that the action needs.
        """
        if gone.node_id != target.node_id or self._sight.eye.world != target.world:
            raise describe.not_found(gone.node_id, before)
        after = await self._sight.look(whole=True, deadline_s=_LOOK_S)
        new_id, healed = successor(target.node_id, before, after)
        again = self._sight.target(new_id)
        if (again.world, again.key) == (target.world, target.key):
            raise describe.not_found(target.node_id, before)
        try:
            result = await self._performed(lambda performance: act(performance, again))
        except DetachedError as error:
            raise describe.not_found(target.node_id, before) from error
        return replace(result, healed=healed)

    async def _locked(
        self,
        name: str,
        act: Callable[[], Awaitable[ActionResult]],
        expect: Expected = None,
        node_id: str | int | None = None,
    ) -> ActionResult:
        started = time.perf_counter()
        wanted = expectation(expect, node_id) if expect is not None else None
        try:
            async with self._lock:
                await self._sight.attached()
                try:
                    result = await act()
                    if wanted is not None:
                        result = replace(result, expectation=await self._met(wanted))
                finally:
                    self._sight.forget()
        except BrowserXError as error:
            self._count("action", name, started, failure=error.code)
            raise
        failure = result.error.code if result.error is not None else ""
        self._count("action", name, started, verdict=result.verdict.value, failure=failure)
        return result

    # one element

    async def _ask(self, performance: Performance, name: str, *arguments: Any, type_: Any) -> Any:
        return await self._sight.eye.ask(
            name, *arguments, type_=type_, timeout_s=ASK_TIMEOUT_S, world=performance.world
        )

    async def _perform(
        self, performance: Performance, kind: str, target: Target, needs: dict[str, Any], options: dict[str, Any]
    ) -> Performed:
        """Verify, and act.

        Raises:
            DetachedError: the element is gone; nothing was done.
            NotActionableError, BlockedByPolicyError, PageOptedOutError: it is not fit.
        """
        done = await self._verified(performance, "perform", kind, target, needs, options)
        if done.done in ("unfocusable", "refused", "no_file_field"):
            raise error_of(target, Performed(ok=False, why=done.done), self._sight.ids, target.world)
        if done.done == "detached":
            raise DetachedError(target)
        return done

    async def _fit(self, performance: Performance, kind: str, target: Target, needs: dict[str, Any]) -> Performed:
        """Verify only; as ``_perform`` otherwise."""
        return await self._verified(performance, "fit", kind, target, needs)

    async def _verified(
        self,
        performance: Performance,
        command: str,
        kind: str,
        target: Target,
        needs: dict[str, Any],
        *options: dict[str, Any],
    ) -> Performed:
        asked = {**needs, "seen": target.seen, "known": target.known, "ignoreOptOut": self.config.ignore_opt_out}
        try:
            performed = await performance.act(command, kind, target.key, asked, *options, world=target.world)
        except AnotherDocumentError as error:
            raise DetachedError(target) from error
        if performed.ok:
            return performed
        if performed.why == "detached":
            raise DetachedError(target)
        raise error_of(target, performed, self._sight.ids, target.world)

    def _other(self, target: Target, key: int) -> Target:
        """Another element that an action comes to: the button of a form."""
        return target if key == target.key else Target(self._sight.ids.id_of(target.world, key), target.world, key)

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
                await self._sight.attached()
                met = await self._met(wanted)
            finally:
                self._sight.forget()
        return replace(result, expectation=met)

    async def _met(self, wanted: Expectation) -> ExpectationMet:
        """Whether it came true while the page settled; what an action sets going may take as long again."""
        why = await self._until(wanted, self.config.settle_timeout_ms / 1000)
        return ExpectationMet(not why, why or "it is as expected")

    async def _until(self, wanted: Expectation, timeout_s: float) -> str:
        """Wait until an expectation holds; "" when it does, else what does not hold after ``timeout_s`` seconds.

        The page is looked at anew when it has changed, and once more at the end: what is only shown differently is
        no change that anybody hears of.
        """
        until = time.monotonic() + timeout_s
        while True:
            why = "the page could not be looked at"
            try:
                why = unmet(wanted, *await self._known(wanted, until))
                rest_s = until - time.monotonic()
                if why and rest_s > 0:
                    rest_ms = round(rest_s * 1000)
                    await self._sight.eye.ask("nextChange", rest_ms, type_=bool, timeout_s=rest_s + ASK_TIMEOUT_S)
            except (SnapshotError, EvaluateError, NotActionableError, OperationTimeoutError):
                pass  # a dialog, or a document that is going away: nobody tells when that is over
            rest_s = until - time.monotonic()
            if not why or rest_s <= 0:
                return why
            await asyncio.sleep(min(_BETWEEN_LOOKS_S, rest_s))

    async def _known(self, wanted: Expectation, until: float) -> tuple[str, DomSnapshot | None]:
        if not wanted.needs_look:
            place = await self._sight.eye.ask("hello", type_=Place, timeout_s=ASK_TIMEOUT_S)
            self._sight.url = place.url
            return place.url, None
        snapshot = await self._sight.look(whole=True, deadline_s=max(_LEAST_LOOK_S, until - time.monotonic()))
        return snapshot.facts.url, snapshot


class DetachedError(Exception):
    """The element was gone before anything was done; caught where it is raised to, never shown."""

    def __init__(self, target: Target) -> None:
        super().__init__(target.node_id)
        self.target = target
