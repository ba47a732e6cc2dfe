"""The page as a brain gets to see it: what the client sent of it, in one shape whatever the client sent."""

import msgspec

from browserx.agent import markup
from browserx.dom.roles import ROLE_WORDS
from browserx.semantic.hashing import tree_hash
from browserx.semantic.request import InteractRequest, TreeNode

#: Names are cut at this length in a tree.
_NAME = 50
_SHORT = {role: entry.word for entry in ROLE_WORDS for role in entry.roles}


class PageView(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the page. ``nodes`` are those of its tree; ``dom`` and others are there when asked for."""

    url: str
    title: str
    nodes: list[TreeNode]
    tree_hash: str
    scroll_position: str | None = None
    more: list[str] = []
    recent_events: list[str] = []
    has_errors: bool = False
    has_success: bool = False
    dom: str | None = None
    skeleton: str | None = None
    screenshot: str | None = None
    filtered: bool = False

    def node(self, node_id: str | None) -> TreeNode | None:
        """The element of that id; None when the tree has none."""
        return next((node for node in self.nodes if node.i and node.i == node_id), None)

    def lines(self) -> list[str]:
        """A line for each element, for comparing: what it is, says and holds, but not where it is."""
        return [f"{node.i} {node.r} {node.n} {node.v or ''} {node.s or ''}" for node in self.nodes]


def view_of(request: InteractRequest, nodes: list[TreeNode]) -> PageView:
    """What the request tells; ``nodes`` is its tree, or the one that is known to be unchanged."""
    return PageView(
        url=request.url,
        title=request.page_title or request.title or "",
        nodes=nodes,
        tree_hash=request.interactive_tree_hash or tree_hash(nodes),
        scroll_position=request.scroll_position,
        more=[box.id for box in request.scrollable_containers or () if box.has_more],
        recent_events=request.recent_events or [],
        has_errors=bool(request.has_errors or request.errors_detected),
        has_success=bool(request.has_success or request.success_messages),
        dom=request.dom or None,
        skeleton=request.skeleton_dom or None,
        screenshot=request.screenshot,
        filtered=bool(request.dom_filtered),
    )


def nodes_of(request: InteractRequest) -> list[TreeNode] | None:
    """The elements a request tells, from the richest thing it has; None when it tells of none.

    A tree first; then full keys (V2); then those of ``skeletonDom``; then those of ``dom``.
    """
    if request.interactive_tree:
        return request.interactive_tree
    if request.semantic_nodes:
        return [
            TreeNode(
                i=node.id, r=short_role(node.role), n=node.name[:_NAME], v=node.value, s=node.state, f=node.frame_id
            )
            for node in request.semantic_nodes
        ]
    html = request.skeleton_dom or request.dom
    return markup.tree(markup.read(html)) if html else request.interactive_tree


def short_role(role: str) -> str:
    """The short word of a role as a tree has it; a short word is its own."""
    return _SHORT.get(role, role)
