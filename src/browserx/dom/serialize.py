"""From a snapshot to what a reader asked for: distill, make it fit, write it down."""

import secrets
from typing import NamedTuple

import msgspec

from browserx.dom.budget import fit
from browserx.dom.distill import Item, Kind, distill
from browserx.dom.html import Markup
from browserx.dom.interactive import InteractiveWriter, RecentEvents, SemanticV2, SemanticV3
from browserx.dom.nodes import NodeWriter, PageDocument, SerializedDom
from browserx.dom.options import MAX_BYTES, MAX_NODES, SerializationOptions
from browserx.dom.outline import OutlineWriter, origin
from browserx.dom.skeleton import Written, skeleton
from browserx.dom.snapshot import DomSnapshot
from browserx.dom.tokens import count

#: What surrounds the page in an outline: the fence, the address, the lines for what lies above and below.
_FRAME_TOKENS = 120


Serialized = SerializedDom | PageDocument | SemanticV3 | SemanticV2 | Markup


class Omitted(msgspec.Struct, frozen=True):
    """How many nodes a text leaves out, and why."""

    offscreen: int = 0
    occluded: int = 0
    budget: int = 0
    hidden: int = 0


class Outline(NamedTuple):
    """The text of a look. ``ids`` are those of what can be acted on, in the order of the text."""

    text: str
    ids: list[str]
    tokens: int
    omitted: Omitted
    continuation: list[str]


def new_nonce() -> str:
    """The number of one session's fence; a page cannot know it, and so cannot write its end."""
    return secrets.token_hex(3)


def outline(
    snapshot: DomSnapshot,
    options: SerializationOptions,
    *,
    nonce: str,
    start: int = -1,
    max_nodes: int = MAX_NODES,
) -> Outline:
    """Write a snapshot as text for a model."""
    writer = OutlineWriter(snapshot, include_layout=options.include_layout)
    items = distill(
        snapshot.page,
        viewport_only=options.viewport_only,
        start=start,
        max_depth=options.max_depth if options.max_tokens is not None else None,
    )
    left_out = 0
    if options.max_tokens is not None:
        items, left_out = fit(
            items,
            writer.cost,
            max_tokens=options.max_tokens - _FRAME_TOKENS,
            max_bytes=MAX_BYTES,
            max_nodes=max_nodes,
        )
    ids = [snapshot.node_id(item.node) for item in items if item.kind is Kind.CONTROL]
    snapshot.forget_index()
    body = writer.text(items)
    continuation = _continuation(snapshot, options, left_out)
    text = "\n".join(
        part for part in (_head(snapshot, nonce), body, *_around(snapshot, options), f"</page {nonce}>") if part
    )
    left = snapshot.facts.left
    omitted = Omitted(
        offscreen=left.above + left.below + left.beside + left.scrolled,
        budget=left_out,
        hidden=left.hidden,
    )
    return Outline(text, ids, count(text), omitted, continuation)


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
    items = distill(
        snapshot.page,
        viewport_only=options.viewport_only,
        start=start,
        max_depth=options.max_depth if options.max_tokens is not None else None,
    )
    left_out = 0
    if options.max_tokens is not None:
        items, left_out = fit(
            items, writer.cost, max_tokens=options.max_tokens, max_bytes=MAX_BYTES, max_nodes=max_nodes
        )
    _give_ids(snapshot, items)
    if options.format == "page":
        return writer.page(items, truncated=left_out > 0 or snapshot.partial)
    return writer.dom(items)


def _give_ids(snapshot: DomSnapshot, items: list[Item]) -> None:
    for item in items:
        if item.node >= 0 and snapshot.page.tree.nodes[item.node].key:
            snapshot.node_id(item.node)
    snapshot.forget_index()


def _head(snapshot: DomSnapshot, nonce: str) -> str:
    facts = snapshot.facts
    title = " ".join(facts.title.split())[:120]
    url = facts.url if len(facts.url) <= 200 else facts.url[:199] + "…"
    return f"<page {nonce}> {title}\n{url}" if title else f"<page {nonce}>\n{url}"


def _around(snapshot: DomSnapshot, options: SerializationOptions) -> list[str]:
    """Counted lines for what a viewport look did not enter, and what could not be read."""
    lines = []
    left, scroll = snapshot.facts.left, snapshot.facts.scroll
    height = snapshot.facts.viewport[1]
    if options.viewport_only and snapshot.scope == "viewport":
        if left.above or scroll.y > 1:
            end = max(scroll.height - height, scroll.y)
            lines.append(f"… above: {left.above} more elements (scrolled {scroll.y} px of {end})")
        if left.below:
            lines.append(f"… below: {left.below} more elements ({max(0, scroll.height - height - scroll.y)} px)")
        if left.beside:
            lines.append(f"… beside: {left.beside} more elements")
        if left.scrolled:
            lines.append(f"… scrolled away inside boxes: {left.scrolled} more elements")
    if snapshot.facts.loading:
        lines.append("… still loading")
    lines += [f"… not read: {what}" for what in snapshot.missing]
    return lines


def _continuation(snapshot: DomSnapshot, options: SerializationOptions, left_out: int) -> list[str]:
    """Which calls get what this text leaves out."""
    calls = []
    left = snapshot.facts.left
    if options.viewport_only and snapshot.scope == "viewport":
        if left.below:
            calls.append('scroll(direction="down")')
        if left.above:
            calls.append('scroll(direction="up")')
        if left.below or left.above or left.beside:
            calls.append("observe(viewport_only=False)")
    if left_out:
        calls.append("observe(max_tokens=None)")
        calls.append("observe(scope=ID)")
    if snapshot.partial:
        calls.append("observe(force=True, deadline_ms=…)")
    return calls


__all__ = ["Omitted", "Outline", "Serialized", "new_nonce", "origin", "outline", "serialize"]
