"""Marks for a picture of a page: what can be acted on and can be seen, where it is drawn, and where its label goes."""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from browserx.dom.snapshot import DomSnapshot
from browserx.dom.tree import PageNode, Rect
from browserx.inpage.facts import Fact

_SEEN = int(Fact.IN_VIEW | Fact.VISIBLE)
_OCCLUDED = int(Fact.OCCLUDED)
_SCROLLER = int(Fact.SCROLLER)

#: What a label may lie on, in order of how much that hurts: another label, a small control, a large one, the page's
#: own text or picture. The numbers weigh the share of the label that does.
_ON_LABEL = 100.0
_ON_SMALL = 12.0
_ON_LARGE = 1.5
_ON_ITSELF = 3.0
_ON_BUSY = 2.0
#: Beside another control it seems to be that one's; at a mere corner of its own it seems to be nobody's.
_BESIDE_OTHER = 2.0
_AT_CORNER = 1.5
#: A box of fewer than so many labels' areas is hidden by one.
_SMALL_IN_LABELS = 6
_BESIDE_PX = 3
#: Side of a cell of the grid in which neighbours are looked up.
_CELL_PX = 128


class ControlKind(StrEnum):
    """What is done with a control; each kind has its colour in a picture."""

    FIELD = "field"
    BUTTON = "button"
    LINK = "link"
    TOGGLE = "toggle"
    OTHER = "other"


_KINDS = {
    ControlKind.FIELD: (
        "textbox",
        "searchbox",
        "combobox",
        "spinbutton",
        "listbox",
        "slider",
        "Date",
        "DateTime",
        "InputTime",
        "ColorWell",
    ),
    ControlKind.BUTTON: ("button", "DisclosureTriangle", "DisclosureTriangleGrouped", "menuitem", "tab"),
    ControlKind.LINK: ("link",),
    ControlKind.TOGGLE: ("checkbox", "radio", "switch", "option", "menuitemcheckbox", "menuitemradio"),
}
_KIND_OF = {role: kind for kind, roles in _KINDS.items() for role in roles}


class Mark(NamedTuple):
    """One control in a picture. ``box`` is x, y, width, height in CSS px of the viewport: what shows of it."""

    node_id: str
    box: Rect
    kind: ControlKind = ControlKind.OTHER


def marks(snapshot: DomSnapshot) -> list[Mark]:
    """What can be acted on and can be seen, in document order."""
    nodes = snapshot.page.tree.nodes
    found = []
    for index, actionable in enumerate(snapshot.page.actionable):
        node = nodes[index]
        if not actionable or node.facts & _SEEN != _SEEN or node.facts & _OCCLUDED:
            continue
        box = _shown(snapshot, index)
        if box[2] > 0 and box[3] > 0:
            found.append(Mark(snapshot.node_id(index), box, _KIND_OF.get(node.role, ControlKind.OTHER)))
    return found


def _shown(snapshot: DomSnapshot, index: int) -> Rect:
    """The part of a node's box that the viewport, its frames and the boxes it scrolls in let show."""
    nodes, parents = snapshot.page.tree.nodes, snapshot.page.tree.parents
    box = overlap(nodes[index].rect, (0, 0, *snapshot.facts.viewport))
    while (index := parents[index]) >= 0:
        if _clips(nodes[index]):
            clipped = overlap(box, nodes[index].rect)
            # What is fixed is not clipped by what it scrolls in.
            if clipped[2] > 0 and clipped[3] > 0:
                box = clipped
    return box


def _clips(node: PageNode) -> bool:
    return bool(node.facts & _SCROLLER) or node.role == "Iframe"


