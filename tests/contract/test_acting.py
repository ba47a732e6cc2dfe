"""Every engine acts to the same effect, with the same verdict; the content engine in the order of events it promises."""

import asyncio
import logging
import re
from typing import Any

import pytest

from browserx import (
    BlockedByPolicyError,
    BrowserXError,
    ContentScriptError,
    ContentService,
    EvaluateError,
    InvalidArgumentError,
    Metric,
    NodeNotFoundError,
    NoSnapshotError,
    NotActionableError,
    NotAttachedError,
    ServiceConfig,
    Verdict,
)
from browserx.content import Category, problem_of
from browserx.tool import DOMToolErrorCode
from browserx.tool.mapping import code_of
from tests.contract.conftest import Drive
from tests.contract.engines import Page
from tests.web import Site

LOG = "<pre id=log></pre><script>const log = (text) => { document.getElementById('log').textContent += text + ' '; };</script>"
#: Writes down every event of these types at an element, however it gets there.
RECORD = """<script>window.heard = [];
const record = (el, types) => { for (const type of types.split(" ")) el.addEventListener(type, (e) => heard.push(e.type), true); };
</script>"""
POINTER = (
    "pointerover pointerenter mouseover mouseenter pointermove mousemove pointerdown mousedown focus pointerup mouseup"
    " click dblclick contextmenu auxclick pointerout pointerleave mouseout mouseleave blur"
)
KEYS = "keydown keypress beforeinput input keyup change"


async def node(page: Page, words: str) -> str:
    """The id of the one line of the page that has these words in it."""
    seen = await page.dom.observe()
    found = [line for line in seen.text.splitlines() if words in line and re.match(r" *(?:- )?\d+ ", line)]
    assert len(found) == 1, seen.text
    match = re.search(r"\d+", found[0])
    assert match is not None
    return match[0]


async def test_click_does_what_a_click_does(drive: Drive) -> None:
    page = await drive(LOG + "<button onclick=\"log('clicked')\">Go</button>")
    result = await page.dom.click(await node(page, "Go"))
    assert (result.success, result.verdict, result.snapshot_invalidated) == (True, Verdict.CHANGED, True)
    assert result.changes is not None
    assert result.changes.dom_mutated
    assert result.changes.added_texts == ["clicked"]
    assert result.visual_effect is not None
    assert page.dom.current_snapshot is None


async def test_a_click_that_does_nothing_says_so(drive: Drive) -> None:
    page = await drive('<div role="button" style="width:80px">Idle</div>')
    result = await page.dom.click(await node(page, "Idle"))
    assert (result.success, result.verdict) == (True, Verdict.NO_EFFECT)


async def test_a_late_effect_is_an_effect(drive: Drive, site: Site) -> None:
    answer = site.publish(b"late news", "text/plain", delay_s=0.08)
    page = await drive(
        f"""<div role="button" style="width:80px" onclick="fetch('{answer}').then(r => r.text())
        .then(t => document.body.append(t))">Load</div>"""
    )
    result = await page.dom.click(await node(page, "Load"))
    assert result.verdict is Verdict.CHANGED
    assert "late news" in (await page.dom.observe()).text


async def test_what_is_expected_is_checked(drive: Drive) -> None:
    body = (
        "<div role=button style='width:80px' onclick=\"setTimeout(() => document.body.append('Saved'), 600)\">Go</div>"
    )
    page = await drive(body)
    result = await page.dom.click(await node(page, "Go"), expect={"text": "Saved"})
    assert result.expectation is not None
    assert result.expectation.passed
    config = ServiceConfig(settle_timeout_ms=400)
    page = await drive(body, config=config)
    result = await page.dom.click(await node(page, "Go"), expect={"text": "Deleted"})
    assert result.expectation is not None
    assert not result.expectation.passed


async def test_click_follows_a_link(drive: Drive, site: Site) -> None:
    there = site.page("<h1>Arrived</h1>", title="There", delay_s=0.2)
    page = await drive(f'<a href="{there}">Away</a>')
    result = await page.dom.click(await node(page, "Away"))
    assert (result.success, result.verdict) == (True, Verdict.NAVIGATED)
    assert result.changes is not None
    assert (result.changes.navigated, result.changes.url) == (True, there)
    assert "Arrived" in (await page.dom.observe()).text


