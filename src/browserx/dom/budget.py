"""Making a page fit: what is dropped first when it is too long, always in the same order.

1. Long runs of like siblings become a summary and the first of them.
2. Long texts are cut.
3. Text goes, the last first; then what can be acted on, the last first. A summary says how much.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from browserx.dom.distill import Item, Kind

SIBLINGS_SHOWN = 20
SIBLINGS_LIMIT = 50
SIBLINGS_CHARACTERS = 1500
TEXT_LIMIT = 500
#: Kept free for the summary lines themselves.
_RESERVE_TOKENS = 40

#: Tokens and bytes of one item as a format writes it.
Cost = Callable[[Item], tuple[float, int]]


class Fitted(NamedTuple):
    """Items that fit, and how many were left out to make them."""

    items: list[Item]
    left_out: int


def fit(items: list[Item], cost: Cost, *, max_tokens: int, max_bytes: int, max_nodes: int) -> Fitted:
    """Drop until the cost of what is left is within the budget."""
    budget = (max_tokens - _RESERVE_TOKENS, max_bytes - 4 * _RESERVE_TOKENS, max_nodes)
    if _within(_total(items, cost), budget):
        return Fitted(items, 0)
    items, summarized = _summarize_siblings(items)
    if not _within(_total(items, cost), budget):
        items = [_cut(item) for item in items]
    total = _total(items, cost)
    if _within(total, budget):
        return Fitted(items, summarized)
    items, dropped = _drop(items, cost, total, budget)
    return Fitted(items, summarized + dropped)


def first_fitting(costs: Sequence[tuple[float, int]], *, max_tokens: float, max_bytes: float, max_nodes: float) -> int:
    """How many of a list fit, from its first on: all, or as many as leave room to say how many do not.

    ``costs`` are the tokens and bytes of each.
    """
    tokens, size = 0.0, 0
    kept = 0
    for position, (more_tokens, more_bytes) in enumerate(costs, start=1):
        tokens, size = tokens + more_tokens, size + more_bytes
        if tokens > max_tokens or size > max_bytes or position > max_nodes:
            return kept
        if tokens <= max_tokens - _RESERVE_TOKENS and size <= max_bytes - 4 * _RESERVE_TOKENS:
            kept = position
    return len(costs)


def _total(items: list[Item], cost: Cost) -> tuple[float, int, int]:
    tokens, size = 0.0, 0
    for item in items:
        t, b = cost(item)
        tokens += t
        size += b
    return tokens, size, len(items)


def _within(total: tuple[float, int, int], budget: tuple[int, int, int]) -> bool:
    return total[0] <= budget[0] and total[1] <= budget[1] and total[2] <= budget[2]


def _cut(item: Item) -> Item:
    if len(item.text) <= TEXT_LIMIT:
        return item
    return msgspec.structs.replace(item, text=item.text[:TEXT_LIMIT].rstrip() + "…", cut=True)


def _summarize_siblings(items: list[Item]) -> tuple[list[Item], int]:
    result: list[Item] = []
    dropped = 0
    position = 0
    while position < len(items):
        run = _run(items, position)
        characters = sum(len(item.text) for item in items[position : run[-1]]) if len(run) > SIBLINGS_SHOWN + 1 else 0
        if len(run) - 1 > SIBLINGS_LIMIT or characters > SIBLINGS_CHARACTERS:
            count = len(run) - 1
            first = items[position]
            result.append(
                Item(
                    -1,
                    first.depth,
                    Kind.SUMMARY,
                    first.role,
                    f"{count} {_plural(first)}; the first {SIBLINGS_SHOWN} shown",
                    count=count - SIBLINGS_SHOWN,
                )
            )
            # Those shown are too few to be summarized again, but what they hold may be.
            inner, inner_dropped = _summarize_siblings(items[position : run[SIBLINGS_SHOWN]])
            result.extend(inner)
            dropped += count - SIBLINGS_SHOWN + inner_dropped
            position = run[-1]
        else:
            result.append(items[position])
            position += 1
    return result, dropped


def _run(items: list[Item], start: int) -> list[int]:
    """Starts of the like siblings that follow each other from ``start``, and the end of the last."""
    first = items[start]
    starts = [start]
    position = start + 1
    while position < len(items):
        item = items[position]
        if item.depth > first.depth:
            position += 1
            continue
        if item.depth < first.depth or item.kind is not first.kind or item.role != first.role:
            break
        starts.append(position)
        position += 1
    return [*starts, position]


def _plural(item: Item) -> str:
    words = {"listitem": "items", "row": "rows", "text": "texts", "link": "links", "option": "options"}
    return words.get(item.role, f"{item.role or 'element'}s")


def _drop(
    items: list[Item], cost: Cost, total: tuple[float, int, int], budget: tuple[int, int, int]
) -> tuple[list[Item], int]:
    tokens, size, count = total
    gone: set[int] = set()
    for expendable in (
        (Kind.TEXT, Kind.PICTURE),
        (Kind.ROW,),
        (Kind.HEADING,),
        (Kind.LISTITEM, Kind.GROUP, Kind.SUMMARY),
        (Kind.CONTROL, Kind.FRAME),
    ):
        for position in range(len(items) - 1, -1, -1):
            if _within((tokens, size, count), budget):
                break
            if items[position].kind not in expendable or position in gone:
                continue
            if items[position].kind is Kind.GROUP and _holds(items, position, gone):
                continue
            t, b = cost(items[position])
            tokens, size, count = tokens - t, size - b, count - 1
            gone.add(position)
    kept = [item for position, item in enumerate(items) if position not in gone]
    controls = sum(1 for position in gone if items[position].kind is Kind.CONTROL)
    words = f"{len(gone)} more nodes left out" + (f", {controls} of them controls" if controls else "")
    kept.append(Item(-1, 0, Kind.SUMMARY, "", words, count=len(gone)))
    return kept, len(gone)


def _holds(items: list[Item], position: int, gone: set[int]) -> bool:
    depth = items[position].depth
    for inner in range(position + 1, len(items)):
        if items[inner].depth <= depth:
            return False
        if inner not in gone:
            return True
    return False
