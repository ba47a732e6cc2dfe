"""Pointer and keys by script: one method for each action, as ``DomService`` has them.

Every action on an element takes a node id of the current snapshot, and raises

- ``NoSnapshotError``: the page was not looked at since the last action;
- ``NodeNotFoundError``: there is no such element (any more), or two may be meant;
- ``NotActionableError``: it is hidden, covered (says by what), disabled or moving, a frame of another origin, or a
  dialog is open;
- ``InvalidArgumentError``: what was given makes no sense;
- ``BlockedByPolicyError``: the browser lets only real input do this (file dialogs).

``expect`` says what should be so afterwards; the result tells whether it is (``expectation``).
"""

from functools import partial
from typing import Any, Literal

from browserx.actions import ActionResult
from browserx.actions.focusing import unfocusable
from browserx.actions.keys import Stroke, modifier_bits, stroke, typed
from browserx.actions.pointer import Button, check_click
from browserx.actions.scrolling import MORE_WITHIN_MS, Direction, way_of
from browserx.actions.typing import Typing
from browserx.content.hand import ContentHand, DetachedError
from browserx.content.performing import Performance
from browserx.content.sight import Target
from browserx.errors import InvalidArgumentError, NotActionableError, PageOptedOutError
from browserx.inpage.facts import Scrolled
from browserx.page.hand import Expected

_MOST_SCROLLS = 50
_HELD_COMMANDS = 7
Modifiers = list[str] | tuple[str, ...]
NodeId = str | int


class Pressing(ContentHand):
    """The actions with the pointer and with keys."""

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

    async def type(
        self,
        node_id: NodeId | None,
        text: str,
        *,
        clear: bool | None = None,
        char_by_char: bool = False,
        char_delay: float | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Type into a field: focus, clear, one key for each character, change; a newline at its end presses Enter.

        Without a ``node_id``: at the caret of what has the focus, which is cleared only with ``clear=True``. There is
        no other way than key by key here, and nobody to wait for between two.
        """
        typing = Typing(text, clear is not False and (clear or node_id is not None), char_by_char, char_delay)
        typing.check()
        if node_id is None:
            return await self._act("type", partial(self._type_focused, typing=typing), expect)
        return await self._act_at("type", node_id, partial(self._type, typing=typing), expect)

    async def _type(self, performance: Performance, target: Target, *, typing: Typing) -> ActionResult:
        needs = {"editable": True, "pointer": False}
        done = await self._perform(performance, "type", target, needs, _keys(typing))
        return await self._typed(performance, typing, by_value=done.by_value)

    async def _type_focused(self, performance: Performance, *, typing: Typing) -> ActionResult:
        done = await performance.act("typeFocused", _keys(typing), {"ignoreOptOut": self.config.ignore_opt_out})
        if done.why == "opted_out":
            raise PageOptedOutError("the page asks not to be used by AI (data-no-ai); leave it alone")
        if not done.ok or done.done == "refused":
            raise NotActionableError(
                "what has the focus does not take that; focus or click a field first",
                node_id="",
                reason=done.why or "not_editable",
            )
        if not done.key:
            return await performance.finish()
        return await self._typed(performance, typing, by_value=done.by_value)

    @staticmethod
    async def _typed(performance: Performance, typing: Typing, *, by_value: bool) -> ActionResult:
        if by_value or (typing.clear and not typing.wants_enter):
            return await performance.finish(expect=typing.body)
        return await performance.finish(inserted=None if typing.wants_enter else typing.body)

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


def _wire(pressed: Stroke) -> dict[str, Any]:
    """A key as the content script takes it. With Ctrl, Alt or Meta it is a command and types nothing."""
    return {
        "key": pressed.key,
        "code": pressed.code,
        "keyCode": pressed.key_code,
        "text": "" if pressed.modifiers & _HELD_COMMANDS else pressed.text,
        "held": pressed.modifiers,
    }


def _keys(typing: Typing) -> dict[str, Any]:
    """What to type, as the script takes it."""
    strokes = [_wire(stroke("Enter") if character == "\n" else typed(character)) for character in typing.text]
    return {"strokes": strokes, "clear": typing.clear, "value": typing.body}
