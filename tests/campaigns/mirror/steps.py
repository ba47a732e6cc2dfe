"""What is done to a page, step by step, and looking at it twice: with what is known of it, and with nothing known."""

import difflib
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from browserx import DomSnapshot, Observation
from tests.campaigns.mirror.page import Mutation, VariedPage

#: Time enough on a busy machine: what could not be read in time would differ.
_DEADLINE_MS = 60_000
_LAST_TOLD = 30
_NODES_TOLD = 20
_TRIES = 3
_SEEDS = 2**31

#: Looks at a page with these arguments of ``observe``: the one that is put to the test.
Look = Callable[..., Awaitable[Observation]]


class Step(NamedTuple):
    """Mutations made at once, and the looks after them, as arguments of ``observe``.

    ``unchecked`` looks come first, and are compared with nothing: what they get wrong shows in those after them.
    """

    mutations: tuple[Mutation, ...]
    looks: tuple[dict[str, Any], ...]
    unchecked: tuple[dict[str, Any], ...] = ()


_VIEWPORT: dict[str, Any] = {}
_PAGE: dict[str, Any] = {"viewport_only": False, "max_tokens": None}
_OTHERS: tuple[dict[str, Any], ...] = (
    {"include_layout": True},
    {"include_layout": True, **_PAGE},
    {"max_tokens": 300},
    {"max_depth": 3},
    {"query": "button cedar delete"},
)


def plan(kinds: Sequence[str], seed: str, count: int) -> list[Step]:
    """``count`` random steps for one copy of the page; the same ones for the same seed."""
    chance = random.Random(seed)
    return [_step(kinds, chance) for _ in range(count)]


def _step(kinds: Sequence[str], chance: random.Random) -> Step:
    def mutation() -> Mutation:
        # Undoing keeps the page from wearing off, and is a change of every kind itself.
        kind = "undo" if chance.random() < 0.3 else chance.choice(kinds)
        return Mutation(kind, chance.randrange(_SEEDS))

    count = chance.choices((0, 1, 2, 3, 8), (10, 65, 12, 8, 5))[0]
    looks = [_VIEWPORT]
    if chance.random() < 0.2:
        looks.insert(chance.randrange(2), _PAGE)
    if chance.random() < 0.15:
        looks.append(chance.choice(_OTHERS))
    if chance.random() < 0.1:
        looks.append(_VIEWPORT)
    unchecked = (chance.choice((_VIEWPORT, _VIEWPORT, _PAGE)),) if chance.random() < 0.1 else ()
    if chance.random() < 0.1:
        # Nobody has looked at the page with nothing known for a while.
        unchecked, looks = (*unchecked, _VIEWPORT), []
    return Step(tuple(mutation() for _ in range(count)), tuple(looks), unchecked)


def quiet(steps: Sequence[Step]) -> list[Step]:
    """The same mutations, each a step of its own, with looks before and after those of the last step only."""
    before = [Step((mutation,), ()) for step in steps[:-1] for mutation in step.mutations]
    return [*before, Step((), (), steps[-1].looks), steps[-1]]


class MismatchError(Exception):
    """The two looks told different things; ``str`` of it says which."""


class Mirror:
    """Takes one copy of the page through its steps."""

    def __init__(self, page: VariedPage, look: Look | None = None) -> None:
        self.page = page
        self.look = look or page.dom.observe
        #: What was done to the page, in words.
        self.told: list[str] = []

    async def take(self, step: Step) -> Observation | None:
        """Do a step, and return the last look at it; None when there was none that counts.

        Raises:
            MismatchError: looking again told something else than a full look.
        """
        self.told += await self.page.mutate(*step.mutations) or ["nothing"]
        for options in step.unchecked:
            await self._seen(self.look, options)
        seen = None
        for options in step.looks:
            seen = await self._compared(options)
        return seen

    async def _compared(self, options: dict[str, Any]) -> Observation:
        for left in reversed(range(_TRIES)):
            again = await self._seen(self.look, options)
            styled = await self.page.styled()
            full = await self._seen(self.full_look, options)
            differences = _differences(again, full)
            if not differences:
                return full.told
            # Where style was made between the two looks the page moved by itself: what it had asked for came late.
            if left == 0 or await self.page.styled() == styled:
                break
        once_more = await self._seen(self.full_look, options)
        raise MismatchError(self._report(options, differences, steady=not _differences(once_more, full)))

    async def full_look(self, **options: Any) -> Observation:
        """Look with nothing known from earlier looks."""
        return await self.page.dom.observe(force=True, **options)

    async def _seen(self, look: Look, options: dict[str, Any]) -> "_Seen":
        try:
            told = await look(deadline_ms=_DEADLINE_MS, **options)
        except Exception as error:
            raise MismatchError("\n".join([f"{_call(options)} failed: {error!r}", *self._history()])) from error
        return _Seen(told, self.page.dom.current_snapshot)

    def _report(self, options: dict[str, Any], differences: list[str], *, steady: bool) -> str:
        lines = [f"{_call(options)} is not what it is by force"]
        if not steady:
            lines.append("two full looks differ too: the page moved by itself, or one of them is wrong")
        return "\n".join([*lines, *self._history(), *differences])

    def _history(self) -> list[str]:
        return ["last mutations, the newest last:", *(f"  {told}" for told in self.told[-_LAST_TOLD:])]


def _call(options: dict[str, Any]) -> str:
    return f"observe({', '.join(f'{name}={value!r}' for name, value in options.items())})"


class _Seen(NamedTuple):
    """What a look told, and what is behind it."""

    told: Observation
    snapshot: DomSnapshot | None


def _differences(again: _Seen, full: _Seen) -> list[str]:
    """In words; the text first of all, as what differs behind it shows there in most cases."""
    before, after = again.told.text.splitlines(), full.told.text.splitlines()
    lines = list(difflib.unified_diff(before, after, "again", "by force", n=2, lineterm=""))
    lines += [
        f"{name}: {ours!r} again, {theirs!r} by force"
        for name in ("url", "title", "omitted", "continuation", "partial")
        if (ours := getattr(again.told, name)) != (theirs := getattr(full.told, name))
    ]
    if again.told.ids != full.told.ids:
        lines += ["ids:", *difflib.unified_diff(again.told.ids, full.told.ids, "again", "by force", n=1, lineterm="")]
    if again.snapshot is None or full.snapshot is None:
        return lines
    if again.snapshot.facts != full.snapshot.facts:
        lines += [f"{again.snapshot.facts} again", f"{full.snapshot.facts} by force"]
    if again.snapshot.page != full.snapshot.page:
        nodes, by_force = ([str(node) for node in seen.page.tree.nodes] for seen in (again.snapshot, full.snapshot))
        lines += list(difflib.unified_diff(nodes, by_force, "nodes again", "by force", n=0, lineterm=""))[:_NODES_TOLD]
    return lines
