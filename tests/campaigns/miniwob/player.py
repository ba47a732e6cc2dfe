"""The eyes and hands of a policy: looks and acts through the public API, one action after one look."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from datetime import date
from typing import Any

from browserx import ActionResult, DomService, Verdict
from browserx.dom.tree import Rect
from tests.campaigns.miniwob.view import NotSeenError, Seen, View

#: So long a policy waits for what comes by itself, and so long it lets pass between two looks.
_COMES_S = 10.0
_BETWEEN_S = 0.05

Policy = Callable[["Player"], Awaitable[None]]


class AmbiguousError(Exception):
    """What the page asks for fits more than one thing on it: nobody can know. Another episode is played instead."""


class ActionFailedError(Exception):
    """An action of a policy was carried out, and did not do what it should."""


class Player:
    """One episode, seen and acted on.

    ``unoffered`` collects what was acted on though ``observe`` did not offer it: a model could not have done that.
    """

    def __init__(self, dom: DomService, utterance: str) -> None:
        self.dom = dom
        self.utterance = utterance
        #: The words that are quoted in what to do.
        self.quoted = re.findall(r'"([^"]*)"', utterance)
        self.last: ActionResult | None = None
        self.unoffered: list[str] = []
        self._offered: frozenset[str] = frozenset()

    def asked(self, pattern: str) -> tuple[str, ...]:
        """The groups of a pattern in what to do."""
        match = re.search(pattern, self.utterance)
        if match is None:
            raise NotSeenError(f"no {pattern!r} in {self.utterance!r}")
        return match.groups()

    # seeing

    async def look(self) -> View:
        """Look at the whole page."""
        told = await self.dom.observe(viewport_only=False, max_tokens=None)
        snapshot = self.dom.current_snapshot
        assert snapshot is not None, told.text
        self._offered = frozenset(told.ids)
        return View(told, snapshot.root, self.utterance)

    async def until(self, there: Callable[[View], Any]) -> View:
        """Look until ``there`` is true of what is seen, for what comes by itself.

        Raises:
            NotSeenError: it did not come.
        """
        give_up = time.monotonic() + _COMES_S
        while not there(view := await self.look()):
            if time.monotonic() > give_up:
                raise NotSeenError(f"it did not come; the page is told as\n{view.told}")
            await asyncio.sleep(_BETWEEN_S)
        return view

    async def come(self, **fits: Any) -> Seen:
        """What ``View.one`` finds, once it is there.

        Raises:
            NotSeenError: it did not come.
        """
        return (await self.until(lambda view: view.all(**fits))).one(**fits)

    async def still(self) -> View:
        """Look until two looks find everything at the same place, for what slides and unfolds."""
        places: list[Rect] = []

        def is_still(view: View) -> bool:
            nonlocal places
            before, places = places, [seen.node.rect for seen in view.all(controls=False)]
            return before == places

        return await self.until(is_still)

    async def attributes(self, seen: Seen) -> dict[str, str]:
        """What is written on an element: shapes and colours are told nowhere else."""
        return await self.dom.get_attributes(seen.id)

    # acting

    async def click(self, what: Seen | str, **options: Any) -> None:
        """Click; a control's label will do."""
        seen = await self._ready(what)
        self._done(await self.dom.click(seen.id, **options))

    async def type(self, what: Seen | str, text: str, **options: Any) -> None:
        """Type into a field; its label will do."""
        seen = await self._ready(what)
        self._done(await self.dom.type(seen.id, text, **options))

    async def check(self, what: Seen | str) -> None:
        """See to it that a box or button is on."""
        seen = await self._ready(what)
        self._done(await self.dom.check(seen.id))

    async def select(self, what: Seen | str, label: str | list[str]) -> None:
        """Choose in a native list, by label."""
        seen = await self._ready(what)
        self._done(await self.dom.select_option(seen.id, label=label))

    async def hover(self, what: Seen | str, **options: Any) -> None:
        """Move the pointer onto it."""
        seen = await self._ready(what)
        self._done(await self.dom.hover(seen.id, **options))

    async def focus(self, what: Seen | str) -> None:
        """Give it the focus, without a click."""
        seen = await self._ready(what)
        self._done(await self.dom.focus(seen.id))

    async def drag(self, what: Seen, *, to: Seen | None = None, offset: tuple[float, float] | None = None) -> None:
        """Drag it onto another, or by so many px."""
        seen = await self._ready(what)
        self._done(await self.dom.drag(seen.id, None if to is None else (await self._ready(to)).id, offset=offset))

    async def choose(self, what: Seen | str, text: str) -> None:
        """Choose in a list of any kind."""
        seen = await self._ready(what)
        self._done(await self.dom.choose(seen.id, text))

    async def pick_date(self, what: Seen | str, day: date) -> None:
        """Put a date into a field, or choose it in the calendar that opens."""
        seen = await self._ready(what)
        self._done(await self.dom.pick_date(seen.id, day))

    async def fill(self, values: dict[Seen, Any]) -> None:
        """Fill in several fields at once."""
        filled = await self.dom.fill_form({(await self._ready(seen)).id: value for seen, value in values.items()})
        if not filled.success:
            raise ActionFailedError(f"not filled in: {filled}")

    async def press(self, key: str, modifiers: tuple[str, ...] = ()) -> None:
        """Press a key."""
        self._done(await self.dom.keypress(key, modifiers))

    async def scroll(self, what: Seen, **options: Any) -> None:
        """Scroll the box that it is or is in."""
        seen = await self._ready(what)
        self._done(await self.dom.scroll(seen.id, **options))

    async def _ready(self, what: Seen | str) -> Seen:
        if isinstance(what, str):
            what = (await self.look()).one(label=what)
        elif self.dom.current_snapshot is None:
            await self.look()
        if what.id not in self._offered:
            self.unoffered.append(f"{what.role} {what.label or what.tag}")
        return what

    def _done(self, result: ActionResult) -> None:
        self.last = result
        if not result.success and result.verdict is not Verdict.NO_EFFECT:
            raise ActionFailedError(f"{result.verdict.value}: {result.error}")