async def test_click_submits_a_form(drive: Drive, site: Site) -> None:
    site.page("<h1>Thanks</h1>", path="/thanks")
    page = await drive('<form action="/thanks"><input name="q" aria-label="Query"><button>Send</button></form>')
    await page.dom.type(await node(page, "Query"), "tea")
    result = await page.dom.click(await node(page, "Send"))
    assert result.verdict is Verdict.NAVIGATED
    assert ("GET", "/thanks?q=tea") in site.requests


async def test_a_covered_element_is_not_clicked(drive: Drive) -> None:
    page = await drive(
        "<button onclick=\"document.title = 'hit'\">Under</button>"
        '<div style="position:fixed;inset:0;background:#fff" id="veil">Veil</div>'
    )
    first = await page.dom.observe(viewport_only=False)
    snapshot = page.dom.current_snapshot
    assert snapshot is not None
    (under,) = [n.node_id for n in snapshot.interactive()]
    with pytest.raises(NotActionableError, match="covered by") as raised:
        await page.dom.click(under)
    assert raised.value.reason == "covered"
    assert problem_of(raised.value) == (Category.NOT_ACTIONABLE, True)
    assert await page.run("document.title") != "hit"
    assert first.ids is not None


@pytest.mark.parametrize(
    ("attributes", "reason"), [("disabled", "disabled"), ("style='display:none'", "hidden"), ("hidden", "hidden")]
)
async def test_what_became_unfit_is_not_clicked(drive: Drive, attributes: str, reason: str) -> None:
    page = await drive("<button>Go</button>")
    go = await node(page, "Go")
    await page.run(
        f"document.body.innerHTML; document.querySelector('button').outerHTML; "
        f"document.querySelector('button').setAttribute(...{_attribute(attributes)}); 1"
    )
    with pytest.raises(NotActionableError) as raised:
        await page.dom.click(go)
    assert raised.value.reason == reason


def _attribute(written: str) -> list[str]:
    name, _, value = written.partition("=")
    return [name, value.strip("'")]


async def test_an_action_needs_a_look(drive: Drive) -> None:
    page = await drive("<button>Go</button><input aria-label=F>")
    with pytest.raises(NoSnapshotError):
        await page.dom.click("1")
    go = await node(page, "Go")
    with pytest.raises(NodeNotFoundError) as raised:
        await page.dom.click(9999)
    assert go in raised.value.nearest
    assert problem_of(raised.value) == (Category.NOT_FOUND, True)
    with pytest.raises(NoSnapshotError):
        await page.dom.click(go)
    await page.dom.observe()
    with pytest.raises(InvalidArgumentError):
        await page.dom.click("seven")
    await page.dom.observe()
    with pytest.raises(NotActionableError, match="takes no text"):
        await page.dom.type(go, "x")


async def test_an_element_that_became_another_is_left_alone(drive: Drive) -> None:
    page = await drive("<button onclick=\"document.title = 'done'\">Save</button>")
    save = await node(page, "Save")
    await page.run("document.querySelector('button').textContent = 'Delete'")
    with pytest.raises(NotActionableError) as raised:
        await page.dom.click(save)
    assert raised.value.reason == "changed"
    assert await page.run("document.title") != "done"


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("<input aria-label=F value=old>", "new wörd 東", "new wörd 東"),
        ("<textarea aria-label=F>old</textarea>", "two\nlines", "two\nlines"),
        ("<input aria-label=F type=number value=3>", "-1.50", "-1.50"),
        ("<input aria-label=F type=email value=a@b>", "c@example.com", "c@example.com"),
        ("<input aria-label=F maxlength=3>", "abcdef", "abc"),
        ("<input aria-label=F type=date>", "2026-11-22", "2026-11-22"),
        ("<input aria-label=F type=range value=10>", "70", "70"),
        ("<input aria-label=F value=old>", "", ""),
    ],
)
async def test_typing_leaves_what_was_typed(drive: Drive, field: str, text: str, value: str) -> None:
    page = await drive(field)
    result = await page.dom.type(await node(page, " F"), text)
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await page.run("document.querySelector('[aria-label]').value") == value


