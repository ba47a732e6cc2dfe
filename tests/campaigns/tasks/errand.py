"""An errand: an instruction, the page it begins on, and a witness that knows nothing of how it was carried out."""

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

from bench.corpus import Corpus

from browserx import Tab
from browserx.agent.client import Outcome
from browserx.browser.frames import Frame
from browserx.cdp.protocol import EvaluateReply
from browserx.cli.demo.shop import Shop
from tests.campaigns.miniwob.serve import TaskSite

_FOLDER = Path(__file__).parent
_WITNESS = (_FOLDER / "witness.js").read_text()
_CLOSED_ROOTS = (_FOLDER / "closed_roots.js").read_text()


class Places:
    """What is served: pages of others where there are any, the demo shop, the tasks of MiniWoB++ and our own pages."""

    def __init__(self, shop: Shop, site: TaskSite, corpus: Corpus | None = None) -> None:
        self.shop = shop
        self.site = site
        self.corpus = corpus


class Begun(NamedTuple):
    """An errand at its beginning.

    ``queries`` are said one after the other; ``{answer}`` in one stands for the answer to the one before.
    """

    tab: Tab
    queries: tuple[str, ...]


#: Opens an address in a tab.
Open = Callable[[str], Awaitable[Tab]]
#: Where a tab is opened, and what is to be said there.
Begin = Callable[[Places, Open], Awaitable[Begun]]
#: Why it was not done, by what the page or the answer says; "" when it was.
Witness = Callable[[Places, Tab, list[str]], Awaitable[str]]


class Errand(NamedTuple):
    """``kind`` is where it is: corpus, shop, miniwob or own."""

    kind: str
    name: str
    begin: Begin
    witness: Witness


def at(url: Callable[[Places], str], *queries: str) -> Begin:
    """Begin at an address."""

    async def begin(places: Places, open_: Open) -> Begun:
        return Begun(await open_(url(places)), queries)

    return begin


def page_says(expression: str, becomes: object) -> Witness:
    """The page's own script says so: ``all(selector)`` and ``one(selector, text)`` look through roots and frames."""

    async def witness(places: Places, tab: Tab, answers: list[str]) -> str:
        said = await tab.evaluate(f"(() => {{ {_WITNESS}; return ({expression}); }})()")
        return "" if said == becomes else f"the page says {said!r}, not {becomes!r}"

    return witness


def frame_says(url: str, expression: str, becomes: object) -> Witness:
    """A frame of another site says so; it is the one whose address has ``url`` in it."""

    async def witness(places: Places, tab: Tab, answers: list[str]) -> str:
        frame = next(one for one in (await tab.attach()).frames if url in one.url and one.main is not None)
        said = await _in_frame(frame, expression)
        return "" if said == becomes else f"the frame says {said!r}, not {becomes!r}"

    return witness


def answer_is(*texts: str, exactly: bool = True) -> Witness:
    """The last answer is one of these texts, or holds all of them."""

    async def witness(places: Places, tab: Tab, answers: list[str]) -> str:
        told = answers[-1].strip() if answers else ""
        fits = told in texts if exactly else all(text in told for text in texts)
        return "" if fits else f"the answer is {told[:200]!r}, not {' or '.join(map(repr, texts))}"

    return witness


def both(*witnesses: Witness) -> Witness:
    """Every one of them bears it out."""

    async def witness(places: Places, tab: Tab, answers: list[str]) -> str:
        said = [await one(places, tab, answers) for one in witnesses]
        return "; ".join(one for one in said if one)

    return witness


def with_closed_roots_kept(html: str) -> str:
    """A page in whose closed roots the witness can look; they are as closed as before."""
    return html.replace("<head>", f"<head><script>{_CLOSED_ROOTS}</script>", 1)


async def _in_frame(frame: Frame, expression: str) -> Any:
    params = {"expression": expression, "contextId": frame.main, "returnByValue": True}
    reply = await frame.session.send("Runtime.evaluate", params, EvaluateReply)
    return reply.result.value


class Tally(NamedTuple):
    """Of the actions of some runs: how many were found to have done what they should, to have failed, or neither."""

    passed: int = 0
    unsure: int = 0
    failed: int = 0

    @property
    def actions(self) -> int:
        return self.passed + self.unsure + self.failed


def tally_of(outcomes: list[Outcome]) -> Tally:
    """What the turn after each action says of it."""
    counts: Counter[bool | None] = Counter()
    for outcome in outcomes:
        for turn, after in zip(outcome.turns, [*outcome.turns[1:], None], strict=True):
            if turn.action is not None:
                told = after.data.verification if after is not None else None
                counts[told.passed if told is not None else False] += 1
    return Tally(counts[True], counts[None], counts[False])


@contextlib.asynccontextmanager
async def opened(places: Places) -> AsyncIterator[Places]:
    """The places, closed at the end."""
    try:
        yield places
    finally:
        places.site.close()
        if places.corpus is not None:
            places.corpus.close()
