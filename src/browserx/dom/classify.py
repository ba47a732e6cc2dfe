"""What each node is: whether it can be acted on, and what it is called.

A *claim* is a reason to think that an element can be acted on. Hard claims (a native control, a widget role, an
editable region) stand by themselves. Soft ones (a listener, a handler attribute, ``tabindex``, a pointer cursor,
``draggable``) are weighed against what else is claimed around them: a listener on a container serves what is in it, a
pointer cursor inside a button is the button's, and a wrapper and the control in it are one thing.
"""

from bisect import bisect_left

from browserx.dom.labels import hunt, without_drawings
from browserx.dom.tree import Classified, PageNode, PageTree
from browserx.inpage.facts import Fact

_NATIVE = int(Fact.NATIVE)
_ROLE = int(Fact.ROLE)
_EDITABLE = int(Fact.EDITABLE)
_HARD = _NATIVE | _ROLE | _EDITABLE
_HANDLER = int(Fact.HANDLER)
_LISTENER = int(Fact.LISTENER)
_WEAK = int(Fact.WEAK_LISTENER)
_CLICKS = _HANDLER | _LISTENER
_FOCUSABLE = int(Fact.FOCUSABLE)
_CURSOR_EDGE = int(Fact.CURSOR_EDGE)
_CURSOR = int(Fact.CURSOR)
_DRAGGABLE = int(Fact.DRAGGABLE)
_SOFT = _CLICKS | _WEAK | _FOCUSABLE | _CURSOR_EDGE | _DRAGGABLE
_VISIBLE = int(Fact.VISIBLE)
_NO_POINTER = int(Fact.NO_POINTER)
_PROXIED = int(Fact.PROXIED | Fact.TRANSPARENT)

#: Something that listens around more than this many controls listens on their behalf.
_DELEGATES_ABOVE = 25
_SAME_EXTENT = 0.5

#: Roles that hold widgets and are not widgets themselves, whatever their tabindex says.
_CONTAINERS = frozenset(
    [
        "tabpanel",
        "dialog",
        "alertdialog",
        "region",
        "group",
        "grid",
        "treegrid",
        "table",
        "tree",
        "listbox",
        "menu",
        "menubar",
        "tablist",
        "radiogroup",
        "toolbar",
        "list",
        "main",
        "document",
        "application",
        "none",
        "rowgroup",
        "row",
        "article",
        "navigation",
        "feed",
        "log",
        "alert",
        "status",
        "separator",
        "complementary",
        "form",
        "LabelText",
    ]
)
_WRAPS_A_FIELD = frozenset(["combobox", "textbox", "searchbox", "spinbutton", "slider", "checkbox", "radio", "switch"])
_FIELD_TAGS = frozenset(("input", "select", "textarea"))


def classify(tree: PageTree) -> Classified:
    """Understand every node of a page."""
    nodes = tree.nodes
    claimed = _HARD | _SOFT
    claims = [index for index, node in enumerate(nodes) if node.facts & claimed and node.facts & _VISIBLE and node.key]
    accepted = _weigh(tree, claims)
    actionable = [False] * len(nodes)
    for index in accepted:
        actionable[index] = True
    names = [node.name for node in nodes]
    labels: dict[int, int] = {}
    for index in accepted:
        if not without_drawings(names[index]):
            label = hunt(tree, index, actionable)
            if label.text:
                names[index] = label.text
            for node in label.nodes:
                labels[node] = index
    for index in _echoes(tree, accepted, names):
        actionable[index] = False
    return Classified(tree, actionable, names, labels)


def _weigh(tree: PageTree, claims: list[int]) -> list[int]:
    """The claims that stand, in document order. Inner ones are decided before those around them."""
    nodes, parents, ends = tree.nodes, tree.parents, tree.ends
    alive = set(claims)
    # In order of position, for finding those inside a node by bisection.
    for position in range(len(claims) - 1, -1, -1):
        index = claims[position]
        if index not in alive:
            continue
        end = bisect_left(claims, ends[index], position + 1)
        inside = [other for other in claims[position + 1 : end] if other in alive]
        node = nodes[index]
        if node.facts & _HARD:
            if _is_wrapper(nodes, node, inside):
                alive.discard(index)
            else:
                alive.difference_update(_belongs_to(nodes, node, inside))
        elif not _stands(nodes, node, inside, alive):
            alive.discard(index)
    _drop_decoration(tree, claims, alive)
    _drop_inner_listeners(nodes, parents, claims, alive)
    return [index for index in claims if index in alive]


def _is_wrapper(nodes: list[PageNode], node: PageNode, inside: list[int]) -> bool:
    """A widget role around the one native field that does the work."""
    if node.facts & (_NATIVE | _EDITABLE) or not inside:
        return False
    if node.role in _WRAPS_A_FIELD:
        fields = [i for i in inside if nodes[i].tag in _FIELD_TAGS or nodes[i].facts & _EDITABLE]
        if len(fields) == 1:
            return True
    if len(inside) == 1:
        only = nodes[inside[0]]
        if only.facts & (_NATIVE | _EDITABLE):
            return bool(only.facts & _PROXIED) or _area(only) >= _SAME_EXTENT * _area(node)
    return False


