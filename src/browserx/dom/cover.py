"""What lies over a frame from outside: an eye cannot see what its parent lays over its frame."""

import asyncio
import json

from browserx.browser.attachment import Attachment
from browserx.dom.captured import Cover, FrameCapture
from browserx.inpage.facts import ElementRow, Fact

_SLACK_S = 0.05
_SHOWN = int(Fact.VISIBLE | Fact.IN_VIEW)
_CLICKABLE = int(
    Fact.NATIVE
    | Fact.ROLE
    | Fact.FOCUSABLE
    | Fact.EDITABLE
    | Fact.HANDLER
    | Fact.LISTENER
    | Fact.WEAK_LISTENER
    | Fact.CURSOR_EDGE
)

Owners = dict[str, tuple[FrameCapture, ElementRow]]


async def find_covered(attachment: Attachment, captures: list[FrameCapture], until: float) -> None:
    """Ask the parent of each frame what lies over it at the points of a click; fills ``covered`` of the captures.

    ``until`` is a time of the loop.
    """
    owners: Owners = {}
    for capture in captures:
        for row in capture.facts.rows:
            if type(row) is ElementRow and row.extra is not None and row.extra.frame is not None:
                owners[capture.frame_ids.get(row.key, "")] = (capture, row)
    inner = [child for child in captures if child.frame_id in owners]
    await asyncio.gather(*(_ask_parents(attachment, child, owners, until) for child in inner), return_exceptions=True)


async def _ask_parents(attachment: Attachment, child: FrameCapture, owners: Owners, until: float) -> None:
    rows = [
        row
        for row in child.facts.rows
        if type(row) is ElementRow and row.flags & _SHOWN == _SHOWN and row.flags & _CLICKABLE
    ]
    points = [_click_point(row, child.facts.viewport) for row in rows]
    inner = child
    while rows and inner.frame_id in owners:
        parent, owner = owners[inner.frame_id]
        assert owner.extra is not None
        assert owner.extra.frame is not None
        x, y, width, height = owner.extra.frame.box
        inner_width, inner_height = inner.facts.viewport
        kx = width / inner_width if inner_width else 1.0
        ky = height / inner_height if inner_height else 1.0
        points = [(x + px * kx, y + py * ky) for px, py in points]
        frame = attachment.frames.of_world(parent.world)
        if frame is None:
            return
        rest = max(_SLACK_S, until - asyncio.get_running_loop().time())
        answer = await attachment.call(frame, f"__browserx.hits({owner.key}, {json.dumps(points)})", timeout_s=rest)
        for row, hit in zip(rows, answer.result.value, strict=True):
            if hit is not None:
                child.covered.setdefault(row.key, Cover(parent.world, int(hit[0]), str(hit[1])))
        inner = parent


def _click_point(row: ElementRow, viewport: tuple[int, int]) -> tuple[float, float]:
    if row.extra is not None and row.extra.click_at is not None:
        return row.extra.click_at
    x1, x2 = max(0, row.x), min(viewport[0], row.x + row.width)
    y1, y2 = max(0, row.y), min(viewport[1], row.y + row.height)
    return ((x1 + x2) / 2, (y1 + y2) / 2)
