"""From an element to a place to act on: verified by its own eye, and mapped through every frame on the way up."""

import asyncio
import json
from typing import Any, NamedTuple, Protocol

import msgspec

from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.browser.settle import unless_dialog
from browserx.cdp import Session
from browserx.dom.ids import IdRegistry
from browserx.errors import CdpError, NotActionableError, PageOptedOutError
from browserx.inpage.facts import Prepared

_TIMEOUT_S = 10.0


class Target(NamedTuple):
    """An element to act on.

    ``seen`` is its box at the last look, in its own frame's viewport, and ``known`` the role and name it had; each None
    when unknown.
    """

    node_id: str
    frame: Frame
    key: int
    seen: tuple[int, int, int, int] | None = None
    known: tuple[str, str] | None = None


class Ready(NamedTuple):
    """A target that is fit to be acted on. ``x`` and ``y`` are CSS px in the top viewport."""

    target: Target
    prepared: Prepared
    x: float
    y: float


class _FrameOwner(msgspec.Struct, rename="camel"):
    backend_node_id: int


class _BoxModel(msgspec.Struct):
    content: list[float]


class _BoxModelReply(msgspec.Struct):
    model: _BoxModel


class _NodeAt(msgspec.Struct, rename="camel"):
    backend_node_id: int = 0
    frame_id: str = ""


async def make_ready(attachment: Attachment, target: Target, ids: IdRegistry, **options: Any) -> Ready:
    """Verify a target, scroll to it if needed, and begin to watch.

    It must be attached, still what it was seen as, visible, enabled, steady and not covered.

    ``options`` are those of ``prepare`` in the eye: ``enabled``, ``pointer``, ``editable``, ``offset``.

    Raises:
        NotActionableError: it is not fit; says why, and what covers it.
        PageOptedOutError: the page asks to be left alone.
        OperationTimeoutError: the page did not answer.
    """
    if target.frame.id != attachment.frames.main_id:
        await _show_frames(attachment, target.frame)
    asked = json.dumps({**options, "seen": target.seen, "known": target.known})
    answer = await unless_dialog(
        attachment,
        attachment.call(target.frame, f"__browserx.ready({target.key}, {asked})", timeout_s=_TIMEOUT_S),
        timeout_s=_TIMEOUT_S,
    )
    if answer is None:
        dialog = attachment.dialogs.current
        raise NotActionableError(
            dialog.describe() if dialog else "a dialog opened", node_id=target.node_id, reason="dialog"
        )
    prepared = msgspec.convert(answer.result.value, Prepared)
    if not prepared.ok:
        raise objection(target, prepared, ids, target.frame.world_id)
    if options.get("pointer") is False:
        return Ready(target, prepared, 0.0, 0.0)
    x, y = await to_top(attachment, target, *prepared.point)
    return Ready(target, prepared, x, y)


_REASONS = {
    "detached": "is no longer in the page",
    "hidden": "is hidden",
    "zero_size": "has no size",
    "disabled": "is disabled",
    "readonly": "can only be read",
    "not_editable": "takes no text",
    "moving": "does not stop moving",
    "off_screen": "cannot be scrolled into view",
}


class Aimed(Protocol):
    """What there is to say of an element that turned out unfit: its id, and the role and name it was seen with."""

    @property
    def node_id(self) -> str: ...  # noqa: D102
    @property
    def known(self) -> tuple[str, str] | None: ...  # noqa: D102


def objection(target: Aimed, prepared: Prepared, ids: IdRegistry, world: str) -> NotActionableError | PageOptedOutError:
    """Why an element of ``world`` is not fit to be acted on, in words that name the next step."""
    if prepared.why == "opted_out":
        return PageOptedOutError("the page asks not to be used by AI (data-no-ai); leave it alone")
    if prepared.why == "covered":
        by = ids.id_of(world, prepared.by) if prepared.by else None
        return _covered(target, f"{by} ({prepared.by_text})" if by else "another element", by)
    if prepared.why == "changed":
        return _changed(target, prepared.by_text)
    return unfit(target, prepared.why)


def _changed(target: Aimed, name: str) -> NotActionableError:
    """It is there, but stands for something else than when it was seen."""
    if target.known is None or target.known[1] == name:
        words = "is where it was, but what it belongs to has changed since it was seen"
    else:
        words = f'was called "{target.known[1]}" when it was seen, and is called "{name}" now'
    return NotActionableError(
        f"element {target.node_id} {words}; observe again", node_id=target.node_id, reason="changed"
    )


