"""Selectors: finding an element again when its id is gone, through shadow roots and frames.

A selector is steps parted by `` >> ``. Each finds one element, by CSS, in the document or shadow root that the step
before leads into; closed roots and frames of other sites too. ``role=button[name="Save"]`` finds by role and name on
the whole page, and stands alone.
"""

import json
import re

from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.dom import DomSnapshot
from browserx.dom.ids import IdRegistry, NodeRef
from browserx.dom.tree import FramePart
from browserx.errors import InvalidArgumentError, NodeNotFoundError

_TIMEOUT_S = 10.0
_PARTED = re.compile(r"""\s*>>\s*(?=(?:[^"]*"[^"]*")*[^"]*$)""")
_BY_ROLE = re.compile(r'role=([\w-]+)(?:\[name=("(?:[^"\\]|\\.)*")\])?')
_SPACE = re.compile(r"\s+")
_NAMED = 5


async def selector_of(attachment: Attachment, snapshot: DomSnapshot, ref: NodeRef) -> str | None:
    """A selector that finds exactly this element now; None when nothing tells it apart."""
    steps: list[str] = []
    at: NodeRef | None = ref
    while at is not None:
        frame = attachment.frames.of_world(at.world)
        if frame is None:
            return None
        answer = await attachment.call(frame, f"__browserx.selectorOf({at.key})", timeout_s=_TIMEOUT_S)
        if not answer.result.value:
            return None
        steps = [*answer.result.value, *steps]
        if frame is attachment.frames.main:
            return " >> ".join(steps)
        part = next((part for part in snapshot.page.tree.frames if part.frame_id == frame.id), None)
        at = snapshot.ref(part.owner) if part is not None and part.owner is not None else None
    return None


async def matches(attachment: Attachment, snapshot: DomSnapshot, ids: IdRegistry, selector: str) -> list[str]:
    """The ids of all that a selector finds, at most twenty.

    Raises:
        InvalidArgumentError: it is none.
    """
    if (by_role := of_role(snapshot, selector)) is not None:
        return by_role
    steps = steps_of(selector)
    frame: Frame | None = attachment.frames.main
    while frame is not None:
        found = (
            await attachment.call(frame, f"__browserx.select({json.dumps(steps)})", timeout_s=_TIMEOUT_S)
        ).result.value
        if "wrong" in found:
            raise no_selector(found["wrong"])
        if "keys" in found:
            return [ids.id_of(frame.world_id, key) for key in found["keys"]]
        part = _inside(snapshot, NodeRef(frame.world_id, found["frame"]))
        frame = attachment.frames.get(part.frame_id) if part is not None else None
        steps = steps[found["used"] :]
    return []


def the_one(selector: str, found: list[str]) -> str:
    """The id of what a selector finds, if that is exactly one element.

    Raises:
        NodeNotFoundError: it finds nothing, or several; names them.
    """
    if len(found) == 1:
        return found[0]
    if not found:
        raise NodeNotFoundError(f"nothing on the page fits {selector}; observe again", node_id=selector, nearest=[])
    nearest = found[:_NAMED]
    raise NodeNotFoundError(
        f"{len(found)} elements fit {selector}, among them {', '.join(nearest)}: name one by its id",
        node_id=selector,
        nearest=nearest,
    )


def steps_of(selector: str) -> list[str]:
    """The steps of a selector by CSS.

    Raises:
        InvalidArgumentError: it has none.
    """
    steps = [step for step in _PARTED.split(selector.strip()) if step]
    if not steps:
        raise InvalidArgumentError('the selector is empty; give CSS, or role=button[name="Save"]')
    return steps


def no_selector(step: str) -> InvalidArgumentError:
    """The page does not understand a step."""
    return InvalidArgumentError(f"{step!r} is no CSS selector")


def of_role(snapshot: DomSnapshot, selector: str) -> list[str] | None:
    """The ids of all that a selector by role finds; None for one of another kind."""
    asked = _BY_ROLE.fullmatch(selector.strip())
    if asked is None:
        return None
    role, name = asked.groups()
    wanted = _plain(json.loads(name)) if name is not None else None
    page = snapshot.page
    found = [
        index
        for index, node in enumerate(page.tree.nodes)
        if node.key and page.actionable[index] and node.role == role and wanted in (None, _plain(page.names[index]))
    ]
    named = [snapshot.node_id(index) for index in found]
    snapshot.forget_index()
    return named


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _inside(snapshot: DomSnapshot, owner: NodeRef) -> FramePart | None:
    """The frame that a frame element holds."""
    parts = snapshot.page.tree.frames
    return next((part for part in parts if part.owner is not None and snapshot.ref(part.owner) == owner), None)
