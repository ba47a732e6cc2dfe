"""Label hunting: what a control is called that nobody named.

The first that there is: the text inside it, the text beside a field, its placeholder, the icon it is drawn with, its
test id. What stands beside a field is told as the field's name, and not again as text.
"""

import re
from typing import NamedTuple

from browserx.dom.tree import PageNode, PageTree
from browserx.inpage.facts import Fact

_NAME_LIMIT = 120
_LABEL_LIMIT = 80
#: A sentence of more words before a field says what to do. What stands beside a box to be checked may well be one.
_SENTENCE_WORDS = 6
_SENTENCE_END = re.compile(r"[.!]$")
_MOST_ALTERNATING = 50
_ICON_PHRASE = 4
_FIELDS = frozenset(
    [
        "textbox",
        "searchbox",
        "combobox",
        "listbox",
        "spinbutton",
        "slider",
        "checkbox",
        "radio",
        "switch",
        "Date",
        "DateTime",
        "InputTime",
        "ColorWell",
    ]
)
#: Fields whose label stands behind them.
_LABELLED_AFTER = frozenset(["checkbox", "radio", "switch"])
_CELLS = frozenset(["cell", "gridcell", "rowheader", "columnheader"])

#: Characters that icon fonts draw icons with, and those that nobody sees; they mean nothing to a reader.
_DRAWN = re.compile("[\u200b-\u200f\u2060\ufeff\ue000-\uf8ff\U000f0000-\U0010fffd]+")
_LETTER = re.compile(r"[^\W\d_]")

