"""The formats ``v3`` and ``v2``: what can be acted on, as a flat list in document order.

``v3`` has one-letter keys and only what is in the viewport, for a model; ``v2`` has full keys and what an element is in
HTML. Only values that are present are written. A summary at the end, with no id, says how many did not fit.
Schemas: ``msgspec.json.schema(SemanticV3)`` and ``msgspec.json.schema(SemanticV2)``.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from browserx.dom.budget import first_fitting
from browserx.dom.choose import about
from browserx.dom.nodes import Viewport
from browserx.dom.options import MAX_BYTES, MAX_NODES, SerializationOptions
from browserx.dom.roles import SUMMARY, minified
from browserx.dom.snapshot import DomSnapshot
from browserx.dom.tokens import share
from browserx.dom.tree import PageNode, Rect
from browserx.inpage.facts import Fact

NAME_LIMIT = 50
_VALUE_LIMIT = 200
_TITLE_LIMIT = 250
_VISIBLE = int(Fact.VISIBLE)
_IN_VIEW = int(Fact.IN_VIEW)
_OCCLUDED = int(Fact.OCCLUDED)
_PROTECTED = int(Fact.PROTECTED)
_SCROLLER = int(Fact.SCROLLER)
_IN_SHADOW = int(Fact.IN_SHADOW)
_FLAG_STATES = ("disabled", "required", "readonly", "selected", "multiselectable", "busy", "modal", "invalid")
_JSON = msgspec.json.Encoder()

NodeT = TypeVar("NodeT", bound=msgspec.Struct)


class RecentEvents(NamedTuple):
    """What happened on the page since the last look, in words, and whether errors or successes were among it."""

    told: tuple[str, ...] = ()
    errors: bool = False
    successes: bool = False


class ScrollState(msgspec.Struct):
    """How far something is scrolled ("25%"), and whether there is more (``h``)."""

    depth: str
    h: bool


class ScrollableContainer(msgspec.Struct, rename="camel"):
    """Something on the page that scrolls content of its own."""

    id: str
    depth: str
    has_more: bool


class NodeV3(msgspec.Struct, omit_defaults=True, kw_only=True):
    """One element. Keys: id, role, name, value, state, centre, box, scroll, occluded, frame."""

    i: int | str = 0
    r: str
    n: str
    v: str | None = None
    s: str | None = None
    xy: tuple[int, int] | None = None
    box: Rect | None = None
    scr: ScrollState | None = None
    occ: bool = False
    f: int = 0


class Bounds(msgspec.Struct):
    """In CSS px of the viewport."""

    x: int
    y: int
    width: int
    height: int


class NodeV2(msgspec.Struct, rename="camel", omit_defaults=True, kw_only=True):
    """One element, with full keys. ``frame_id`` is the place of its frame among the frames of the page."""

    id: str = ""
    role: str
    name: str
    value: str | None = None
    state: str | None = None
    type: str | None = None
    placeholder: str | None = None
    href: str | None = None
    is_in_shadow: bool = False
    frame_id: int = 0
    bounds: Bounds | None = None


class _Semantic(msgspec.Struct, rename="camel", kw_only=True):
    mode: Literal["semantic"] = "semantic"
    url: str
    title: str
    viewport: Viewport
    scroll_position: str
    scrollable_containers: list[ScrollableContainer]
    recent_events: list[str]
    has_errors: bool
    has_success: bool

    def to_dict(self) -> dict[str, Any]:
        """As it goes over the wire: plain JSON values, camelCase names."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]


class SemanticV3(_Semantic, kw_only=True):
    """The page in the ``v3`` format."""

    interactive_tree: list[NodeV3]


class SemanticV2(_Semantic, kw_only=True):
    """The page in the ``v2`` format."""

    semantic_nodes: list[NodeV2]