async def test_typing_after_what_stands_there(by_content: Drive) -> None:
    page = await by_content("<input aria-label=F value=old>")
    result = await page.dom.type(await node(page, " F"), "er", clear=False)
    assert result.success
    assert await page.run("document.querySelector('input').value") == "older"


async def test_typing_into_editable_content(drive: Drive) -> None:
    page = await drive('<div contenteditable aria-label="Pad" style="min-height:2em">old</div>')
    result = await page.dom.type(await node(page, "Pad"), "new words")
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await page.run("document.querySelector('div').innerText.trim()") == "new words"


async def test_a_newline_at_the_end_presses_enter(drive: Drive, site: Site) -> None:
    site.page("<h1>Found</h1>", path="/find")
    page = await drive('<form action="/find"><input name="q" aria-label="Query"></form>')
    result = await page.dom.type(await node(page, "Query"), "tea\n")
    assert result.verdict is Verdict.NAVIGATED
    assert ("GET", "/find?q=tea") in site.requests


#: As React does: a setter of its own on the element takes what goes through it for its own doing; an input event whose
#: value it knows already is none; and after each event the state is written back.
CONTROLLED = """
<input aria-label="Controlled"><p id="state"></p><script>
const input = document.querySelector("input");
const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
let tracked = "";
let state = "";
Object.defineProperty(input, "value", { configurable: true, get() { return get.call(this); },
  set(value) { tracked = String(value); set.call(this, value); } });
input.addEventListener("input", () => {
  const now = get.call(input);
  if (now === tracked) return;
  tracked = now;
  state = now.toUpperCase();
  document.getElementById("state").textContent = state;
  input.value = state;
});
</script>"""


async def test_typing_into_a_field_that_a_framework_controls(drive: Drive) -> None:
    page = await drive(CONTROLLED)
    result = await page.dom.type(await node(page, "Controlled"), "abc")
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await page.run("document.querySelector('input').value + state") == "ABCABC"
    assert result.changes is not None
    assert result.changes.value_now == "ABC"


async def test_a_field_that_refuses_is_told(drive: Drive) -> None:
    page = await drive("<input aria-label=F onkeydown='return false' onbeforeinput='return false'>")
    result = await page.dom.type(await node(page, " F"), "abc")
    assert not result.success
    assert result.error is not None
    assert "did not take the text" in result.error.message


async def test_keys(drive: Drive) -> None:
    page = await drive("<input aria-label=F value=abc><button onclick=\"document.title = 'pressed'\">Go</button>")
    await page.run("document.querySelector('input').focus()")
    await page.dom.keypress("Control+a")
    result = await page.dom.keypress("x")
    assert result.verdict is Verdict.CHANGED
    await page.dom.keypress("y")
    await page.dom.keypress("Backspace")
    assert await page.run("document.querySelector('input').value") == "x"
    moved = await page.dom.keypress("Tab")
    assert moved.changes is not None
    assert await page.run("document.activeElement.localName") == "button"
    await page.dom.keypress("Enter")
    assert await page.run("document.title") == "pressed"


async def test_a_list_that_loads_more_is_scrolled_to_its_end(drive: Drive) -> None:
    page = await drive(
        "<style>li { height: 60px }</style><ul id=list></ul><script>let n = 0; const list = document.getElementById('list');"
        "const more = () => { for (let i = 0; i < 30 && n < 90; i++) list.insertAdjacentHTML('beforeend', `<li>Item ${++n}</li>`) };"
        "more(); addEventListener('scroll', () => { if (innerHeight + scrollY > document.body.scrollHeight - 50) setTimeout(more, 30) })"
        "</script>"
    )
    await page.dom.observe()
    assert (await page.dom.scroll(until="end")).verdict is Verdict.CHANGED
    assert await page.run("n == 90 && innerHeight + scrollY > document.body.scrollHeight - 50")


