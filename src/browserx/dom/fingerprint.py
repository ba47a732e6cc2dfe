"""What an element is known by, and which new element took over from one that is gone.

A page that is drawn anew often replaces its elements by equal ones. To a reader nothing has changed, so the new element
takes over the id of the old one, if there is no doubt which it is. There is doubt when what it is called does not tell
it from others and what stands around it does not either; then it is a new element.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from browserx.dom.ids import IdRegistry, NodeRef
from browserx.dom.snapshot import DomSnapshot
from browserx.dom.tree import Classified, PageNode

#: A box in the same place, in CSS px.
_SAME_PLACE = 4
_ITEMS = frozenset(["listitem", "row", "article", "option", "treeitem", "menuitem"])
#: Words around an element: so many rows are looked at, so many characters kept.
_REACH = 12
_WORDS = 60


class Signature(NamedTuple):
    """What an element says of itself. Two of the same signature are told apart by where they stand."""

    role: str
    tag: str
    name: str
    address: str
    placeholder: str
    testid: str


class Surroundings(NamedTuple):
    """Where an element stands: what is said right before and after it, and the item of a list or table it is in."""

    before: str
    after: str
    item: str


def signature(page: Classified, index: int) -> Signature:
    """The signature of node ``index``."""
    node = page.tree.nodes[index]
    told = node.extra.attributes if node.extra is not None else {}
    return Signature(
        node.role,
        node.tag,
        page.names[index],
        told.get("href", ""),
        told.get("placeholder", ""),
        told.get("testid", ""),
    )


def surroundings(page: Classified, index: int) -> Surroundings:
    """The surroundings of node ``index``."""
    nodes, parents, ends = page.tree.nodes, page.tree.parents, page.tree.ends
    before = next((said for i in range(index - 1, max(-1, index - _REACH), -1) if (said := _says(page, i))), "")
    end = ends[index]
    after = next((said for i in range(end, min(len(nodes), end + _REACH)) if (said := _says(page, i))), "")
    item = ""
    up = parents[index]
    while up >= 0:
        if nodes[up].role in _ITEMS:
            item = " ".join(filter(None, (nodes[i].text or nodes[i].name for i in range(up, ends[up]))))
            break
        up = parents[up]
    return Surroundings(before, after, item)


def _says(page: Classified, index: int) -> str:
    node = page.tree.nodes[index]
    return (node.text or page.names[index])[:_WORDS]


def pass_on_ids(ids: IdRegistry, before: DomSnapshot, after: DomSnapshot, vanished: set[NodeRef]) -> None:
    """Give the ids of what is gone to what took over from it, within the same document only."""
    gone = {i for i, yes in enumerate(before.page.actionable) if yes and before.ref(i) in vanished}
    if not gone:
        return
    fresh = {i for i, yes in enumerate(after.page.actionable) if yes and ids.known(*after.ref(i)) is None}
    for old, new in successors(before.page, after.page, gone, fresh).items():
        if (
            before.frame_of(old).frame_id == after.frame_of(new).frame_id
            and before.ref(old).world == after.ref(new).world
        ):
            ids.pass_on(before.ref(old), after.ref(new))


def successors(before: Classified, after: Classified, gone: Collection[int], fresh: Collection[int]) -> dict[int, int]:
    """Which of the ``fresh`` nodes of a page took over from which of the ``gone`` nodes of the page before.

    Both are indexes, of nodes of one document that can be acted on. Nobody takes over from two, and nobody from one
    that two could have taken over from, those that are still there or were there before among them.
    """
    olds, news = _by_signature(before), _by_signature(after)
    found: dict[int, int] = {}
    for known_by in {signature(before, index) for index in gone} & {signature(after, index) for index in fresh}:
        old, new = olds[known_by], news[known_by]
        if known_by.name and len(old) == len(new) == 1:
            if _is_near(before, old[0], after, new[0]):
                found[old[0]] = new[0]
        else:
            found |= _by_surroundings(before, old, after, new)
    return {old: new for old, new in found.items() if old in gone and new in fresh}


def _by_signature(page: Classified) -> dict[Signature, list[int]]:
    found: dict[Signature, list[int]] = defaultdict(list)
    for index, yes in enumerate(page.actionable):
        if yes:
            found[signature(page, index)].append(index)
    return found


def _is_near(before: Classified, old: int, after: Classified, new: int) -> bool:
    """Whether two of a name that nothing else has stand in the same place, or beside the same things."""
    if _is_same_place(before.tree.nodes[old], after.tree.nodes[new]):
        return True
    a, b = surroundings(before, old), surroundings(after, new)
    return any(x and x == y for x, y in zip(a, b, strict=True))


def _is_same_place(a: PageNode, b: PageNode) -> bool:
    return all(abs(x - y) <= _SAME_PLACE for x, y in zip(a.rect, b.rect, strict=True))


def _by_surroundings(before: Classified, old: list[int], after: Classified, new: list[int]) -> dict[int, int]:
    """Pair what says the same by the words around it, where those are of one on each side only."""
    olds, news = _by_words(before, old), _by_words(after, new)
    return {
        indexes[0]: news[words][0]
        for words, indexes in olds.items()
        if len(indexes) == 1 and len(news.get(words, ())) == 1
    }


def _by_words(page: Classified, indexes: list[int]) -> dict[tuple[str, ...], list[int]]:
    found: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index in indexes:
        around = surroundings(page, index)
        # In an item, what the item says; elsewhere both neighbours must be there, and the same.
        if around.item:
            found["item", around.item, around.before].append(index)
        elif around.before and around.after:
            found["between", around.before, around.after].append(index)
    return found
