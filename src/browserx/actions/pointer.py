"""Clicking and hovering."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal

from browserx.actions.keys import modifier_bits
from browserx.actions.perform import Performance
from browserx.actions.result import ActionResult
from browserx.actions.target import Target, make_ready
from browserx.browser.settle import unless_dialog
from browserx.errors import InvalidArgumentError

Button = Literal["left", "right", "middle"]
_MOVES = 5
_FEEL_MS = 100
_HELD = {"left": 1, "right": 2, "middle": 4}


async def click(
    performance: Performance,
    target: Target,
    *,
    button: Button = "left",
    click_count: int = 1,
    modifiers: list[str] | tuple[str, ...] = (),
    offset: tuple[float, float] | None = None,
    ignore_opt_out: bool = False,
    verify: Callable[[], Awaitable[str]] | None = None,
) -> ActionResult:
    """Press and release the pointer on an element: at the centre of its visible part, or at ``offset`` from its corner.

    A ``<select>`` only gets the focus: its list is drawn by the system, outside of the page.
    """
    check_click(button, click_count)
    bits = modifier_bits(modifiers)
    ready = await make_ready(
        performance.attachment,
        target,
        performance.ids,
        offset=list(offset) if offset else None,
        ignoreOptOut=ignore_opt_out,
    )
    at = (ready.x, ready.y)
    if ready.prepared.tag == "select" and button == "left":
        await performance.attachment.call(target.frame, f"__browserx.focusOn({target.key})", timeout_s=10)
        performance.show("highlight", *at)
        return await performance.finish()
    common: dict[str, Any] = {"x": ready.x, "y": ready.y, "modifiers": bits}
    move = ("Input.dispatchMouseEvent", {**common, "type": "mouseMoved", "button": "none", "buttons": 0})
    events: list[tuple[str, dict[str, Any]]] = [move]
    if target.frame.session is not performance.attachment.session:
        await _find_the_way(performance, target, move)
    for count in range(1, click_count + 1):
        pressed = {**common, "button": button, "clickCount": count}
        events.append(("Input.dispatchMouseEvent", {**pressed, "type": "mousePressed", "buttons": _HELD[button]}))
        events.append(("Input.dispatchMouseEvent", {**pressed, "type": "mouseReleased", "buttons": 0}))
    performance.show("ripple", *at)
    await performance.input(*events)
    return await performance.finish(needs_reach=True, verify=verify)


def check_click(button: str, click_count: int) -> None:
    """Raise ``InvalidArgumentError`` unless there are such clicks."""
    if button not in _HELD:
        raise InvalidArgumentError(f"{button!r} is no button; they are left, right and middle")
    if click_count not in (1, 2, 3):
        raise InvalidArgumentError("click_count is 1, 2 or 3")


async def hover(
    performance: Performance,
    target: Target,
    *,
    offset: tuple[float, float] | None = None,
    ignore_opt_out: bool = False,
) -> ActionResult:
    """Move the pointer onto an element, and leave it there."""
    ready = await make_ready(
        performance.attachment,
        target,
        performance.ids,
        enabled=False,
        hover=True,
        offset=list(offset) if offset else None,
        ignoreOptOut=ignore_opt_out,
    )
    common: dict[str, Any] = {"type": "mouseMoved", "button": "none", "buttons": 0, "y": ready.y}
    # From beside it: a pointer that is there already would not move.
    moves = [("Input.dispatchMouseEvent", {**common, "x": x}) for x in (ready.x - 1, ready.x)]
    if target.frame.session is not performance.attachment.session:
        await _find_the_way(performance, target, moves[-1])
    performance.show("cursor", ready.x, ready.y)
    await performance.input(*moves)
    return await performance.finish(needs_reach=True)


async def _find_the_way(performance: Performance, target: Target, move: tuple[str, dict[str, Any]]) -> None:
    """Move the pointer until the frame of the target, drawn by a process of its own, has felt it.

    The browser hands input to the frame it last drew at that point. A frame that has just come or moved may not be
    drawn there yet: a press would land in the frame around it. A move does no harm, so it goes first. If the frame
    never feels it, the press is sent all the same: what came of it is for the verdict.
    """
    for _ in range(_MOVES):
        await performance.input(move)
        felt = await unless_dialog(
            performance.attachment,
            performance.attachment.call(target.frame, f"__browserx.isPointed({_FEEL_MS})", timeout_s=10),
            timeout_s=10,
        )
        if felt is None or felt.result.value:
            return