def overlap(one: Rect, other: Rect) -> Rect:
    """What two rectangles share; without width or height where they share nothing."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right = min(one[0] + one[2], other[0] + other[2])
    bottom = min(one[1] + one[3], other[1] + other[3])
    return (left, top, max(0, right - left), max(0, bottom - top))


def place_labels(
    boxes: Sequence[Rect],
    sizes: Sequence[tuple[int, int]],
    picture: tuple[int, int],
    is_busy: Callable[[Rect], bool] = lambda rect: False,
) -> list[Rect]:
    """Where the labels of ``boxes`` go, all in px of a picture that is ``picture`` large.

    A label stands at its box, outside it or in a corner; where it covers no other label, then where it covers no small
    control, then where it covers least of the page: ``is_busy`` says whether there is something to be read at a place.
    """
    controls, labels = _Grid(), _Grid()
    for number, box in enumerate(boxes):
        controls.add(box, number)
    placed: dict[int, Rect] = {}
    # The smallest have the fewest places to choose from.
    for number in sorted(range(len(boxes)), key=lambda n: (boxes[n][2] * boxes[n][3], n)):
        box, size = boxes[number], sizes[number]
        best, least = (0, 0, *size), float("inf")
        for unlikely, candidate in _candidates(box, size):
            inside = _pushed_inside(candidate, picture)
            hurt = unlikely + _hurt(inside, number, controls, labels)
            if hurt < least and is_busy(inside):
                hurt += _ON_BUSY
            if hurt < least:
                best, least = inside, hurt
        placed[number] = best
        labels.add(best, number)
    return [placed[number] for number in range(len(boxes))]


def _candidates(box: Rect, size: tuple[int, int]) -> Iterable[tuple[float, Rect]]:
    """The places for a label of ``size``, with how much worse than the best each is as such."""
    x, y, width, height = box
    w, h = size
    right, bottom = x + width, y + height
    middle = y + (height - h) // 2
    around = ((x, y - h), (right - w, y - h), (x - w, middle), (right, middle), (x, bottom), (right - w, bottom))
    within = ((right - w, y), (x, y), (right - w, bottom - h), (x, bottom - h), (right - w, middle))
    corners = ((x - w, y - h), (right, y - h), (x - w, bottom), (right, bottom))
    for base, places in ((0.0, around), (0.3, within), (_AT_CORNER, corners)):
        for number, place in enumerate(places):
            yield base + number * 0.05, (*place, w, h)


def _pushed_inside(rect: Rect, picture: tuple[int, int]) -> Rect:
    x, y, width, height = rect
    return (max(0, min(x, picture[0] - width)), max(0, min(y, picture[1] - height)), width, height)


def _hurt(rect: Rect, number: int, controls: "_Grid", labels: "_Grid") -> float:
    """How bad it is to put a label there."""
    area = rect[2] * rect[3]
    hurt = sum(_area(overlap(rect, there)) for _, there in labels.near(rect)) * _ON_LABEL
    for other, box in controls.near(_around(rect)):
        small = box[2] * box[3] < _SMALL_IN_LABELS * area
        if other == number:
            # In the corner of a large box it is at home.
            hurt += _area(overlap(rect, box)) * (_ON_SMALL if small else _ON_ITSELF)
        else:
            on = _area(overlap(rect, box))
            hurt += on * (_ON_SMALL if small else _ON_LARGE)
            hurt += (_area(overlap(rect, _around(box))) - on) * _BESIDE_OTHER
    return hurt / area


def _around(rect: Rect) -> Rect:
    return (rect[0] - _BESIDE_PX, rect[1] - _BESIDE_PX, rect[2] + 2 * _BESIDE_PX, rect[3] + 2 * _BESIDE_PX)


def _area(rect: Rect) -> int:
    return rect[2] * rect[3]


class _Grid:
    """Rectangles by where they are."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[int, Rect]]] = {}

    def add(self, rect: Rect, number: int) -> None:
        for cell in self._cells_of(rect):
            self._cells.setdefault(cell, []).append((number, rect))

    def near(self, rect: Rect) -> Iterable[tuple[int, Rect]]:
        """All that may overlap ``rect``, each once."""
        return {pair for cell in self._cells_of(rect) for pair in self._cells.get(cell, ())}

    @staticmethod
    def _cells_of(rect: Rect) -> Iterable[tuple[int, int]]:
        x, y, width, height = rect
        for column in range(x // _CELL_PX, (x + width) // _CELL_PX + 1):
            for row in range(y // _CELL_PX, (y + height) // _CELL_PX + 1):
                yield (column, row)
