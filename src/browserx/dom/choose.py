"""Which items of a page are written: all, those a query is about, or those that fit a budget."""

from typing import NamedTuple

import msgspec

from browserx.dom.budget import Cost, fit
from browserx.dom.distill import Item, distill
from browserx.dom.options import MAX_BYTES, MAX_NODES, SerializationOptions
from browserx.dom.outline import OutlineWriter
from browserx.dom.snapshot import DomSnapshot


class Chosen(NamedTuple):
    """What is written, how many items are not, and, for a query, why these."""

    items: list[Item]
    left_out: int
    reason: str


def choose(
    snapshot: DomSnapshot,
    options: SerializationOptions,
    cost: Cost,
    *,
    start: int = -1,
    max_nodes: int = MAX_NODES,
    reserve: int = 0,
) -> Chosen:
    """The items of a snapshot, or of the subtree of node ``start``. ``reserve`` tokens of the budget are kept free."""
    items = distill(
        snapshot.page,
        viewport_only=options.viewport_only,
        include_hidden=options.include_hidden,
        start=start,
        max_depth=options.max_depth if options.max_tokens is not None else None,
    )
    budget = None if options.max_tokens is None else options.max_tokens - reserve
    if options.query is not None:
        from browserx.dom.query import relevant, spoken  # only those who ask wait for it

        return Chosen(*relevant(items, spoken(snapshot.page.tree.nodes), options.query, cost, budget))
    if budget is None:
        return Chosen(items, 0, "")
    return Chosen(*fit(items, cost, max_tokens=budget, max_bytes=MAX_BYTES, max_nodes=max_nodes), "")


def about(snapshot: DomSnapshot, options: SerializationOptions, *, start: int = -1) -> set[int] | None:
    """The nodes that the query is about, None when there is none: for formats that know no items."""
    if options.query is None:
        return None
    asked = msgspec.structs.replace(options, max_tokens=None)
    return {item.node for item in choose(snapshot, asked, OutlineWriter(snapshot).cost, start=start).items}
