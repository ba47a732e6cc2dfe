"""From words to an element of the page: by kind and name, from what fits to the letter to what fits by most words.

What fits equally well is told as such; nothing is guessed.
"""

from collections.abc import Callable, Sequence

import msgspec

from browserx.agent import markup
from browserx.agent.local.intents import Kind, Target
from browserx.agent.local.places import placed
from browserx.agent.local.vocabulary import Vocabulary
from browserx.agent.view import PageView, short_role
from browserx.dom.roles import SCROLLER, SUMMARY
from browserx.dom.words import alike, words
from browserx.semantic.request import TreeNode

_FIELDS = frozenset(("inp", "txt", "cmb", "date", "clr"))
_LISTS = frozenset(("sel", "cmb"))
_BOXES = frozenset(("chk", "rad", "swt"))
_PRESSED = frozenset(("btn", "link", "tab", "menu", "opt", "tree", "tog")) | _BOXES
#: What each kind of action is done on, the likeliest first; no entry: on anything.
_ON: dict[str, tuple[frozenset[str], ...]] = {
    "type": (_FIELDS, frozenset(("sel", "sld")), _BOXES),
    "clear": (_FIELDS,),
    "select": (_LISTS, frozenset(("inp", "menu", "btn", "tog", "opt"))),
    "pickDate": (frozenset(("date",)), _FIELDS | {"btn", "sel"}),
    "check": (_BOXES, frozenset(("menu", "opt", "btn", "el"))),
    "uncheck": (_BOXES, frozenset(("menu", "opt", "btn", "el"))),
}
EXACT, SAME_WORDS, ALL_WORDS, SOME_WORDS = 4, 3, 2, 1
_SHARE = 0.6
_NEAR = 5


class Found(msgspec.Struct, frozen=True):
    """What words came to.

    Attributes:
        nodes: the elements that fit best, in the order of the page: one, several that fit equally well, or none.
        certain: it fits to the letter or by all words, so that looking further is of no use.
        like: where nothing fits, what comes near.
        needs_page: only the text of the page tells which it is.
    """

    nodes: Sequence[TreeNode] = ()
    certain: bool = False
    like: Sequence[TreeNode] = ()
    needs_page: bool = False


def elements(view: PageView) -> list[TreeNode]:
    """What can be acted on, in the order of the page: the tree, and what only the skeleton tells, if it was sent."""
    nodes = [node for node in view.nodes if node.i and node.r not in (SUMMARY.word, SCROLLER.word)]
    if not view.skeleton:
        return nodes
    root = markup.read(view.skeleton)
    written = markup.written_ids(root)
    in_tree = {node.i: node for node in nodes}
    merged = [in_tree.get(node.i, node) for node in markup.tree(root) if node.i in written]
    place = {node.i: at for at, node in enumerate(merged)}
    # What only the tree has, comes after what it comes after there.
    only_tree: dict[int, list[TreeNode]] = {}
    last = -1
    for node in nodes:
        last = place.get(node.i, last)
        if node.i not in place:
            only_tree.setdefault(last, []).append(node)
    whole = only_tree.get(-1, [])
    for at, node in enumerate(merged):
        whole += [node, *only_tree.get(at, [])]
    return whole


def ground(view: PageView, target: Target, kind: Kind, vocabulary: Vocabulary) -> Found:
    """The element that is meant."""
    nodes = elements(view)
    if target.node_id is not None:
        return Found([node for node in nodes if node.i == target.node_id], certain=True)
    pools = _pools(nodes, kind, vocabulary.roles(target.noun))
    level, hits = _best(pools, target)
    if not hits and target.name and target.name.casefold() in vocabulary.searching:
        level, hits = _searching(pools, vocabulary)
    if not hits:
        return Found(like=_like(pools[-1], target.name))
    if target.relation is not None:
        told = placed(view, nodes, hits, target.relation, target.anchor, matching)
        if told is None:
            return Found(needs_page=True, like=hits[:_NEAR])
        hits = told
    if target.ordinal:
        at = target.ordinal - 1 if target.ordinal > 0 else target.ordinal
        inside = -len(hits) <= at < len(hits)
        return Found([hits[at]], certain=True) if inside else Found(like=hits[:_NEAR])
    return Found(_likelier(hits, kind) if target.relation is None else hits, certain=level > SOME_WORDS)


def matching(name: str, phrase: str, *, quoted: bool = False) -> int:
    """How well a name fits a phrase: to the letter, by the same words, by all its words, by most of them, or 0."""
    have, want = name.casefold().strip(), phrase.casefold().strip()
    if not want:
        return 0
    if have == want:
        return EXACT
    asked, there = words(phrase, asked=True), words(name)
    if not asked:
        return ALL_WORDS if want in have else 0
    if asked == there or "".join(asked) == "".join(there):
        return SAME_WORDS
    if have.endswith("…") and want.startswith(have[:-1]) and len(have) > 1:
        return SAME_WORDS
    if set(asked) <= set(there):
        return ALL_WORDS
    if quoted:
        return 0
    both = sum(1 for word in set(asked) if any(word == other or alike(word, other) for other in there))
    return SOME_WORDS if both >= _SHARE * len(set(asked)) else 0


