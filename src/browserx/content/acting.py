"""Acting on a page by script: one method for each action, as ``DomService`` has them.

Every action on an element takes a node id of the current snapshot, and raises

- ``NoSnapshotError``: the page was not looked at since the last action;
- ``NodeNotFoundError``: there is no such element (any more), or two may be meant;
- ``NotActionableError``: it is hidden, covered (says by what), disabled or moving, a frame of another origin, or a
  dialog is open;
- ``InvalidArgumentError``: what was given makes no sense;
- ``BlockedByPolicyError``: the browser lets only real input do this (file dialogs).

``expect`` says what should be so afterwards; the result tells whether it is (``expectation``).
"""

import asyncio
import os
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal
from urllib.parse import urlsplit

from browserx.actions import ActionResult
from browserx.actions.choosing import Chosen, no_choice, not_chosen, not_taken, wanted_options
from browserx.actions.dragging import apart, check_end
from browserx.actions.files import not_held, readable, takes_one
from browserx.actions.focusing import unfocusable
from browserx.actions.keys import Stroke, modifier_bits, stroke, typed
from browserx.actions.pointer import Button, check_click
from browserx.actions.scrolling import MORE_WITHIN_MS, Direction, way_of
from browserx.actions.submitting import Submitter, in_no_form, unsendable
from browserx.actions.typing import check_text
from browserx.content.files import handed_in
from browserx.content.hand import ContentHand, DetachedError
from browserx.content.performing import Performance
from browserx.content.sight import Target
from browserx.errors import InvalidArgumentError, NavigationError
from browserx.inpage.facts import Scrolled
from browserx.page import waiting
from browserx.page.expectation import State, expectation
from browserx.page.hand import Expected

_NAVIGATION_MS = 30_000
_MOST_SCROLLS = 50
_ERROR_PAGES = ("chrome-error:", "about:neterror", "about:certerror")
_HELD_COMMANDS = 7
Modifiers = list[str] | tuple[str, ...]
NodeId = str | int


