"""Finding the element of a step: on what is in view, by scrolling, by asking for more of the page, and by asking."""

from collections.abc import Sequence

from browserx.agent.local.ground import closer, described, elements, ground
from browserx.agent.local.intents import Kind, Target
from browserx.agent.local.moves import Ask, At, First, Need, Stuck
from browserx.agent.local.progress import Part, Progress
from browserx.agent.local.vocabulary import Vocabulary
from browserx.agent.view import PageView
from browserx.semantic.call import Call, call
from browserx.semantic.request import TreeNode

#: So often a page, and a box in it, is scrolled in search of something.
_MOST_SCROLLS = 10
_MOST_IN_BOX = 5
_MOST_NAMED = 8
_START, _END = "0%", "100%"


def element(
    view: PageView, target: Target, kind: Kind, progress: Progress, vocabulary: Vocabulary, part: Part = "target"
) -> At | First | Need | Ask | Stuck:
    """The element, or what has to be done to find it."""
    if target.node_id is not None and not ground(view, target, kind, vocabulary).nodes:
        # An id that was told: the client knows whether there is one.
        return At(TreeNode(i=target.node_id, r="el", n=target.said))
    if _may_be_elsewhere(view, target) and (more := need_skeleton(view, progress)) is not None:
        return more
    found = ground(view, target, kind, vocabulary)
    if found.needs_page:
        if "full" not in progress.asked:
            return Need("full", f"where {target.anchor!r} is tells which one is meant", with_skeleton=True)
        return _choice(found.like, target, part) if found.like else _missing([], target, part)
    if len(found.nodes) == 1 and found.certain:
        return _free(view, found.nodes[0], progress, vocabulary)
    if found.certain and found.nodes:
        return _choice(found.nodes, target, part)
    if len(found.nodes) == 1 and progress.guess is None:
        progress.guess = found.nodes[0].i
    further = (_in_boxes(view, progress, target) if found.like else None) or _further(view, progress, target)
    if further is not None:
        return further
    if len(found.nodes) == 1:
        return _free(view, found.nodes[0], progress, vocabulary)
    if found.nodes:
        return _choice(found.nodes, target, part)
    if progress.guess is not None:
        known = next((node for node in elements(view) if node.i == progress.guess), None)
        return At(known or TreeNode(i=progress.guess, r="el", n=target.said))
    return _missing(found.like, target, part)


def need_skeleton(view: PageView, progress: Progress) -> Need | None:
    """Ask for all that can be acted on, once, where only what is in view was told."""
    if "skeleton" in progress.asked or view.skeleton is not None or view.scroll_position is None:
        return None
    return Need("skeleton", "what is meant may be out of view")


def scrolling(view: PageView, progress: Progress, way: str) -> Call | None:
    """Scroll on that way; None where the end is reached, or nothing moves any more."""
    position = view.scroll_position or ""
    if progress.way != way:
        progress.way, progress.position = way, ""
    ended = position == (_END if way == "down" else _START)
    if progress.scrolls >= _MOST_SCROLLS or ended or (progress.position and progress.position == position):
        return None
    progress.scrolls += 1
    progress.position = position or "?"
    return call("scroll", direction=way)


def _may_be_elsewhere(view: PageView, target: Target) -> bool:
    """Whether a number counts what is out of view as well."""
    if not target.ordinal or view.scroll_position is None:
        return False
    return view.scroll_position != (_END if target.ordinal < 0 else _START)


def _further(view: PageView, progress: Progress, target: Target) -> First | Need | None:
    """Look elsewhere: further down, further up, in the boxes, and in all there is."""
    if view.scroll_position is not None and view.skeleton is None:
        progress.start = progress.start or view.scroll_position
        down = scrolling(view, progress, "down") if progress.way != "up" else None
        if down is not None:
            return First(down, f"{target.said} is not in view; I scroll to it")
        up = scrolling(view, progress, "up") if progress.start != _START else None
        if up is not None:
            return First(up, f"{target.said} is not in view; I scroll to it")
    return _in_boxes(view, progress, target) or need_skeleton(view, progress)


def _in_boxes(view: PageView, progress: Progress, target: Target) -> First | None:
    """Look further down in the boxes that are in view: where there is something like it, before all else."""
    for box in view.more if view.skeleton is None else ():
        if progress.boxes.get(box, 0) < _MOST_IN_BOX:
            progress.boxes[box] = progress.boxes.get(box, 0) + 1
            return First(call("scroll", box, direction="down"), f"{target.said} may be further down in {box}")
    return None


def _free(view: PageView, node: TreeNode, progress: Progress, vocabulary: Vocabulary) -> At | First:
    """The element, after what covers it is closed."""
    if node.occ and not progress.closed:
        closes = closer(view, vocabulary)
        if closes is not None and closes.i != node.i:
            progress.closed = True
            return First(call("click", closes.i), f"something covers {node.n!r}; {closes.n!r} closes it")
    return At(node)


def _choice(nodes: Sequence[TreeNode], target: Target, part: Part) -> Ask:
    told = "; ".join(described(node) for node in nodes[:_MOST_NAMED])
    return Ask(
        question=f"There are {len(nodes)} that fit {target.said!r}: {told}. Which one is meant?",
        missing=f"which {target.said}",
        choices=[node.i for node in nodes[:_MOST_NAMED]],
        part=part,
    )


def _missing(like: Sequence[TreeNode], target: Target, part: Part) -> Ask | Stuck:
    if not like:
        return Stuck(f"there is no {target.said!r} on the page")
    told = "; ".join(described(node) for node in like)
    return Ask(
        question=f"There is no {target.said!r} on the page. Is it one of these? {told}",
        missing=f"what {target.said} is",
        choices=[node.i for node in like],
        part=part,
    )