async def test_scrolling_the_page_and_a_box(drive: Drive) -> None:
    page = await drive(
        "<button id=top>Top</button><div id=box tabindex=0 aria-label=Box style='height:100px;overflow:auto'>"
        "<p style='height:900px'>tall</p></div><div style='height:3000px'></div>"
    )
    await page.dom.observe()
    result = await page.dom.scroll(direction="down")
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await page.run("scrollY > 300")
    await page.dom.scroll(to="start")
    box = await node(page, "Box")
    result = await page.dom.scroll(box, to="end")
    assert result.verdict is Verdict.CHANGED
    assert await page.run("document.getElementById('box').scrollTop > 700")
    await page.dom.observe()
    assert (await page.dom.scroll(box, "down")).verdict is Verdict.NO_EFFECT


async def test_inside_frames_and_open_roots(drive: Drive) -> None:
    page = await drive(
        """<div id=host></div><iframe style="margin:40px;border:9px solid" srcdoc="<button onclick='parent.framed = 1'>Framed</button>
        <input aria-label='Inner'>"></iframe><script>
        const root = document.getElementById("host").attachShadow({mode: "open"});
        root.innerHTML = "<button>Rooted</button>";
        root.firstChild.onclick = () => { window.rooted = 1; document.title = "r"; };</script>"""
    )
    await page.dom.click(await node(page, "Rooted"))
    await page.dom.click(await node(page, "Framed"))
    assert await page.run("[window.rooted, window.framed].join()") == "1,1"
    assert (await page.dom.type(await node(page, "Inner"), "deep")).success
    assert await page.run("frames[0].document.querySelector('input').value") == "deep"


async def test_going_places(drive: Drive, site: Site) -> None:
    page = await drive("<h1>First</h1>")
    second = site.page("<h1>Second</h1>")
    result = await page.dom.navigate(second)
    assert (result.success, result.verdict) == (True, Verdict.NAVIGATED)
    assert "Second" in (await page.dom.observe()).text
    assert (await page.dom.back()).verdict is Verdict.NAVIGATED
    assert "First" in (await page.dom.observe()).text
    assert (await page.dom.forward()).verdict is Verdict.NAVIGATED
    assert (await page.dom.reload()).verdict is Verdict.NAVIGATED
    assert "Second" in (await page.dom.observe()).text
    with pytest.raises(BrowserXError):
        await page.dom.navigate("javascript:alert(1)")


async def test_a_re_render_keeps_the_id_and_one_retry_finds_it(drive: Drive) -> None:
    page = await drive("<p>Here:</p><button onclick=\"document.title = 'hit'\">Save</button>")
    save = await node(page, "Save")
    await page.run(
        """const old = document.querySelector('button'); const made = document.createElement('button');
        made.textContent = 'Save'; made.onclick = () => { document.title = 'new hit'; }; old.replaceWith(made); 1"""
    )
    if not isinstance(page.dom, ContentService):
        # The other engine has the caller look again; the id is the same.
        assert await node(page, "Save") == save
    result = await page.dom.click(save)
    assert result.success
    assert await page.run("document.title") == "new hit"


# what the content engine promises besides


async def test_the_order_of_a_clicks_events(by_content: Drive) -> None:
    page = await by_content(
        f"{RECORD}<button>Go</button><script>record(document.querySelector('button'), '{POINTER}')</script>"
    )
    await page.dom.click(await node(page, "Go"))
    expected = [
        "pointerover",
        "pointerenter",
        "mouseover",
        "mouseenter",
        "pointerdown",
        "mousedown",
        "focus",
        "pointerup",
        "mouseup",
        "click",
    ]
    assert (await _heard(page)) == expected


async def test_the_order_of_a_double_and_a_right_click(by_content: Drive) -> None:
    page = await by_content(
        f"{RECORD}<button>Go</button><script>record(document.querySelector('button'), 'mousedown mouseup click dblclick contextmenu auxclick')</script>"
    )
    await page.dom.click(await node(page, "Go"), click_count=2)
    assert (await _heard(page)) == ["mousedown", "mouseup", "click", "mousedown", "mouseup", "click", "dblclick"]
    await page.dom.click(await node(page, "Go"), button="right")
    assert (await _heard(page))[7:] == ["mousedown", "contextmenu", "mouseup", "auxclick"]


