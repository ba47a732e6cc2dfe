"""Calls carried out on a small page by real input: every one there is, and what becomes of those that cannot be."""

from pathlib import Path
from typing import Any

import pytest

from browserx import DomService, NodeNotFoundError, Tab, Verdict
from browserx.agent.carrying import Carried, Hands
from browserx.semantic.call import SHAPES, Call, call
from tests.conftest import See

PAGE = """<h1>Calls</h1><form id=form action="javascript:void 0"><label>Name <input id=name></label>
<label>Colour <select id=colour><option>Red<option>Blue</select></label>
<label>Sizes <select id=sizes multiple><option>S<option>M<option>L</select></label>
<label><input type=checkbox id=terms>Terms</label><label><input type=checkbox id=news checked>News</label>
<label>Day <input type=date id=day></label><label>File <input type=file id=file></label></form>
<button id=plain>Press</button><div draggable=true id=card role=button>Card</div><div id=pile role=button>Pile</div>
<a href="/next" id=next>Next</a><p id=said></p><div style="height:3000px"></div>
<script>
  const heard = (text) => said.textContent += text + " ";
  for (const type of ["click", "dblclick", "contextmenu", "mouseover"]) plain.addEventListener(type, () => heard(type));
  form.addEventListener("submit", (event) => { event.preventDefault(); heard("submit"); });
  pile.addEventListener("dragover", (event) => event.preventDefault());
  pile.addEventListener("drop", (event) => { event.preventDefault(); heard("drop"); });
  addEventListener("keydown", (event) => heard(event.key));
</script>"""


async def ids(dom: DomService) -> dict[str, str]:
    """The ids of what can be acted on, by its name."""
    snapshot = await dom.get_snapshot(force=True)
    return {node.name: node.node_id for node in snapshot.interactive()}


async def ask(tab: Tab, expression: str) -> Any:
    return await tab.evaluate(expression)


HELD: dict[str, tuple[tuple[str, ...], dict[str, Any], str, Any]] = {
    "click": (("Press",), {}, "said.textContent.includes('click')", True),
    "doubleClick": (("Press",), {}, "said.textContent.includes('dblclick')", True),
    "rightClick": (("Press",), {}, "said.textContent.includes('contextmenu')", True),
    "setValue": (("Name",), {"value": "Ann"}, "document.getElementById('name').value", "Ann"),
    "select": (("Colour",), {"option": "Blue"}, "colour.value", "Blue"),
    "check": (("Terms",), {}, "terms.checked", True),
    "uncheck": (("News",), {}, "news.checked", False),
    "pickDate": (("Day",), {"date": "2026-11-22"}, "day.value", "2026-11-22"),
    "hover": (("Press",), {}, "said.textContent.includes('mouseover')", True),
    "focus": (("Name",), {}, "document.activeElement.id", "name"),
    "drag": (("Card", "Pile"), {}, "said.textContent.includes('drop')", True),
    "submit": (("Name",), {}, "said.textContent.includes('submit')", True),
    "press": ((), {"key": "a"}, "said.textContent.includes('a ')", True),
    "scroll": ((), {"direction": "down"}, "scrollY > 0", True),
    "reload": ((), {}, "said.textContent", ""),
    "wait": ((), {"for": 0.01}, "1", 1),
}


@pytest.mark.parametrize("name", HELD)
async def test_a_call_is_carried_out(see: See, name: str) -> None:
    dom = await see(PAGE)
    on, args, expression, becomes = HELD[name]
    names = await ids(dom)
    if name == "drag":
        args = {"targetId": names[on[1]]}
    made = Call(name, names[on[0]] if on else None, dict(args))
    carried = await Hands(dom).carry_out(made)
    assert carried.error is None
    assert carried.result is not None
    assert carried.result.success, carried
    assert await ask(dom.tab, expression) == becomes


async def test_a_file_is_given(see: See, tmp_path: Path) -> None:
    dom = await see(PAGE)
    file = tmp_path / "a.txt"
    file.write_text("a")
    snapshot = await dom.get_snapshot()
    node_id = next(node.node_id for node in snapshot.interactive() if node.attributes.get("type") == "file")
    carried = await Hands(dom).carry_out(call("upload", node_id, files=[str(file)]))
    assert carried.error is None, carried.error
    assert await ask(dom.tab, "file.files[0].name") == "a.txt"


