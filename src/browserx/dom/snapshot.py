"""A snapshot: one look at a page, understood, and never changed again."""

from copy import copy
from itertools import compress
from typing import Literal

import msgspec

from browserx.dom.captured import BackendIds, Cover, PageCapture
from browserx.dom.ids import IdRegistry, NodeRef
from browserx.dom.tree import Classified, FramePart, PageFacts, PageNode, Scroll, Tier, VirtualNode
from browserx.inpage.facts import MIRROR_BASE, Fact, LeftOut

Scope = Literal["viewport", "page", "subtree"]

_SHADOW = int(Fact.IN_SHADOW)
#: An address in a message is this long at most.
_SHORT = 100


class SnapshotStats(msgspec.Struct, frozen=True, rename="camel"):
    """What a look found and what it cost. Times are in ms; ``stage_ms`` has ``capture``, ``build`` and ``classify``.

    ``total_nodes`` counts the elements of all documents reached, whether the look entered them or not.
    """

    total_nodes: int
    semantic_nodes: int
    non_semantic_nodes: int
    structural_nodes: int
    interactive: int
    frames: int
    capture_time_ms: float
    stage_ms: dict[str, float]
    truncated: bool
    partial: bool


class DomSnapshot:
    """One look at a page.

    ``scope`` says what the look covered: the ``viewport``, the whole ``page``, or a ``subtree``. ``missing`` names
    what could not be read, in words.
    """

    def __init__(
        self,
        snapshot_id: str,
        scope: Scope,
        page: Classified,
        capture: PageCapture,
        ids: IdRegistry,
        backend_ids: BackendIds,
        stage_ms: dict[str, float],
        taken_at: float,
    ) -> None:
        self.id = snapshot_id
        self.scope: Scope = scope
        self.page = page
        #: Seconds since 1970.
        self.taken_at = taken_at
        self.missing = _missing(page, capture)
        self._capture = capture
        self._ids = ids
        self._backend_ids = backend_ids
        self._stage_ms = stage_ms
        self._root: VirtualNode | None = None
        self._by_id: dict[str, int] | None = None
        #: The ids given, by index.
        self._named: dict[int, str] = {}
        self._stats: SnapshotStats | None = None
        top = capture.captures[0].facts
        self.facts = PageFacts(
            top.url,
            top.title,
            top.viewport,
            Scroll(*top.scroll),
            top.body,
            top.loading,
            any(c.facts.opted_out for c in capture.captures),
            sum(c.facts.total for c in capture.captures),
            _sum_left([c.facts.left for c in capture.captures]),
            any(c.facts.late for c in capture.captures),
        )

    def __repr__(self) -> str:
        return f"<DomSnapshot {self.id} of {self.facts.url!r}, {self.scope}, {len(self.page.tree.nodes)} nodes>"

    def again(self, snapshot_id: str, capture_ms: float, taken_at: float) -> "DomSnapshot":
        """The same page, looked at again and found unchanged."""
        same = copy(self)
        same.id = snapshot_id
        same.taken_at = taken_at
        same._stage_ms = {"capture": capture_ms, "page": 0.0, "build": 0.0, "classify": 0.0}
        same._capture = self._capture._replace(capture_ms=capture_ms, page_ms=0.0)
        same._stats = None
        return same

    @property
    def partial(self) -> bool:
        """Whether something could not be read in time."""
        return bool(self.missing)

    @property
    def root(self) -> VirtualNode:
        """The complete mirror of what the look covered, structural nodes included; built when first asked for."""
        if self._root is None:
            self._root = _Mirror(self).build()
        return self._root

    @property
    def stats(self) -> SnapshotStats:
        """Counts and times; counted when first asked for."""
        if self._stats is None:
            tiers = [self.page.tier(index) for index in range(len(self.page.tree.nodes))]
            semantic = sum(
                1 for tier, n in zip(tiers, self.page.tree.nodes, strict=True) if tier is Tier.SEMANTIC and n.key
            )
            non_semantic = sum(1 for tier in tiers if tier is Tier.NON_SEMANTIC)
            mirrored = sum(len(c.facts.mirror) for c in self._capture.captures)
            self._stats = SnapshotStats(
                total_nodes=self.facts.total,
                semantic_nodes=semantic,
                non_semantic_nodes=non_semantic,
                structural_nodes=mirrored - semantic - non_semantic,
                interactive=sum(self.page.actionable),
                frames=len(self.page.tree.frames),
                capture_time_ms=self._capture.capture_ms,
                stage_ms=dict(self._stage_ms),
                truncated=False,
                partial=self.partial,
            )
        return self._stats

    def interactive(self) -> list[VirtualNode]:
        """What can be acted on, in document order, of what the look covered."""
        return [self.virtual(index) for index, yes in enumerate(self.page.actionable) if yes]

    def ids_of_controls(self) -> list[str]:
        """The ids of what can be acted on, in document order."""
        return [self.node_id(index) for index, yes in enumerate(self.page.actionable) if yes]

    def get_backend_id(self, node_id: str) -> int | None:
        """The browser's own id of a node; None for one this snapshot does not have, or whose id is not read yet."""
        ref = self._ids.ref(node_id)
        if ref is None or node_id not in self._index:
            return None
        return self._backend_id(ref.world, ref.key)

    def get_node_id(self, backend_id: int, frame_id: str | None = None) -> str | None:
        """The node of a browser's id, in ``frame_id`` or in the top frame's process; None if it is not here."""
        for index, node in enumerate(self.page.tree.nodes):
            if not node.key:
                continue
            frame = self.page.tree.frames[node.frame]
            if self._backend_id(frame.world, node.key) == backend_id and frame_id in (
                None,
                frame.frame_id,
            ):
                return self.node_id(index)
        return None

    # for the stages after, and for the actions

    def node_id(self, index: int) -> str:
        """The id of node ``index`` of the tree; given now if it was never shown before."""
        node_id = self._named.get(index)
        if node_id is None:
            node = self.page.tree.nodes[index]
            node_id = self._named[index] = self._ids.id_of(self.page.tree.frames[node.frame].world, node.key)
        return node_id

    def name_controls(self) -> None:
        """Give everything that can be acted on its id, in document order; the rest gets one when it is shown."""
        nodes, frames, id_of, named = self.page.tree.nodes, self.page.tree.frames, self._ids.id_of, self._named
        for index in compress(range(len(nodes)), self.page.actionable):
            node = nodes[index]
            named[index] = id_of(frames[node.frame].world, node.key)

    def node(self, node_id: str) -> PageNode | None:
        """The node of an id, if this look covered it."""
        index = self._index.get(node_id)
        return None if index is None else self.page.tree.nodes[index]

    def index_of(self, node_id: str) -> int | None:
        """Where in the tree an id is."""
        return self._index.get(node_id)

    def ref(self, index: int) -> NodeRef:
        """Where node ``index`` lives."""
        node = self.page.tree.nodes[index]
        return NodeRef(self.page.tree.frames[node.frame].world, node.key)

    def frame_of(self, index: int) -> FramePart:
        """The frame node ``index`` is in."""
        return self.page.tree.frames[self.page.tree.nodes[index].frame]

    def covering(self, index: int) -> tuple[int | None, str]:
        """What lies over node ``index``: the node it is (part of), if the look told of one, and what it is in words."""
        node = self.page.tree.nodes[index]
        frame = self.page.tree.frames[node.frame]
        world, key, words = frame.world, 0, ""
        if node.extra is not None and node.extra.covered_by:
            key, words = node.extra.covered_by, node.extra.covered_by_text
        elif (cover := self._cover(node)) is not None:
            world, key, words = cover.world, cover.key, cover.text
        known = self._ids.known(world, key) if key else None
        found = self.index_of(known) if known is not None else None
        # One that was given its id while this text is written is not in the index yet.
        return self._find(world, key) if found is None else found, words

    def _backend_id(self, world: str, key: int) -> int | None:
        return self._backend_ids.get(world, {}).get(key)

    def _find(self, world: str, key: int) -> int | None:
        nodes, frames = self.page.tree.nodes, self.page.tree.frames
        return next((i for i, n in enumerate(nodes) if key and n.key == key and frames[n.frame].world == world), None)

    def _cover(self, node: PageNode) -> Cover | None:
        capture = self._capture.captures[self.page.tree.frames[node.frame].capture]
        return capture.covered.get(node.key)

    @property
    def _index(self) -> dict[str, int]:
        if self._by_id is None:
            found = {}
            for index, node in enumerate(self.page.tree.nodes):
                if node.key:
                    known = self._ids.known(self.page.tree.frames[node.frame].world, node.key)
                    if known is not None:
                        found[known] = index
            self._by_id = found
        return self._by_id

    def forget_index(self) -> None:
        """Ids were given since; look them up anew."""
        self._by_id = None

    def virtual(self, index: int) -> VirtualNode:
        """Node ``index`` as a reader of the mirror sees it, without its children."""
        node = self.page.tree.nodes[index]
        frame = self.page.tree.frames[node.frame]
        facts = node.facts
        extra = node.extra
        return VirtualNode(
            node_id=self.node_id(index),
            role=node.role or "generic",
            name=self.page.names[index],
            tag=node.tag,
            value=None if extra is None else extra.value,
            states={} if extra is None else dict(extra.states),
            attributes={} if extra is None else dict(extra.attributes),
            children=[],
            frame_id=frame.frame_id,
            in_shadow=bool(facts & _SHADOW),
            rect=node.rect,
            visible=bool(facts & Fact.VISIBLE),
            in_viewport=bool(facts & Fact.IN_VIEW),
            actionable=self.page.actionable[index],
            occluded=bool(facts & Fact.OCCLUDED),
            tier=self.page.tier(index),
            backend_id=self._backend_id(frame.world, node.key),
        )


