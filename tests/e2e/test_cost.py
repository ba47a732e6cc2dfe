"""What an action costs the page is told where it is asked for, and costs nothing where it is not."""

from typing import Any

import pytest

from browserx import ServiceConfig, Verdict
from browserx.actions.cost import spent
from tests.conftest import See
from tests.e2e.test_acting import find
from tests.web import Site

ASKED = ServiceConfig(measure_performance=True)
BUSY = """<button onclick="window.kept = Array.from({length: 300000}, (_, i) => ({i})); const end = performance.now() + 60;
    while (performance.now() < end); o.textContent = 'done'">Work</button><a href=/next>Go</a>
    <button onclick="alert('Hm')">Ask</button><p id=o></p>"""


async def test_what_an_action_cost_the_page(see: See) -> None:
    dom = await see(BUSY, config=ASKED)
    result = await dom.click(await find(dom, "Work"))
    assert result.changes is not None
    cost = result.changes.performance
    assert cost is not None
    # The script itself keeps the time.
    assert cost.script_ms >= 60
    assert cost.task_ms >= cost.script_ms
    assert min(cost.layout_ms, cost.style_ms) >= 0
    assert cost.heap_bytes > 1_000_000
    told = result.to_dict()["changes"]["performance"]
    assert told.keys() == {"layoutMs", "styleMs", "scriptMs", "taskMs", "heapBytes"}


async def test_a_dialog_and_another_page_are_no_obstacle(see: See, site: Site) -> None:
    site.page("<h1>Next</h1>", path="/next")
    dom = await see(BUSY, config=ASKED)
    result = await dom.click(await find(dom, "Ask"))
    assert result.verdict is Verdict.OPENED
    assert dom.tab.dialog is not None
    await dom.tab.dialog.dismiss()
    assert (await dom.click(await find(dom, "Go"))).verdict is Verdict.NAVIGATED


async def test_nothing_is_asked_unless_it_is_wanted(see: See, monkeypatch: pytest.MonkeyPatch) -> None:
    dom = await see(BUSY)
    attachment = await dom.tab.attach()
    real = attachment.session.start
    sent: list[str] = []
    work = await find(dom, "Work")  # a look has questions of its own

    def start(method: str, *rest: Any, **options: Any) -> Any:
        sent.append(method)
        return real(method, *rest, **options)

    monkeypatch.setattr(attachment.session, "start", start)
    result = await dom.click(work)
    assert result.changes is not None
    assert result.changes.performance is None
    assert "performance" not in result.to_dict()["changes"]
    assert sent
    assert not [method for method in sent if method.startswith("Performance.")]


def test_counters_of_two_processes_are_not_compared() -> None:
    names = ("LayoutDuration", "RecalcStyleDuration", "ScriptDuration", "TaskDuration")
    before = dict.fromkeys(names, 1.0)
    assert spent(before, dict.fromkeys(names, 0.5)) is None
    assert spent(None, before) is None
    delta = spent(before, {**dict.fromkeys(names, 1.25), "JSHeapUsedSize": 10.0})
    assert delta is not None
    assert (delta.layout_ms, delta.heap_bytes) == (250.0, 10)
