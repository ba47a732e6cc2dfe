"""Working errands: each in a browser context of its own, with a client that talks to a backend over HTTP."""

import asyncio
import time
import traceback
from typing import NamedTuple

from browserx import Browser, BrowserXError, Tab
from browserx.agent.backends import Backend
from browserx.agent.client import Client, Outcome
from tests.campaigns.tasks.errand import Errand, Open, Places, Tally, tally_of

#: An errand that takes longer hangs.
_TIMEOUT_S = 90.0


class Worked(NamedTuple):
    """What came of an errand. ``why`` says why it was not done; "" when it was."""

    errand: Errand
    why: str
    tally: Tally
    duration_s: float
    outcomes: list[Outcome]


async def work(errand: Errand, browser: Browser, backend: Backend, places: Places) -> Worked:
    """Work an errand to its end, and ask its witness."""
    started, outcomes = time.monotonic(), list[Outcome]()
    async with await browser.new_context() as context:

        async def open_(url: str) -> Tab:
            return await context.new_tab(url)

        try:
            async with asyncio.timeout(_TIMEOUT_S):
                why = await _worked(errand, places, open_, backend, outcomes)
        except TimeoutError:
            why = f"not done in {_TIMEOUT_S:g} s"
        except BrowserXError as error:
            why = f"{type(error).__name__}: {error.message}"
        except Exception:  # one errand that breaks says so, and the others are still worked
            why = traceback.format_exc()
    tally = tally_of(outcomes)
    if not why and tally.failed:
        why = f"{tally.failed} of its actions are said to have failed: {_failures(outcomes)}"
    return Worked(errand, why, tally, time.monotonic() - started, outcomes)


async def _worked(errand: Errand, places: Places, open_: Open, backend: Backend, outcomes: list[Outcome]) -> str:
    begun = await errand.begin(places, open_)
    client = Client(begun.tab, backend)
    answers: list[str] = []
    for query in begun.queries:
        outcome = await client.run(query.replace("{answer}", answers[-1] if answers else ""))
        outcomes.append(outcome)
        answers.append(outcome.answer or "")
        if not outcome.success:
            return f"{outcome.state}: {outcome.answer}"
    return await errand.witness(places, client.tab, answers)


def _failures(outcomes: list[Outcome]) -> str:
    told = [turn.data.verification for outcome in outcomes for turn in outcome.turns]
    return "; ".join(one.message for one in told if one is not None and one.passed is False)