def _belongs_to(nodes: list[PageNode], node: PageNode, inside: list[int]) -> list[int]:
    """Soft claims inside a control that are the control's own: its cursor, its decoration, its thumb."""
    mine = []
    for index in inside:
        inner = nodes[index]
        if inner.facts & _HARD:
            continue
        if (
            not inner.facts & (_CLICKS | _WEAK | _FOCUSABLE)
            or node.role == "slider"
            or _area(inner) >= _SAME_EXTENT * _area(node)
        ):
            mine.append(index)
    return mine


def _stands(nodes: list[PageNode], node: PageNode, inside: list[int], alive: set[int]) -> bool:
    """Whether a soft claim stands, given what is claimed inside. May take a claim inside as its own."""
    facts = node.facts
    if facts & _NO_POINTER:
        return False
    if node.tag == "label":
        return False
    clicks = facts & _CLICKS
    pointer = facts & _CURSOR
    if not clicks and facts & _WEAK and not facts & (_CURSOR_EDGE | _FOCUSABLE | _DRAGGABLE):
        return bool(pointer)
    if not clicks and not facts & (_FOCUSABLE | _WEAK | _DRAGGABLE):
        return _cursor_stands(nodes, node, inside, alive)
    if len(inside) > _DELEGATES_ABOVE:
        return False
    if facts & _FOCUSABLE and not (clicks | facts & _DRAGGABLE) and (inside or node.role in _CONTAINERS):
        return False
    if len(inside) == 1:
        inner = nodes[inside[0]]
        same = _area(inner) >= _SAME_EXTENT * _area(node)
        soft_inner = not inner.facts & _HARD
        if soft_inner and not inner.facts & (_CLICKS | _WEAK | _FOCUSABLE):
            alive.discard(inside[0])
            return True
        if facts & _FOCUSABLE and soft_inner and same:
            alive.discard(inside[0])
            return True
        small_field = inner.tag in _FIELD_TAGS and _area(inner) >= 0.25 * _area(node)
        if same or small_field or inner.facts & _PROXIED or not clicks:
            return False
    hard_inside = sum(1 for i in inside if nodes[i].facts & _HARD)
    if len(inside) >= 2 and not pointer and not facts & _HANDLER:
        return False
    # A handler around real controls that nothing invites to click serves those controls.
    return not (hard_inside and not pointer and not facts & _HANDLER)


def _cursor_stands(nodes: list[PageNode], node: PageNode, inside: list[int], alive: set[int]) -> bool:
    """A pointer cursor with nothing else to say for itself."""
    if not inside:
        return _area(node) > 0
    covered = sum(_area(nodes[i]) for i in inside)
    if len(inside) > 1 or covered >= _SAME_EXTENT * _area(node):
        return False
    only = nodes[inside[0]]
    if not only.facts & (_HARD | _CLICKS | _WEAK | _FOCUSABLE):
        alive.discard(inside[0])
    return True


def _drop_decoration(tree: PageTree, claims: list[int], alive: set[int]) -> None:
    """A pointer cursor inside something that can be acted on is inherited from it in spirit."""
    nodes, parents = tree.nodes, tree.parents
    for index in claims:
        if index not in alive or nodes[index].facts & (_HARD | _CLICKS | _WEAK | _FOCUSABLE | _DRAGGABLE):
            continue
        up = parents[index]
        while up >= 0:
            if up in alive and nodes[up].facts & (_HARD | _CLICKS | _CURSOR_EDGE):
                alive.discard(index)
                break
            up = parents[up]


def _drop_inner_listeners(nodes: list[PageNode], parents: list[int], claims: list[int], alive: set[int]) -> None:
    """Listeners on boxes of the same extent, one inside the other: the outermost is the thing."""
    for index in claims:
        node = nodes[index]
        if index not in alive or node.facts & _HARD or not node.facts & (_CLICKS | _WEAK):
            continue
        up = parents[index]
        for _ in range(4):
            if up < 0:
                break
            outer = nodes[up]
            if up in alive and not outer.facts & (_NATIVE | _EDITABLE) and _area(node) >= 0.8 * _area(outer):
                alive.discard(index)
                break
            up = parents[up]


def _echoes(tree: PageTree, accepted: list[int], names: list[str]) -> list[int]:
    """Soft claims that say nothing of their own: a nameless wrapper of one control, a part called like its control."""
    nodes, ends = tree.nodes, tree.ends
    echoes = []
    around: list[int] = []
    for position, index in enumerate(accepted):
        while around and ends[around[-1]] <= index:
            around.pop()
        if not nodes[index].facts & _HARD:
            inside = bisect_left(accepted, ends[index], position + 1) - position - 1
            outer = around[-1] if around else None
            is_part = outer is not None and nodes[outer].facts & _HARD and names[index] == names[outer]
            if is_part or (not names[index] and inside == 1):
                echoes.append(index)
        around.append(index)
    return echoes


def _area(node: PageNode) -> int:
    return node.width * node.height