async def test_a_prevented_press_gives_no_focus(by_content: Drive) -> None:
    page = await by_content(
        f"{RECORD}<button onpointerdown='event.preventDefault()'>Go</button>"
        "<script>record(document.querySelector('button'), 'pointerdown mousedown focus mouseup click')</script>"
    )
    await page.dom.click(await node(page, "Go"))
    assert (await _heard(page)) == ["pointerdown", "click"]


async def test_the_order_of_a_characters_events(by_content: Drive) -> None:
    page = await by_content(
        f"{RECORD}<input aria-label=F><script>record(document.querySelector('input'), '{KEYS}')</script>"
    )
    await page.dom.type(await node(page, " F"), "ab")
    one = ["keydown", "keypress", "input", "keyup"]
    assert (await _heard(page)) == [*one, *one, "change"]


async def test_a_prevented_key_types_nothing(by_content: Drive) -> None:
    page = await by_content(
        f"{RECORD}<input aria-label=F onkeydown=\"if (event.key === 'b') event.preventDefault()\">"
        f"<script>record(document.querySelector('input'), '{KEYS}')</script>"
    )
    await page.dom.type(await node(page, " F"), "b")
    assert (await _heard(page)) == ["keydown", "keyup"]


async def _heard(page: Page) -> list[str]:
    return str(await page.run("window.heard.join(' ')")).split()


async def test_hover_focus_blur(by_content: Drive) -> None:
    page = await by_content(
        LOG
        + """<button onmouseenter="log('in')" onmousemove="log('move')" onmouseleave="log('out')" onfocus="log('focus')"
        onblur="log('blur')">One</button> <button>Two</button>"""
    )
    result = await _content(page).hover(await node(page, "One"))
    assert result.verdict is Verdict.CHANGED
    await _content(page).hover(await node(page, "Two"))
    focused = await _content(page).focus(await node(page, "One"))
    assert focused.changes is not None
    one = await node(page, "One")
    assert focused.changes.focused == one
    await _content(page).blur(one)
    assert await page.run("document.getElementById('log').textContent.trim()") == "in move out focus blur"


async def test_check_and_uncheck(drive: Drive) -> None:
    page = await drive(
        """<label><input type="checkbox" onchange="document.title = this.checked">News</label>
        <div role="switch" aria-checked="false" tabindex="0" onclick="this.setAttribute('aria-checked', 'true')">Dark</div>
        <div role="checkbox" aria-checked="false" tabindex="0">Stuck</div><button>Go</button>"""
    )
    dom = _content(page)
    assert (await dom.check(await node(page, "News"))).verdict is Verdict.CHANGED
    assert await page.run("document.title") == "true"
    again = await dom.check(await node(page, "News"))
    assert again.success
    assert await page.run("document.querySelector('input').checked")
    assert (await dom.uncheck(await node(page, "News"))).success
    assert await page.run("document.title") == "false"
    assert (await dom.check(await node(page, "Dark"))).success
    stuck = await dom.check(await node(page, "Stuck"))
    assert not stuck.success
    with pytest.raises(NotActionableError, match="nothing that can be checked"):
        await dom.check(await node(page, "Go"))


async def test_select_option(drive: Drive) -> None:
    page = await drive(
        """<select aria-label="Size" onchange="document.title = this.value"><option value="s">Small<option value="l">Large
        <option value="x" disabled>Huge</select>
        <select aria-label="Many" multiple><option>a<option>b<option>c</select><button>Go</button>"""
    )
    dom = _content(page)
    result = await dom.select_option(await node(page, "Size"), label="Large")
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await page.run("document.title") == "l"
    await dom.select_option(await node(page, "Size"), index=0)
    assert await page.run("document.title") == "s"
    await dom.select_option(await node(page, "Many"), value=["a", "c"])
    assert (
        await page.run("[...document.querySelectorAll('select')[1].selectedOptions].map(o => o.value).join()") == "a,c"
    )
    size = await node(page, "Size")
    with pytest.raises(InvalidArgumentError, match="it offers: Small, Large, Huge"):
        await dom.select_option(size, value="none")
    await page.dom.observe()
    with pytest.raises(NotActionableError, match="option disabled"):
        await dom.select_option(size, value="x")
    await page.dom.observe()
    with pytest.raises(InvalidArgumentError, match="nothing was chosen"):
        await dom.select_option(size)
    with pytest.raises(NotActionableError, match="no native list"):
        await dom.select_option(await node(page, "Go"), value="a")


