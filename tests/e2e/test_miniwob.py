"""Tasks of MiniWoB++, a sample: ``scripts/campaign miniwob`` plays all of them, with more seeds."""

import random
from collections.abc import Iterator

import pytest

from browserx import BrowserContext
from tests.campaigns.miniwob.player import Player
from tests.campaigns.miniwob.policies import open_ends, policies
from tests.campaigns.miniwob.run import play
from tests.campaigns.miniwob.serve import TaskSite

_SOLVABLE = sorted(policies().keys() - open_ends().keys())
_SAMPLE = random.Random(12).sample(_SOLVABLE, 12)


@pytest.fixture(scope="module")
def tasks() -> Iterator[TaskSite]:
    served = TaskSite()
    yield served
    served.close()


@pytest.mark.parametrize("task", _SAMPLE)
async def test_a_task_is_solved(context: BrowserContext, tasks: TaskSite, task: str) -> None:
    outcome = await play(context, tasks, task, policies()[task], seed=1)
    assert outcome.solved, outcome.why


async def test_an_episode_that_is_not_solved_is_told_as_that(context: BrowserContext, tasks: TaskSite) -> None:
    async def presses_the_wrong_button(player: Player) -> None:
        await player.click("TWO")

    outcome = await play(context, tasks, "click-test-2", presses_the_wrong_button, seed=1)
    assert not outcome.solved
    assert "raw reward -1" in outcome.why
