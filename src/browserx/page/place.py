"""Where an element is in what the tab shows, for a picture of it."""

from typing import NamedTuple

import msgspec

from browserx.actions.target import Target, make_ready
from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.dom.ids import IdRegistry
from browserx.errors import NotActionableError

_TIMEOUT_S = 10.0


class Place(NamedTuple):
    """CSS px in the top viewport."""

    x: float
    y: float
    width: float
    height: float


class _FrameOwner(msgspec.Struct, rename="camel"):
    backend_node_id: int


class _BoxModel(msgspec.Struct):
    content: list[float]


class _BoxModelReply(msgspec.Struct):
    model: _BoxModel


async def place_of(attachment: Attachment, target: Target, ids: IdRegistry, *, ignore_opt_out: bool) -> Place:
    """Scroll to an element, if nothing of it shows, and say where it is.

    Raises:
        NotActionableError: it is gone, hidden, without size, moving, or not what it was seen as.
        PageOptedOutError: the page asks to be left alone.
    """
    try:
        ready = await make_ready(attachment, target, ids, enabled=False, pointer=False, ignoreOptOut=ignore_opt_out)
    finally:
        if target.frame.isolated is not None:
            drop = {"expression": "__browserx.dropWatch()", "contextId": target.frame.isolated}
            target.frame.session.post("Runtime.evaluate", drop)
    x, y, width, height = ready.prepared.box
    place = await _to_top(attachment, target.frame, Place(x, y, width, height))
    if place.width < 1 or place.height < 1:
        raise NotActionableError(
            f"element {target.node_id} has no size; observe again", node_id=target.node_id, reason="zero_size"
        )
    return place


async def _to_top(attachment: Attachment, inner: Frame, place: Place) -> Place:
    """Map a box through every frame on the way up, as upright ones are drawn."""
    while (parent := attachment.frames.get(inner.parent_id or "")) is not None:
        width, height = (await attachment.call(inner, "[innerWidth, innerHeight]", timeout_s=_TIMEOUT_S)).result.value
        owner = await parent.session.send("DOM.getFrameOwner", {"frameId": inner.id}, _FrameOwner)
        model = await parent.session.send("DOM.getBoxModel", {"backendNodeId": owner.backend_node_id}, _BoxModelReply)
        # Corners run clockwise from the top left.
        left, top, *_ = model.model.content
        right, bottom = model.model.content[4:6]
        across, down = (right - left) / max(1, width), (bottom - top) / max(1, height)
        place = Place(left + place.x * across, top + place.y * down, place.width * across, place.height * down)
        # The protocol gives boxes in the viewport of the outermost frame of the same process.
        inner = parent
        while (above := attachment.frames.get(inner.parent_id or "")) is not None and above.session is inner.session:
            inner = above
    return place
