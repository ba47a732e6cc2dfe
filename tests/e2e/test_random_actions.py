"""Actions do what they tell, to the element they were given: a sample of the campaign ``actions``."""

import random
from collections.abc import Iterator

import pytest

from browserx import ActionResult, BrowserContext, DomService, Verdict
from tests.campaigns.actions.run import FalseError, Tally, Trial
from tests.campaigns.mirror.page import VariedSite

_ACTIONS = 60


@pytest.fixture
def varied() -> Iterator[VariedSite]:
    site = VariedSite()
    yield site
    site.close()


async def test_a_sample_of_random_actions(context: BrowserContext, varied: VariedSite) -> None:
    tally = Tally()
    trial = Trial(await context.new_tab(), varied.address, random.Random(11), tally)
    await trial.run(_ACTIONS)
    assert tally.actions == _ACTIONS
    assert len(tally.kinds) >= 4


async def test_the_campaign_finds_a_success_that_was_none(
    context: BrowserContext, varied: VariedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def idle(dom: DomService, node_id: str, **options: object) -> ActionResult:
        dom.invalidate_snapshot()
        return ActionResult(success=True, verdict=Verdict.CHANGED, duration=1)

    monkeypatch.setattr(DomService, "click", idle)
    with pytest.raises(FalseError):
        await Trial(await context.new_tab(), varied.address, random.Random(11), Tally()).run(_ACTIONS)
