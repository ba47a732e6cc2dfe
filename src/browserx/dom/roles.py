"""Roles: which are widgets, and the short words of the ``v3`` format, one table that its writer and its legend read."""

from typing import NamedTuple

from browserx.dom.tree import PageNode
from browserx.inpage.facts import Fact

#: What ARIA calls widgets that are acted on themselves.
WIDGET_ROLES = frozenset(
    (
        *("button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio"),
        *("option", "combobox", "textbox", "searchbox", "slider", "spinbutton", "treeitem"),
    )
)


class RoleWord(NamedTuple):
    """A short word, what it means, and the roles it stands for."""

    word: str
    meaning: str
    roles: tuple[str, ...] = ()


#: Words that no role alone decides: see ``minified``.
FIELD_OF_LINES = RoleWord("txt", "text field of several lines")
FIELD_WITH_CHOICES = RoleWord("cmb", "text field with suggestions")
SCROLLER = RoleWord("box", "box that scrolls")
SUMMARY = RoleWord("sum", "how many were left out; no element")

ROLE_WORDS: tuple[RoleWord, ...] = (
    RoleWord("btn", "button", ("button",)),
    RoleWord("inp", "input field", ("textbox", "searchbox", "spinbutton")),
    FIELD_OF_LINES,
    FIELD_WITH_CHOICES,
    RoleWord("link", "link", ("link",)),
    RoleWord("chk", "checkbox", ("checkbox",)),
    RoleWord("rad", "radio button", ("radio",)),
    RoleWord("swt", "switch", ("switch",)),
    RoleWord("sel", "choice from a list", ("combobox", "listbox")),
    RoleWord("opt", "option", ("option",)),
    RoleWord("tab", "tab", ("tab",)),
    RoleWord("menu", "menu item", ("menuitem", "menuitemcheckbox", "menuitemradio")),
    RoleWord("tree", "branch of a tree", ("treeitem",)),
    RoleWord("sld", "slider", ("slider", "scrollbar")),
    RoleWord("date", "date or time", ("Date", "DateTime", "InputTime")),
    RoleWord("clr", "colour", ("ColorWell",)),
    RoleWord("tog", "opens and closes what follows", ("DisclosureTriangle", "DisclosureTriangleGrouped")),
    RoleWord("img", "picture", ("image", "Canvas", "Video", "Audio", "graphics-symbol")),
    RoleWord("cell", "cell of a table", ("cell", "gridcell", "columnheader", "rowheader")),
    RoleWord("el", "something else to click", ("", "generic", "none", "paragraph", "LabelText")),
    SCROLLER,
    SUMMARY,
)

_BY_ROLE = {role: entry.word for entry in ROLE_WORDS for role in entry.roles}
_EDITABLE = int(Fact.EDITABLE)

_FIELDS = """\
i: id of the element, for actions
r: role, see below
n: name, cut at 50 characters
v: value
s: states (disabled, checked, expanded, …); filled or empty for values that are not told
xy: its centre in the viewport; box: x, y, width, height
scr: it scrolls: depth is how far it is scrolled, h whether there is more below: scroll it to see the rest
occ: something else covers it: close or move that first
f: frame it is in, by its number; left out in the page itself"""


def minified(node: PageNode, *, actionable: bool) -> str:
    """The short word of a node; a role that has none is written out."""
    plain = node.role == "textbox" or _BY_ROLE.get(node.role) == "el"
    if plain and (node.tag == "textarea" or node.facts & _EDITABLE):
        return FIELD_OF_LINES.word
    if node.role == "combobox" and (node.tag == "input" or node.facts & _EDITABLE):
        return FIELD_WITH_CHOICES.word
    word = _BY_ROLE.get(node.role, node.role)
    return SCROLLER.word if word == "el" and not actionable else word


def legend() -> str:
    """What a reader of the ``v3`` format has to know, as lines of text."""
    words = ", ".join(f"{entry.word} {entry.meaning}" for entry in ROLE_WORDS)
    return f"{_FIELDS}\nRoles: {words}; others are written out"
