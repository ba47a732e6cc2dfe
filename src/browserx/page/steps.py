"""What takes several steps and is one call: the same for every engine that has the single ones."""

import datetime
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from browserx.actions import ActionResult
from browserx.page import compound, dates
from browserx.page.compound import Stepping
from browserx.page.hand import Expected


class Expecting(Stepping, Protocol):
    """What can take each step alone, and see whether all of them came to what was expected."""

    async def _then(
        self, act: Callable[[], Awaitable[ActionResult]], expect: Expected, node_id: str | int
    ) -> ActionResult: ...


class Steps:
    """The calls of several steps. Whoever has them is ``Expecting``."""

    async def choose(self: Expecting, node_id: str | int, text: str, *, expect: Expected = None) -> ActionResult:
        """Choose ``text`` in a list of any kind: native, opened by a click, or narrowed down by typing.

        Raises:
            InvalidArgumentError: it offers no such choice; names what it offers.
            NotActionableError: nothing opens.
        """
        return await self._then(lambda: compound.choose(self, node_id, text), expect, node_id)

    async def pick_date(
        self: Expecting, node_id: str | int, date: datetime.date | str, *, expect: Expected = None
    ) -> ActionResult:
        """Put a date (``2026-11-22``) into a field, or choose it in the calendar that an element opens.

        Raises:
            InvalidArgumentError: that is no date.
            NotActionableError: the field did not take it, and no calendar with that day was found.
        """
        return await self._then(lambda: dates.pick_date(self, node_id, date), expect, node_id)

    async def fill_form(self: Expecting, values: Mapping[str | int, Any]) -> compound.FormFilled:
        """Fill in several fields, ``{node_id: value}``: text, true or false, the label of a choice, or files.

        The page is looked at between them; stops at the first field that does not take its value.
        """
        return await compound.fill_form(self, values)
