"""Typing into a field, and pressing keys."""

import asyncio
import json
import sys
from typing import Any

from browserx.actions.keys import CTRL, META, Stroke, stroke, typed
from browserx.actions.perform import Performance
from browserx.actions.result import ActionResult
from browserx.actions.target import Target, make_ready
from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.errors import InvalidArgumentError, NotActionableError

_TIMEOUT_S = 10.0
_LONGEST_DELAY_S = 2.0
_SELECT_ALL_WITH = META if sys.platform == "darwin" else CTRL


async def type_text(
    performance: Performance,
    target: Target,
    text: str,
    *,
    clear: bool = True,
    char_by_char: bool = False,
    char_delay_s: float | None = None,
    ignore_opt_out: bool = False,
) -> ActionResult:
    """Focus a field, clear it (select all, Backspace), and insert ``text`` exactly as given.

    A newline at the end is the Enter key, pressed after the text. Dates, colours and sliders take their value as a
    picker gives it (``2026-11-22``, ``#ff8800``, ``40``). An editor that draws its text itself takes it in its field
    for keys, and must show it afterwards. ``char_by_char`` sends a key press for each character, with
    ``char_delay_s`` between two.
    """
    if not isinstance(text, str):
        raise InvalidArgumentError("the text to type must be a string")
    if char_delay_s is not None and not 0 <= char_delay_s <= _LONGEST_DELAY_S:
        raise InvalidArgumentError(f"char_delay is a number of seconds from 0 to {_LONGEST_DELAY_S:g}")
    attachment = performance.attachment
    ready = await make_ready(
        attachment, target, performance.ids, editable=True, byKeys=True, pointer=False, ignoreOptOut=ignore_opt_out
    )
    if target.frame.id == attachment.frames.main_id:
        x, y, width, height = ready.prepared.box
        performance.show("highlight", x + width / 2, y + height / 2)
    wants_enter = text.endswith("\n")
    body = text[:-1] if wants_enter else text
    if ready.prepared.by_value:
        await attachment.call(
            target.frame, f"__browserx.setValue({target.key}, {json.dumps(body)})", timeout_s=_TIMEOUT_S
        )
        return await performance.finish(expect=body)
    keys_in = ready.prepared.keys_in or target.key
    focused = await attachment.call(target.frame, f"__browserx.focusOn({keys_in})", timeout_s=_TIMEOUT_S)
    if focused.result.value is not True:
        raise NotActionableError(
            f"element {target.node_id} does not take the focus; click it first, or choose another",
            node_id=target.node_id,
            reason="not_editable",
        )
    commands: list[tuple[str, dict[str, Any]]] = []
    if clear and not ready.prepared.empty:
        commands += _press(stroke("a"), _SELECT_ALL_WITH, commands_=["selectAll"])
        commands += _press(stroke("Backspace"))
    if char_by_char or char_delay_s is not None:
        for character in body:
            commands += _press(stroke("Enter")) if character == "\n" else _press(typed(character))
            if char_delay_s is not None:
                await performance.input(*commands)
                commands.clear()
                await asyncio.sleep(char_delay_s)
    elif body:
        commands.append(("Input.insertText", {"text": body}))
    if wants_enter:
        commands += _press(stroke("Enter"))
    await performance.input(*commands)
    if ready.prepared.keys_in:

        async def verify() -> str:
            asked = f"__browserx.shows({target.key}, {json.dumps(body)})"
            shown = await attachment.call(target.frame, asked, timeout_s=_TIMEOUT_S)
            return "" if shown.result.value is True else "the editor does not show the text"

        return await performance.finish(verify=verify)
    return await performance.finish(expect=None if wants_enter or not clear else body)


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
