"""The outline: indented text for models, one line a node.

Grammar, by the first character of a line after its indentation:

    digit   something that can be acted on:  ID ROLE NAME = VALUE (STATES) [OPTIONS]
    #       a heading, as in Markdown
    @       a group:                         @ROLE NAME, what is in it indented by one
    |       a table row:                     |CELL|CELL, where a cell is text, or begins with a digit as above
    !       a picture, gauge or frame:       !ROLE NAME
    …       a summary of what was left out
    -       a list item of several things: the first on its line, the others below it, indented by one
    '       text whose own first character is one of these; a cell of text that begins like something to act on
    other   text

Text is always on one line, so that no text can pass for another kind of line. The page stands between two marks that
carry a number the page cannot know.
"""

import re
from collections.abc import Mapping, Sequence

from browserx.dom.distill import Item, Kind
from browserx.dom.roles import WIDGET_ROLES
from browserx.dom.snapshot import DomSnapshot
from browserx.dom.tokens import share
from browserx.dom.tree import PageNode
from browserx.inpage.facts import Fact

#: Roles as an outline calls them, where that is shorter or clearer than what the browser calls them.
ROLE_WORDS = {
    "": "clickable",
    "generic": "clickable",
    "none": "clickable",
    "Audio": "audio",
    "Canvas": "canvas",
    "ColorWell": "color",
    "Date": "date",
    "DateTime": "datetime",
    "graphics-symbol": "shape",
    "DisclosureTriangle": "toggle",
    "DisclosureTriangleGrouped": "toggle",
    "Iframe": "frame",
    "InputTime": "time",
    "LabelText": "label",
    "Video": "video",
    "alertdialog": "dialog",
    "complementary": "aside",
    "contentinfo": "footer",
    "banner": "header",
    "listitem": "item",
    "menuitemcheckbox": "menuitem",
    "menuitemradio": "menuitem",
    "navigation": "nav",
    "paragraph": "clickable",
    "progressbar": "progress",
}
_NAMED_COVERS = frozenset(("dialog", "alertdialog", "navigation", "banner", "region", "menu", "toolbar", "alert"))
#: Roles that say nothing of what something does that can be acted on.
_PLAIN_ROLES = frozenset(("group", "list", "listitem", "region", "article", "blockquote", "figure", "caption"))
_AMBIGUOUS = frozenset("0123456789#@|!…'-")
#: What stands on the line of the list item it begins.
_ON_ONE_LINE = frozenset((Kind.TEXT, Kind.CONTROL, Kind.HEADING, Kind.PICTURE))
_EDITABLE = int(Fact.EDITABLE)
_FAINT = int(Fact.FAINT)
_HIDDEN = int(Fact.HIDDEN)
_IN_VIEW = int(Fact.IN_VIEW)
_OCCLUDED = int(Fact.OCCLUDED)
_PROTECTED = int(Fact.PROTECTED)
_SCROLLER = int(Fact.SCROLLER)
_NOTED = _HIDDEN | _OCCLUDED | _SCROLLER
_CONTROL_WORDS = {
    *WIDGET_ROLES,
    *ROLE_WORDS.values(),
    *("listbox", "row", "cell", "gridcell", "columnheader", "image", "heading"),
}
_LIKE_A_CONTROL = re.compile(rf"\d+ ({'|'.join(sorted(_CONTROL_WORDS))})\b")
_VALUE_LIMIT = 200
_FLAG_STATES = ("disabled", "required", "readonly", "selected", "multiselectable", "busy", "modal")


