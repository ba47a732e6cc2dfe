"""Scrolling the page, or a box in it."""

import json
from typing import Any, Literal

import msgspec

from browserx.actions.perform import Performance
from browserx.actions.result import ActionResult
from browserx.actions.target import Target
from browserx.browser.frames import Frame
from browserx.browser.settle import unless_dialog
from browserx.errors import InvalidArgumentError, NotActionableError
from browserx.inpage.facts import Scrolled

Direction = Literal["up", "down", "left", "right"]
_STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_TIMEOUT_S = 10.0
#: What a list loads when its end comes into view begins to come within this.
MORE_WITHIN_MS = 1000
#: One step leaves a little of what was seen, so that a reader does not lose the thread.
_STEP = 0.9


async def scroll(
    performance: Performance,
    target: Target | None,
    *,
    direction: Direction = "down",
    amount: float = 1.0,
    to: Literal["start", "end"] | None = None,
) -> ActionResult:
    """Scroll by ``amount`` windows, or to the start or end: the box that ``target`` is or is in, or the page."""
    way = way_of(direction, amount, to)
    frame: Frame = target.frame if target is not None else performance.frame
    attachment = performance.attachment
    key = target.key if target is not None else 0
    asked = {**way, "key": key}
    await attachment.call(frame, f"__browserx.beginWatch({key})", timeout_s=_TIMEOUT_S)
    answer = await attachment.call(frame, f"__browserx.scrollBy({json.dumps(asked)})", timeout_s=_TIMEOUT_S)
    done = msgspec.convert(answer.result.value, Scrolled)
    if not done.ok and target is not None:
        raise NotActionableError(
            f"element {target.node_id} is no longer in the page; observe again",
            node_id=target.node_id,
            reason="detached",
        )
    return await performance.finish(moved=done.moved)


def way_of(direction: Direction, amount: float, to: Literal["start", "end"] | None) -> dict[str, Any]:
    """How to scroll, as ``scrollBy`` in the eye takes it.

    Raises:
        InvalidArgumentError: one of the three makes no sense.
    """
    if direction not in _STEPS:
        raise InvalidArgumentError(f"{direction!r} is no direction; they are up, down, left and right")
    if to not in (None, "start", "end"):
        raise InvalidArgumentError('to is "start" or "end"')
    if not 0 < amount <= 1000:
        raise InvalidArgumentError("amount is a number of windows, above 0 and at most 1000")
    dx, dy = _STEPS[direction]
    return {"dx": dx * amount * _STEP, "dy": dy * amount * _STEP, "to": to or ""}


async def more_comes(performance: Performance, target: Target | None) -> bool:
    """Whether what was scrolled to its end becomes longer in a moment."""
    frame = target.frame if target is not None else performance.frame
    asked = f"__browserx.moreComes({target.key if target is not None else 0}, {MORE_WITHIN_MS})"
    answer = await unless_dialog(
        performance.attachment, performance.attachment.call(frame, asked, timeout_s=_TIMEOUT_S), timeout_s=_TIMEOUT_S
    )
    return answer is not None and answer.result.value is True
