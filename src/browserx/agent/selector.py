"""A selector that finds an element again when its id is gone (``selectorPath``), checked to fit only one.

From HTML: a test id, an id, a name, an ``aria-label``, then a short path. From a tree alone: role and name. A step into
a shadow root is written ``host >> inner``.
"""

import re
from collections.abc import Callable, Iterator

from browserx.agent.markup import ID_ATTRIBUTES, Element, controls, read, tree, written_ids
from browserx.agent.view import PageView
from browserx.dom.roles import ROLE_WORDS
from browserx.semantic.request import TreeNode

_TEST_IDS = ("data-testid", "data-test", "data-cy", "data-test-id")
#: Ids that frameworks count up: another one after the next load.
_MADE_UP = re.compile(
    r":r|\d{3,}|[0-9a-f]{8}|^(ember|react|mui|radix|headlessui|input|vaadin|v-)[\w-]*\d", re.IGNORECASE
)
_PLAIN_NAME = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)
_DEEPEST = 6
_ROLES = {entry.word: entry.roles[0] for entry in ROLE_WORDS if entry.roles and entry.roles[0]} | {
    "txt": "textbox",
    "cmb": "combobox",
}


def selector_path(view: PageView, node_id: str | None) -> str | None:
    """A selector for an element of the page; None when nothing tells it apart."""
    if node_id is None:
        return None
    html = view.dom or view.skeleton
    if html:
        # A skeleton has no structure to go by.
        found = from_html(html, node_id, structure=view.dom is not None, like=view.node(node_id))
        if found is not None:
            return found
    return from_tree(view, node_id)


def from_tree(view: PageView, node_id: str) -> str | None:
    """By role and name, if no other has both. A name that was cut tells only its beginning, and is not used."""
    node = view.node(node_id)
    if node is None or not node.n or node.n.endswith("…"):
        return None
    if sum(1 for other in view.nodes if (other.r, other.n) == (node.r, node.n)) != 1:
        return None
    role = _ROLES.get(node.r, node.r)
    return f"role={role}[name={_quoted(node.n)}]" if _PLAIN_NAME.fullmatch(role) and role != "el" else None


def from_html(html: str, node_id: str, *, structure: bool = True, like: TreeNode | None = None) -> str | None:
    """By what stands on it, or with ``structure`` by where it stands; None when it is not in ``html``.

    Where ``html`` has no ids, they are counted; ``like`` is what the element has to be then, as it may come from
    elsewhere and be counted otherwise.
    """
    root = read(html)
    element = written_ids(root).get(node_id) or _counted(root, node_id, like)
    if element is None:
        return None
    steps: list[str] = []
    at: Element | None = element
    while at is not None:
        scope = _scope(at)
        step = _within(scope, at, structure=structure)
        if step is None:
            return None
        steps.append(step)
        # A template that is a shadow root stands in its host.
        at = scope.parent if scope.tag == "template" else None
    return " >> ".join(reversed(steps))


def _counted(root: Element, node_id: str, like: TreeNode | None) -> Element | None:
    for (own_id, element), node in zip(controls(root), tree(root), strict=True):
        if own_id == node_id and not any(element.attributes.get(name) for name in ID_ATTRIBUTES):
            return element if like is None or (like.r, like.n) == (node.r, node.n) else None
    return None


def _scope(element: Element) -> Element:
    """The document or shadow root an element is in."""
    at = element
    while at.parent is not None:
        at = at.parent
        if at.tag == "template" and "shadowrootmode" in at.attributes:
            return at
    return at


def _inside(scope: Element) -> Iterator[Element]:
    """The elements of one document or shadow root, those of roots in it left out."""
    waiting = [one for one in reversed(scope.children) if isinstance(one, Element)]
    while waiting:
        element = waiting.pop()
        if element.tag == "template":
            continue
        yield element
        waiting += [one for one in reversed(element.children) if isinstance(one, Element)]


def _within(scope: Element, element: Element, *, structure: bool) -> str | None:
    everything = list(_inside(scope))
    for written, fits in _own(element):
        if sum(1 for one in everything if fits(one)) == 1:
            return written
    return _path(everything, element) if structure else None


def _own(element: Element) -> Iterator[tuple[str, Callable[[Element], bool]]]:
    """What stands on an element that may tell it apart, best first."""
    attributes, tag = element.attributes, element.tag

    def has(name: str, value: str, *, tagged: bool) -> Callable[[Element], bool]:
        return lambda one: one.attributes.get(name) == value and (not tagged or one.tag == tag)

    for name in _TEST_IDS:
        if attributes.get(name):
            yield f"[{name}={_quoted(attributes[name])}]", has(name, attributes[name], tagged=False)
    own_id = attributes.get("id", "")
    if own_id and not _MADE_UP.search(own_id):
        written = f"#{own_id}" if _PLAIN_NAME.fullmatch(own_id) else f"[id={_quoted(own_id)}]"
        yield written, has("id", own_id, tagged=False)
    for name in ("name", "aria-label"):
        if attributes.get(name):
            yield f"{tag}[{name}={_quoted(attributes[name])}]", has(name, attributes[name], tagged=True)


def _path(everything: list[Element], element: Element) -> str | None:
    """From the nearest element around it that can be told apart, by places among their like."""
    steps: list[str] = []
    at = element
    for _ in range(_DEEPEST):
        parent = at.parent
        if parent is None:
            return None
        like = [one for one in parent.children if isinstance(one, Element) and one.tag == at.tag]
        steps.append(at.tag if len(like) == 1 else f"{at.tag}:nth-of-type({like.index(at) + 1})")
        if parent.tag in ("", "body", "template"):
            prefix = "body > " if parent.tag == "body" else ""
            return prefix + " > ".join(reversed(steps)) if prefix else None
        for written, fits in _own(parent):
            if sum(1 for one in everything if fits(one)) == 1:
                return f"{written} > {' > '.join(reversed(steps))}"
        at = parent
    return None


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(f"\\{ord(one):x} " if one < " " else one for one in escaped) + '"'