async def test_stamps_are_the_ids_and_survive_copies(by_content: Drive) -> None:
    page = await by_content("<div id=app><button onclick=\"document.title = 'hit'\">Save</button></div>")
    save = await node(page, "Save")
    assert await page.run("document.querySelector('button').dataset.llmId") == save
    # Drawn anew from its own markup: the copy is the element now.
    await page.run("const app = document.getElementById('app'); app.innerHTML = app.innerHTML; 1")
    result = await page.dom.click(save)
    assert result.success
    assert await page.run("document.title") == "hit"
    assert await node(page, "Save") == save


async def test_stamps_are_frozen_and_put_on_what_appears(by_content: Drive) -> None:
    page = await by_content("<button>Save</button>")
    save = await node(page, "Save")
    await page.run("document.querySelector('button').removeAttribute('data-llm-id')")
    assert await page.run("document.querySelector('button').dataset.llmId") == save
    await page.run("document.body.insertAdjacentHTML('beforeend', '<a href=#x>Later</a>'); 1")
    stamped = await page.run("document.querySelector('a').dataset.llmId")
    assert stamped
    assert await node(page, "Later") == stamped
    # A copy beside its original is another element.
    await page.run("document.body.append(document.querySelector('a').cloneNode(true)); 1")
    ids = (await page.dom.observe()).ids
    assert len(ids) == len(set(ids)) == 3


async def test_stamping_is_not_seen_as_the_actions_doing(by_content: Drive) -> None:
    page = await by_content('<div role="button" style="width:90px" id="idle">Idle</div>')
    idle = await node(page, "Idle")
    await page.run("document.getElementById('idle').removeAttribute('data-llm-id')")
    assert (await page.dom.click(idle)).verdict is Verdict.NO_EFFECT


async def test_one_retry_and_no_more(by_content: Drive) -> None:
    page = await by_content("<button onclick=\"document.title = 'hit'\">Save</button><button>Other</button>")
    save = await node(page, "Save")
    await page.run("document.querySelector('button').remove()")
    with pytest.raises(NodeNotFoundError) as raised:
        await page.dom.click(save)
    assert raised.value.node_id == save
    assert await page.run("document.title") != "hit"


async def test_a_new_document_is_another(by_content: Drive, site: Site) -> None:
    page = await by_content("<button>Save</button>")
    save = await node(page, "Save")
    other = site.page("<button onclick=\"document.title = 'hit'\">Save</button>", title="Other")
    await page.run(f"setTimeout(() => location.assign('{other}')); 1")
    for _ in range(100):
        try:
            if await page.run("document.title + document.readyState") == "Othercomplete":
                break
        except EvaluateError:
            pass
        await asyncio.sleep(0.02)
    with pytest.raises((NodeNotFoundError, NoSnapshotError)):
        await page.dom.click(save)
    assert await page.run("document.title") == "Other"


async def test_a_frame_of_another_origin_and_a_file_dialog_are_refused(by_content: Drive, site: Site) -> None:
    site.page("<button>Inside</button>", path="/inner")
    page = await by_content(
        f'<iframe title="Pay" tabindex="0" src="{site.other("/inner")}"></iframe><input type="file" aria-label="File">'
    )
    file = await node(page, "File")
    with pytest.raises(BlockedByPolicyError) as blocked:
        await page.dom.click(file)
    assert problem_of(blocked.value) == (Category.SECURITY_BLOCKED, False)
    snapshot = await page.dom.get_snapshot()
    (frame,) = [i for i, n in enumerate(snapshot.page.tree.nodes) if n.tag == "iframe"]
    with pytest.raises(NotActionableError) as raised:
        await page.dom.click(snapshot.node_id(frame))
    assert problem_of(raised.value) == (Category.CROSS_ORIGIN, False)


