"""Acting on a page by script: one method for each action. ``ContentService`` is this, and the seeing half."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

from msgspec.structs import replace

from browserx.actions import ActionError, ActionResult, ExpectationMet, Verdict
from browserx.actions.keys import Stroke, modifier_bits, stroke, typed
from browserx.content.driver import Driver
from browserx.content.eye import AnotherDocumentError
from browserx.content.performing import Performance, Performed
from browserx.content.problems import error_of
from browserx.content.sight import ContentSight, Target
from browserx.errors import (
    BrowserXError,
    EvaluateError,
    InvalidArgumentError,
    NavigationError,
    NoSnapshotError,
    NotActionableError,
    OperationTimeoutError,
    PageOptedOutError,
    SnapshotError,
)
from browserx.inpage.facts import Scrolled
from browserx.page import ServiceConfig, describe
from browserx.page.counting import Counting
from browserx.page.expectation import Expectation, expectation, unmet
from browserx.page.hand import Expected

_ASK_TIMEOUT_S = 10.0
_LOOK_S = 10.0
_LEAST_LOOK_S = 1.0
_NAVIGATION_MS = 30_000
_STEP = 0.9
_MOST_SCROLLS = 50
#: What a list loads when its end comes into view begins to come within this.
_MORE_WITHIN_MS = 1000
_STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_BUTTONS = ("left", "right", "middle")
_ERROR_PAGES = ("chrome-error:", "about:neterror", "about:certerror")
_HELD_COMMANDS = 7
Direction = Literal["up", "down", "left", "right"]
Button = Literal["left", "right", "middle"]
Act = Callable[[Performance], Awaitable[ActionResult]]


class ContentActing(Counting):
    """Carries out one action at a time; whatever comes of it, the snapshot it was based on holds no more."""

    def __init__(self, driver: Driver, config: ServiceConfig) -> None:
        super().__init__(config, "content")
        self._lock = asyncio.Lock()
        self._sight = ContentSight(driver, config)

    async def click(
        self,
        node_id: str | int,
        *,
        button: Button = "left",
        click_count: int = 1,
        modifiers: list[str] | tuple[str, ...] = (),
        offset: tuple[float, float] | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Click an element, at the centre of what shows of it or at ``offset`` from its top left corner.

        Raises:
            NoSnapshotError: the page was not looked at since the last action.
            NodeNotFoundError: there is no such element (any more).
            NotActionableError: it is hidden, covered (says by what), disabled, moving, or a frame of another origin.
            BlockedByPolicyError: the browser lets only real input do this (file dialogs).
        """
        if button not in _BUTTONS:
            raise InvalidArgumentError(f"{button!r} is no button; they are left, right and middle")
        if click_count not in (1, 2, 3):
            raise InvalidArgumentError("click_count is 1, 2 or 3")
        options = {"button": button, "count": click_count, "held": modifier_bits(modifiers)}
        needs = {"offset": list(offset) if offset else None}
        return await self._act_on("click", node_id, options, expect, needs=needs, needs_reach=True)

    async def hover(
        self, node_id: str | int, *, offset: tuple[float, float] | None = None, expect: Expected = None
    ) -> ActionResult:
        """Move the pointer over an element. What the page does by script follows; hover styles do not."""
        return await self._act_on(
            "hover", node_id, {}, expect, needs={"enabled": False, "offset": list(offset) if offset else None}
        )

    async def focus(self, node_id: str | int, *, expect: Expected = None) -> ActionResult:
        """Give an element the focus."""
        return await self._act_on("focus", node_id, {}, expect, needs={"pointer": False})

    async def blur(self, node_id: str | int, *, expect: Expected = None) -> ActionResult:
        """Take the focus from an element."""
        return await self._act_on("blur", node_id, {}, expect, needs={"pointer": False, "enabled": False})

    async def check(self, node_id: str | int, *, expect: Expected = None) -> ActionResult:
        """Check a checkbox, switch or radio button; nothing is done to one that is checked."""
        return await self._check("check", node_id, wanted=True, expect=expect)

    async def uncheck(self, node_id: str | int, *, expect: Expected = None) -> ActionResult:
        """Uncheck a checkbox or switch; nothing is done to one that is not checked."""
        return await self._check("uncheck", node_id, wanted=False, expect=expect)

    async def select_option(
        self,
        node_id: str | int,
        *,
        value: str | Sequence[str] | None = None,
        label: str | Sequence[str] | None = None,
        index: int | Sequence[int] | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Choose from a native list: by value, label or index, one or (where the list takes them) several.

        Raises:
            InvalidArgumentError: not exactly one of the three was given.
            NotActionableError: it is no list, or has no such option.
        """
        given = {"value": value, "label": label, "index": index}
        chosen = [(by, what) for by, what in given.items() if what is not None]
        if len(chosen) != 1:
            raise InvalidArgumentError("give one of value, label and index")
        by, what = chosen[0]
        wanted = {"by": by, "what": [what] if isinstance(what, str | int) else list(what)}
        return await self._act_on("select", node_id, {"wanted": wanted}, expect, needs={"pointer": False})

    async def type(
        self,
        node_id: str | int | None,
        text: str,
        *,
        clear: bool | None = None,
        char_by_char: bool = False,
        char_delay: float | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Type into a field: focus, clear, one key for each character, change; a newline at its end presses Enter.

        Without a ``node_id``: at the caret of what has the focus, which is cleared only with ``clear=True``.

        Raises:
            NoSnapshotError, NodeNotFoundError: as ``click``.
            NotActionableError: it takes no text, or is hidden, disabled or read-only.
        """
        if not isinstance(text, str):
            raise InvalidArgumentError("the text to type must be a string")
        del char_by_char, char_delay  # there is no other way here, and nobody to wait for
        ends_with_enter = text.endswith("\n")
        body = text[:-1] if ends_with_enter else text
        strokes = [_wire(stroke("Enter") if character == "\n" else typed(character)) for character in text]

        clears = clear is not False and (clear or node_id is not None)
        options = {"strokes": strokes, "clear": clears, "value": body}

        async def finish(performance: Performance, done: Performed) -> ActionResult:
            if done.by_value or (clears and not ends_with_enter):
                return await performance.finish(expect=body)
            return await performance.finish(inserted=None if ends_with_enter else body)

        async def act(performance: Performance) -> ActionResult:
            if node_id is None:
                return await type_focused(performance)
            target = self._target(node_id)
            needs = {"editable": True, "pointer": False}
            done = await self._perform(performance, "type", target, needs, options)
            self._heed(target, done)
            return await finish(performance, done)

        async def type_focused(performance: Performance) -> ActionResult:
            done = await performance.act("typeFocused", options, {"ignoreOptOut": self.config.ignore_opt_out})
            if done.why == "opted_out":
                raise PageOptedOutError("the page asks not to be used by AI (data-no-ai); leave it alone")
            if not done.ok or done.done == "refused":
                raise NotActionableError(
                    "what has the focus does not take that; focus or click a field first",
                    node_id="",
                    reason=done.why or "not_editable",
                )
            return await finish(performance, done) if done.key else await performance.finish()

        return await self._act("type", act, expect, node_id=node_id)

    async def keypress(
        self, key: str, modifiers: list[str] | tuple[str, ...] = (), *, expect: Expected = None
    ) -> ActionResult:
        """Press one key ("Enter", "a") or chord ("Control+A") on whatever has the focus."""
        pressed = _wire(stroke(key, modifiers))

        async def act(performance: Performance) -> ActionResult:
            await performance.act("press", pressed)
            return await performance.finish()

        return await self._act("keypress", act, expect)

    async def scroll(
        self,
        node_id: str | int | None = None,
        direction: Direction = "down",
        *,
        amount: float = 1.0,
        to: Literal["start", "end"] | None = None,
        until: Literal["end"] | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Scroll the page, or the box that ``node_id`` is or is in, by ``amount`` windows or to its start or end.

        ``until="end"`` goes to the end again and again, for lists that load more when it comes into view: until nothing
        more comes, at most fifty times.
        """
        if until not in (None, "end"):
            raise InvalidArgumentError('until is "end"')
        if direction not in _STEPS:
            raise InvalidArgumentError(f"{direction!r} is no direction; they are up, down, left and right")
        if to not in (None, "start", "end"):
            raise InvalidArgumentError('to is "start" or "end"')
        if not 0 < amount <= 1000:
            raise InvalidArgumentError("amount is a number of windows, above 0 and at most 1000")
        dx, dy = _STEPS[direction]
        options = {"dx": dx * amount * _STEP, "dy": dy * amount * _STEP, "to": until or to or ""}

        async def act(performance: Performance) -> ActionResult:
            target = self._target(node_id) if node_id is not None else None
            key, eye, world = target.key if target is not None else 0, self._sight.eye, performance.world

            async def go() -> bool:
                done = await eye.ask("scroll", key, options, type_=Scrolled, timeout_s=_ASK_TIMEOUT_S, world=world)
                if not done.ok and target is not None:
                    raise _Detached(target)
                return done.moved

            moved = await go()
            for _ in range(_MOST_SCROLLS if until else 0):
                within = (key, _MORE_WITHIN_MS)
                if not await eye.ask("moreComes", *within, type_=bool, timeout_s=_ASK_TIMEOUT_S, world=world):
                    break
                await go()
            return await performance.finish(moved=moved)

        return await self._act("scroll", act, expect, node_id=node_id)

    async def navigate(self, url: str, *, expect: Expected = None) -> ActionResult:
        """Open ``url`` in the page; returns when its document is there and quiet.

        Raises:
            InvalidArgumentError: it is no address of a page.
            NavigationError: no page came.
        """
        if urlsplit(url).scheme not in ("http", "https", "file", "data", "about"):
            raise InvalidArgumentError(f"{url!r} is no address of a page; give one like https://example.com/")
        return await self._go("navigate", url, expect)

    async def back(self, *, expect: Expected = None) -> ActionResult:
        """Go back in the page's history."""
        return await self._go("back", -1, expect)

    async def forward(self, *, expect: Expected = None) -> ActionResult:
        """Go forward in the page's history."""
        return await self._go("forward", 1, expect)

    async def reload(self, *, expect: Expected = None) -> ActionResult:
        """Load the page anew."""
        return await self._go("reload", 0, expect)

    # inside

    async def _check(self, name: str, node_id: str | int, *, wanted: bool, expect: Expected) -> ActionResult:
        async def act(performance: Performance) -> ActionResult:
            target = self._target(node_id)
            done = await self._perform(performance, "check", target, {}, {"wanted": wanted})
            self._heed(target, done)
            result = await performance.finish()
            if result.verdict in (Verdict.CHANGED, Verdict.NO_EFFECT):
                ask = self._sight.eye.ask
                is_so = await ask("state", target.key, type_=bool, timeout_s=_ASK_TIMEOUT_S, world=performance.world)
                if is_so is not wanted:
                    result.success = False
                    result.error = ActionError(
                        "NOT_ACTIONABLE", f"the element did not take it: it is not {name}ed; observe again", True
                    )
            return result

        return await self._act(name, act, expect, node_id=node_id)

    async def _act_on(
        self,
        kind: str,
        node_id: str | int,
        options: dict[str, Any],
        expect: Expected,
        *,
        needs: dict[str, Any],
        needs_reach: bool = False,
    ) -> ActionResult:
        """Carry out an action on an element of the current snapshot."""

        async def act(performance: Performance) -> ActionResult:
            target = self._target(node_id)
            done = await self._perform(performance, kind, target, needs, options)
            self._heed(target, done)
            at = done.point if done.point != (0.0, 0.0) else None
            return await performance.finish(needs_reach=needs_reach and done.tag != "select", at=at)

        return await self._act(kind, act, expect, node_id=node_id)

    async def _perform(
        self, performance: Performance, kind: str, target: Target, needs: dict[str, Any], options: dict[str, Any]
    ) -> Performed:
        """Verify, and act.

        Raises:
            _Detached: the element is gone; nothing was done.
            NotActionableError, BlockedByPolicyError, PageOptedOutError: it is not fit.
        """
        asked = {**needs, "seen": target.seen, "known": target.known, "ignoreOptOut": self.config.ignore_opt_out}
        try:
            performed = await performance.act("perform", kind, target.key, asked, options, world=target.world)
        except AnotherDocumentError as error:
            raise _Detached(target) from error
        if performed.ok:
            return performed
        if performed.why == "detached":
            raise _Detached(target)
        raise error_of(target, performed, self._sight.ids, target.world)

    def _heed(self, target: Target, done: Performed) -> None:
        """Fail if the action could not be done though the element was fit."""
        if done.done in ("unfocusable", "refused"):
            raise error_of(target, Performed(ok=False, why=done.done), self._sight.ids, target.world)
        if done.done and done.done != "interrupted":
            raise NotActionableError(
                f"element {target.node_id} {done.done}; observe again", node_id=target.node_id, reason="not_editable"
            )

    def _target(self, node_id: str | int) -> Target:
        if self._sight.snapshot is None:
            raise NoSnapshotError("the page was not looked at since it last changed; observe first")
        return self._sight.target(node_id)

    async def _go(self, name: str, where: str | int, expect: Expected) -> ActionResult:
        async def act(performance: Performance) -> ActionResult:
            await performance.act("go", where)
            result = await performance.finish(leaving_ms=_NAVIGATION_MS)
            url = self._sight.eye.world and (result.changes.url if result.changes is not None else None)
            if url and url.startswith(_ERROR_PAGES):
                raise NavigationError(f"{where} did not load; check the address", url=str(where), reason=url)
            return result

        return await self._act(name, act, expect)

    async def _act(
        self, name: str, act: Act, expect: Expected = None, *, node_id: str | int | None = None
    ) -> ActionResult:
        """Whatever comes of it, the snapshot it was based on holds no more."""
        started = time.perf_counter()
        wanted = expectation(expect, node_id) if expect is not None else None
        try:
            async with self._lock:
                eye = await self._sight.attached()
                try:
                    if node_id is not None:
                        self._target(node_id)
                    result = await self._with_one_retry(lambda: Performance(eye, self._sight.ids, self.config), act)
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

    async def _with_one_retry(self, begin: Callable[[], Performance], act: Act) -> ActionResult:
        """Act; when the element was gone, so that nothing was done, look once more for one that took over from it."""
        snapshot = self._sight.snapshot
        for is_last in (False, True):
            performance = begin()
            try:
                await performance.begin()
                return await act(performance)
            except _Detached as error:
                target = error.target
                if is_last:
                    raise describe.not_found(target.node_id, snapshot) from error
                await self._sight.look(whole=True, deadline_s=_LOOK_S)
                ref = self._sight.ids.ref(target.node_id)
                if ref is None or (ref.world, ref.key) == (target.world, target.key):
                    raise describe.not_found(target.node_id, snapshot) from error
        raise AssertionError

    async def _met(self, wanted: Expectation) -> ExpectationMet:
        """Whether it came true while the page settled, or does in as long again; looked at when the page changes."""
        until = time.monotonic() + self.config.settle_timeout_ms / 1000
        while True:
            why, rest_s = "the page could not be read", until - time.monotonic()
            try:
                snapshot = await self._sight.look(whole=True, deadline_s=max(_LEAST_LOOK_S, rest_s))
                why = unmet(wanted, snapshot.facts.url, snapshot)
                rest_s = until - time.monotonic()
                if why and rest_s > 0:
                    await self._sight.eye.ask(
                        "nextChange", round(rest_s * 1000), type_=bool, timeout_s=rest_s + _ASK_TIMEOUT_S
                    )
            except (SnapshotError, EvaluateError, NotActionableError, OperationTimeoutError):
                pass  # a dialog, or a document that is going away
            if not why or rest_s <= 0:
                return ExpectationMet(not why, why or "it is as expected")


class _Detached(Exception):  # noqa: N818 - caught where it is raised to, never shown
    """The element was gone before anything was done."""

    def __init__(self, target: Target) -> None:
        super().__init__(json.dumps(target.node_id))
        self.target = target


def _wire(pressed: Stroke) -> dict[str, Any]:
    """A key as the content script takes it. With Ctrl, Alt or Meta it is a command and types nothing."""
    return {
        "key": pressed.key,
        "code": pressed.code,
        "keyCode": pressed.key_code,
        "text": "" if pressed.modifiers & _HELD_COMMANDS else pressed.text,
        "held": pressed.modifiers,
    }
