"""Node ids: short decimal strings, one for each element and tab, for as long as the element lives.

An eye names elements by keys, which mean something in one document's world only. Here each (world, key) gets the tab's
next number when it is first shown to anybody, and keeps it. A number is never given twice, across navigations too, so
an old id can be unknown, but never mean another element.
"""

import re
from typing import NamedTuple

_GIVEN = re.compile(r"(?:node_)?([0-9]{1,12})")


class NodeRef(NamedTuple):
    """Where an element lives: the document's world, and its key there."""

    world: str
    key: int


class IdRegistry:
    """The ids of one tab."""

    def __init__(self) -> None:
        #: The ids of each world, by key.
        self._ids: dict[str, dict[int, str]] = {}
        self._refs: dict[str, NodeRef] = {}
        self._last = 0

    def id_of(self, world: str, key: int) -> str:
        """The id of an element, a new one if it was never shown."""
        ids = self._ids.setdefault(world, {})
        node_id = ids.get(key)
        if node_id is None:
            self._last += 1
            node_id = ids[key] = str(self._last)
            self._refs[node_id] = NodeRef(world, key)
        return node_id

    def known(self, world: str, key: int) -> str | None:
        """The id of an element if it has one."""
        return self._ids.get(world, {}).get(key)

    def ref(self, node_id: str) -> NodeRef | None:
        """The element of an id, None if the id was never given or its document is gone."""
        return self._refs.get(node_id)

    def pass_on(self, old: NodeRef, new: NodeRef) -> None:
        """``new``, which has no id yet, took over from ``old``, and is called by its id from now on."""
        node_id = self._ids[old.world].pop(old.key)
        self._ids.setdefault(new.world, {})[new.key] = node_id
        self._refs[node_id] = new

    def forget_all_but(self, worlds: set[str]) -> None:
        """The documents of all other worlds went away, and every element with them."""
        for world in self._ids.keys() - worlds:
            for node_id in self._ids.pop(world).values():
                del self._refs[node_id]


def normalize(given: object) -> str | None:
    """``7``, ``"7"`` and ``"node_7"`` are all ``"7"``; None for what can be no id."""
    if isinstance(given, bool) or not isinstance(given, int | str):
        return None
    match = _GIVEN.fullmatch(str(given).strip())
    return str(int(match[1])) if match else None
