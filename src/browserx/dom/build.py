"""From captures to one tree: the rows of all frames, in document order, in the coordinates of the top viewport."""

from typing import NamedTuple

from browserx.dom.captured import FrameCapture, PageCapture
from browserx.dom.tree import FramePart, PageNode, PageTree
from browserx.inpage.facts import ElementRow, Fact, TextRow

_IN_VIEW = int(Fact.IN_VIEW)
_VISIBLE_IN_VIEW = int(Fact.VISIBLE | Fact.IN_VIEW)
_VISIBLE = int(Fact.VISIBLE)
_COVERED = int(Fact.OCCLUDED)
_FAINT = int(Fact.FAINT)
#: By ``TextRow.in_view``.
_TEXT_FACTS = (_VISIBLE, _VISIBLE_IN_VIEW, int(Fact.HIDDEN))


class _Place(NamedTuple):
    """How a frame's own coordinates become the top viewport's, and the part of the viewport it shows in."""

    dx: float
    dy: float
    sx: float
    sy: float
    clip: tuple[float, float, float, float]


class _Merge:
    def __init__(self, page: PageCapture) -> None:
        self.page = page
        self.nodes: list[PageNode] = []
        self.parents: list[int] = []
        self.ends: list[int] = []
        self.frames: list[FramePart] = []

    def rows(self, number: int, parent: int, frame: int, place: _Place | None) -> None:
        """Append the rows of capture ``number`` under node ``parent``. ``place`` is None for the top document."""
        capture = self.page.captures[number]
        facts = capture.facts
        tags, roles = facts.tags, facts.roles
        nodes, parents, ends = self.nodes, self.parents, self.ends
        # The open elements: their depth among the rows, their index, and the frame what is in them belongs to.
        open_depths, open_nodes, open_frames = [-1], [parent], [frame]
        for row in facts.rows:
            depth = row.depth
            while open_depths[-1] >= depth:
                open_depths.pop()
                open_frames.pop()
                closed = open_nodes.pop()
                ends[closed] = len(nodes)
            index = len(nodes)
            parents.append(open_nodes[-1])
            ends.append(index + 1)
            in_frame = open_frames[-1]
            if type(row) is TextRow:
                seen = _TEXT_FACTS[row.in_view] | (_FAINT if row.faint else 0)
                nodes.append(PageNode("#text", "text", "", row.text, seen, 0, in_frame, row.owner, 0, 0, 0, 0, None))
                continue
            assert type(row) is ElementRow
            node = PageNode(
                tags[row.tag],
                roles[row.role],
                row.name,
                "",
                row.flags,
                row.key,
                in_frame,
                row.mirror,
                row.x,
                row.y,
                row.width,
                row.height,
                row.extra,
            )
            if place is not None:
                _move(node, place, row.key in capture.covered)
            nodes.append(node)
            open_depths.append(depth)
            open_nodes.append(index)
            open_frames.append(self._frame(capture, number, node, index, in_frame, place))
        while len(open_nodes) > 1:
            ends[open_nodes.pop()] = len(nodes)

    def _frame(
        self,
        capture: FrameCapture,
        number: int,
        node: PageNode,
        index: int,
        inside: int,
        place: _Place | None,
    ) -> int:
        """The frame that what follows ``node`` belongs to; what lives in another process is appended at once."""
        fact = node.extra.frame if node.extra is not None else None
        if fact is None:
            return inside
        frame_id = capture.frame_ids.get(node.key, "")
        child = self.page.by_frame.get(frame_id) if not fact.inside else None
        why = "" if fact.inside or child is not None else self.page.missing.get(frame_id, "not loaded yet")
        child_capture = self.page.captures[child] if child is not None else None
        self.frames.append(
            FramePart(
                frame_id,
                capture.world if fact.inside else child_capture.world if child_capture else "",
                fact.url if fact.inside else child_capture.facts.url if child_capture else "",
                node.name,
                inside,
                index,
                number if child is None else child,
                cross_origin=not fact.inside,
                reachable=not why,
                why=why,
            )
        )
        part = len(self.frames) - 1
        if child_capture is not None and child is not None:
            self.rows(child, index, part, _inner_place(fact.box, node, child_capture, place))
            self.ends[index] = len(self.nodes)
        return part


def build(page: PageCapture) -> PageTree:
    """Merge the captures of a page. The first is the top document's."""
    merge = _Merge(page)
    if page.captures:
        top = page.captures[0]
        merge.frames.append(
            FramePart(
                top.frame_id,
                top.world,
                top.facts.url,
                "",
                None,
                None,
                0,
                cross_origin=False,
                reachable=True,
            )
        )
        merge.rows(0, -1, 0, None)
    return PageTree(merge.nodes, merge.parents, merge.ends, merge.frames)


def _inner_place(box: tuple[int, int, int, int], owner: PageNode, child: FrameCapture, outer: _Place | None) -> _Place:
    x, y, width, height = map(float, box)
    clip = (x, y, x + width, y + height)
    if outer is not None:
        x, y = outer.dx + x * outer.sx, outer.dy + y * outer.sy
        width, height = width * outer.sx, height * outer.sy
        cx1, cy1, cx2, cy2 = outer.clip
        clip = (max(x, cx1), max(y, cy1), min(x + width, cx2), min(y + height, cy2))
    if not owner.facts & _IN_VIEW:
        clip = (0.0, 0.0, 0.0, 0.0)
    inner_width, inner_height = child.facts.viewport
    return _Place(
        x,
        y,
        width / inner_width if inner_width else 1.0,
        height / inner_height if inner_height else 1.0,
        clip,
    )


def _move(node: PageNode, place: _Place, covered: bool) -> None:
    x1 = place.dx + node.x * place.sx
    y1 = place.dy + node.y * place.sy
    x2 = x1 + node.width * place.sx
    y2 = y1 + node.height * place.sy
    node.x, node.y, node.width, node.height = round(x1), round(y1), round(x2 - x1), round(y2 - y1)
    cx1, cy1, cx2, cy2 = place.clip
    if not (x1 < cx2 and x2 > cx1 and y1 < cy2 and y2 > cy1):
        node.facts &= ~_IN_VIEW
    elif covered:
        node.facts |= _COVERED