def exact(view: PageView, name: str, roles: frozenset[str] | None = None) -> TreeNode | None:
    """The one element of exactly that name."""
    hits = [
        node
        for node in elements(view)
        if node.n.casefold().strip() == name.casefold() and (roles is None or short_role(node.r) in roles)
    ]
    return hits[0] if len(hits) == 1 else None


def closer(view: PageView, vocabulary: Vocabulary) -> TreeNode | None:
    """What closes that which covers the page, where that can be told: one free button of such a name."""
    free = [node for node in elements(view) if not node.occ and short_role(node.r) in ("btn", "link", "el", "img")]
    for name in vocabulary.closing:
        hits = [node for node in free if node.n.casefold().strip() == name]
        if hits:
            return hits[0] if len(hits) == 1 else None
    return None


def described(node: TreeNode) -> str:
    """An element for a person: what it is, says, and where."""
    where = f" at {node.xy[0]:.0f},{node.xy[1]:.0f}" if node.xy is not None else ""
    return f"{node.i}: {short_role(node.r)} {node.n!r}{where}"


def _pools(nodes: list[TreeNode], kind: Kind, of_noun: frozenset[str]) -> list[list[TreeNode]]:
    """Where to look, one after another."""
    fits = _ON.get(kind)
    allowed = nodes if fits is None else [node for node in nodes if any(short_role(node.r) in one for one in fits)]
    pools = [[node for node in allowed if short_role(node.r) in of_noun]] if of_noun else []
    pools += [[node for node in nodes if short_role(node.r) in one] for one in fits or ()]
    return [*pools, allowed]


def _best(pools: list[list[TreeNode]], target: Target) -> tuple[int, list[TreeNode]]:
    if not target.name:
        # Only its kind was told: the first kind there is.
        return ALL_WORDS, next((pool for pool in pools if pool), []) if target.noun or target.ordinal else []
    if target.said and not target.quoted and not target.ordinal and target.relation is None:
        hits = [node for node in pools[-1] if matching(node.n, target.said) == EXACT]
        if hits:
            return EXACT, hits
    levels = [[(matching(node.n, target.name, quoted=target.quoted), node) for node in pool] for pool in pools]
    for least in (EXACT, SAME_WORDS, ALL_WORDS):
        for pool in levels:
            hits = [node for level, node in pool if level == least]
            if hits:
                # Which of them was told by its number: those that say more count as well.
                if target.ordinal:
                    hits = [node for level, node in pool if level >= ALL_WORDS] if len(hits) == 1 else hits
                return least, hits
    for pool in levels:
        scored = [(_share(node.n, target.name), node) for level, node in pool if level == SOME_WORDS]
        if scored:
            most = max(score for score, _ in scored)
            return SOME_WORDS, [node for score, node in scored if score == most]
    return 0, []


def _share(name: str, phrase: str) -> float:
    asked, there = set(words(phrase, asked=True)), set(words(name))
    both = sum(1 for word in asked if any(word == other or alike(word, other) for other in there))
    return both / max(1, len(asked | there))


def _searching(pools: list[list[TreeNode]], vocabulary: Vocabulary) -> tuple[int, list[TreeNode]]:
    """A field to search with: one that is called so in other words, or the only field there is, if it has no name."""
    fields = next((pool for pool in pools if pool), [])
    named = [node for node in fields if set(words(node.n)) & set(vocabulary.searching)]
    if named or (len(fields) == 1 and not fields[0].n):
        return ALL_WORDS, named or fields
    return 0, []


def _likelier(hits: list[TreeNode], kind: Kind) -> list[TreeNode]:
    """Of those that fit equally well, the ones a person would take: free ones, enabled ones, for a click buttons."""
    clicked = kind in ("click", "doubleClick", "rightClick", "hover")
    keeps: tuple[Callable[[TreeNode], bool], ...] = (
        lambda node: "disabled" not in (node.s or ""),
        lambda node: not node.occ,
        lambda node: not clicked or short_role(node.r) in _PRESSED,
    )
    for keep in keeps:
        hits = [node for node in hits if keep(node)] or hits
    return hits


def _like(pool: list[TreeNode], phrase: str) -> list[TreeNode]:
    asked = set(words(phrase))
    scored = [(len([w for w in asked if any(alike(w, o) or w == o for o in words(node.n))]), node) for node in pool]
    near = sorted((one for one in scored if one[0]), key=lambda one: -one[0])
    return [node for _, node in near[:_NEAR]]
