"""A scenario: one action on one widget, and what the page itself says became of it."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

from browserx import ActionResult, BrowserXError, DomService, Tab, Verdict

_WITNESS = Path(__file__).with_name("witness.js").read_text()
#: What an action that did something may be told as.
EFFECT = frozenset((Verdict.CHANGED, Verdict.NAVIGATED, Verdict.OPENED))

Act = Callable[[DomService, str], Awaitable[ActionResult]]


class WrongError(Exception):
    """The widget did not do what the scenario is about, or the action told what was not so."""


class Scene:
    """A page of the corpus in a tab of its own."""

    def __init__(self, tab: Tab, dom: DomService) -> None:
        self.tab = tab
        self.dom = dom

    async def id_of(self, role: str, name: str = "", nth: int = 0) -> str:
        """The ``nth`` element that has this role, and this name or a name with it in it; found by the public way."""
        found = [one for one in await self.dom.find(name, role=role, limit=500) if one.actionable]
        exact = [one for one in found if one.name.strip().casefold() == name.casefold()]
        among = exact or found
        if len(among) <= nth:
            seen = (await self.dom.observe(viewport_only=False)).text
            raise WrongError(f"there is no {role} {name!r} ({nth}); there are {found}; seen: {seen[:600]}")
        return among[nth].node_id

    async def line(self, words: str) -> str:
        """The line of what a model reads that has ``words``; "" without."""
        text = (await self.dom.observe(viewport_only=False, max_tokens=None)).text
        return next((line.strip() for line in text.splitlines() if words in line), "")

    async def ask(self, expression: str) -> Any:
        """What the page's own script says."""
        return await self.tab.evaluate(f"(() => {{ {_WITNESS}; return ({expression}); }})()")

    async def does(self, action: Awaitable[ActionResult], witness: str, becomes: object) -> ActionResult:
        """Carry an action out: the witness must say something else before, ``becomes`` afterwards, and be borne out."""
        before = await self.ask(witness)
        need(before != becomes, f"the witness says {before!r} before anything was done")
        result = await action
        after = await self.ask(witness)
        told = told_of(result)
        need(after == becomes, f"the page says {after!r}, not {becomes!r}; told {told}")
        need(result.success, f"it was done, and told as a failure: {told}")
        need(result.verdict in EFFECT, f"it was done, and told as {told}")
        return result

    async def comes(self, witness: str, becomes: object, timeout_ms: int = 3000) -> None:
        """For what a widget does a while later, by a timer of its own: looked at in every frame of the page till then."""
        asked = (
            f"new Promise((done) => {{ const until = performance.now() + {timeout_ms}; const look = () => {{"
            f" const now = {witness}; if (JSON.stringify(now) === {json.dumps(json.dumps(becomes))}"
            f" || performance.now() > until) done(now); else requestAnimationFrame(look); }}; look(); }})"
        )
        said = await self.ask(asked)
        need(said == becomes, f"the page says {said!r} in the end, not {becomes!r}")

    async def refused(self, action: Awaitable[object], error: type[BrowserXError], words: str, witness: str) -> None:
        """Carry out what must be refused: with that error, that says ``words``, and nothing done."""
        before = await self.ask(witness)
        try:
            done = await action
        except error as raised:
            need(words in raised.message, f"the refusal says: {raised.message}")
        except BrowserXError as raised:
            raise WrongError(f"refused as {type(raised).__name__}: {raised.message}") from raised
        else:
            raise WrongError(f"not refused: {done}")
        after = await self.ask(witness)
        need(before == after, f"refused, and yet the page went from {before!r} to {after!r}")


class Scenario(NamedTuple):
    """``action`` on ``widget``, on a page of the corpus."""

    action: str
    widget: str
    page: str
    play: Callable[[Scene], Awaitable[None]]


def simple(
    action: str,
    widget: str,
    page: str,
    target: tuple[str, str] | tuple[str, str, int],
    act: Act,
    witness: str,
    becomes: object,
    *,
    value_now: str | None = None,
    verdict: Verdict | None = None,
) -> Scenario:
    """One action on one element; ``value_now`` and ``verdict`` where the result has to tell them."""

    async def play(scene: Scene) -> None:
        node_id = await scene.id_of(*target)
        result = await scene.does(act(scene.dom, node_id), witness, becomes)
        told = told_of(result)
        if value_now is not None:
            need(result.changes is not None and result.changes.value_now == value_now, f"the value is told as {told}")
        need(verdict in (None, result.verdict), f"told as {told}")

    return Scenario(action, widget, page, play)


def need(holds: bool, otherwise: str) -> None:
    """Raises:
    WrongError: ``otherwise``.
    """
    if not holds:
        raise WrongError(otherwise)


def told_of(result: ActionResult) -> str:
    """What an action told, in short."""
    told = {k: v for k, v in result.to_dict().items() if k not in ("duration", "snapshotInvalidated", "requests")}
    return json.dumps(told, ensure_ascii=False)[:500]