class _Mirror:
    """Builds the complete tree from the mirror strings, and lays the rows over it."""

    def __init__(self, snapshot: DomSnapshot) -> None:
        self.snapshot = snapshot
        self.tree = snapshot.page.tree
        #: Rows by the capture they came from and their place in its mirror.
        self.rows: dict[tuple[int, int], int] = {}
        self.texts: dict[tuple[int, int], list[str]] = {}
        self.frame_nodes: dict[int, int] = {}
        for index, node in enumerate(self.tree.nodes):
            capture = self.tree.frames[node.frame].capture
            if node.key:
                self.rows[capture, node.mirror] = index
            else:
                self.texts.setdefault((capture, node.mirror), []).append(node.text)
        for frame in self.tree.frames[1:]:
            if frame.owner is not None and frame.cross_origin and frame.reachable:
                self.frame_nodes[frame.owner] = frame.capture

    def build(self) -> VirtualNode:
        document = VirtualNode(
            node_id="",
            role="document",
            name=self.snapshot.facts.title,
            tag="#document",
            visible=True,
            children=[],
        )
        self._append(0, document)
        return document

    def _append(self, capture: int, under: VirtualNode) -> None:
        facts = self.snapshot._capture.captures[capture].facts
        frame_id = self.snapshot._capture.captures[capture].frame_id
        path = [under]
        for place, (tag, level) in enumerate(zip(facts.mirror, facts.levels, strict=True)):
            index = self.rows.get((capture, place))
            text = " ".join(self.texts.get((capture, place), ()))
            if index is not None:
                node = self.snapshot.virtual(index)
                node.text = text
            else:
                node = VirtualNode(
                    node_id="",
                    role="generic",
                    name="",
                    tag=facts.tags[ord(tag) - MIRROR_BASE],
                    text=text,
                    frame_id=frame_id,
                    visible=bool(text),
                    tier=Tier.SEMANTIC if text else Tier.STRUCTURAL,
                    children=[],
                )
            del path[ord(level) - MIRROR_BASE + 1 :]
            path[-1].children.append(node)
            path.append(node)
            if index is not None:
                if index in self.frame_nodes:
                    self._append(self.frame_nodes[index], node)
                elif why := next((f.why for f in self.tree.frames if f.owner == index and f.why), ""):
                    node.text = f"this frame could not be read: {why}"


def _missing(page: Classified, capture: PageCapture) -> list[str]:
    missing = [
        f"frame {frame.name or frame.url[:_SHORT] or frame.frame_id}: {frame.why}"
        for frame in page.tree.frames
        if frame.why
    ]
    for frame in capture.captures:
        if frame.facts.late:
            missing.append(f"the rest of {frame.facts.url[:_SHORT]}: there was no time to read it")
        if frame.facts.left.deep:
            missing.append(f"{frame.facts.left.deep} elements of {frame.facts.url[:_SHORT]} that are nested too deep")
    return missing


def _sum_left(parts: list[LeftOut]) -> LeftOut:
    return LeftOut(**{name: sum(getattr(part, name) for part in parts) for name in LeftOut.__struct_fields__})
