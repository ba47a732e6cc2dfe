"""The JSON formats: ``nodes``, nested, and ``page``, with frames and shadow roots apart.

Only values that are not at their default are present. Schemas: ``msgspec.json.schema(SerializedDom)`` and
``msgspec.json.schema(PageDocument)``.
"""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import msgspec

from browserx.dom.distill import Item, Kind
from browserx.dom.snapshot import DomSnapshot
from browserx.dom.tokens import share
from browserx.dom.tree import Rect
from browserx.inpage.facts import Fact

PAGE_VERSION = "browserx.v1"

_OCCLUDED = int(Fact.OCCLUDED)
_HIDDEN = int(Fact.HIDDEN)
_IN_VIEW = int(Fact.IN_VIEW)
_IN_SHADOW = int(Fact.IN_SHADOW)
_JSON = msgspec.json.Encoder()


class SerializedNode(msgspec.Struct, rename="camel", omit_defaults=True, kw_only=True):
    """One node as a reader gets it. ``box`` is x, y, width, height in CSS px of the viewport.

    ``hidden`` is there only when hidden nodes were asked for.
    """

    id: str = ""
    role: str
    tag: str = ""
    name: str | None = None
    text: str | None = None
    text_overflow: bool = False
    value: str | None = None
    href: str | None = None
    placeholder: str | None = None
    checked: bool | str | None = None
    disabled: bool = False
    expanded: bool | None = None
    selected: bool | None = None
    pressed: bool | str | None = None
    required: bool = False
    readonly: bool = False
    invalid: bool = False
    level: int | None = None
    testid: str | None = msgspec.field(name="data-testid", default=None)
    occluded: bool = False
    in_viewport: bool = False
    hidden: bool = False
    box: Rect | None = None
    children: list["SerializedNode"] | None = None


class FrameInfo(msgspec.Struct, rename="camel", omit_defaults=True, kw_only=True):
    """One frame of the page."""

    id: str
    url: str
    name: str = ""
    parent_id: str | None = None
    cross_origin: bool
    reachable: bool


class SerializedDom(msgspec.Struct, rename="camel", kw_only=True):
    """The page in the ``nodes`` format. ``node_count`` counts the nodes below, ``timestamp`` is ISO 8601 in UTC."""

    url: str
    title: str
    timestamp: str
    nodes: list[SerializedNode]
    frames: list[FrameInfo]
    total_interactive_elements: int
    node_count: int

    def to_dict(self) -> dict[str, Any]:
        """As it goes over the wire: plain JSON values, camelCase names."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]


class Viewport(msgspec.Struct):
    """In CSS px."""

    width: int
    height: int


class PageContext(msgspec.Struct, kw_only=True):
    """Which page it is."""

    url: str
    title: str
    domain: str
    viewport: Viewport


class PageMeta(msgspec.Struct, rename="camel", omit_defaults=True, kw_only=True):
    """``error`` is ``no-body`` for an empty document."""

    truncated: bool
    total_nodes: int
    version: str
    error: str | None = None


class PageBody(msgspec.Struct, rename="camel", omit_defaults=True, kw_only=True):
    """Context, the top document, and apart from it what is in frames and shadow roots."""

    context: PageContext
    body: SerializedNode
    iframe: list[SerializedNode] = []
    shadow_dom: list[SerializedNode] = []
    meta: PageMeta


class PageDocument(msgspec.Struct, kw_only=True):
    """The page in the ``page`` format."""

    page: PageBody

    def to_dict(self) -> dict[str, Any]:
        """As it goes over the wire: plain JSON values, camelCase names."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]


