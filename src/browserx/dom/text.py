"""A page as text for a model: what was asked for of its outline, in a fence, with what lies around it counted.

The fence carries a number that no page can know. Its first line alone says whether what follows is the page, or only
what has changed since an earlier text; a page could write either into its own.
"""

import secrets
from collections.abc import Callable, Sequence

import msgspec

from browserx.dom.choose import choose
from browserx.dom.diff import Told, diff, tell
from browserx.dom.distill import Kind
from browserx.dom.options import MAX_NODES, SerializationOptions
from browserx.dom.outline import OutlineWriter
from browserx.dom.snapshot import DomSnapshot

#: What surrounds the page: the fence, the address, the lines for what lies above and below.
_FRAME_TOKENS = 120


class Omitted(msgspec.Struct, frozen=True):
    """How many nodes a text leaves out, and why."""

    offscreen: int = 0
    occluded: int = 0
    budget: int = 0
    hidden: int = 0


class Outline:
    """The text of a look. ``ids`` are those of what can be acted on, in the order of the text.

    A text is comparable if a later one can be told as the change from it; there is too much of one that is not.
    """

    def __init__(
        self,
        text: str,
        ids: list[str],
        omitted: Omitted,
        continuation: list[str],
        tell: Callable[[], list[Told]] | None,
    ) -> None:
        self.text = text
        self.ids = ids
        self.omitted = omitted
        self.continuation = continuation
        self.is_comparable = tell is not None
        self._tell = tell
        self._told: list[Told] = []

    def told(self) -> list[Told]:
        """What a later text can be told as the change from; empty if it is not comparable."""
        if self._tell is not None:
            self._told, self._tell = self._tell(), None
        return self._told


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
    before: Sequence[Told] | None = None,
) -> Outline:
    """Write a snapshot as text for a model; as the change from ``before``, an earlier text, when that is shorter."""
    writer = OutlineWriter(snapshot, include_layout=options.include_layout)
    chosen = choose(snapshot, options, writer.cost, start=start, max_nodes=max_nodes, reserve=_FRAME_TOKENS)
    controls = [item.node for item in chosen.items if item.kind is Kind.CONTROL]
    ids = [snapshot.node_id(node) for node in controls if snapshot.page.actionable[node]]
    snapshot.forget_index()
    items = chosen.items
    comparable = len(items) <= max_nodes
    told = tell(snapshot, items, writer.line) if before and comparable else []
    change = diff(before, told) if before and told else None
    parts = [
        _head(snapshot, nonce, options.diff_from if change is not None else None),
        change if change is not None else writer.text(chosen.items),
        f"… {chosen.reason}" if chosen.reason else "",
        *_around(snapshot, options),
        f"</page {nonce}>",
    ]
    text = "\n".join(part for part in parts if part)
    left = snapshot.facts.left
    omitted = Omitted(
        offscreen=left.above + left.below + left.beside + left.scrolled,
        budget=chosen.left_out,
        hidden=left.hidden,
    )
    continuation = _continuation(snapshot, options, chosen.left_out)
    return Outline(
        text,
        ids,
        omitted,
        continuation,
        (lambda: told or tell(snapshot, items, writer.line)) if comparable else None,
    )


def _head(snapshot: DomSnapshot, nonce: str, since: str | None) -> str:
    facts = snapshot.facts
    title = " ".join(facts.title.split())[:120]
    url = facts.url if len(facts.url) <= 200 else facts.url[:199] + "…"
    fence = f"<page {nonce}>" if since is None else f"<page {nonce} since {since}>"
    return f"{fence} {title}\n{url}" if title else f"{fence}\n{url}"


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
