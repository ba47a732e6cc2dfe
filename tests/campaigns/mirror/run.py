"""The run: page after page, until something differs or the steps are done."""

import itertools
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from browserx import Browser, DomService
from tests.campaigns.mirror.page import VariedPage, VariedSite
from tests.campaigns.mirror.steps import Look, Mirror, MismatchError, Step, plan, quiet

#: With so few things left to act on for so many looks, a page is not worth going on with.
_FEW = 12
_WORN_OFF = 15

MakeLook = Callable[[DomService], Look]


@dataclass
class Tally:
    """How far a run came. ``kinds``: of each kind that was done alone, how often, and how often the text changed."""

    seed: str
    steps: int = 0
    pages: int = 0
    tried: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)


class DiffersError(Exception):
    """A mismatch, where it came up, and how to see it again."""


class Campaign:
    """Runs steps on fresh pages of one browser.

    Args:
        browser: what they are opened in.
        site: serves them.
        make_look: gives what is put to the test instead of ``observe``.
        only: a regular expression: only kinds of mutations that match.
        shrink_s: so many seconds may be spent on leaving steps out when a mismatch was found.
    """

    def __init__(
        self,
        browser: Browser,
        site: VariedSite,
        *,
        make_look: MakeLook | None = None,
        only: str = "",
        shrink_s: float = 0.0,
    ) -> None:
        self.browser = browser
        self.site = site
        self.only = re.compile(only)
        self.shrink_s = shrink_s
        self._make_look = make_look or (lambda dom: dom.observe)

    async def run(
        self,
        seed: str,
        steps: int,
        *,
        page_every: int,
        first_page: int = 0,
        on_step: Callable[[Tally], None] | None = None,
    ) -> Tally:
        """Take ``steps`` steps, on a fresh page after every ``page_every``.

        Raises:
            DiffersError: looking again told something else than a full look.
        """
        tally = Tally(seed)
        for number in itertools.count(first_page):
            count = min(page_every, steps - tally.steps)
            if count <= 0:
                return tally
            tally.pages += 1
            await self._page(tally, number, count, on_step)
        raise AssertionError("never")

    async def _page(self, tally: Tally, number: int, count: int, on_step: Callable[[Tally], None] | None) -> None:
        async with self.fresh() as (mirror, kinds):
            steps = plan(kinds, f"{tally.seed}/{number}", count)
            before, few = (await mirror.look()).text, 0
            for at, step in enumerate(steps):
                try:
                    seen = await mirror.take(step)
                except MismatchError as mismatch:
                    raise DiffersError(
                        f"seed {tally.seed}, step {tally.steps + 1}, which is step {at + 1} of page {number}\n{mismatch}"
                        + await self._fewest(steps[: at + 1])
                    ) from mismatch
                tally.steps += 1
                if on_step is not None:
                    on_step(tally)
                if seen is None:
                    continue
                if len(step.mutations) == 1 and not step.unchecked and step.looks == ({},):
                    tally.tried[step.mutations[0].kind] += 1
                    tally.told[step.mutations[0].kind] += seen.text != before
                before = seen.text
                few = few + 1 if len(seen.ids) < _FEW else 0
                if few == _WORN_OFF:
                    return

    @asynccontextmanager
    async def fresh(self) -> AsyncIterator[tuple[Mirror, list[str]]]:
        """A fresh page, and the kinds of mutations there are."""
        async with await self.browser.new_context() as context:
            page = await VariedPage.open(context, self.site)
            kinds = [kind for kind in await page.kinds() if self.only.search(kind)]
            yield Mirror(page, self._make_look(page.dom)), kinds

    async def _fewest(self, steps: list[Step]) -> str:
        """The fewest of the steps that are enough for a mismatch on a fresh page, as far as there is time to find out."""
        until = time.monotonic() + self.shrink_s
        if self.shrink_s == 0:
            return ""
        found = await self._fails(quiet(steps)) or await self._fails(steps)
        if found is None:
            return "\non a fresh page, the same steps all went well: it depends on more than them"
        size = len(found.steps) // 2
        while size and time.monotonic() < until:
            at = 0
            while at < len(found.steps) and time.monotonic() < until:
                fewer = found.steps[:at] + found.steps[at + size :]
                if still := await self._fails(fewer):
                    found = still
                else:
                    at += size
            size //= 2
        return f"\non a fresh page, {len(found.steps)} of these steps are enough:\n{found.mismatch}"

    async def _fails(self, steps: list[Step]) -> "_Found | None":
        async with self.fresh() as (mirror, _):
            await mirror.look()
            for at, step in enumerate(steps):
                try:
                    await mirror.take(step)
                except MismatchError as mismatch:
                    return _Found(steps[: at + 1], mismatch)
        return None


class _Found(NamedTuple):
    """Steps that end in a mismatch."""

    steps: list[Step]
    mismatch: MismatchError
