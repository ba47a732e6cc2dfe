"""HTML that a client sent, read into a small tree: what can be acted on in it, and what it says.

The text of a page is not trusted: it is read, never run. Anything a parser takes is taken; nothing here recurses.
"""

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import islice

from browserx.semantic.request import TreeNode

_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_SILENT = frozenset(("head", "script", "style", "template", "noscript"))
#: What ends where another of its kind begins.
_CLOSES = {
    "li": {"li"},
    "option": {"option"},
    "tr": {"tr", "td", "th"},
    "td": {"td", "th"},
    "th": {"td", "th"},
    "p": {"p"},
    "dt": {"dt", "dd"},
    "dd": {"dt", "dd"},
}
_FENCES = frozenset(("ul", "ol", "select", "table", "dl", "div", "section", "body"))
_BLOCKS = frozenset(
    (
        *("p", "div", "section", "article", "header", "footer", "main", "nav", "aside", "form", "fieldset", "ul", "ol"),
        *("li", "dl", "dt", "dd", "table", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "br", "hr", "option", "button"),
        *("legend", "label", "figure", "figcaption", "blockquote", "pre", "details", "summary", "textarea", "select"),
    )
)
_CELLS = frozenset(("td", "th"))
_OF_LAYOUT = frozenset(("table", "ul", "ol", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "form"))
_KEEPS_LINES = frozenset(("pre", "textarea"))
#: The attributes an id of ours may stand in.
ID_ATTRIBUTES = ("data-node-id", "data-llm-id", "data-id")
_WIDGETS = frozenset(
    (
        *("button", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "checkbox", "radio", "switch"),
        *("option", "combobox", "textbox", "searchbox", "slider", "spinbutton", "treeitem"),
    )
)
_WORDS = {
    "button": "btn",
    "submit": "btn",
    "reset": "btn",
    "image": "btn",
    "link": "link",
    "checkbox": "chk",
    "radio": "rad",
    "switch": "swt",
    "combobox": "sel",
    "listbox": "sel",
    "option": "opt",
    "tab": "tab",
    "menuitem": "menu",
    "menuitemcheckbox": "menu",
    "menuitemradio": "menu",
    "slider": "sld",
    "range": "sld",
    "textbox": "inp",
    "searchbox": "inp",
    "spinbutton": "inp",
    "treeitem": "tree",
    "color": "clr",
    **dict.fromkeys(("date", "time", "datetime-local", "month", "week"), "date"),
}
_NAME = 50
#: So many pieces of an element are read for its name.
_MOST_PIECES = 100
#: So many levels up an element is ended by another of its kind.
_IMPLIED = 30
#: Chromium's parser nests no deeper either.
_DEEPEST = 512
_SPACE = re.compile(r"\s+")


