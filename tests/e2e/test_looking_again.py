"""Looking again tells what a full look tells, whatever has happened to the page: a sample of the campaign ``mirror``."""

from typing import Any

import pytest

from browserx import Browser, DomService, Observation
from tests.campaigns.mirror.page import VariedSite
from tests.campaigns.mirror.run import Campaign, DiffersError
from tests.conftest import See

STEPS = 80


async def test_a_sample_of_random_changes(browser: Browser) -> None:
    site = VariedSite()
    try:
        tally = await Campaign(browser, site).run("7", STEPS, page_every=60)
    finally:
        site.close()
    assert tally.steps > STEPS / 2


async def test_the_campaign_finds_a_look_that_tells_what_was(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    first: dict[DomService, Observation] = {}
    look = DomService.observe

    async def stale(dom: DomService, *, force: bool = False, **options: Any) -> Observation:
        now = await look(dom, force=force, **options)
        return now if force or options.get("viewport_only") is False else first.setdefault(dom, now)

    monkeypatch.setattr(DomService, "observe", stale)
    site = VariedSite()
    try:
        with pytest.raises(DiffersError, match="is not what it is by force"):
            await Campaign(browser, site, shrink_s=0).run("7", STEPS, page_every=60)
    finally:
        site.close()


async def test_nothing_changed_costs_no_look(see: See) -> None:
    dom = await see("<button>Press</button><input aria-label=Field><input type=checkbox aria-label=Tick>")
    await dom.observe()
    await dom.observe()
    again = await dom.observe()
    assert dom.current_snapshot is not None
    assert dom.current_snapshot.stats.stage_ms["page"] == 0
    assert again.text == (await dom.observe(force=True)).text
    assert dom.current_snapshot.stats.stage_ms["page"] > 0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("document.querySelector('input').value = 'typed'", "= typed"),
        ("document.querySelector('[type=checkbox]').checked = true", "[x]"),
        ("document.styleSheets[0].cssRules[0].style.display = 'block'", "button Hidden"),
        ("document.styleSheets[0].cssRules[1].style.content = '\"Generated\"'", "Generated"),
        ("document.getElementById('box').scrollTop = 1000", "scrolled to its end"),
        ("document.getElementById('plain').addEventListener('click', () => {})", "clickable Plain"),
        ("document.getElementById('plain').__reactProps$x = {onClick() {}}", "clickable Plain"),
        (
            "document.getElementById('late').attachShadow({mode: 'closed'}).innerHTML = '<button>Shadowed</button>'",
            "Shadowed",
        ),
        ("document.getElementById('frame').contentDocument.body.firstChild.data = 'Inner change'", "Inner change"),
        ("document.title = 'Another title'", "Another title"),
        ("history.pushState(0, '', '/another')", "/another"),
    ],
)
async def test_what_nobody_hears_of_is_seen(see: See, change: str, told: str) -> None:
    dom = await see("""<style>#hidden { display: none } #press::after { content: "" }</style>
        <button id=hidden>Hidden</button> <button id=press>Press</button>
        <input aria-label=Field><input type=checkbox aria-label=Tick><p id=plain>Plain</p>
        <div id=box style='height:60px;overflow:auto'><div style='height:300px'>Tall</div></div>
        <div id=late style='width:300px;height:40px'><b>Light</b></div><iframe id=frame srcdoc=Words></iframe>""")
    for _ in range(3):
        assert told not in (await dom.observe()).text
    await dom.tab.evaluate(f"{change}; 0")
    assert told in (await dom.observe()).text
