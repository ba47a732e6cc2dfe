"""The values the stages hand to each other: nodes in document order, with who is inside whom."""

from enum import StrEnum
from typing import NamedTuple

import msgspec

from browserx.inpage.facts import Extra, Fact, LeftOut

Rect = tuple[int, int, int, int]

_SEMANTIC_LESS = frozenset(("", "generic", "none", "LabelText", "paragraph", "rowgroup"))
#: Signs that something may be meant to be acted on.
_NOTICED = int(
    Fact.HANDLER
    | Fact.LISTENER
    | Fact.WEAK_LISTENER
    | Fact.FOCUSABLE
    | Fact.CURSOR_EDGE
    | Fact.DRAGGABLE
    | Fact.TEST_ID
)


class PageNode(msgspec.Struct, gc=False):
    """One row of a look, merged into the page: an element, or (``key`` 0) text.

    ``x``, ``y``, ``width`` and ``height`` are CSS px of the top viewport.
    """

    tag: str
    role: str
    name: str
    text: str
    facts: int
    key: int
    frame: int
    mirror: int
    x: int
    y: int
    width: int
    height: int
    extra: Extra | None

    @property
    def rect(self) -> Rect:
        """x, y, width, height."""
        return (self.x, self.y, self.width, self.height)


class FramePart(msgspec.Struct):
    """One frame of the page. ``capture`` is the look it came from; ``owner`` is the node of its frame element."""

    frame_id: str
    world: str
    url: str
    name: str
    parent: int | None
    owner: int | None
    capture: int
    cross_origin: bool
    reachable: bool
    why: str = ""


class PageTree(NamedTuple):
    """All rows of a page in document order. What is inside node ``i`` are those from ``i + 1`` up to ``ends[i]``."""

    nodes: list[PageNode]
    parents: list[int]
    ends: list[int]
    frames: list[FramePart]


class Tier(StrEnum):
    """How a node came to be of interest."""

    SEMANTIC = "semantic"
    NON_SEMANTIC = "non_semantic"
    STRUCTURAL = "structural"


class Classified(NamedTuple):
    """A page whose nodes are understood: for each, whether it can be acted on, and what it is called.

    ``labels`` has the texts and pictures that are (part of) a control's name: node -> control.
    """

    tree: PageTree
    actionable: list[bool]
    names: list[str]
    labels: dict[int, int]

    def tier(self, index: int) -> Tier:
        """How node ``index`` came to be of interest."""
        node = self.tree.nodes[index]
        if node.key == 0 or node.role not in _SEMANTIC_LESS:
            return Tier.SEMANTIC
        return Tier.NON_SEMANTIC if self.actionable[index] or node.facts & _NOTICED else Tier.STRUCTURAL


class VirtualNode(msgspec.Struct, gc=False):
    """One node of the complete mirror of the DOM.

    ``rect`` is x, y, width, height in CSS px of the top viewport. ``backend_id`` is the browser's own id, None while it
    is not known; it is never shown to a model. ``states`` and ``attributes`` hold only what is not at its default.
    """

    node_id: str
    role: str
    name: str
    tag: str
    text: str = ""
    value: str | None = None
    states: dict[str, bool | int | str] = {}
    attributes: dict[str, str] = {}
    children: list["VirtualNode"] = []
    frame_id: str = ""
    in_shadow: bool = False
    rect: Rect = (0, 0, 0, 0)
    visible: bool = False
    in_viewport: bool = False
    actionable: bool = False
    occluded: bool = False
    tier: Tier = Tier.STRUCTURAL
    backend_id: int | None = None


class Scroll(NamedTuple):
    """Where the page is scrolled to and how large it is, in CSS px."""

    x: int
    y: int
    width: int
    height: int


class PageFacts(NamedTuple):
    """What is true of the page as a whole."""

    url: str
    title: str
    viewport: tuple[int, int]
    scroll: Scroll
    has_body: bool
    loading: bool
    opted_out: bool
    total: int
    left: LeftOut
    late: bool
