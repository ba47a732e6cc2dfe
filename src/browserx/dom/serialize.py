"""From a snapshot to values in the format a reader asked for."""

from browserx.dom.choose import choose
from browserx.dom.distill import Item
from browserx.dom.html import Markup
from browserx.dom.interactive import InteractiveWriter, RecentEvents, SemanticV2, SemanticV3
from browserx.dom.nodes import NodeWriter, PageDocument, SerializedDom
from browserx.dom.options import MAX_NODES, SerializationOptions
from browserx.dom.skeleton import Written, skeleton
from browserx.dom.snapshot import DomSnapshot

Serialized = SerializedDom | PageDocument | SemanticV3 | SemanticV2 | Markup


def serialize(
    snapshot: DomSnapshot,
    options: SerializationOptions,
    *,
    start: int = -1,
    max_nodes: int = MAX_NODES,
    events: RecentEvents | None = None,
    written: Written | None = None,
) -> Serialized:
    """Write a snapshot as values, in any format but ``outline`` and ``html``.

    ``events`` are told by ``v3`` and ``v2``; ``written`` is what a ``skeleton`` needs beyond what a look tells.
    """
    if options.format == "skeleton":
        return skeleton(snapshot, options, start=start, max_nodes=max_nodes, written=written)
    if options.format in ("v3", "v2"):
        flat = InteractiveWriter(snapshot, options, start=start, max_nodes=max_nodes, events=events)
        return flat.v3() if options.format == "v3" else flat.v2()
    return _nested(snapshot, options, start, max_nodes)


def _nested(
    snapshot: DomSnapshot, options: SerializationOptions, start: int, max_nodes: int
) -> SerializedDom | PageDocument:
    writer = NodeWriter(snapshot, include_layout=options.include_layout)
    items, left_out, _ = choose(snapshot, options, writer.cost, start=start, max_nodes=max_nodes)
    _give_ids(snapshot, items)
    if options.format == "page":
        return writer.page(items, truncated=left_out > 0 or snapshot.partial)
    return writer.dom(items)


def _give_ids(snapshot: DomSnapshot, items: list[Item]) -> None:
    for item in items:
        if item.node >= 0 and snapshot.page.tree.nodes[item.node].key:
            snapshot.node_id(item.node)
    snapshot.forget_index()
