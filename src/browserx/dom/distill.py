"""What is worth reading: structural nodes go, what they hold moves up, text is kept once.

The result is a list of items in document order, each with its depth among the items. Formats write items down; they
decide nothing any more about what is shown.
"""

from enum import IntEnum

import msgspec

from browserx.dom.labels import without_drawings
from browserx.dom.tree import Classified, PageNode
from browserx.inpage.facts import Fact

_VISIBLE = int(Fact.VISIBLE)
_IN_VIEW = int(Fact.IN_VIEW)
_SCROLLER = int(Fact.SCROLLER)
_HIDDEN = int(Fact.HIDDEN)
#: What is a control whether it can be seen or not.
_HARD = int(Fact.NATIVE | Fact.ROLE | Fact.EDITABLE)
_NAMED_BY_CONTENT = int(Fact.NAMED_BY_CONTENT)

#: Groups that stay as containers even without a name.
_GROUPS = frozenset(
    [
        "form",
        "table",
        "grid",
        "treegrid",
        "list",
        "dialog",
        "alertdialog",
        "navigation",
        "main",
        "search",
        "menu",
        "menubar",
        "tablist",
        "tree",
        "radiogroup",
        "toolbar",
        "listbox",
        "feed",
    ]
)
#: Groups that stay when they have a name, and otherwise say nothing.
_NAMED_GROUPS = frozenset(
    [
        "region",
        "group",
        "article",
        "complementary",
        "figure",
        "banner",
        "contentinfo",
        "tabpanel",
        "application",
        "document",
        "math",
        "note",
    ]
)
_LIVE = frozenset(["alert", "status", "log", "timer", "marquee"])
_GAUGES = frozenset(["progressbar", "meter"])
_PICTURES = frozenset(["image", "Canvas", "Video", "Audio", "math"])
#: Text of nothing but these only keeps other things apart.
_SEPARATORS = frozenset(" ·•|/\\–—-,:;>»›<«‹")
_SIGN = 2
_TABLES = frozenset(["table", "grid", "treegrid"])
_CELLS = frozenset(["cell", "gridcell", "columnheader", "rowheader"])
#: What is told with its name, which text in it may repeat.
_SAY_THEIR_NAMES = _GROUPS | _NAMED_GROUPS | _LIVE | {"Iframe", "image"}


class Kind(IntEnum):
    """What an item is to a reader."""

    CONTROL = 1
    TEXT = 2
    HEADING = 3
    GROUP = 4
    ROW = 5
    PICTURE = 6
    FRAME = 7
    SUMMARY = 8
    LISTITEM = 9


#: What is nothing without something in it.
_HOLLOW = frozenset((Kind.GROUP, Kind.LISTITEM, Kind.ROW))
_DIALOGS = frozenset(("dialog", "alertdialog"))


class Item(msgspec.Struct, gc=False):
    """One thing to read. ``node`` is its index in the tree, -1 for a summary, which stands for ``count`` others.

    ``level`` is the level of the heading it is, or that it is all of. ``cut`` says that its text was shortened.
    ``cells`` has the texts, and the nodes of the controls, of each cell of a row.
    """

    node: int
    depth: int
    kind: Kind
    role: str
    text: str
    level: int = 0
    count: int = 0
    cut: bool = False
    cells: tuple[tuple[str | int, ...], ...] = ()


def distill(
    page: Classified,
    *,
    viewport_only: bool,
    include_hidden: bool = False,
    start: int = -1,
    max_depth: int | None = None,
) -> list[Item]:
    """The items of a page, or of the subtree of node ``start``; of hidden ones too, if the look told of them."""
    items = _Distiller(page, viewport_only, include_hidden).run(start)
    items = _without_lone_lists(_without_empty(items), page.tree.nodes)
    if max_depth is not None:
        for item in items:
            item.depth = min(item.depth, max_depth - 1)
    return items