async def test_several_options_are_chosen_at_once(see: See) -> None:
    dom = await see(PAGE)
    made = call("select", (await ids(dom))["Sizes"], option=["S", "L"])
    assert (await Hands(dom).carry_out(made)).error is None
    assert await ask(dom.tab, "[...sizes.selectedOptions].map((one) => one.label).join()") == "S,L"


async def test_going_and_coming_back(see: See) -> None:
    dom = await see(PAGE)
    first = dom.tab.url
    hands = Hands(dom)
    other = first.replace("localhost", "127.0.0.1")
    for made, url in (
        (call("navigate", url=other), other),
        (call("back"), first),
        (call("forward"), other),
    ):
        carried = await hands.carry_out(made)
        assert carried.result is not None, carried
        assert carried.result.verdict is Verdict.NAVIGATED
        assert dom.tab.url == url


async def test_tabs(see: See) -> None:
    dom = await see(PAGE)
    hands, first = Hands(dom), dom.tab
    await hands.carry_out(call("newTab", url="about:blank"))
    second = hands.dom.tab
    assert second is not first
    gone = await hands.carry_out(call("switchTab", tab="no such tab"))
    assert gone.error is not None
    assert str(first.id) in gone.error.message
    assert (await hands.carry_out(call("switchTab", tab=first.id))).error is None
    assert hands.dom.tab is first
    assert (await hands.carry_out(call("switchTab", tab="about:blank"))).error is None
    assert (await hands.carry_out(call("closeTab"))).error is None
    assert hands.dom.tab is first
    last = await hands.carry_out(call("closeTab"))
    assert last.error is not None


@pytest.mark.parametrize(
    ("answer", "text", "becomes"), [("accept", "Ann", "Ann"), ("accept", None, ""), ("dismiss", None, None)]
)
async def test_a_dialog_is_answered(see: See, answer: str, text: str | None, becomes: str | None) -> None:
    dom = await see("<button onclick=\"window.said = prompt('Who?')\">Ask</button>")
    hands = Hands(dom)
    none_open = await hands.carry_out(call("dialog", answer=answer))
    assert none_open.error is not None
    await hands.carry_out(call("click", (await ids(dom))["Ask"]))
    assert dom.tab.dialog is not None
    assert (await hands.carry_out(call("dialog", answer=answer, text=text))).error is None
    assert await ask(dom.tab, "window.said") == becomes


async def test_what_waits_for_a_text(see: See) -> None:
    dom = await see("<p id=p>Loading</p><script>setTimeout(() => p.textContent = 'Done', 100)</script>")
    for made in (call("wait", for_="Done"), call("wait", for_="Loading", gone=True)):
        assert (await Hands(dom).carry_out(made)).error is None
    assert await ask(dom.tab, "p.textContent") == "Done"


# what is not there


async def gone(see: See, left: str, selector: str) -> Carried:
    """A click on an element that has gone since it was seen; ``left`` is what is there now."""
    dom = await see("<button id=a>One</button><p id=said></p><main id=m></main>")
    node_id = (await ids(dom))["One"]
    await dom.tab.evaluate(f"document.getElementById('a').remove(); m.innerHTML = `{left}`; 0")
    await dom.get_snapshot(force=True)
    return await Hands(dom).carry_out(call("click", node_id), selector=selector)


async def test_a_selector_stands_in_for_an_element_that_is_gone(see: See) -> None:
    carried = await gone(
        see, "<button class=now onclick=\"said.textContent='heard'\">Quite another</button>", "button.now"
    )
    assert carried.error is None
    assert carried.selector == ("button.now", True)


@pytest.mark.parametrize("left", ["", "<button class=now>Y</button><button class=now>Z</button>"])
async def test_a_selector_that_fits_none_or_several_is_not_used(see: See, left: str) -> None:
    carried = await gone(see, left, "button.now")
    assert isinstance(carried.error, NodeNotFoundError)
    assert carried.selector == ("button.now", False)
    assert carried.result is None


async def test_a_selector_that_is_none_is_told(see: See) -> None:
    carried = await gone(see, "", "[[")
    assert isinstance(carried.error, NodeNotFoundError)
    assert carried.selector == ("[[", False)


def test_every_call_has_hands() -> None:
    on_the_page = {name for name, shape in SHAPES.items() if not shape.ends}
    assert {name for name in on_the_page if hasattr(Hands, f"_{name}")} == on_the_page
    told = set(HELD) | {"upload", "navigate", "back", "forward", "newTab", "switchTab", "closeTab", "dialog"}
    assert told == on_the_page
