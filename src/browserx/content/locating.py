"""Selectors by script: finding an element again when its id is gone."""

import msgspec

from browserx.content.hand import ASK_TIMEOUT_S, ContentHand
from browserx.page import describe, selecting


class _Selected(msgspec.Struct):
    """What the eye's ``select`` found: keys; or a step it does not understand; or a frame it cannot enter."""

    keys: list[int] = []
    wrong: str | None = None


class Locating(ContentHand):
    """The calls with selectors."""

    async def selector(self, node_id: str | int) -> str:
        """A selector that finds exactly this element, by what is written on it or where it stands.

        Raises:
            NodeNotFoundError: there is no such element, or nothing tells it apart from others.
        """
        snapshot = await self.get_snapshot()
        async with self._lock:
            target = self._sight.target(node_id)
            steps: list[str] | None = await self._sight.eye.ask(
                "selectorOf",
                target.key,
                type_=list[str] | None,  # type: ignore[arg-type]
                timeout_s=ASK_TIMEOUT_S,
                world=target.world,
            )
            if not steps:
                raise describe.not_found(target.node_id, snapshot)
            return " >> ".join(steps)

    async def locate(self, selector: str) -> str:
        """The id of the one element that fits: ``#save``, ``my-app >> button``, ``role=link[name="Home"]``.

        Raises:
            NodeNotFoundError: it finds nothing, or several; names them.
            InvalidArgumentError: it is no selector.
        """
        snapshot = await self.get_snapshot()
        async with self._lock:
            found = selecting.of_role(snapshot, selector)
            if found is None:
                eye, steps = self._sight.eye, selecting.steps_of(selector)
                told = await eye.ask("select", steps, type_=_Selected, timeout_s=ASK_TIMEOUT_S, world=eye.world)
                if told.wrong is not None:
                    raise selecting.no_selector(told.wrong)
                found = [self._sight.ids.id_of(eye.world, key) for key in told.keys]
            return selecting.the_one(selector, found)
