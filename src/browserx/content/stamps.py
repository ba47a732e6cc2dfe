"""Node ids that are written on the elements themselves (``data-llm-id``)."""

from browserx.dom.ids import IdRegistry, NodeRef


class StampedIds(IdRegistry):
    """The ids of one page: an element's key, which the content script has put on it, is its id.

    ``floor`` is the highest number given so far: no document gives one below it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.floor = 0
        #: Elements that took over the id of another, to be stamped with it: key and number.
        self.to_stamp: list[tuple[int, int]] = []

    def id_of(self, world: str, key: int) -> str:
        """The id of an element: what stands on it."""
        known = self.known(world, key)
        if known is not None:
            return known
        self.floor = max(self.floor, key)
        self._ids.setdefault(world, {})[key] = node_id = str(key)
        self._refs[node_id] = NodeRef(world, key)
        return node_id

    def pass_on(self, old: NodeRef, new: NodeRef) -> None:
        """``new`` took over from ``old``: it is to be stamped so."""
        super().pass_on(old, new)
        # Its own key is nobody's id, but stays spoken for.
        self.floor = max(self.floor, new.key)
        number = self.known(new.world, new.key)
        assert number is not None
        self.to_stamp.append((new.key, int(number)))