class NodeWriter:
    """Writes the items of one snapshot as nodes."""

    def __init__(self, snapshot: DomSnapshot, *, include_layout: bool = False) -> None:
        self.snapshot = snapshot
        self.include_layout = include_layout

    def cost(self, item: Item) -> tuple[float, int]:
        """Tokens and bytes of ``item``, without its children."""
        written = _JSON.encode(self.node(item))
        return share(written.decode()) + 4, len(written) + 16

    def node(self, item: Item) -> SerializedNode:
        """One node, without its children."""
        if item.node < 0:
            return SerializedNode(role="summary", text=item.text)
        snapshot = self.snapshot
        source = snapshot.page.tree.nodes[item.node]
        said = item.text or None
        box = source.rect if self.include_layout and source.key else None
        if source.key == 0:
            return SerializedNode(
                role="text",
                text=said,
                text_overflow=item.cut,
                in_viewport=bool(source.facts & _IN_VIEW),
                hidden=bool(source.facts & _HIDDEN),
            )
        extra = source.extra
        states = extra.states if extra is not None else {}
        attributes = extra.attributes if extra is not None else {}
        return SerializedNode(
            id=snapshot.node_id(item.node),
            role=item.role or source.role or source.tag,
            tag=source.tag,
            name=said if item.kind not in (Kind.HEADING, Kind.ROW) else None,
            text=said if item.kind in (Kind.HEADING, Kind.ROW) else None,
            text_overflow=item.cut,
            value=extra.value if extra is not None else None,
            href=attributes.get("href"),
            placeholder=attributes.get("placeholder"),
            checked=states.get("checked"),  # type: ignore[arg-type]
            disabled=states.get("disabled") is True,
            expanded=states.get("expanded"),  # type: ignore[arg-type]
            selected=states.get("selected"),  # type: ignore[arg-type]
            pressed=states.get("pressed"),  # type: ignore[arg-type]
            required=states.get("required") is True,
            readonly=states.get("readonly") is True,
            invalid=states.get("invalid") is True,
            level=item.level or states.get("level") or None,  # type: ignore[arg-type]
            testid=attributes.get("testid"),
            occluded=bool(source.facts & _OCCLUDED),
            in_viewport=bool(source.facts & _IN_VIEW),
            hidden=bool(source.facts & _HIDDEN),
            box=box,
        )

    def nested(self, items: list[Item]) -> list[SerializedNode]:
        """All nodes, each inside the last one before it that is less deep."""
        top: list[SerializedNode] = []
        path: list[tuple[int, SerializedNode]] = []
        for item in items:
            node = self.node(item)
            while path and path[-1][0] >= item.depth:
                path.pop()
            if not path:
                top.append(node)
            elif path[-1][1].children is None:
                path[-1][1].children = [node]
            else:
                path[-1][1].children.append(node)
            path.append((item.depth, node))
        return top

    def frames(self) -> list[FrameInfo]:
        """Every frame of the page, the top one first."""
        parts = self.snapshot.page.tree.frames
        return [
            FrameInfo(
                id=part.frame_id,
                url=part.url,
                name=part.name,
                parent_id=parts[part.parent].frame_id if part.parent is not None else None,
                cross_origin=part.cross_origin,
                reachable=part.reachable,
            )
            for part in parts
        ]

    def dom(self, items: list[Item]) -> SerializedDom:
        """The ``nodes`` format."""
        return SerializedDom(
            url=self.snapshot.facts.url,
            title=self.snapshot.facts.title,
            timestamp=_timestamp(self.snapshot),
            nodes=self.nested(items),
            frames=self.frames(),
            total_interactive_elements=sum(self.snapshot.page.actionable),
            node_count=len(items),
        )

    def page(self, items: list[Item], *, truncated: bool) -> PageDocument:
        """The ``page`` format."""
        facts = self.snapshot.facts
        body, frames, shadows = self._apart(items)
        return PageDocument(
            page=PageBody(
                context=PageContext(
                    url=facts.url,
                    title=facts.title,
                    domain=urlsplit(facts.url).hostname or "",
                    viewport=Viewport(*facts.viewport),
                ),
                body=SerializedNode(role="document", tag="body", children=self.nested(body) or None),
                iframe=frames,
                shadow_dom=shadows,
                meta=PageMeta(
                    truncated=truncated,
                    total_nodes=facts.total,
                    version=PAGE_VERSION,
                    error=None if facts.has_body else "no-body",
                ),
            )
        )

    def _apart(self, items: list[Item]) -> tuple[list[Item], list[SerializedNode], list[SerializedNode]]:
        """What is in the top document's own tree, what is in each frame, and what is in shadow roots."""
        nodes = self.snapshot.page.tree.nodes
        body: list[Item] = []
        in_frames: dict[int, list[Item]] = {}
        in_shadow: list[Item] = []
        for item in items:
            source = nodes[item.node] if item.node >= 0 else None
            if source is not None and source.frame != 0:
                in_frames.setdefault(source.frame, []).append(item)
            elif source is not None and source.facts & _IN_SHADOW:
                in_shadow.append(item)
            else:
                body.append(item)
        frames = []
        for number, inside in in_frames.items():
            part = self.snapshot.page.tree.frames[number]
            owner = self.snapshot.node_id(part.owner) if part.owner is not None else ""
            frames.append(
                SerializedNode(id=owner, role="frame", tag="iframe", name=part.url, children=self.nested(inside))
            )
        return body, frames, self.nested(in_shadow)


def _timestamp(snapshot: DomSnapshot) -> str:
    return datetime.fromtimestamp(snapshot.taken_at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