class OutlineWriter:
    """Writes the items of one snapshot."""

    def __init__(self, snapshot: DomSnapshot, *, include_layout: bool = False) -> None:
        self.snapshot = snapshot
        self.nodes = snapshot.page.tree.nodes
        self.include_layout = include_layout
        #: Lines that were written to know what they cost, with the items, by identity.
        self._lines: dict[int, tuple[Item, str]] = {}

    def cost(self, item: Item) -> tuple[float, int]:
        """Tokens and bytes of the line of ``item``."""
        words = self.line(item)
        self._lines[id(item)] = (item, words)
        line = " " * item.depth + words
        return share(line), len(line.encode()) + 1

    def text(self, items: Sequence[Item]) -> str:
        """All lines. What can be acted on in a table row stands in its cells, where it is that simple."""
        lines: list[str] = []
        at = 0
        while at < len(items):
            item, end = items[at], at + 1
            if item.kind is Kind.ROW and not item.cut:
                while end < len(items) and items[end].depth > item.depth:
                    end += 1
                controls = {inner.node: inner for inner in items[at + 1 : end]}
                if all(inner.kind is Kind.CONTROL and inner.depth == item.depth + 1 for inner in controls.values()):
                    lines.append(" " * item.depth + self._row(item, controls))
                    at = end
                    continue
                end = at + 1
            line = self.line(item)
            if item.kind is Kind.LISTITEM and end < len(items) and items[end].kind in _ON_ONE_LINE:
                line, end = f"- {self.line(items[end])}", end + 1
            lines.append(" " * item.depth + line)
            at = end
        return "\n".join(lines)

    def _row(self, item: Item, controls: Mapping[int, Item]) -> str:
        """A row with its cells, those of ``controls`` in them."""
        cells = []
        for cell in item.cells:
            parts = [
                _cell(part) if isinstance(part, str) else self._control(controls[part]).replace("|", "¦")
                for part in cell
                if isinstance(part, str) or part in controls
            ]
            cells.append(" ".join(parts))
        while cells and not cells[-1]:
            cells.pop()
        return "|" + ("|".join(cells) or item.text)

    def line(self, item: Item) -> str:
        """One line, without its indentation."""
        known = self._lines.get(id(item))
        if known is not None:
            return known[1]
        match item.kind:
            case Kind.TEXT | Kind.LISTITEM:
                return self._text(item)
            case Kind.CONTROL:
                return self._control(item)
            case Kind.HEADING:
                return f"{'#' * item.level} {item.text}"
            case Kind.ROW:
                return self._row(item, {}) if item.cells and not item.cut else f"|{item.text}"
            case Kind.SUMMARY:
                return f"… {item.text}"
            case Kind.GROUP:
                return self._named("@", item)
            case Kind.PICTURE:
                return self._named("!", item)
            case Kind.FRAME:
                return self._frame(item)

    def _text(self, item: Item) -> str:
        """Text; what only those can read who look for it is marked, as it may be meant for a model only."""
        facts = self.nodes[item.node].facts if item.node >= 0 else 0
        if facts & (_HIDDEN | _FAINT):
            return f"{'(hidden)' if facts & _HIDDEN else '(faint)'} {item.text}"
        return plain(item.text) if item.text else "-"

    def _control(self, item: Item) -> str:
        node = self.nodes[item.node]
        parts = [self.snapshot.node_id(item.node), role_word(node)]
        extra = node.extra
        states = extra.states if extra is not None else {}
        checked = states.get("checked")
        if checked is not None:
            parts.append({True: "[x]", False: "[ ]"}.get(checked, "[-]"))  # type: ignore[call-overload]
        if item.text:
            parts.append(item.text)
        if extra is not None:
            if node.facts & _PROTECTED:
                parts.append("= (filled)" if extra.filled else "= (empty)")
            elif extra.value is not None and extra.value != item.text:
                parts.append(f"= {_one_line(extra.value, _VALUE_LIMIT)}")
            elif (hint := extra.attributes.get("placeholder")) and hint != item.text:
                parts.append(f"({_one_line(hint, 80)}…)")
        notes = self._notes(item, states)
        if notes:
            parts.append(f"({', '.join(notes)})")
        if extra is not None and extra.options and node.tag == "select":
            more = extra.option_count - len(extra.options)
            parts.append(f"[{' / '.join(extra.options)}{f' / +{more}' if more > 0 else ''}]")
        return " ".join(parts)

    def _notes(self, item: Item, states: dict[str, bool | int | str]) -> list[str]:
        node = self.nodes[item.node]
        if not states and not item.level and not node.facts & _NOTED and not self.include_layout:
            return []
        notes = ["hidden"] if node.facts & _HIDDEN else []
        notes += [name for name in _FLAG_STATES if states.get(name) is True]
        if "expanded" in states:
            notes.append("expanded" if states["expanded"] else "collapsed")
        if states.get("pressed"):
            notes.append("pressed" if states["pressed"] is True else "half pressed")
        if states.get("current"):
            notes.append("current")
        if states.get("invalid"):
            because = states.get("invalidBecause")
            notes.append(f"invalid: {because}" if because else "invalid")
        if states.get("sort"):
            notes.append(f"sorted {states['sort']}")
        if "min" in states or "max" in states:
            notes.append(f"{states.get('min', '')}..{states.get('max', '')}")
        if item.level:
            notes.append(f"h{item.level}")
        if node.facts & _OCCLUDED:
            notes.append(self._covered(item))
        if node.facts & _SCROLLER:
            notes.extend(self._scroll(item))
        if self.include_layout:
            notes.append(f"{node.x},{node.y} {node.width}x{node.height}")
        return notes

    def _covered(self, item: Item) -> str:
        """Name what lies over an element: what can be acted on by its id, else the group it is in, else in words."""
        page = self.snapshot.page
        found, words = self.snapshot.covering(item.node)
        nameless = ""
        while found is not None and found >= 0:
            node = self.nodes[found]
            if page.actionable[found]:
                if page.names[found] or node.role not in ("", "generic"):
                    return f"covered by {self.snapshot.node_id(found)}"
                # A backdrop: what it belongs to says more.
                nameless = nameless or f"covered by {self.snapshot.node_id(found)}"
            elif node.role in _NAMED_COVERS:
                return f"covered by {ROLE_WORDS.get(node.role, node.role)} {page.names[found]}".rstrip()
            found = page.tree.parents[found]
        if dialog := self._dialog():
            return f"covered by {dialog}"
        return nameless or (f"covered by {words}" if words else "covered")

    def _dialog(self) -> str:
        """The last modal dialog that is shown, which is the one on top."""
        for index in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[index]
            if node.facts & _IN_VIEW and node.extra is not None and node.extra.states.get("modal"):
                return f"dialog {self.snapshot.page.names[index]}".rstrip()
        return ""

    def _named(self, sign: str, item: Item) -> str:
        node = self.nodes[item.node]
        parts = [sign + ROLE_WORDS.get(item.role, item.role)]
        if item.text:
            parts.append(item.text)
        if node.extra is not None and node.extra.value:
            parts.append(f"= {_one_line(node.extra.value, _VALUE_LIMIT)}")
        notes = self._scroll(item) if node.facts & _SCROLLER else []
        states = node.extra.states if node.extra is not None else {}
        notes += [name for name in ("modal", "busy") if states.get(name) is True]
        if self.include_layout:
            notes.append(f"{node.x},{node.y} {node.width}x{node.height}")
        if notes:
            parts.append(f"({', '.join(notes)})")
        return " ".join(parts)

    def _frame(self, item: Item) -> str:
        for frame in self.snapshot.page.tree.frames:
            if frame.owner == item.node:
                where = origin(frame.url) if frame.cross_origin else ""
                parts = ["!frame", item.text, where, f"({frame.why})" if frame.why else ""]
                return " ".join(part for part in parts if part)
        return self._named("!", item)

    def _scroll(self, item: Item) -> list[str]:
        extra = self.nodes[item.node].extra
        if extra is None or extra.scroll is None:
            return []
        left, top, width, height, full_width, full_height = extra.scroll
        notes = []
        if full_height > height + 1:
            below = full_height - height - top
            notes.append(f"scrolls, {100 * below // full_height}% below" if below > 1 else "scrolled to its end")
        elif full_width > width + 1:
            notes.append(f"scrolls sideways, {100 * max(0, full_width - width - abs(left)) // full_width}% more")
        return [f"{self.snapshot.node_id(item.node)} {note}" for note in notes]


def role_word(node: PageNode) -> str:
    """What an outline calls the kind of something that can be acted on."""
    word = "clickable" if node.role in _PLAIN_ROLES else ROLE_WORDS.get(node.role, node.role)
    return "textbox" if word == "clickable" and node.facts & _EDITABLE else word


def _cell(text: str) -> str:
    """The text of a cell, marked where it could pass for something that can be acted on, or for two cells."""
    text = text.replace("|", "¦")
    return f"'{text}" if _LIKE_A_CONTROL.match(text) else text


def plain(text: str) -> str:
    """Text as a line of its own, marked where it could pass for another kind of line."""
    return f"'{text}" if text[0] in _AMBIGUOUS else text


def origin(url: str) -> str:
    """Scheme, host and port of an address."""
    scheme, mark, rest = url.partition("://")
    return f"{scheme}{mark}{rest.partition('/')[0]}" if mark else url[:60]


def _one_line(text: str, limit: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
