"""The run: every task with every seed, and what came of it."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from browserx import Browser, BrowserContext, Verdict
from tests.campaigns.miniwob import episode
from tests.campaigns.miniwob.player import AmbiguousError, Player, Policy
from tests.campaigns.miniwob.serve import TaskSite

#: An episode that takes longer hangs.
_EPISODE_S = 120.0
#: Seeds taken instead of one that asks for something ambiguous: so many, so far apart.
_TRIES = 5
_APART = 1000


class Outcome(NamedTuple):
    """What came of one episode. ``why`` says why it is not solved; ``unoffered`` what no model could have acted on."""

    task: str
    seed: int
    solved: bool
    why: str
    unoffered: list[str]
    ambiguous: bool = False


async def run(
    browser: Browser,
    site: TaskSite,
    policies: dict[str, Policy],
    seeds: int,
    on_outcome: Callable[[Outcome], None] | None = None,
) -> list[Outcome]:
    """Play ``seeds`` episodes of each task, one after the other."""
    outcomes = []
    for task, policy in policies.items():
        async with await browser.new_context() as context:
            for seed in range(1, seeds + 1):
                outcome = await _playable(context, site, task, policy, seed)
                outcomes.append(outcome)
                if on_outcome is not None:
                    on_outcome(outcome)
    return outcomes


async def _playable(context: BrowserContext, site: TaskSite, task: str, policy: Policy, seed: int) -> Outcome:
    """Play the episode of ``seed``, or, where that asks for something ambiguous, the next one far from it."""
    for number in range(seed, seed + _TRIES * _APART, _APART):
        outcome = await play(context, site, task, policy, number)
        if not outcome.ambiguous:
            break
    return outcome


async def play(context: BrowserContext, site: TaskSite, task: str, policy: Policy, seed: int) -> Outcome:
    """Play one episode. It is solved when the page itself rewards it, and the last action is said to have done something."""
    played = await episode.start(context, site, task, seed)
    player = Player(played.dom, played.utterance)
    why = ""
    try:
        async with asyncio.timeout(_EPISODE_S):
            await policy(player)
    except AmbiguousError as error:
        await played.close()
        return Outcome(task, seed, False, f"{player.utterance!r}: {error}", [], ambiguous=True)
    except Exception as error:
        why = f"{player.utterance!r}: {type(error).__name__}: {error}"
    reward = await played.reward()
    await played.close()
    if reward.solved and player.last is not None and player.last.verdict is Verdict.NO_EFFECT:
        return Outcome(task, seed, False, "solved by an action that is said to have had no effect", player.unoffered)
    if not reward.solved:
        why = why or f"{player.utterance!r}: raw reward {reward.raw}, done {reward.done} {reward.reason}"
    return Outcome(task, seed, reward.solved, "" if reward.solved else why, player.unoffered)