class Element:
    """One element: its tag, its attributes, and what is in it, elements and texts in order."""

    __slots__ = ("attributes", "children", "label", "parent", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], parent: "Element | None") -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.children: list[Element | str] = []
        #: The label it is in.
        self.label: Element | None = None
        if parent is not None:
            self.label = parent if parent.tag == "label" else parent.label

    def walk(self) -> "Iterator[Element]":
        """It and all that is in it, in document order."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += [one for one in reversed(element.children) if isinstance(one, Element)]

    def pieces(self, layout: frozenset[int] = frozenset()) -> Iterator[str]:
        """What it says, piece by piece; a line ends where a block does, and a tab is before each cell of a row.

        A cell is one line, but for the cells in ``layout``.
        """
        # What is open: the rest of what is in it, how it ends, and whether it is in a cell.
        inside: list[tuple[Iterator[Element | str], str, bool]] = [(iter((self,)), "", False)]
        while inside:
            children, end, in_cell = inside[-1]
            one = next(children, None)
            if one is None:
                inside.pop()
                yield end
            elif isinstance(one, str):
                yield one
            elif one.tag in _CELLS:
                yield "\t"
                inside.append((iter(one.children), "", id(one) not in layout))
            elif one.tag not in _SILENT or "shadowrootmode" in one.attributes:
                edge = "" if one.tag not in _BLOCKS else " " if in_cell else "\n"
                yield edge
                inside.append((iter(one.children), edge, in_cell))

    def _layout_cells(self) -> frozenset[int]:
        """The cells that are there for the layout, by their ``id()``: a table, a list or a heading is in them."""
        found: set[int] = set()
        for element in self.walk():
            if element.tag not in _OF_LAYOUT:
                continue
            above = element.parent
            while above is not None and id(above) not in found:
                if above.tag in _CELLS:
                    found.add(id(above))
                above = above.parent
        return frozenset(found)

    def text(self) -> str:
        """What it says, in one line."""
        return _SPACE.sub(" ", "".join(self.pieces())).strip()

    def beginning(self) -> str:
        """What it says, in one line, as far as a name goes."""
        return _plain("".join(islice(self.pieces(), _MOST_PIECES)))

    def lines(self) -> list[str]:
        """What it says, a line for each block of it; cells of a row are parted by tabs."""
        found = (
            _row([_plain(cell) for cell in line.split("\t")])
            for line in "".join(self.pieces(self._layout_cells())).split("\n")
        )
        return [line for line in found if line]


def _row(cells: list[str]) -> str:
    """A line of cells, the empty ones among them kept; the first tab is before the first cell."""
    return "\t".join(cells if cells[0] else cells[1:]) if any(cells) else ""


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {}, None)
        self.at = self.root
        #: The tags that are open, and how often: what is not among them need not be looked for.
        self.open: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._end_before(tag)
        element = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.children.append(element)
        # Deeper than a browser goes, what would be inside comes after.
        if tag not in _VOID and self.open.total() < _DEEPEST:
            self.at = element
            self.open[tag] += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self.open[tag]:
            self._close({tag}, frozenset(), _DEEPEST)

    def handle_data(self, data: str) -> None:
        # Lines and tabs of the source are but blanks; those that mean something are put in for blocks and cells.
        lines = data.split("\n") if self.at.tag in _KEEPS_LINES else [data]
        self.at.children.append("\n".join(_SPACE.sub(" ", line) for line in lines))

    def _end_before(self, tag: str) -> None:
        ends = _CLOSES.get(tag)
        if ends is not None and any(self.open[one] for one in ends):
            self._close(ends, _FENCES, _IMPLIED)

    def _close(self, tags: set[str], fences: frozenset[str], most: int) -> None:
        """End the nearest open element of ``tags``, and those in it, if it is no further up than ``most``."""
        ended: list[str] = []
        element = self.at
        while element.parent is not None and len(ended) < most and element.tag not in fences:
            ended.append(element.tag)
            if element.tag in tags:
                self.at = element.parent
                self.open.subtract(ended)
                return
            element = element.parent


def read(html: str) -> Element:
    """The root of a piece of HTML."""
    reader = _Reader()
    # A comment without an end takes all that follows (HTML, "eof-in-comment"); Python's reader would try each anew.
    endless = html.find("<!--", html.rfind("-->") + 1)
    reader.feed(html if endless < 0 else html[:endless])
    reader.close()
    return reader.root


def controls(root: Element) -> list[tuple[str, Element]]:
    """What can be acted on, in order, with its id: the one that stands on it; counted from 1 where none has any.

    Where some have an id, those that have none get none: a number of ours might be the id of another.
    """
    found = [element for element in root.walk() if _is_control(element)]
    if any(_written(element) for element in found):
        return [(_written(element), element) for element in found]
    return [(str(i + 1), element) for i, element in enumerate(found)]


def written_ids(root: Element) -> dict[str, Element]:
    """What can be acted on, by the ids that stand on it; one that stands twice is no id."""
    found: dict[str, Element] = {}
    twice: set[str] = set()
    for element in root.walk():
        node_id = _written(element) if _is_control(element) else ""
        if node_id in found:
            twice.add(node_id)
        elif node_id:
            found[node_id] = element
    return {node_id: element for node_id, element in found.items() if node_id not in twice}


def _written(element: Element) -> str:
    return next((element.attributes[name] for name in ID_ATTRIBUTES if element.attributes.get(name)), "")


def _is_control(element: Element) -> bool:
    attributes = element.attributes
    if element.tag in ("button", "select", "textarea") or (element.tag == "a" and "href" in attributes):
        return True
    if element.tag == "input":
        return attributes.get("type", "").lower() != "hidden"
    tabindex = attributes.get("tabindex", "")
    return (
        attributes.get("role", "") in _WIDGETS
        or "onclick" in attributes
        or (tabindex.lstrip("+").isdecimal())
        or attributes.get("contenteditable", "false") not in ("false",)
        or any(attributes.get(name) for name in ID_ATTRIBUTES[:2])
    )


def tree(root: Element) -> list[TreeNode]:
    """What can be acted on, as the nodes of a tree."""
    labels = _labels(root)
    return [_node(node_id, element, labels) for node_id, element in controls(root)]


def _node(node_id: str, element: Element, labels: dict[str, str]) -> TreeNode:
    states = [
        name for name in ("disabled", "checked", "required", "readonly", "selected") if name in element.attributes
    ]
    secret = element.attributes.get("type", "").lower() == "password"
    value = "" if secret else _value(element)
    return TreeNode(
        i=node_id, r=_word(element), n=_name(element, labels)[:_NAME], v=value or None, s=", ".join(states) or None
    )


def _word(element: Element) -> str:
    role = element.attributes.get("role", "").split(" ")[0]
    if role in _WORDS:
        return _WORDS[role]
    if element.tag == "input":
        return _WORDS.get(element.attributes.get("type", "text").lower(), "inp")
    other = "txt" if element.attributes.get("contenteditable", "false") != "false" else "el"
    return {"a": "link", "button": "btn", "select": "sel", "textarea": "txt"}.get(element.tag, other)


def _name(element: Element, labels: dict[str, str]) -> str:
    return next((plain for name in _names(element, labels) if (plain := _plain(name or ""))), "")


def _names(element: Element, labels: dict[str, str]) -> Iterator[str | None]:
    """What it may be called, best first."""
    attributes = element.attributes
    yield attributes.get("data-name")
    yield attributes.get("aria-label")
    if element.tag == "input" and attributes.get("type", "").lower() in ("submit", "button", "reset"):
        yield attributes.get("value")
    elif element.tag not in ("select", "textarea"):
        yield element.beginning()
    yield labels.get(attributes.get("id", ""))
    if element.label is not None:
        yield element.label.beginning()
    for name in ("placeholder", "title", "alt", "name"):
        yield attributes.get(name)


def _value(element: Element) -> str:
    if element.tag == "textarea":
        return element.text()
    if element.tag == "select":
        options = [one for one in element.walk() if one.tag == "option"]
        return next((one.text() for one in options if "selected" in one.attributes), "")
    return element.attributes.get("value", "") if element.tag == "input" else ""


def _labels(root: Element) -> dict[str, str]:
    return {
        one.attributes["for"]: one.beginning()
        for one in root.walk()
        if one.tag == "label" and one.attributes.get("for")
    }