#: ``fa-trash``, ``fc-icon-chevron-left``, ``mdi:home``: a set's sign, and the icon's name.
_FROM_SET = re.compile(
    r"(?:^|[-_:])(?:fa|fas|far|fab|bi|pi|mdi|icons?|ico|icn|glyphicon|lucide|tabler|ti|ri|la|ph|octicon|codicon|feather|anticon"
    r"|svg|symbols?)[-_:]+([a-z][a-z0-9_-]*)$",
    re.IGNORECASE,
)
#: ``close-icon``, ``trash_svg``.
_BEFORE_SIGN = re.compile(r"^([a-z][a-z0-9_-]*?)[-_](?:icon|ico|svg)$", re.IGNORECASE)
_PLAIN = re.compile(r"^[a-z][a-z0-9_-]{0,23}$", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(svg|png|gif|webp|jpe?g|ico)$")
_BETWEEN_WORDS = re.compile(r"[-_]+|(?<=[a-z])(?=[A-Z])")
_MANNER_WORDS = """
    solid regular light thin brands duotone sharp fw spin pulse lg xs sm md xl 2x 3x 4x 5x inverse outline outlined
    rounded filled border small large medium default button btn wrapper container inner img image icon svg base root
    content only inline font material symbols
"""
#: Signs of icon sets and of component libraries.
_SET_WORDS = """
    fa fas far fab bi pi mdi ti ri la ph p el uk q v md mat ant fc tabler lucide feather octicon codicon glyphicon
    anticon ion remix icomoon dripicons linearicons sl ui mui
"""
_MEANING_WORDS = """
    add back bookmark calendar camera cart clear close collapse copy delete dismiss download edit email expand favorite
    filter forward fullscreen hamburger help home like login logout maximize menu microphone minimize mute next
    notifications pause pin play plus prev previous print profile redo refresh reload remove reply save search send
    settings share sort star stop trash undo upload volume wishlist zoom
"""
_SETS = frozenset(_SET_WORDS.split())
#: What says how an icon is drawn, not what it shows.
_MANNER = frozenset(_MANNER_WORDS.split())
#: Words that, in a class, can only mean what a control does.
_MEANINGS = frozenset(_MEANING_WORDS.split())


class Label(NamedTuple):
    """What a control is called, and the nodes whose words these are: they need not be told again."""

    text: str
    nodes: tuple[int, ...] = ()


def without_drawings(text: str) -> str:
    """Text without what icon fonts draw icons with."""
    if text.isascii() or not _DRAWN.search(text):
        return text
    return " ".join(_DRAWN.sub(" ", text).split())


def hunt(tree: PageTree, index: int, actionable: list[bool]) -> Label:
    """What the unnamed control at ``index`` is called; empty when nothing tells."""
    node = tree.nodes[index]
    # What is in an editor, or a field that is drawn, is what it holds, not what it is called.
    holds = node.facts & Fact.EDITABLE or (node.extra is not None and node.extra.value)
    if not holds and (inside := _text_inside(tree, index, actionable)).text:
        return inside
    if (node.role in _FIELDS or node.facts & Fact.EDITABLE) and (beside := _text_beside(tree, index)) is not None:
        return Label(without_drawings(tree.nodes[beside].text).rstrip(" :*"), (beside,))
    extra = node.extra
    if extra is None:
        return Label("")
    if placeholder := extra.attributes.get("placeholder"):
        return Label(placeholder)
    written = next((text for kind, _, text in (hint.partition(" ") for hint in extra.hints) if kind == "label"), "")
    if written := without_drawings(written):
        return Label(written)
    return Label(_icon(extra.hints) or extra.attributes.get("testid") or "")


def _text_inside(tree: PageTree, index: int, actionable: list[bool]) -> Label:
    """Its text from the beginning, as far as it is not that of something else that can be acted on."""
    parts: list[str] = []
    nodes: list[int] = []
    length = 0
    at = index + 1
    while at < tree.ends[index] and length < _NAME_LIMIT:
        node = tree.nodes[at]
        if actionable[at]:
            at = tree.ends[at]
            continue
        said = without_drawings(node.text or (node.name if node.role == "image" else ""))
        if said and (not parts or length + len(said) <= _NAME_LIMIT):
            parts.append(said)
            nodes.append(at)
        elif said:
            break
        length += len(said) + 1
        at += 1
    name = " ".join(parts)
    if len(name) > _NAME_LIMIT:
        # The first of it is too long for a name, and told whole below.
        return Label(name[:_NAME_LIMIT].rstrip() + "…")
    return Label(name, tuple(nodes))


def _text_beside(tree: PageTree, index: int) -> int | None:
    before, after = _text_before(tree, index), _text_after(tree, index)
    if tree.nodes[index].role in _LABELLED_AFTER:
        return after if after is not None else before
    if after is not None and _labels_stand_behind(tree, index):
        return after
    return None if before is not None and _is_instruction(tree.nodes[before].text) else before


def _labels_stand_behind(tree: PageTree, index: int) -> bool:
    """Whether fields and labels alternate around a field from a field on to a label: each label is behind its field."""
    fields = 1
    first = last = index
    for _ in range(_MOST_ALTERNATING):
        label = _sibling_before(tree, first)
        field = _sibling_before(tree, label) if label is not None else None
        if label is None or field is None or not _is_label(tree.nodes[label]) or not _is_field(tree.nodes[field]):
            break
        first, fields = field, fields + 1
    ahead = _sibling_before(tree, first)
    if ahead is not None and _is_label(tree.nodes[ahead]):
        return False
    for _ in range(_MOST_ALTERNATING):
        label = _sibling_after(tree, last)
        if label is None or not _is_label(tree.nodes[label]):
            return False
        field = _sibling_after(tree, label)
        if field is None or not _is_field(tree.nodes[field]):
            break
        last, fields = field, fields + 1
    return fields > 1


def _sibling_before(tree: PageTree, index: int) -> int | None:
    at, parent = index - 1, tree.parents[index]
    if at == parent:
        return None
    while at >= 0 and tree.parents[at] != parent:
        at = tree.parents[at]
    return at if at >= 0 else None


def _sibling_after(tree: PageTree, index: int) -> int | None:
    at = tree.ends[index]
    return at if at < len(tree.nodes) and tree.parents[at] == tree.parents[index] else None


def _is_field(node: PageNode) -> bool:
    # One that has a name of its own says nothing of where the labels of the others stand.
    return node.role in _FIELDS and node.role not in _LABELLED_AFTER and not node.name


def _text_before(tree: PageTree, index: int) -> int | None:
    """The text that stands right before the control, in the same group or in the cell before."""
    nodes, parents = tree.nodes, tree.parents
    at = index - 1
    crossed: PageNode | None = None
    while at >= 0 and tree.ends[at] > index:
        # Something the control is in begins here; only a cell has its label outside.
        if nodes[at].role not in _CELLS or crossed is not None:
            return None
        crossed = nodes[at]
        at -= 1
    if at < 0 or not _is_label(nodes[at]):
        return None
    if crossed is None:
        return at if parents[at] == parents[index] else None
    # The cell before must hold nothing but the label.
    cell = at - 1
    return at if parents[at] == cell and nodes[cell].role in _CELLS and tree.ends[cell] == at + 1 else None


def _text_after(tree: PageTree, index: int) -> int | None:
    at = tree.ends[index]
    if at < len(tree.nodes) and tree.parents[at] == tree.parents[index] and _is_label(tree.nodes[at]):
        return at
    return None


def _is_label(node: PageNode) -> bool:
    return node.key == 0 and len(node.text) <= _LABEL_LIMIT and bool(_LETTER.search(node.text))


def _is_instruction(text: str) -> bool:
    return text.count(" ") >= _SENTENCE_WORDS and _SENTENCE_END.search(text) is not None


def _icon(hints: list[str]) -> str:
    """What an icon shows, by the name its set gives it, else by a well-known word in its class."""
    told = (hint.partition(" ") for hint in hints)
    given = [(kind, word) for kind, _, words in told if kind != "label" for word in words.split()]
    if phrase := next(filter(None, map(_phrase, hints)), ""):
        return phrase
    for find in (_of_set, _before_sign, _well_known):
        for kind, word in given:
            name = find(word if kind == "class" else _stem(word), kind)
            if name and (words := _words(name)):
                return " ".join(words)
    return ""


def _phrase(hint: str) -> str:
    """Some sets write it as a phrase: "align left icon"."""
    kind, *words = hint.lower().split()
    if kind != "class" or "icon" not in words or len(words) > _ICON_PHRASE or not all(map(str.isalpha, words)):
        return ""
    return " ".join(word for word in words if word not in _MANNER)


def _stem(address: str) -> str:
    """The name in "#icon-close", "sprite.svg#trash", "img/logo.svg" and "mdi:home"."""
    return _SUFFIX.sub("", re.split(r"[#/]", address)[-1].partition("?")[0].rpartition(":")[2])


def _of_set(word: str, kind: str) -> str:
    match = _FROM_SET.search(word)
    return match[1] if match else ""


def _before_sign(word: str, kind: str) -> str:
    if match := _BEFORE_SIGN.match(word):
        return match[1]
    return word if kind != "class" and _PLAIN.match(word) else ""


def _well_known(word: str, kind: str) -> str:
    return next((part for part in _words(word) if part in _MEANINGS), "")


def _words(name: str) -> list[str]:
    """The words of a name, without those that say how an icon is drawn."""
    words = [w.lower() for w in _BETWEEN_WORDS.split(name) if w and not w.isdigit()]
    while words and words[0] in _SETS:
        words.pop(0)
    while words and words[-1] in _MANNER:
        words.pop()
    while words and words[0] in _MANNER:
        words.pop(0)
    return words
