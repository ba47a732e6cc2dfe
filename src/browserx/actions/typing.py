"""Typing into a field, and pressing keys."""

import asyncio
import json
import sys
from typing import Any, NamedTuple

import msgspec

from browserx.actions.keys import CTRL, META, Stroke, stroke, typed
from browserx.actions.perform import Performance
from browserx.actions.result import ActionResult
from browserx.actions.target import Target, make_ready
from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.browser.settle import unless_dialog
from browserx.errors import InvalidArgumentError, NotActionableError, PageOptedOutError
from browserx.inpage.facts import Prepared

_TIMEOUT_S = 10.0
_LONGEST_DELAY_S = 2.0
_SELECT_ALL_WITH = META if sys.platform == "darwin" else CTRL


class Typing(NamedTuple):
    """What to type, and how.

    ``clear``: select all and Backspace first. ``char_by_char`` sends a key press for each character, with
    ``char_delay_s`` between two. A newline at the end is the Enter key, pressed after the text.
    """

    text: str
    clear: bool = True
    char_by_char: bool = False
    char_delay_s: float | None = None

    def check(self) -> None:
        """Raises ``InvalidArgumentError`` when it makes no sense."""
        if not isinstance(self.text, str):
            raise InvalidArgumentError("the text to type must be a string")
        if self.char_delay_s is not None and not 0 <= self.char_delay_s <= _LONGEST_DELAY_S:
            raise InvalidArgumentError(f"char_delay is a number of seconds from 0 to {_LONGEST_DELAY_S:g}")

    @property
    def wants_enter(self) -> bool:
        """Whether the text ends with the Enter key."""
        return self.text.endswith("\n")

    @property
    def body(self) -> str:
        """The text without that key."""
        return self.text[:-1] if self.wants_enter else self.text


async def type_text(
    performance: Performance, target: Target, typing: Typing, *, ignore_opt_out: bool = False
) -> ActionResult:
    """Focus a field, clear it or go to its end, and insert the text exactly as given.

    Dates, colours and sliders take their value as a picker gives it (``2026-11-22``, ``#ff8800``, ``40``). An editor
    that draws its text itself takes it in its field for keys, and must show it afterwards.
    """
    typing.check()
    attachment = performance.attachment
    ready = await make_ready(
        attachment, target, performance.ids, editable=True, byKeys=True, pointer=False, ignoreOptOut=ignore_opt_out
    )
    if target.frame.id == attachment.frames.main_id:
        x, y, width, height = ready.prepared.box
        performance.show("highlight", x + width / 2, y + height / 2)
    if ready.prepared.by_value:
        return await _set_value(performance, target.key, typing.body)
    keys_in, at_end = ready.prepared.keys_in or target.key, json.dumps(not typing.clear)
    focused = await attachment.call(target.frame, f"__browserx.focusOn({keys_in}, {at_end})", timeout_s=_TIMEOUT_S)
    if focused.result.value is not True:
        raise NotActionableError(
            f"element {target.node_id} does not take the focus; click it first, or choose another",
            node_id=target.node_id,
            reason="not_editable",
        )
    if not ready.prepared.keys_in:
        return await _enter(performance, typing, ready.prepared)
    await _send(performance, typing._replace(clear=typing.clear and not ready.prepared.empty))

    async def verify() -> str:
        asked = f"__browserx.shows({target.key}, {json.dumps(typing.body)})"
        shown = await attachment.call(target.frame, asked, timeout_s=_TIMEOUT_S)
        return "" if shown.result.value is True else "the editor does not show the text"

    return await performance.finish(verify=verify)