class _Distiller:
    def __init__(self, page: Classified, viewport_only: bool, include_hidden: bool) -> None:
        self.page = page
        self.nodes = page.tree.nodes
        self.ends = page.tree.ends
        self.needs = _IN_VIEW if viewport_only else _VISIBLE
        self.controls = page.actionable
        if include_hidden:
            self.needs |= _HIDDEN
            self.controls = [
                yes or bool(node.facts & _HIDDEN and node.facts & _HARD)
                for yes, node in zip(page.actionable, self.nodes, strict=True)
            ]
        self.items: list[Item] = []
        #: Ends of the containers that are open, innermost last.
        self.open: list[int] = []

    def run(self, start: int) -> list[Item]:
        at = max(start, 0)
        end = self.ends[start] if start >= 0 else len(self.nodes)
        while at < end:
            while self.open and at >= self.open[-1]:
                self.open.pop()
            at = self.node(at)
        return self.items

    def add(self, index: int, kind: Kind, role: str, text: str, level: int = 0) -> None:
        self.items.append(Item(index, len(self.open), kind, role, without_drawings(text), level))

    def node(self, at: int) -> int:
        """Take in node ``at``; returns where to go on: inside it, or after it."""
        node = self.nodes[at]
        shown = node.facts & self.needs
        if node.key == 0:
            if shown and not self.is_said(at, node.text):
                self.add(at, Kind.TEXT, "text", node.text)
            return at + 1
        if self.controls[at]:
            return self.control(at, node) if shown else at + 1
        role = node.role
        if role == "heading":
            return self.heading(at, node)
        if role == "row" and shown:
            return self.row(at, node)
        if role in _PICTURES:
            # A drawing may hold text and things that can be acted on.
            if shown and (node.name or role != "image") and not self.is_label(at):
                self.add(at, Kind.PICTURE, role, node.name)
                self.open.append(self.ends[at])
            return at + 1
        if role == "Iframe":
            if shown:
                self.add(at, Kind.FRAME, role, node.name)
                self.open.append(self.ends[at])
            return at + 1 if shown else self.ends[at]
        name = self.page.names[at]
        keeps = role in _GROUPS or role in _LIVE or (role in _NAMED_GROUPS and name) or node.facts & _SCROLLER
        if keeps and shown:
            self.add(at, Kind.GROUP, role or "group", name)
            self.open.append(self.ends[at])
        elif role == "listitem" and shown:
            self.add(at, Kind.LISTITEM, role, "")
            self.open.append(self.ends[at])
        elif role in _GAUGES and shown:
            self.add(at, Kind.PICTURE, role, name)
            return self.ends[at]
        elif shown and node.facts & _NAMED_BY_CONTENT and not self.is_said(at, node.name):
            # It was taken for something that could be acted on: its text was told as its name.
            self.add(at, Kind.TEXT, "text", node.name)
        return at + 1

    def is_label(self, at: int) -> bool:
        """Whether node ``at`` is (part of) the name of a control that is shown."""
        label_of = self.page.labels.get(at)
        return label_of is not None and bool(self.nodes[label_of].facts & self.needs)

    def is_said(self, at: int, text: str) -> bool:
        """Whether a text says nothing new: it only separates, or repeats the name of what it is in."""
        if (text[0] in _SEPARATORS and _SEPARATORS.issuperset(text)) or not without_drawings(text):
            return True
        if self.is_label(at):
            return True
        parents, names, controls = self.page.tree.parents, self.page.names, self.controls
        up = parents[at]
        while up >= 0:
            name = names[up]
            if controls[up]:
                # A sign on a button that has a better name ("×" on "Close"), or what a field shows of its value.
                extra = self.nodes[up].extra
                said = f"{name}\n{(extra.value if extra is not None else None) or ''}".casefold()
                return said != "\n" and (len(text) <= _SIGN or text.casefold() in said)
            if text == name and self.nodes[up].role in _SAY_THEIR_NAMES:
                return True
            up = parents[up]
        return False

    def control(self, at: int, node: PageNode) -> int:
        self.add(at, Kind.CONTROL, node.role, self.page.names[at])
        if self.ends[at] > at + 1:
            self.open.append(self.ends[at])
        return at + 1

    def says(self, at: int) -> str:
        """What node ``at`` itself adds to the words of the heading or row it is in."""
        node = self.nodes[at]
        said = node.text or (node.name if node.role == "image" or node.facts & _NAMED_BY_CONTENT else "")
        return said if said and node.facts & self.needs and not self.is_said(at, said) else ""

    def _only_controls(self, at: int, end: int) -> None:
        """Take in the controls of a heading or row, whose words are told already, and the words of the controls."""
        floor = len(self.open)
        while at < end:
            while len(self.open) > floor and at >= self.open[-1]:
                self.open.pop()
            if self.controls[at] and self.nodes[at].facts & self.needs:
                at = self.control(at, self.nodes[at])
            elif len(self.open) > floor:
                at = self.node(at)
            else:
                at += 1
        del self.open[floor:]

    def heading(self, at: int, node: PageNode) -> int:
        level = int(node.extra.states.get("level", 2)) if node.extra is not None else 2
        end = self.ends[at]
        texts: list[str] = []
        inside = False
        index = at + 1
        while index < end:
            if self.controls[index]:
                inside = inside or bool(self.nodes[index].facts & self.needs)
                index = self.ends[index]
            else:
                texts.append(self.says(index))
                index += 1
        said = " ".join(filter(None, texts))
        if not said and not inside and node.facts & _NAMED_BY_CONTENT:
            said = node.name
        if said and node.facts & self.needs and not self.is_said(at, said):
            self.add(at, Kind.HEADING, "heading", said, level)
        elif inside:
            # A heading that is nothing but a link: one line says both.
            before = len(self.items)
            self._only_controls(at + 1, end)
            for item in self.items[before:]:
                item.level = level
            return end
        self.open.append(end)
        self._only_controls(at + 1, end)
        self.open.pop()
        return end

    def row(self, at: int, node: PageNode) -> int:
        """A table row: its words and what can be acted on, cell by cell."""
        end = self.ends[at]
        cells: list[list[str | int]] = []
        header = False
        index = at + 1
        while index < end:
            inner = self.nodes[index]
            role = inner.role
            if role in _CELLS and inner.key:
                cells.append([])
                header = header or role == "columnheader"
            if role in _TABLES and inner.key:
                # A table in a cell is no line of this one.
                self.add(at, Kind.GROUP, "row", "")
                self.open.append(end)
                return at + 1
            if self.controls[index]:
                if inner.facts & self.needs:
                    cells = cells or [[]]
                    cells[-1].append(index)
                index = self.ends[index]
                continue
            if said := self.says(index):
                cells = cells or [[]]
                cells[-1].append(said)
            index += 1
        words = (" ".join([part for part in cell if isinstance(part, str)]) for cell in cells)
        line = " | ".join(filter(None, words)) or (node.name if node.facts & _NAMED_BY_CONTENT else "")
        self.add(at, Kind.ROW, "row", line, 1 if header else 0)
        self.items[-1].cells = tuple(map(tuple, cells))
        self.open.append(end)
        self._only_controls(at + 1, end)
        self.open.pop()
        return end


