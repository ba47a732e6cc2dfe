"""The parts of a page that a question is about.

The items of a page are cut into chunks along its structure, the chunks are ranked against the query with BM25, and the
best are kept with what stands above them. What was left out in between is counted.

A heading, and the header row of a table, stand above what follows them, as a group stands above what is in it. What
fits into a chunk with all it holds is one; what does not is only a way to smaller ones. A chunk never parts a control
from its label or its row.

Source: Okapi BM25 in Lucene's variant, as ``bm25s`` has it.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from browserx.dom.budget import TEXT_LIMIT, Cost
from browserx.dom.distill import Item, Kind
from browserx.dom.tree import PageNode
from browserx.dom.words import alike, words
from browserx.errors import InvalidArgumentError

#: What is said of an item, for matching: its role, name, text, value.
WordsOf = Callable[[Item], str]

#: Short things that follow each other are one chunk up to this many tokens; a group, or a section, up to the second
#: number; what loses its sense in pieces (a form, a row, a list item, a control and what is in it) up to the third.
_FLOW_TOKENS = 100
_GROUP_TOKENS = 200
_WHOLE_TOKENS = 400
_WHOLE_KINDS = frozenset((Kind.ROW, Kind.LISTITEM, Kind.CONTROL))
_WHOLE_ROLES = frozenset(("form", "search", "dialog", "alertdialog", "radiogroup"))
#: What may share a chunk with its neighbours.
_FLOW = frozenset((Kind.TEXT, Kind.CONTROL, Kind.PICTURE, Kind.ROW, Kind.LISTITEM))
#: Text longer than this labels no group.
_LABEL_LENGTH = 80
#: A word in more than this share of the chunks tells none of them apart.
_COMMON = 0.5
_FEW_CHUNKS = 4
#: A chunk's own words count twice, those of what stands above it once.
_OWN = 2
_TABLE_HEADER = 7
_SKELETON = frozenset((Kind.HEADING, Kind.GROUP, Kind.FRAME))
_NO_LANDMARK = frozenset(("list", "group", "table", "grid", "row", "listbox", "menu"))

#: How people call a role, where the role's own name is not it.
_SPOKEN = {
    "alertdialog": "dialog popup",
    "checkbox": "check box",
    "combobox": "dropdown select box",
    "contentinfo": "footer",
    "banner": "header",
    "dialog": "dialog popup",
    "image": "image picture photo",
    "listbox": "list select box",
    "menuitem": "menu item",
    "navigation": "navigation menu",
    "radio": "radio option",
    "searchbox": "search box field input",
    "spinbutton": "number field input",
    "switch": "switch toggle",
    "textbox": "text box field input",
}


class Relevant(NamedTuple):
    """What is kept of a page, in document order; how many items are not; and why, in words."""

    items: list[Item]
    left_out: int
    reason: str


class Chunk(NamedTuple):
    """The items from ``start`` up to ``end``, which are told together or not at all."""

    start: int
    end: int


def relevant(items: list[Item], words_of: WordsOf, query: str, cost: Cost, max_tokens: int | None) -> Relevant:
    """Keep what ``query`` is about, at most ``max_tokens`` of it.

    A query that nothing matches gets headings and landmarks. The same input gives the same output; of two chunks that
    match as well, the first in the document is the better one.

    Raises:
        InvalidArgumentError: ``bm25s`` is not installed.
    """
    page = _Page(items, cost, max_tokens)
    said = [words(words_of(item)) for item in items]
    chunks = page.chunks()
    documents = [_document(page, said, chunk) for chunk in chunks]
    asked = _telling(_known(words(query, asked=True), documents), documents)
    ranked = _rank(documents, asked)
    picked = _Picked(page, max_tokens)
    fitting = sum(_take(picked, items, chunks[number], asked) for number in ranked)
    if fitting:
        fit = "" if fitting == len(ranked) else f", and {fitting} of them fit"
        reason = f"{len(ranked)} of {len(chunks)} parts of the page match {query!r}{fit}"
    else:
        for at in page.skeleton():
            picked.take([at])
        why = "none of what matches fits: allow more tokens" if ranked else "nothing here matches"
        reason = f"{why} ({query!r}); headings and landmarks are all that is told"
    return Relevant(picked.items(), len(items) - len(picked.kept), reason)


def _take(picked: "_Picked", items: list[Item], chunk: Chunk, asked: list[str]) -> bool:
    """Keep a chunk if it fits, if need be with its long texts cut."""
    wanted = range(chunk.start, chunk.end)
    if picked.take(wanted):
        return True
    long = [at for at in wanted if len(items[at].text) > TEXT_LIMIT]
    return bool(long) and picked.take(wanted, {at: _passage(items[at], asked) for at in long})


def spoken(nodes: Sequence[PageNode]) -> WordsOf:
    """What is said of the items of a page: role, name or text, value, placeholder, options."""

    def words_of(item: Item) -> str:
        if item.kind is Kind.TEXT or item.node < 0:
            return item.text
        parts = [_SPOKEN.get(item.role, item.role), item.text]
        extra = nodes[item.node].extra
        if extra is not None:
            parts += [extra.value or "", extra.attributes.get("placeholder", ""), *extra.options]
        return " ".join(parts)

    return words_of


class _Page:
    """The items with who stands above whom: ``ends`` and ``above`` count a heading as holding its section."""

    def __init__(self, items: list[Item], cost: Cost, max_tokens: int | None) -> None:
        self.items = items
        self.cost = cost
        self.costs = [cost(item)[0] for item in items]
        self.ends, self.above = _sections(items)
        self._sums = [0.0]
        for tokens in self.costs:
            self._sums.append(self._sums[-1] + tokens)
        #: A small budget is for several chunks too.
        self._most = max_tokens / 4 if max_tokens is not None else _WHOLE_TOKENS

    def chunks(self) -> list[Chunk]:
        """All chunks, in document order. What is in none of them only stands above some."""
        chunks: list[Chunk] = []
        at = 0
        while at < len(self.items):
            if not self._is_whole(at):
                at += 1
                continue
            piece = Chunk(at, self.ends[at])
            if chunks and chunks[-1].end == at and self._belong_together(chunks[-1], piece):
                piece = Chunk(chunks.pop().start, piece.end)
            chunks.append(piece)
            at = piece.end
        return chunks

    def line_above(self, at: int) -> list[int]:
        """All that stands above an item, the nearest first."""
        found = []
        while (at := self.above[at]) >= 0:
            found.append(at)
        return found

    def skeleton(self) -> list[int]:
        """Headings and landmarks, the highest first."""
        there = [
            at
            for at, item in enumerate(self.items)
            if item.level or (item.kind in _SKELETON and item.role not in _NO_LANDMARK)
        ]
        return sorted(there, key=lambda at: (len(self.line_above(at)), at))

    def _tokens(self, chunk: Chunk) -> float:
        return self._sums[chunk.end] - self._sums[chunk.start]

    def _is_whole(self, at: int) -> bool:
        """Whether an item is told with all it holds, or not at all."""
        item, end = self.items[at], self.ends[at]
        if end == at + 1:
            return True
        holds_section = item.level > 0 or item.kind is Kind.HEADING
        whole = not holds_section and (item.kind in _WHOLE_KINDS or item.role in _WHOLE_ROLES)
        return self._tokens(Chunk(at, end)) <= min(_WHOLE_TOKENS if whole else _GROUP_TOKENS, self._most)

    def _belong_together(self, before: Chunk, piece: Chunk) -> bool:
        first, second = self.items[before.start], self.items[piece.start]
        if self.above[before.start] != self.above[piece.start]:
            return False
        if self._labels(before.end - 1, piece.start):
            return True
        if first.kind not in _FLOW or second.kind not in _FLOW or first.level or second.level:
            return False
        return self._tokens(Chunk(before.start, piece.end)) <= min(_FLOW_TOKENS, self._most)

    def _labels(self, at: int, then: int) -> bool:
        """Whether one of two neighbours is the label of the other."""
        one, other = self.items[at], self.items[then]
        if one.depth != other.depth:
            return False
        if one.kind is Kind.CONTROL:
            return other.kind is Kind.TEXT and _names(other, one)
        if one.kind is not Kind.TEXT:
            return False
        if other.kind is Kind.CONTROL:
            # Text that is the label of the control before it is not that of the next one.
            before = self.items[at - 1] if at else one
            return not (before.kind is Kind.CONTROL and before.depth == one.depth and _names(one, before))
        return other.kind is Kind.GROUP and not other.text and len(one.text) <= _LABEL_LENGTH


def _names(text: Item, control: Item) -> bool:
    return text.text.casefold() in control.text.casefold()


def _sections(items: list[Item]) -> tuple[list[int], list[int]]:
    """For each item, where what it stands above ends, and what it stands below of (-1: nothing)."""
    ends = [len(items)] * len(items)
    above = [-1] * len(items)
    open_: list[int] = []
    for at, item in enumerate(items):
        while open_ and not _stands_above(items[open_[-1]], item):
            ends[open_.pop()] = at
        above[at] = open_[-1] if open_ else -1
        open_.append(at)
    return ends, above


def _stands_above(one: Item, other: Item) -> bool:
    """Whether ``other``, which comes after ``one``, is in it or in its section."""
    if other.depth != one.depth:
        return other.depth > one.depth
    rank = _rank_of(one)
    return bool(rank) and not 0 < _rank_of(other) <= rank


def _rank_of(item: Item) -> int:
    """The level of a heading; the header of a table is below them all; 0 for what has no section."""
    if item.kind is Kind.ROW:
        return _TABLE_HEADER if item.level else 0
    return item.level or (1 if item.kind is Kind.HEADING else 0)


def _document(page: _Page, said: list[list[str]], chunk: Chunk) -> list[str]:
    own = [word for at in range(chunk.start, chunk.end) for word in said[at]]
    return own * _OWN + [word for at in page.line_above(chunk.start) for word in said[at]]


def _known(asked: list[str], documents: list[list[str]]) -> list[str]:
    """The words asked for; for one that is nowhere, those that begin like it ("searching" finds "search")."""
    vocabulary = dict.fromkeys(word for document in documents for word in document)
    known: dict[str, None] = {}
    for word in asked:
        known.update(dict.fromkeys([word] if word in vocabulary else [w for w in vocabulary if alike(word, w)]))
    return list(known)


def _telling(asked: list[str], documents: list[list[str]]) -> list[str]:
    """Without the words that nearly every chunk has, unless there are no others."""
    if len(documents) < _FEW_CHUNKS:
        return asked
    among = set(asked)
    times = dict.fromkeys(asked, 0)
    for document in documents:
        for word in among.intersection(document):
            times[word] += 1
    return [word for word in asked if times[word] <= _COMMON * len(documents)] or asked


def _rank(documents: list[list[str]], asked: list[str]) -> list[int]:
    """The documents that have any of the words, the best first."""
    if not asked:
        return []
    numbers: dict[str, int] = {}
    ids = [[numbers.setdefault(word, len(numbers)) for word in document] for document in documents]
    ranker = _bm25().BM25()
    ranker.index((ids, numbers), show_progress=False)
    # Rounded, so that the order never hangs on the last bit.
    scores = [round(float(score), 4) for score in ranker.get_scores(asked)]
    return sorted((n for n, score in enumerate(scores) if score > 0), key=lambda n: (-scores[n], n))


def _bm25() -> Any:
    try:
        # It brings numpy, which a look without a query need not wait for.
        import bm25s
    except ImportError as error:
        raise InvalidArgumentError("query needs the package bm25s: install it, or leave query out") from error
    # Its import sets its logger to DEBUG, past what the application wants to hear; back to what that says.
    bm25s.logger.setLevel("NOTSET")
    return bm25s


def _passage(item: Item, asked: list[str]) -> Item:
    """A long text, cut to the passage around the first word that was asked for."""
    folded = item.text.casefold()
    found = [place for word in asked if (place := folded.find(word)) >= 0]
    start = max(0, min(found, default=0) - TEXT_LIMIT // 4)
    start = item.text.rfind(" ", 0, start) + 1
    end = start + TEXT_LIMIT
    passage = f"{'…' if start else ''}{item.text[start:end].strip()}{'…' if end < len(item.text) else ''}"
    return replace(item, text=passage, cut=True)


class _Picked:
    """What was kept so far, and what it costs with the summaries between."""

    def __init__(self, page: _Page, max_tokens: int | None) -> None:
        self.page = page
        self.kept: set[int] = set()
        self._shortened: dict[int, Item] = {}
        self._max = max_tokens
        self._tokens = 0.0
        #: How many runs the kept items make: there is a summary before, between and after them, at most.
        self._runs = 0
        deepest = max((item.depth for item in page.items), default=0)
        self._summary = page.cost(_summary(len(page.items), len(page.items), deepest))[0]

    def take(self, wanted: Iterable[int], shortened: dict[int, Item] | None = None) -> bool:
        """Keep these and what stands above them, if they fit."""
        wanted = list(wanted)
        new = [at for at in (*wanted, *self.page.line_above(wanted[0])) if at not in self.kept]
        cut = shortened or {}
        tokens = sum(self.page.cost(cut[at])[0] if at in cut else self.page.costs[at] for at in new)
        runs = 0
        adding: set[int] = set()
        for at in new:
            runs += 1 - self._is_there(at - 1, adding) - self._is_there(at + 1, adding)
            adding.add(at)
        total = self._tokens + tokens + (self._runs + runs + 1) * self._summary
        if self._max is not None and total > self._max:
            return False
        self._tokens += tokens
        self._runs += runs
        self.kept |= adding
        self._shortened |= cut
        return True

    def _is_there(self, at: int, adding: set[int]) -> bool:
        return at in self.kept or at in adding

    def items(self) -> list[Item]:
        """In document order, with a summary wherever something was left out."""
        result: list[Item] = []
        gap: list[Item] = []
        for at, item in enumerate(self.page.items):
            if at not in self.kept:
                gap.append(item)
                continue
            result += _summed(gap)
            gap = []
            result.append(self._shortened.get(at, item))
        return result + _summed(gap)


def _summed(gap: list[Item]) -> list[Item]:
    if not gap:
        return []
    controls = sum(1 for item in gap if item.kind is Kind.CONTROL)
    # As deep as the least deep of them, so that it holds nothing of what comes after it.
    return [_summary(len(gap), controls, min(item.depth for item in gap))]


def _summary(count: int, controls: int, depth: int) -> Item:
    text = f"{count} left out" + (f", {controls} of them controls" if controls else "")
    return Item(-1, depth, Kind.SUMMARY, "", text, count=count)
