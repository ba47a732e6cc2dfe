"""Dragging, of both kinds: by pointer events alone, and with data that the page hands to the browser (HTML5)."""

import asyncio
from typing import Any

import msgspec

from browserx.actions.perform import Performance
from browserx.actions.result import ActionResult
from browserx.actions.target import Aimed, Ready, Target, make_ready, to_top
from browserx.errors import InvalidArgumentError, NotActionableError

_TIMEOUT_S = 10.0
#: A drag begins when the pointer has moved a little with the button down; then so many moves lead to its end.
_BEGIN_PX = 6
_STEPS = 8
_DATA_TIMEOUT_S = 1.0
_MOVE = "Input.dispatchMouseEvent"


class _Intercepted(msgspec.Struct):
    data: msgspec.Raw


async def drag(
    performance: Performance,
    target: Target,
    *,
    to: Target | None = None,
    offset: tuple[float, float] | None = None,
    ignore_opt_out: bool = False,
) -> ActionResult:
    """Press on ``target``, move to the middle of ``to`` or by ``offset`` (CSS px), and release.

    Raises:
        NotActionableError: one of the two is not fit, or they cannot be in view at once.
    """
    check_end(to, offset)
    attachment = performance.attachment
    if to is not None:
        # Verified first: the watch that stays is that of what is dragged.
        await make_ready(attachment, to, performance.ids, enabled=False, pointer=False, ignoreOptOut=ignore_opt_out)
    ready = await make_ready(attachment, target, performance.ids, enabled=False, ignoreOptOut=ignore_opt_out)
    end = await _end(performance, ready, to, offset)
    return await _carry(performance, (ready.x, ready.y), end)


def check_end(to: object, offset: object) -> None:
    """A drag has one end.

    Raises:
        InvalidArgumentError: it has none, or two.
    """
    if (to is None) == (offset is None):
        raise InvalidArgumentError("drag needs either the element to drop on, or an offset in px")


def apart(target: Aimed, to: Aimed) -> NotActionableError:
    """The two cannot be in view at once."""
    return NotActionableError(
        f"elements {target.node_id} and {to.node_id} cannot be in view at once; drag in two steps",
        node_id=to.node_id,
        reason="off_screen",
    )


async def _end(
    performance: Performance, ready: Ready, to: Target | None, offset: tuple[float, float] | None
) -> tuple[float, float]:
    if to is None:
        assert offset is not None
        return ready.x + offset[0], ready.y + offset[1]
    asked = f"__browserx.spot({to.key})"
    answer = await performance.attachment.call(to.frame, asked, timeout_s=_TIMEOUT_S)
    if answer.result.value is None:
        raise apart(ready.target, to)
    x, y = answer.result.value
    return await to_top(performance.attachment, to, x, y)


async def _carry(performance: Performance, start: tuple[float, float], end: tuple[float, float]) -> ActionResult:
    session = performance.attachment.session
    loop = asyncio.get_running_loop()
    intercepted: asyncio.Future[_Intercepted] = loop.create_future()

    def heard(event: _Intercepted) -> None:
        if not intercepted.done():
            intercepted.set_result(event)

    subscription = session.on("Input.dragIntercepted", _Intercepted, heard)
    await session.send("Input.setInterceptDrags", {"enabled": True})
    try:
        await performance.input(
            (_MOVE, {"type": "mouseMoved", "x": start[0], "y": start[1], "button": "none", "buttons": 0}),
            (_MOVE, _held("mousePressed", start)),
            *((_MOVE, _held("mouseMoved", point)) for point in _beginning(start, end)),
        )
        if await _drags_data(performance):
            async with asyncio.timeout(_DATA_TIMEOUT_S):
                data = (await intercepted).data
            await _drop(performance, start, end, data)
        else:
            points = [_between(start, end, step / _STEPS) for step in range(1, _STEPS + 1)]
            await performance.input(*((_MOVE, _held("mouseMoved", point)) for point in (*points, end)))
    except TimeoutError:
        pass  # the page said that it drags, and gave nothing to be dragged: the button is released all the same
    finally:
        subscription.cancel()
        await performance.input((_MOVE, {**_held("mouseReleased", end), "buttons": 0}))
        session.post("Input.setInterceptDrags", {"enabled": False})
    performance.show("cursor", *end)
    return await performance.finish(needs_reach=True)


async def _drop(
    performance: Performance, start: tuple[float, float], end: tuple[float, float], data: msgspec.Raw
) -> None:
    given = msgspec.json.decode(bytes(data))

    def event(kind: str, point: tuple[float, float]) -> tuple[str, dict[str, Any]]:
        return "Input.dispatchDragEvent", {"type": kind, "x": point[0], "y": point[1], "data": given}

    await performance.input(
        event("dragEnter", start),
        *(event("dragOver", _between(start, end, step / _STEPS)) for step in range(1, _STEPS + 1)),
        event("dragEnter", end),
        event("dragOver", end),
        event("drop", end),
    )


async def _drags_data(performance: Performance) -> bool:
    answer = await performance.attachment.call(performance.frame, "__browserx.isDragging()", timeout_s=_TIMEOUT_S)
    return answer.result.value is True


def _held(kind: str, point: tuple[float, float]) -> dict[str, Any]:
    return {"type": kind, "x": point[0], "y": point[1], "button": "left", "buttons": 1, "clickCount": 1}


def _beginning(start: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
    """The first few px towards the end, one after the other: pages begin to drag after some of them."""
    far = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1.0)
    return [_between(start, end, min(1.0, px / far)) for px in (1, _BEGIN_PX // 2, _BEGIN_PX)]


def _between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