async def test_a_dialog_is_what_came_of_a_click(drive: Drive) -> None:
    page = await drive("<button onclick=\"alert('Really?')\">Go</button>")
    result = await page.dom.click(await node(page, "Go"))
    assert (result.success, result.verdict) == (True, Verdict.OPENED)
    assert result.changes is not None
    assert "Really?" in result.changes.dialogs[0]
    seen = await page.dom.observe()
    assert seen.dialog is not None
    assert "Really?" in seen.text
    with pytest.raises((NotActionableError, NoSnapshotError)):
        await page.dom.keypress("a")
    await page.answer_dialog()
    assert "Go" in (await page.dom.observe()).text


async def test_what_is_expected_under_a_dialog_is_not_met_in_time(drive: Drive) -> None:
    page = await drive("<button onclick=\"alert('Really?')\">Go</button>", config=ServiceConfig(settle_timeout_ms=400))
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    async with asyncio.TaskGroup() as group:
        ticking = group.create_task(tick())
        result = await page.dom.click(await node(page, "Go"), expect={"text": "Done"})
        ticking.cancel()
    assert result.verdict is Verdict.OPENED
    assert result.expectation is not None
    assert (result.expectation.passed, result.expectation.message) == (False, "the page could not be looked at")
    assert ticks > 5  # others could go on meanwhile
    await page.answer_dialog()


async def test_a_page_that_answers_in_the_scripts_place_is_not_believed(by_content: Drive) -> None:
    page = await by_content("<button>Go</button>")
    await page.dom.observe()
    await page.run(
        """for (const s of Object.getOwnPropertySymbols(window).filter((s) => String(s).includes("browserx")))
        Object.defineProperty(window, s, { value: { answer: () => '{"world": "x", "told": {"rows": 7}}' } }); 1"""
    )
    with pytest.raises(ContentScriptError) as raised:
        await page.dom.observe()
    assert code_of(raised.value) is DOMToolErrorCode.CONTENT_SCRIPT_NOT_LOADED


async def test_nothing_is_left_in_the_page(by_content: Drive) -> None:
    page = await by_content("<button>Go</button>")
    await page.dom.observe()
    assert await page.run("Object.keys(window).filter((k) => /browserx/i.test(k)).length") == 0
    assert await page.run("JSON.stringify(Object.getOwnPropertySymbols(window).map(String))") != "[]"
    await page.dom.detach()
    assert await page.run("document.querySelectorAll('[data-llm-id]').length") == 0
    assert (
        await page.run("Object.getOwnPropertySymbols(window).filter((s) => String(s).includes('browserx')).length") == 0
    )
    with pytest.raises(NotAttachedError):
        await page.dom.observe()


async def test_the_engine_is_told_in_every_debug_line(
    drive: Drive, engine: str, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[Metric] = []
    page = await drive("<button>Go</button>", config=ServiceConfig(metrics=told.append))
    with caplog.at_level(logging.DEBUG, logger="browserx"):
        await page.dom.click(await node(page, "Go"))
    lines = [record.getMessage() for record in caplog.records if record.name in ("browserx.page", "browserx.content")]
    assert len(lines) == len(told) == 2
    for line in lines:
        assert line.startswith(f"engine={'cdp' if engine == 'cdp' else 'content'} ")


def _content(page: Page) -> Any:
    return page.dom


async def test_typing_goes_to_the_caret_of_what_has_the_focus(drive: Drive) -> None:
    page = await drive("<input id=a aria-label=Name value=ad>" + LOG)
    await page.dom.focus(await node(page, "Name"))
    await page.run("document.getElementById('a').setSelectionRange(1, 1)")
    result = await page.dom.type(None, "--")
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await page.run("document.getElementById('a').value") == "a--d"
    await page.dom.type(None, "new", clear=True)
    assert await page.run("document.getElementById('a').value") == "new"


async def test_what_is_added_to_a_field_comes_after_what_it_holds(drive: Drive) -> None:
    page = await drive("<textarea id=a aria-label=Name>one\ntwo</textarea>")
    result = await page.dom.type(await node(page, "Name"), "three", clear=False)
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await page.run("document.getElementById('a').value") == "one\ntwothree"
