"""Finding what took over from an element that is gone, with proof."""

from browserx.actions import Healed
from browserx.dom import DomSnapshot
from browserx.dom.healing import heal
from browserx.page import describe


def successor(node_id: str, before: DomSnapshot, after: DomSnapshot) -> tuple[str, Healed | None]:
    """The id of what stands for element ``node_id`` of ``before`` in a new look; None for one that was known again.

    Raises:
        NodeNotFoundError: nothing is like it, or two are.
    """
    if after.index_of(node_id) is not None:
        return node_id, None
    index = before.index_of(node_id)
    if index is None:
        raise describe.not_found(node_id, after)
    known = {before.ref(i) for i, yes in enumerate(before.page.actionable) if yes}
    there = {i for i, yes in enumerate(after.page.actionable) if yes and after.ref(i) in known}
    found = heal(before.page, index, after.page, there)
    if found.best is None:
        raise describe.not_found(node_id, after)
    if found.rivals:
        raise describe.in_doubt(node_id, after, [found.best.node, found.rivals[0].node])
    new_id = after.node_id(found.best.node)
    after.forget_index()
    return new_id, Healed(node_id, new_id, found.best.confidence)