def unfit(target: Aimed, why: str) -> NotActionableError:
    """It is not fit to be acted on: says why, in words for those whose names are known."""
    return NotActionableError(
        f"element {target.node_id} {_REASONS.get(why, why)}; observe again and choose another way",
        node_id=target.node_id,
        reason=why,
    )


def _covered(target: Aimed, by: str, covered_by: str | None) -> NotActionableError:
    return NotActionableError(
        f"element {target.node_id} is covered by {by}; act on that first (close or move it), or scroll",
        node_id=target.node_id,
        reason="covered",
        covered_by=covered_by,
    )


def _parent(attachment: Attachment, frame: Frame) -> Frame | None:
    return attachment.frames.get(frame.parent_id) if frame.parent_id is not None else None


def _local_root(attachment: Attachment, frame: Frame) -> Frame:
    """The outermost frame above ``frame`` in the same process: the protocol gives boxes in its viewport."""
    while (parent := _parent(attachment, frame)) is not None and parent.session is frame.session:
        frame = parent
    return frame


async def _show_frames(attachment: Attachment, frame: Frame) -> None:
    """Scroll every frame element on the way down into its own viewport, outermost first."""
    chain: list[tuple[Session, str]] = []
    while (parent := _parent(attachment, frame)) is not None:
        chain.append((parent.session, frame.id))
        frame = parent
    for session, frame_id in reversed(chain):
        owner = await session.send("DOM.getFrameOwner", {"frameId": frame_id}, _FrameOwner)
        try:
            await session.send("DOM.scrollIntoViewIfNeeded", {"backendNodeId": owner.backend_node_id})
        except CdpError:
            return  # it has no box; what is asked of its content next will say so


async def to_top(attachment: Attachment, target: Target, x: float, y: float) -> tuple[float, float]:
    """Map a point of the target's frame to the top viewport, through borders, padding, scaling and rotation.

    On the way each parent is asked whether the point really shows the frame: an eye cannot see what its parents lay
    over it.

    Raises:
        NotActionableError: the point lies outside of what shows of a frame, or is covered.
    """
    inner = target.frame
    while (parent := _parent(attachment, inner)) is not None:
        session = parent.session
        outer = _local_root(attachment, parent)
        width, height = (await attachment.call(inner, "[innerWidth, innerHeight]", timeout_s=_TIMEOUT_S)).result.value
        if not (0 <= x < width and 0 <= y < height):
            raise unfit(target, "off_screen")
        owner = await session.send("DOM.getFrameOwner", {"frameId": inner.id}, _FrameOwner)
        model, scroll = await asyncio.gather(
            session.send("DOM.getBoxModel", {"backendNodeId": owner.backend_node_id}, _BoxModelReply),
            attachment.call(outer, "[scrollX, scrollY, innerWidth, innerHeight]", timeout_s=_TIMEOUT_S),
        )
        # The quad's corners run clockwise from the top left: one axis is from 0 to 1, the other from 0 to 3.
        q = model.model.content
        u, v = x / width, y / height
        x, y = q[0] + u * (q[2] - q[0]) + v * (q[6] - q[0]), q[1] + u * (q[3] - q[1]) + v * (q[7] - q[1])
        scroll_x, scroll_y, outer_width, outer_height = scroll.result.value
        if not (0 <= x < outer_width and 0 <= y < outer_height):
            raise unfit(target, "off_screen")
        # Unlike boxes, this is asked in coordinates of the document.
        at = {"x": round(x + scroll_x), "y": round(y + scroll_y), "includeUserAgentShadowDOM": False}
        hit = await session.send("DOM.getNodeForLocation", at, _NodeAt)
        if hit.backend_node_id != owner.backend_node_id and not _is_inside(attachment, hit.frame_id, inner.id):
            raise _covered(target, "something outside its frame", None)
        inner = outer
    return x, y


def _is_inside(attachment: Attachment, frame_id: str, outer_id: str) -> bool:
    frame = attachment.frames.get(frame_id)
    while frame is not None:
        if frame.id == outer_id:
            return True
        frame = _parent(attachment, frame)
    return False