def _without_empty(items: list[Item]) -> list[Item]:
    """Drop containers that hold nothing and say nothing, from the inside out, and list items of one line."""
    kept: list[Item] = []
    # From the end, so that what a container holds is decided before the container itself.
    open_depths: list[int] = []
    for item in reversed(items):
        depth = item.depth
        holds = False
        while open_depths and open_depths[-1] > depth:
            open_depths.pop()
            holds = True
        if not holds and not item.text and item.kind in _HOLLOW and item.role not in _DIALOGS:
            continue
        kept.append(item)
        open_depths.append(depth)
    kept.reverse()
    return _without_single_listitems(kept)


def _without_single_listitems(items: list[Item]) -> list[Item]:
    """A list item, or a row that says nothing, with one thing in it is that thing."""
    listitem, row = Kind.LISTITEM, Kind.ROW
    result: list[Item] = []
    lifted: list[int] = []
    for position, item in enumerate(items):
        while lifted and item.depth <= lifted[-1]:
            lifted.pop()
        kind = item.kind
        if kind is listitem or (kind is row and not item.text):
            end = position + 1
            direct = 0
            while end < len(items) and items[end].depth > item.depth:
                direct += items[end].depth == item.depth + 1
                end += 1
            if direct == 1:
                lifted.append(item.depth)
                continue
        result.append(msgspec.structs.replace(item, depth=item.depth - len(lifted)) if lifted else item)
    return result


def _without_lone_lists(items: list[Item], nodes: list[PageNode]) -> list[Item]:
    """A list without a name that is all there is in a group is what the group holds."""
    group = Kind.GROUP
    if not any(item.kind is group and item.role == "list" and not item.text for item in items):
        return items
    result: list[Item] = []
    lifted: list[int] = []
    for position, item in enumerate(items):
        while lifted and item.depth <= lifted[-1]:
            lifted.pop()
        if item.kind is group and _is_lone_list(items, position) and not nodes[item.node].facts & _SCROLLER:
            lifted.append(item.depth)
            continue
        result.append(msgspec.structs.replace(item, depth=item.depth - len(lifted)) if lifted else item)
    return result


def _is_lone_list(items: list[Item], position: int) -> bool:
    item = items[position]
    if item.kind is not Kind.GROUP or item.role != "list" or item.text or position == 0:
        return False
    around = items[position - 1]
    if around.kind is not Kind.GROUP or around.depth != item.depth - 1:
        return False
    end = position + 1
    while end < len(items) and items[end].depth > item.depth:
        end += 1
    return end == len(items) or items[end].depth < item.depth