async def type_focused(performance: Performance, typing: Typing, *, ignore_opt_out: bool = False) -> ActionResult:
    """Type at the caret of what has the focus, in the frame of ``performance``.

    What takes no text itself (a game, a list that jumps to what is typed) gets a key press for each character.

    Raises:
        NotActionableError: what has the focus can only be read, or a dialog opened.
        PageOptedOutError: the page asks to be left alone.
    """
    typing.check()
    attachment = performance.attachment
    asked = f"__browserx.readyFocused({json.dumps({'ignoreOptOut': ignore_opt_out})})"
    answer = await unless_dialog(
        attachment, attachment.call(performance.frame, asked, timeout_s=_TIMEOUT_S), timeout_s=_TIMEOUT_S
    )
    if answer is None:
        raise NotActionableError("a dialog opened; answer it first", node_id="", reason="dialog")
    prepared = msgspec.convert(answer.result.value, Prepared)
    if prepared.why == "opted_out":
        raise PageOptedOutError("the page asks not to be used by AI (data-no-ai); leave it alone")
    if not prepared.ok:
        raise NotActionableError(
            "what has the focus can only be read; focus or click a field first", node_id="", reason=prepared.why
        )
    if prepared.by_value:
        return await _set_value(performance, prepared.key, typing.body)
    if not prepared.key:
        await _send(performance, typing._replace(clear=False, char_by_char=True))
        return await performance.finish()
    return await _enter(performance, typing, prepared)


async def _set_value(performance: Performance, key: int, value: str) -> ActionResult:
    asked = f"__browserx.setValue({key}, {json.dumps(value)})"
    await performance.attachment.call(performance.frame, asked, timeout_s=_TIMEOUT_S)
    return await performance.finish(expect=value)


async def _enter(performance: Performance, typing: Typing, prepared: Prepared) -> ActionResult:
    """Type into the field that has the focus now, and see what it holds then."""
    await _send(performance, typing._replace(clear=typing.clear and not prepared.empty))
    if typing.wants_enter:
        return await performance.finish()  # Enter may have emptied the field, or left it.
    if typing.clear:
        return await performance.finish(expect=typing.body)
    return await performance.finish(inserted=typing.body)


async def _send(performance: Performance, typing: Typing) -> None:
    commands: list[tuple[str, dict[str, Any]]] = []
    if typing.clear:
        commands += _press(stroke("a"), _SELECT_ALL_WITH, commands_=["selectAll"])
        commands += _press(stroke("Backspace"))
    if typing.char_by_char or typing.char_delay_s is not None:
        for character in typing.body:
            commands += _press(stroke("Enter")) if character == "\n" else _press(typed(character))
            if typing.char_delay_s is not None:
                await performance.input(*commands)
                commands.clear()
                await asyncio.sleep(typing.char_delay_s)
    elif typing.body:
        commands.append(("Input.insertText", {"text": typing.body}))
    if typing.wants_enter:
        commands += _press(stroke("Enter"))
    await performance.input(*commands)


async def focused_frame(attachment: Attachment) -> Frame:
    """The frame whose document has the focus, and so gets the keys."""
    frame = attachment.frames.main
    while True:
        found = await attachment.nodes(frame, "[__browserx.focusedFrame()]", timeout_s=_TIMEOUT_S)
        inner = attachment.frames.get(found[0].frame_id) if found and found[0] is not None else None
        if inner is None or inner.isolated is None or inner is frame:
            return frame
        frame = inner


async def press_key(performance: Performance, key: str, modifiers: list[str] | tuple[str, ...] = ()) -> ActionResult:
    """Press one key or chord, down and up, on whatever has the focus."""
    pressed = stroke(key, modifiers)
    await performance.attachment.call(performance.frame, "__browserx.beginWatch(0)", timeout_s=_TIMEOUT_S)
    editing = ["selectAll"] if pressed.code == "KeyA" and pressed.modifiers == _SELECT_ALL_WITH else None
    await performance.input(*_press(pressed, commands_=editing))
    return await performance.finish()


def _press(pressed: Stroke, modifiers: int = 0, commands_: list[str] | None = None) -> list[tuple[str, dict[str, Any]]]:
    if modifiers:
        pressed = Stroke(pressed.key, pressed.code, pressed.key_code, pressed.text, pressed.modifiers | modifiers)
    down, up = pressed.events()
    if commands_ and sys.platform == "darwin":
        # Elsewhere the browser knows what its own shortcuts mean.
        down["commands"] = commands_
    return [("Input.dispatchKeyEvent", down), ("Input.dispatchKeyEvent", up)]