class InteractiveWriter:
    """Writes what can be acted on in one snapshot."""

    def __init__(
        self,
        snapshot: DomSnapshot,
        options: SerializationOptions,
        *,
        start: int = -1,
        max_nodes: int = MAX_NODES,
        events: RecentEvents | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.options = options
        self.max_nodes = max_nodes
        self.events = events or RecentEvents()
        self.tree = snapshot.page.tree
        self.span = range(start, self.tree.ends[start]) if start >= 0 else range(len(self.tree.nodes))
        self.about = about(snapshot, options, start=start)

    def v3(self) -> SemanticV3:
        """The ``v3`` format: only what is in the viewport."""
        actionable = self.snapshot.page.actionable
        nodes = self.tree.nodes
        shown = [i for i in self._shown(_IN_VIEW) if actionable[i] or (nodes[i].facts & _SCROLLER and nodes[i].key)]
        page = SemanticV3(**self._page(_IN_VIEW), interactive_tree=[])
        page.interactive_tree = self._fit(page, shown, self._node_v3, lambda n: NodeV3(r=SUMMARY.word, n=_more(n)))
        # What scrolls may have been given its id only now.
        self.snapshot.forget_index()
        return page

    def v2(self) -> SemanticV2:
        """The ``v2`` format."""
        needs = _IN_VIEW if self.options.viewport_only else _VISIBLE
        shown = [i for i in self._shown(needs) if self.snapshot.page.actionable[i]]
        page = SemanticV2(**self._page(needs), semantic_nodes=[])
        page.semantic_nodes = self._fit(page, shown, self._node_v2, lambda n: NodeV2(role="summary", name=_more(n)))
        self.snapshot.forget_index()
        return page

    def _shown(self, needs: int) -> Iterator[int]:
        nodes = self.tree.nodes
        return (
            index
            for index in self.span
            if nodes[index].facts & needs == needs and (self.about is None or index in self.about)
        )

    def _page(self, needs: int) -> dict[str, Any]:
        facts = self.snapshot.facts
        shown = list(self._shown(needs))
        return {
            "url": facts.url,
            "title": _short(facts.title, _TITLE_LIMIT),
            "viewport": Viewport(*facts.viewport),
            "scroll_position": _percent(facts.scroll.y, facts.scroll.height - facts.viewport[1]),
            "scrollable_containers": list(self._containers(shown)),
            "recent_events": list(self.events.told),
            "has_errors": self.events.errors or any(self._is_error(index) for index in shown),
            "has_success": self.events.successes,
        }

    def _fit(
        self, page: _Semantic, shown: list[int], write: Callable[[int], NodeT], summary: Callable[[int], NodeT]
    ) -> list[NodeT]:
        """Everything, or as many as the budget has room for and a summary."""
        written = [write(index) for index in shown]
        if self.options.max_tokens is None:
            return written
        tokens, size = _cost(page)
        kept = first_fitting(
            [_cost(node) for node in written],
            max_tokens=self.options.max_tokens - tokens,
            max_bytes=MAX_BYTES - size,
            max_nodes=self.max_nodes,
        )
        return written if kept == len(written) else [*written[:kept], summary(len(written) - kept)]

    def _node_v3(self, index: int) -> NodeV3:
        node = self.tree.nodes[index]
        node_id = self.snapshot.node_id(index)
        actionable = self.snapshot.page.actionable[index]
        value, state = _value_and_state(node)
        return NodeV3(
            i=int(node_id) if node_id.isdecimal() else node_id,
            r=minified(node, actionable=actionable),
            n=_short(self._name(index), NAME_LIMIT),
            v=_short(value, _VALUE_LIMIT) if value else None,
            s=state or None,
            xy=self._centre(node),
            box=node.rect if self.options.include_layout else None,
            scr=_scroll(node),
            occ=bool(node.facts & _OCCLUDED),
            f=node.frame,
        )

    def _node_v2(self, index: int) -> NodeV2:
        node = self.tree.nodes[index]
        attributes = node.extra.attributes if node.extra is not None else {}
        value, state = _value_and_state(node)
        return NodeV2(
            id=self.snapshot.node_id(index),
            role=node.role or node.tag,
            name=self._name(index),
            value=value or None,
            state=state or None,
            type=attributes.get("type"),
            placeholder=attributes.get("placeholder"),
            href=attributes.get("href"),
            is_in_shadow=bool(node.facts & _IN_SHADOW),
            frame_id=node.frame,
            bounds=Bounds(*node.rect) if self.options.include_layout else None,
        )

    def _name(self, index: int) -> str:
        node = self.tree.nodes[index]
        # What an element is called by the text in it is that text; an input has none in it.
        secret = node.facts & _PROTECTED and node.tag != "input"
        return node.name if secret else self.snapshot.page.names[index]

    def _centre(self, node: PageNode) -> tuple[int, int]:
        """The middle of what shows of a node in the viewport, or the place in it where a click reaches it."""
        point = node.extra.click_at if node.extra is not None else None
        # Places in frames that are apart are told in the coordinates of the frame.
        if point is not None and self.tree.frames[node.frame].capture == 0:
            return point
        width, height = self.snapshot.facts.viewport
        x1, x2 = max(0, node.x), min(width, node.x + node.width)
        y1, y2 = max(0, node.y), min(height, node.y + node.height)
        return ((x1 + x2) // 2, (y1 + y2) // 2)

    def _containers(self, shown: list[int]) -> Iterator[ScrollableContainer]:
        for index in shown:
            state = _scroll(self.tree.nodes[index])
            if state is not None:
                yield ScrollableContainer(self.snapshot.node_id(index), state.depth, state.h)

    def _is_error(self, index: int) -> bool:
        """Whether a node tells of an error: it is invalid, or an alert that says something."""
        node = self.tree.nodes[index]
        if node.extra is not None and node.extra.states.get("invalid"):
            return True
        inside = self.tree.nodes[index + 1 : self.tree.ends[index]]
        return node.role == "alert" and bool(node.name or any(n.text and n.facts & _VISIBLE for n in inside))


def _cost(value: msgspec.Struct) -> tuple[float, int]:
    written = _JSON.encode(value)
    return share(written.decode()) + 1, len(written) + 1


def _more(count: int) -> str:
    return f"{count} more elements left out"


def _value_and_state(node: PageNode) -> tuple[str, str]:
    """What is in a node, and its states; of a protected value only whether there is one."""
    extra = node.extra
    if extra is None:
        return "", ""
    states = extra.states
    told = [name for name in _FLAG_STATES if states.get(name) is True]
    told += [name if states[name] is True else f"half {name}" for name in ("checked", "pressed") if states.get(name)]
    if "expanded" in states:
        told.append("expanded" if states["expanded"] else "collapsed")
    if states.get("current"):
        told.append("current")
    if node.facts & _PROTECTED:
        return "", ", ".join([*told, "filled" if extra.filled else "empty"])
    return extra.value or "", ", ".join(told)


def _scroll(node: PageNode) -> ScrollState | None:
    if not node.facts & _SCROLLER or node.extra is None or node.extra.scroll is None:
        return None
    left, top, width, height, full_width, full_height = node.extra.scroll
    at, end = (top, full_height - height) if full_height > height + 1 else (abs(left), full_width - width)
    return ScrollState(_percent(at, end), at < end - 1)


def _percent(at: int, end: int) -> str:
    return f"{max(0, min(100, round(100 * at / end)))}%" if end > 0 else "0%"


def _short(text: str, limit: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
