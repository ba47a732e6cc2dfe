"""What changed between two texts of one page, told so that whoever has read the first knows the second.

Every line begins with one of these signs and a blank; after them stands a line of the outline's grammar, indented as
deep as it is in the context above it. As no line is without its sign, none can pass for another kind:

    =  where the changes below it are: the group, row or heading they are in, as it reads now; alone: nothing changed
    +  a line that is new here
    -  a line that is gone; where only ids follow (- 7, 9), what could be acted on by them
    ~  a line that reads otherwise now; what has an id is known by it, other text by the - line before it
    >  the ids of all that can be acted on directly in this place, in the order in which they stand now

What has an id and is not named did not change. What is gone (a group, a row, an id) took all the text in it along. Text
that only moved is not told. A line that is gone is cut when it is long: it is there to be recognized.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from browserx.dom.distill import Item, Kind
from browserx.dom.snapshot import DomSnapshot

NO_CHANGE = "= no change"

#: A diff longer than this share of the full text is not worth its while.
_WORTH = 0.5
_GONE_LENGTH = 80
#: What says where something is.
_PLACES = frozenset((Kind.GROUP, Kind.FRAME, Kind.HEADING, Kind.ROW))
#: What takes its text along when it goes.
_HOLDERS = frozenset((Kind.GROUP, Kind.FRAME, Kind.ROW, Kind.CONTROL))


class Told(NamedTuple):
    """A line that a reader was told.

    ``key`` names what it tells of: the node id of what can be acted on, else the element, or for text its owner and
    its place among the owner's texts. ``line`` is without indentation; ``level`` is that of a heading.
    """

    key: str
    line: str
    depth: int
    kind: Kind
    level: int = 0

    @property
    def interactive(self) -> bool:
        """Whether it can be acted on; its key is its node id then."""
        return self.kind is Kind.CONTROL


def tell(snapshot: DomSnapshot, items: Iterable[Item], line: Callable[[Item], str]) -> list[Told]:
    """What a reader of ``items`` is told, as ``line`` writes it (``OutlineWriter.line``)."""
    parents, nodes = snapshot.page.tree.parents, snapshot.page.tree.nodes
    told: list[Told] = []
    texts: Counter[str] = Counter()
    for item in items:
        if item.kind is Kind.CONTROL:
            key = snapshot.node_id(item.node)
        elif item.node >= 0 and nodes[item.node].key:
            key = _element(snapshot, item.node)
        else:
            # A summary belongs to what stands before it.
            owner = told[-1].key if item.node < 0 and told else _element(snapshot, parents[item.node])
            key = f"{owner}{'…' if item.node < 0 else '#'}{texts[owner]}"
            texts[owner] += 1
        told.append(Told(key, line(item), item.depth, item.kind, item.level))
    return told


def _element(snapshot: DomSnapshot, index: int) -> str:
    # Not by its node id: asking for one would give it one, and use up the numbers of what can be acted on.
    return "/".join(map(str, snapshot.ref(index))) if index >= 0 else "/"


def diff(before: Sequence[Told] | None, now: Sequence[Told]) -> str | None:
    """The change from ``before`` to ``now`` as text.

    None: tell everything anew, as nothing is known of ``before``, or as so much changed (lines that moved count too)
    that the diff would be longer than half of the full text.
    """
    if before is None:
        return None
    change = _Change(before, now)
    lines = change.lines()
    moved = sum(_length(told) for told in change.moved)
    full = sum(map(_length, now))
    if sum(len(line) + 1 for line in lines) + moved > _WORTH * full:
        return None
    return "\n".join(lines) or NO_CHANGE


def _length(told: Told) -> int:
    return told.depth + len(told.line) + 1


class _Text:
    """One of the two texts: its lines, what each is in, and where it is said to be."""

    def __init__(self, told: Sequence[Told]) -> None:
        self.told = told
        self.parents = _parents(told)
        self.places = [self._place(at) for at in range(len(told))]
        self.at = {key: at for at, key in reversed(list(enumerate(one.key for one in told)))}

    def _place(self, at: int) -> int:
        """The nearest group, row, frame or heading that line ``at`` is in; -1: none."""
        while (at := self.parents[at]) >= 0:
            if self.told[at].kind in _PLACES:
                return at
        return -1

    def place_key(self, at: int) -> str:
        """Names the place of line ``at``."""
        place = self.places[at]
        return self.told[place].key if place >= 0 else ""


def _parents(told: Sequence[Told]) -> list[int]:
    """What each line is in: a group, or the section of a heading."""
    parents = []
    open_: list[int] = []
    for at, one in enumerate(told):
        while open_ and not _holds(told[open_[-1]], one):
            open_.pop()
        parents.append(open_[-1] if open_ else -1)
        open_.append(at)
    return parents


def _holds(above: Told, one: Told) -> bool:
    if one.depth != above.depth or above.kind is not Kind.HEADING:
        return one.depth > above.depth
    return one.kind is not Kind.HEADING or one.level > above.level


class _Change:
    """Which line of the one text is which of the other, and what is to be said of the rest."""

    def __init__(self, before: Sequence[Told], now: Sequence[Told]) -> None:
        self.before = _Text(before)
        self.now = _Text(now)
        #: Lines of now -> lines of before.
        self.same: dict[int, int] = {}
        self.changed: dict[int, int] = {}
        self._match()
        self.matched = self.same | self.changed
        stayed = set(self.matched.values())
        self.gone = [at for at in range(len(before)) if at not in stayed]
        self.moved = self._moved()
        #: Keys of before -> keys of now, of what is still there.
        self.kept = {"": "", **{before[there].key: now[at].key for at, there in self.matched.items()}}

    def _match(self) -> None:
        """First what has the same name, then text that reads the same elsewhere."""
        before, now = self.before, self.now
        free: dict[tuple[Kind, str], list[int]] = {}
        for at, one in enumerate(before.told):
            there = now.at.get(one.key)
            if there is not None and now.told[there] == one and before.at[one.key] == at:
                self.same[there] = at
            elif not one.interactive:
                free.setdefault((one.kind, one.line), []).append(at)
        for at, one in enumerate(now.told):
            if at in self.same or one.interactive:
                continue
            if like := free.get((one.kind, one.line)):
                self.same[at] = like.pop(0)
        taken = set(self.same.values())
        for at, one in enumerate(now.told):
            there = before.at.get(one.key)
            if at in self.same or there is None or there in taken or before.told[there].kind is not one.kind:
                continue
            taken.add(there)
            (self.same if before.told[there].line == one.line else self.changed)[at] = there

    def _moved(self) -> list[Told]:
        """The fewest lines that, taken away, leave the others in the order they had."""
        pairs = sorted(self.matched.items())
        stayed = _longest_rise([there for _, there in pairs])
        return [self.now.told[at] for n, (at, _) in enumerate(pairs) if n not in stayed]

    def lines(self) -> list[str]:
        """The diff: first the ids that are gone, then place by place, in the order of the text now."""
        ids = [self.before.told[at].key for at in self.gone if self.before.told[at].interactive]
        return ([f"- {', '.join(ids)}"] if ids else []) + _written(
            self.now, sorted(self._said(), key=lambda line: line[:2])
        )

    def _said(self) -> Iterator["_Line"]:
        now, before = self.now, self.before
        place_of_key = {"": -1, **now.at}
        for key, ids in self._reordered().items():
            place = place_of_key[key]
            yield _Line(place, 1, place, ">", ", ".join(ids))
        for at in self._gone_texts():
            place = place_of_key[self._surviving_place(at)]
            yield _Line(place, 2, place, "-", _short(before.told[at].line))
        for at, one in enumerate(now.told):
            if at in self.same:
                continue
            place = now.places[at]
            if at in self.changed and not one.interactive:
                yield _Line(at, -1, place, "-", _short(before.told[self.changed[at]].line))
            yield _Line(at, 0, place, "~" if at in self.changed else "+", one.line)

    def _gone_texts(self) -> list[int]:
        """What is gone and has no id, without what went along with what is told to be gone."""
        told, parents = self.before.told, self.before.parents
        left = [True] * len(told)
        for at in self.gone:
            left[at] = False
        for at in range(len(told) - 1, -1, -1):
            if left[at] and parents[at] >= 0 and told[at].depth > told[parents[at]].depth:
                left[parents[at]] = True
        along: set[int] = set()
        for at, one in enumerate(told):
            parent = parents[at]
            if parent < 0 or one.depth <= told[parent].depth:
                continue
            if parent in along or (not left[parent] and told[parent].kind in _HOLDERS):
                along.add(at)
        return [
            at
            for at in self.gone
            if at not in along and not told[at].interactive and told[at].kind is not Kind.LISTITEM
        ]

    def _surviving_place(self, at: int) -> str:
        """The nearest place that a line which is gone was in, and which is still there."""
        place = self.before.places[at]
        while place >= 0 and self.before.told[place].key not in self.kept:
            place = self.before.places[place]
        return self.kept[self.before.told[place].key] if place >= 0 else ""

    def _reordered(self) -> dict[str, list[str]]:
        """By place, the ids of what can be acted on there, if some of it came from elsewhere or changed its order."""
        ids: dict[str, list[str]] = {}
        order: dict[str, list[int]] = {}
        came: set[str] = set()
        for at, one in enumerate(self.now.told):
            if not one.interactive:
                continue
            key = self.now.place_key(at)
            ids.setdefault(key, []).append(one.key)
            if (old := self.matched.get(at)) is not None:
                order.setdefault(key, []).append(old)
                if self.kept.get(self.before.place_key(old)) != key:
                    came.add(key)
        return {key: ids[key] for key, olds in order.items() if key in came or olds != sorted(olds)}


class _Line(NamedTuple):
    """A line of the diff. It stands at line ``at`` of the text now: before it (``step`` -1), for it (0), after it."""

    at: int
    step: int
    place: int
    sign: str
    text: str


def _written(now: _Text, lines: list[_Line]) -> list[str]:
    """The lines, with their places told where the line before does not make them plain."""
    written: list[str] = []
    #: What was told since the last place, and the place, with their indentation. The page itself need not be told.
    shown = {-1: -1}
    for line in lines:
        if line.place not in shown:
            written.append(f"= {now.told[line.place].line if line.place >= 0 else '(the page)'}")
            shown = {line.place: 0 if line.place >= 0 else -1}
        above = line.place
        if line.step == 0:
            above = now.parents[line.at]
            while above not in shown:
                above = now.parents[above]
        # A heading does not indent its section.
        in_section = above >= 0 and now.told[above].kind is Kind.HEADING and _is_level(now, above, line)
        indent = shown[above] + (0 if in_section else 1)
        written.append(f"{line.sign} {' ' * indent}{line.text}")
        if line.step == 0:
            shown[line.at] = indent
    return written


def _is_level(now: _Text, above: int, line: _Line) -> bool:
    return line.step != 0 or now.told[line.at].depth == now.told[above].depth


def _short(line: str) -> str:
    return line if len(line) <= _GONE_LENGTH else line[: _GONE_LENGTH - 1] + "…"


def _longest_rise(numbers: list[int]) -> set[int]:
    """Where the longest rising subsequence of ``numbers`` is."""
    tails: list[int] = []
    tail_at: list[int] = []
    came_from: list[int] = []
    for at, number in enumerate(numbers):
        place = bisect_left(tails, number)
        came_from.append(tail_at[place - 1] if place else -1)
        if place == len(tails):
            tails.append(number)
            tail_at.append(at)
        else:
            tails[place], tail_at[place] = number, at
    at = tail_at[-1] if tail_at else -1
    found = set()
    while at >= 0:
        found.add(at)
        at = came_from[at]
    return found
