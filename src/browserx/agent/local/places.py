"""Which of several elements stands in the row of something, next to it, or below: by coordinates, or by the markup."""

from collections.abc import Callable, Sequence
from math import hypot

from browserx.agent import markup
from browserx.agent.local.intents import Relation
from browserx.agent.markup import Element
from browserx.agent.view import PageView
from browserx.semantic.request import TreeNode

#: Half a line of text, in CSS px: what stands in one row may be that much higher or lower.
_HALF_LINE = 12.0
#: Two distances this close to each other are the same.
_SAME = 2.0
_MOST_ANCHORS = 20

Matching = Callable[[str, str], int]


def placed(
    view: PageView,
    nodes: Sequence[TreeNode],
    hits: Sequence[TreeNode],
    relation: Relation,
    anchor: str,
    matching: Matching,
) -> list[TreeNode] | None:
    """Those of ``hits``, which are among ``nodes``, that stand so; None when only the text of the page can tell."""
    around = _anchors(nodes, anchor, matching)
    of_tree = [_nearest(hits, one, relation) for one in around if one.xy is not None]
    if len(of_tree) == 1 and of_tree[0]:
        return of_tree[0]
    if view.dom is None:
        return None
    return _by_markup(markup.read(view.dom), nodes, hits, relation, anchor)


def _anchors(nodes: Sequence[TreeNode], anchor: str, matching: Matching) -> list[TreeNode]:
    levels = [(max(matching(node.n, anchor), matching(node.v or "", anchor)), node) for node in nodes]
    best = max((level for level, _ in levels), default=0)
    return [node for level, node in levels if level == best] if best > 1 else []


def _nearest(hits: Sequence[TreeNode], anchor: TreeNode, relation: Relation) -> list[TreeNode]:
    assert anchor.xy is not None
    x, y = anchor.xy
    reach = max(_HALF_LINE, anchor.box[3] / 2 if anchor.box else 0)
    measured: list[tuple[float, TreeNode]] = []
    for node in hits:
        if node.xy is None or node.i == anchor.i or node.f != anchor.f:
            continue
        right, down = node.xy[0] - x, node.xy[1] - y
        fits = {
            "row": abs(down) <= reach,
            "near": True,
            "below": down > 0,
            "above": down < 0,
            "right": right > 0 and abs(down) <= reach,
            "left": right < 0 and abs(down) <= reach,
        }[relation]
        if fits:
            measured.append((hypot(right, down), node))
    if relation == "row":
        return [node for _, node in measured]
    least = min((distance for distance, _ in measured), default=0.0)
    return [node for distance, node in measured if distance <= least + _SAME]


def _by_markup(
    root: Element, nodes: Sequence[TreeNode], hits: Sequence[TreeNode], relation: Relation, anchor: str
) -> list[TreeNode]:
    """By what stands together in the document: the smaller the element around both, the nearer.

    Of several that say what ``anchor`` does, the one counts that something stands nearest to.
    """
    order = {id(element): place for place, element in enumerate(root.walk())}
    sizes = _sizes(root)
    text = " ".join(anchor.casefold().split())
    anchors = [element for element in root.walk() if text and text in _own_text(element)]
    exact = [element for element in anchors if _own_text(element) == text]
    anchors = exact or anchors
    elements = [(element, node) for node in hits if (element := _element_of(root, nodes, node)) is not None]
    best: tuple[int, list[list[TreeNode]]] = (0, [])
    for at in anchors[:_MOST_ANCHORS]:
        around = {id(element): sizes[id(element)] for element in _upwards(at)}
        measured: list[tuple[int, TreeNode]] = []
        for element, node in elements:
            after = order[id(element)] > order[id(at)]
            if (relation in ("below", "right") and not after) or (relation in ("above", "left") and after):
                continue
            measured.append((next(around[id(one)] for one in _upwards(element) if id(one) in around), node))
        least = min((size for size, _ in measured), default=0)
        if measured and (not best[1] or least <= best[0]):
            of_this = [node for size, node in measured if size == least]
            best = (least, [of_this] if not best[1] or least < best[0] else [*best[1], of_this])
    if len(best[1]) != 1:
        return []
    nearest = best[1][0]
    if relation in ("below", "right"):
        return nearest[:1]
    return nearest[-1:] if relation in ("above", "left") else nearest


def _element_of(root: Element, nodes: Sequence[TreeNode], node: TreeNode) -> Element | None:
    """The element of the document a node is: by its id, or as the third of its like where both tell equally many."""
    written = markup.written_ids(root)
    if node.i in written:
        return written[node.i]
    if written:
        return None
    like = [one for one in nodes if (one.r, one.n) == (node.r, node.n)]
    told = markup.tree(root)
    elements = [
        element
        for one, (_, element) in zip(told, markup.controls(root), strict=True)
        if (one.r, one.n) == (node.r, node.n)
    ]
    return elements[like.index(node)] if len(like) == len(elements) else None


def _sizes(root: Element) -> dict[int, int]:
    """How many elements are in each, by its ``id()``."""
    sizes: dict[int, int] = {}
    for element in reversed(list(root.walk())):
        sizes[id(element)] = 1 + sum(sizes[id(one)] for one in element.children if isinstance(one, Element))
    return sizes


def _own_text(element: Element) -> str:
    pieces = (one for one in element.children if isinstance(one, str))
    return " ".join(" ".join(pieces).casefold().split())


def _upwards(element: Element) -> list[Element]:
    found = [element]
    while found[-1].parent is not None:
        found.append(found[-1].parent)
    return found