class ContentActing(ContentHand):
    """One method for each action."""

    async def click(
        self,
        node_id: NodeId,
        *,
        button: Button = "left",
        click_count: int = 1,
        modifiers: Modifiers = (),
        offset: tuple[float, float] | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Click an element, at the centre of what shows of it or at ``offset`` from its top left corner."""
        check_click(button, click_count)
        options = {"button": button, "count": click_count, "held": modifier_bits(modifiers)}
        return await self._act_at("click", node_id, partial(self._click, options=options, offset=offset), expect)

    async def _click(
        self,
        performance: Performance,
        target: Target,
        *,
        options: dict[str, Any],
        offset: tuple[float, float] | None = None,
    ) -> ActionResult:
        needs = {"offset": list(offset) if offset else None}
        done = await self._perform(performance, "click", target, needs, options)
        # A list only gets the focus: no event is to reach it.
        return await performance.finish(needs_reach=done.tag != "select", at=done.place)

    async def hover(
        self, node_id: NodeId, *, offset: tuple[float, float] | None = None, expect: Expected = None
    ) -> ActionResult:
        """Move the pointer over an element. What the page does by script follows; hover styles do not."""

        async def act(performance: Performance, target: Target) -> ActionResult:
            needs = {"enabled": False, "offset": list(offset) if offset else None}
            done = await self._perform(performance, "hover", target, needs, {})
            return await performance.finish(at=done.place)

        return await self._act_at("hover", node_id, act, expect)

    async def focus(self, node_id: NodeId, *, expect: Expected = None) -> ActionResult:
        """Give an element the focus, without pressing it."""

        async def act(performance: Performance, target: Target) -> ActionResult:
            done = await self._perform(performance, "focus", target, {"pointer": False}, {})
            if done.done:
                raise unfocusable(target)
            return await performance.finish()

        return await self._act_at("focus", node_id, act, expect)

    async def blur(self, node_id: NodeId, *, expect: Expected = None) -> ActionResult:
        """Take the focus away from an element."""

        async def act(performance: Performance, target: Target) -> ActionResult:
            await self._perform(performance, "blur", target, {"pointer": False, "enabled": False}, {})
            return await performance.finish()

        return await self._act_at("blur", node_id, act, expect)

    async def check(self, node_id: NodeId, *, expect: Expected = None) -> ActionResult:
        """See to it that a box, radio or switch is on; one that is on is left alone."""
        return await self._act_at("check", node_id, partial(self._check, wanted=True), expect)

    async def uncheck(self, node_id: NodeId, *, expect: Expected = None) -> ActionResult:
        """See to it that a box or switch is off; one that is off is left alone."""
        return await self._act_at("uncheck", node_id, partial(self._check, wanted=False), expect)

    async def _check(self, performance: Performance, target: Target, *, wanted: bool) -> ActionResult:
        done = await self._perform(performance, "check", target, {"wanted": wanted}, {})

        async def verify() -> str:
            state = await self._ask(performance, "checkedState", target.key, type_=str | None)
            return not_taken(state, checked=wanted)

        return await performance.finish(at=done.place, verify=verify if done.pressed else None)

    async def select_option(
        self,
        node_id: NodeId,
        *,
        value: str | Sequence[str] | None = None,
        label: str | Sequence[str] | None = None,
        index: int | Sequence[int] | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Choose in a native list, by value, label or place (from 0); several where it takes several.

        For any other kind of list: ``choose``.
        """
        asked = wanted_options(value=value, label=label, index=index)

        async def act(performance: Performance, target: Target) -> ActionResult:
            await self._perform(performance, "watch", target, {"pointer": False}, {})
            done: Chosen = await self._ask(performance, "selectOptions", target.key, asked, type_=Chosen)
            if not done.ok:
                raise no_choice(target, done, asked)

            async def verify() -> str:
                now = await self._ask(performance, "selectedValues", target.key, type_=list[str] | None)
                return not_chosen(done, now)

            return await performance.finish(verify=verify)

        return await self._act_at("select_option", node_id, act, expect)

    async def type(
        self,
        node_id: NodeId,
        text: str,
        *,
        clear: bool = True,
        char_by_char: bool = False,
        char_delay: float | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Type into a field: focus, clear, one key for each character, change; a newline at its end presses Enter.

        There is no other way than key by key here, and nobody to wait for between two.
        """
        check_text(text, char_delay)
        del char_by_char, char_delay
        return await self._act_at("type", node_id, partial(self._type, text=text, clear=clear), expect)

    async def _type(self, performance: Performance, target: Target, *, text: str, clear: bool) -> ActionResult:
        ends_with_enter = text.endswith("\n")
        body = text[:-1] if ends_with_enter else text
        strokes = [_wire(stroke("Enter") if character == "\n" else typed(character)) for character in text]
        needs = {"editable": True, "pointer": False}
        options = {"strokes": strokes, "clear": clear, "value": body}
        done = await self._perform(performance, "type", target, needs, options)
        is_known = done.by_value or (clear and not ends_with_enter)
        return await performance.finish(expect=body if is_known else None)

    async def keypress(self, key: str, modifiers: Modifiers = (), *, expect: Expected = None) -> ActionResult:
        """Press one key ("Enter", "a") or chord ("Control+A") on whatever has the focus."""
        pressed = _wire(stroke(key, modifiers))

        async def act(performance: Performance) -> ActionResult:
            await performance.act("press", pressed)
            return await performance.finish()

        return await self._act("keypress", act, expect)

    async def scroll(
        self,
        node_id: NodeId | None = None,
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
        way = way_of(direction, amount, until or to)

        async def act(performance: Performance, target: Target | None = None) -> ActionResult:
            key = target.key if target is not None else 0

            async def go() -> bool:
                done: Scrolled = await self._ask(performance, "scroll", key, way, type_=Scrolled)
                if not done.ok and target is not None:
                    raise DetachedError(target)
                return done.moved

            moved = await go()
            for _ in range(_MOST_SCROLLS if until else 0):
                if not await self._ask(performance, "moreComes", key, MORE_WITHIN_MS, type_=bool):
                    break
                await go()
            return await performance.finish(moved=moved)

        if node_id is None:
            return await self._act("scroll", act, expect)
        return await self._act_at("scroll", node_id, act, expect)

    async def drag(
        self,
        node_id: NodeId,
        to: NodeId | None = None,
        *,
        offset: tuple[float, float] | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Drag an element onto another, or by ``offset`` in CSS px; with data or by pointer, as the page has it."""

        async def act(performance: Performance, target: Target) -> ActionResult:
            check_end(to, offset)
            end = self._sight.target(to) if to is not None else None
            if end is not None:
                await self._fit(performance, "drop", end, {"enabled": False, "pointer": False})
            options = {"to": end.key if end is not None else 0, "offset": list(offset) if offset else None}
            done = await self._perform(performance, "drag", target, {"enabled": False}, options)
            if done.done == "apart" and end is not None:
                raise apart(target, end)
            return await performance.finish(needs_reach=True, at=done.place)

        return await self._act_at("drag", node_id, act, expect)

    async def upload(
        self, node_id: NodeId, files: Sequence[str | os.PathLike[str]], *, expect: Expected = None
    ) -> ActionResult:
        """Give files to a field, or to the one behind a label, button or area that asks for files.

        Their bytes are handed in with the script, so that they are at most 32 MB together.
        """

        async def act(performance: Performance, target: Target) -> ActionResult:
            paths = await asyncio.to_thread(readable, files)
            given = await asyncio.to_thread(handed_in, paths)
            done = await self._perform(performance, "upload", target, {}, {"files": given})
            if done.done == "one_file":
                raise takes_one(target, len(paths))

            async def verify() -> str:
                return not_held(await self._ask(performance, "filesHeld", done.field, type_=list[str]), paths)

            return await performance.finish(verify=verify if done.field else None)

        return await self._act_at("upload", node_id, act, expect)

    async def submit(self, node_id: NodeId, *, expect: Expected = None) -> ActionResult:
        """Send the form that an element is, or is in: by its button, or by Enter in one of its fields."""

        async def act(performance: Performance, target: Target) -> ActionResult:
            await self._fit(performance, "submit", target, {"shown": False, "pointer": False, "enabled": False})
            found: Submitter | None = await self._ask(performance, "submitter", target.key, type_=Submitter | None)
            if found is None:
                raise in_no_form(target)
            if found.button:
                return await self._click(performance, self._other(target, found.button), options={})
            if found.field:
                return await self._type(performance, self._other(target, found.field), text="\n", clear=False)
            raise unsendable(target)

        return await self._act_at("submit", node_id, act, expect)

    # going, and waiting

    async def navigate(self, url: str, *, expect: Expected = None) -> ActionResult:
        """Open ``url`` in the page; returns when its document is there and quiet.

        Raises:
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

    async def _go(self, name: str, where: str | int, expect: Expected) -> ActionResult:
        async def act(performance: Performance) -> ActionResult:
            await performance.act("go", where)
            result = await performance.finish(leaving_ms=_NAVIGATION_MS)
            url = self._sight.eye.world and (result.changes.url if result.changes is not None else None)
            if url and url.startswith(_ERROR_PAGES):
                raise NavigationError(f"{where} did not load; check the address", url=str(where), reason=url)
            return result

        return await self._act(name, act, expect)

    async def wait_for(
        self,
        *,
        text: str | None = None,
        gone: str | None = None,
        url: str | None = None,
        node_id: NodeId | None = None,
        state: State | None = None,
        value: str | None = None,
        timeout_s: float = 10.0,
    ) -> ActionResult:
        """Wait until a text is there, or gone, the address fits, or an element is in a state or holds a value.

        Raises:
            OperationTimeoutError: it did not come to that within ``timeout_s`` seconds; says what is so instead.
        """
        given = {"text": text, "gone": gone, "url": url, "node_id": node_id, "state": state, "value": value}
        wanted = expectation({name: one for name, one in given.items() if one is not None})

        async def act(performance: Performance) -> ActionResult:
            self._sight.url = performance.before.url
            return await waiting.wait(partial(self._until, wanted), lambda: self._sight.url, timeout_s)

        return await self._act("wait", act)


def _wire(pressed: Stroke) -> dict[str, Any]:
    """A key as the content script takes it. With Ctrl, Alt or Meta it is a command and types nothing."""
    return {
        "key": pressed.key,
        "code": pressed.code,
        "keyCode": pressed.key_code,
        "text": "" if pressed.modifiers & _HELD_COMMANDS else pressed.text,
        "held": pressed.modifiers,
    }
