"""One episode of a task: started from a seed, and judged by the page itself."""

import json
from typing import NamedTuple

import msgspec

from browserx import BrowserContext, DomService, Tab
from tests.campaigns.miniwob.serve import TaskSite

#: An episode ends by itself after ten seconds otherwise: time is not what is tested here.
_LIMIT_MS = 3_600_000
_SEED = "Math.seedrandom(SEED); core.EPISODE_MAX_TIME = LIMIT; null"
_UTTERANCE = "(told => typeof told === 'string' ? told : told.utterance)(core.getUtterance())"
#: What the page says of the episode, as a ``Reward``.
JUDGED = "({done: WOB_DONE_GLOBAL, raw: WOB_RAW_REWARD_GLOBAL, reason: String(WOB_REWARD_REASON ?? '')})"
_START = "START"


class Reward(msgspec.Struct, frozen=True):
    """What the page says of an episode: whether it has ended, and what it was worth before time is taken off."""

    done: bool
    raw: float
    reason: str

    @property
    def solved(self) -> bool:
        return self.done and self.raw == 1


class Episode(NamedTuple):
    """A started episode. ``utterance`` says what to do, as the page says it."""

    dom: DomService
    utterance: str

    async def reward(self) -> Reward:
        return msgspec.convert(await self.dom.tab.evaluate(JUDGED), Reward)

    async def close(self) -> None:
        tab = self.dom.tab
        await self.dom.detach()
        await tab.close()


async def start(context: BrowserContext, site: TaskSite, task: str, seed: int) -> Episode:
    """Open the task in a tab of its own, and start an episode that is the same for the same seed.

    It is started as a person would, by a click on the cover of the page: then it has settled when it is looked at.
    """
    return await begin(await context.new_tab(site.task(task)), seed)


async def begin(tab: Tab, seed: int) -> Episode:
    """Start an episode in a tab that is at the page of a task."""
    await tab.evaluate(_SEED.replace("SEED", json.dumps(str(seed))).replace("LIMIT", str(_LIMIT_MS)))
    dom = await DomService.for_tab(tab)
    snapshot = await dom.get_snapshot()
    cover = next(node for node in snapshot.interactive() if node.name == _START)
    await dom.click(cover.node_id)
    return Episode(dom, await tab.evaluate(_UTTERANCE))
