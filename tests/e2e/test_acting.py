"""Acting with real input, in every kind of place, and the truth about what it did."""

import asyncio
from typing import Any

import pytest

from browserx import (
    BrowserContext,
    DomService,
    InvalidArgumentError,
    NodeNotFoundError,
    NoSnapshotError,
    NotActionableError,
    ServiceConfig,
    Verdict,
)
from browserx.actions.perform import Performance
from tests.conftest import See
from tests.web import Site


async def only(dom: DomService) -> str:
    """The id of the only thing to act on."""
    (node_id,) = (await dom.observe()).ids
    return node_id


async def find(dom: DomService, words: str) -> str:
    """The id on the line that says ``words``."""
    seen = await dom.observe(viewport_only=False)
    line = next(line for line in seen.text.splitlines() if words in line and line.strip()[0].isdigit())
    return line.split()[0]


LOG = """<script>
  window.heard = [];
  for (const type of ["pointerover", "pointerdown", "mousedown", "focus", "pointerup", "mouseup", "click", "dblclick",
    "auxclick", "contextmenu", "beforeinput", "input", "change", "keydown", "keyup"])
    addEventListener(type, e => heard.push([e.type, e.target.id, e.isTrusted, e.button ?? null, e.detail ?? null]), true);
</script>"""


async def test_a_click_sends_what_a_mouse_sends(see: See) -> None:
    dom = await see(f"<button id=b>Push</button>{LOG}")
    result = await dom.click(await only(dom))
    heard = await dom.tab.evaluate("heard.filter(h => h[1] == 'b')")
    assert [name for name, *_ in heard] == [
        "pointerover",
        "pointerdown",
        "mousedown",
        "focus",
        "pointerup",
        "mouseup",
        "click",
    ]
    assert all(trusted for _, _, trusted, *_ in heard)
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert result.snapshot_invalidated
    assert result.duration > 0
    assert result.visual_effect is not None
    assert result.visual_effect.type == "ripple"


async def test_other_buttons_double_clicks_and_modifiers(see: See) -> None:
    dom = await see(
        f"<button id=b>Push</button>{LOG}<script>addEventListener('click', e => window.keys = [e.ctrlKey, e.shiftKey])</script>"
    )
    await dom.click(await only(dom), button="right")
    await dom.click(await only(dom), click_count=2)
    await dom.click(await only(dom), button="middle")
    heard = [(name, button) for name, _, _, button, _ in await dom.tab.evaluate("heard")]
    assert ("contextmenu", 2) in heard
    assert ("dblclick", 0) in heard
    assert ("auxclick", 1) in heard
    await dom.click(await only(dom), modifiers=["Ctrl", "Shift"])
    assert await dom.tab.evaluate("keys") == [True, True]


async def test_a_click_lands_at_the_offset(see: See) -> None:
    dom = await see("""<canvas width=200 height=100 tabindex=0 style="position:absolute;left:30px;top:40px"></canvas>
        <script>addEventListener('click', e => window.at = [e.clientX, e.clientY])</script>""")
    await dom.click(await only(dom), offset=(5, 7))
    assert await dom.tab.evaluate("at") == [35, 47]


async def test_a_click_that_does_nothing_says_so_soon(see: See) -> None:
    dom = await see("<button tabindex=-1 onmousedown='event.preventDefault()'>Dead</button>")
    result = await dom.click(await only(dom))
    assert (result.success, result.verdict) == (True, Verdict.NO_EFFECT)
    assert result.duration < 1500


async def test_what_changed_is_told(see: See) -> None:
    dom = await see("""<p id=p>Before</p><button onclick="p.textContent = 'After'; fetch('/told').then(() => {
        document.body.append(Object.assign(document.createElement('p'), {textContent: 'Saved'})) })">Do</button>""")
    result = await dom.click(await only(dom))
    changes = result.changes
    assert changes is not None
    assert changes.dom_mutated
    assert "After" in changes.added_texts
    assert "Before" in changes.removed_texts
    assert [(r.method, r.url.rpartition("/")[2], r.status) for r in changes.requests] == [("GET", "told", 404)]
    assert "Saved" in (await dom.observe()).text


async def test_what_comes_a_little_later_is_waited_for(see: See) -> None:
    dom = await see("""<ul id=l></ul><button onclick="let n = 0; (function step() { l.append(document.createElement('li'));
        l.lastChild.textContent = 'step ' + ++n; if (n < 20) setTimeout(step, 12) })()">Animate</button>""")
    await dom.click(await only(dom))
    assert "step 20" in (await dom.observe()).text


async def test_a_clock_on_the_page_does_not_hold_an_action(see: See) -> None:
    dom = await see(
        "<p id=p></p><button>Push</button><script>setInterval(() => p.textContent = Date.now(), 16)</script>"
    )
    await dom.click(await only(dom))
    result = await dom.click(await only(dom))
    assert result.duration < 1500


async def test_going_elsewhere_by_a_link(see: See, site: Site) -> None:
    dom = await see(f"<a href='{site.page('<h1>There</h1>')}'>Go</a>")
    result = await dom.click(await only(dom))
    assert result.verdict is Verdict.NAVIGATED
    assert result.changes is not None
    assert result.changes.navigated
    assert "# There" in (await dom.observe()).text


async def test_a_place_on_the_same_page_is_a_change(see: See) -> None:
    dom = await see("<a href='#there'>Go</a><div style='height:3000px'></div><h2 id=there>There</h2>")
    result = await dom.click(await only(dom))
    assert result.verdict is Verdict.CHANGED
    assert result.changes is not None
    assert result.changes.url_changed


async def test_a_new_tab_is_told(see: See, site: Site) -> None:
    dom = await see(f"<a target=_blank href='{site.page('<h1>Popup</h1>')}'>Open</a>")
    result = await dom.click(await only(dom))
    assert result.verdict is Verdict.OPENED
    assert result.changes is not None
    (tab_id,) = result.changes.new_tabs
    popup = await DomService.for_tab(dom.tab.browser.tab(tab_id))
    assert "# Popup" in (await popup.observe()).text


@pytest.mark.parametrize("kind", ["alert", "confirm", "prompt"])
async def test_a_dialog_is_told_and_holds_the_page(see: See, kind: str) -> None:
    dom = await see(f"<p id=p>-</p><button onclick=\"p.textContent = {kind}('Sure?')\">Ask</button>")
    result = await dom.click(await only(dom))
    assert result.verdict is Verdict.OPENED
    seen = await dom.observe()
    assert seen.dialog is not None
    assert (seen.dialog.kind, seen.dialog.text) == (kind, "Sure?")
    with pytest.raises(NotActionableError, match="dialog is open") as caught:
        await dom.keypress("Enter")
    assert caught.value.reason == "dialog"
    assert dom.tab.dialog is not None
    await dom.tab.dialog.accept("yes")
    text = (await dom.observe()).text
    assert {"alert": "-", "confirm": "true", "prompt": "yes"}[kind] in text or kind == "alert"
    assert dom.tab.dialog is None


async def test_a_frame_that_removes_itself_is_no_failure(see: See, site: Site) -> None:
    site.page("<button onclick=\"parent.postMessage('close', '*')\">Close</button>", path="/inner")
    dom = await see(
        f"""<iframe id=f src="{site.other("/inner")}"></iframe><script>onmessage = () => f.remove()</script>"""
    )
    result = await dom.click(await only(dom))
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert (await dom.observe()).ids == []


FRAME = "<iframe src='{other}/inner' style='width:400px;height:300px;%s'></iframe>"
PLACES: dict[str, str] = {
    "top": "{inner}",
    "scrolled": "<div style='height:2500px'></div>{inner}<div style='height:2500px'></div>",
    "same": "<div style='height:900px'></div><iframe src=/inner style='width:400px;height:300px'></iframe>",
    "cross": "<p>x</p>" + FRAME % "border:7px solid;padding:5px",
    "cross scrolled": "<div style='height:2000px'></div>" + FRAME % "",
    "cross scaled": FRAME % "transform:scale(.6) rotate(8deg)",
    "cross zoomed": FRAME % "zoom:1.5",
    "nested": "<iframe src='{other}/outer' style='width:600px;height:400px'></iframe>",
    "closed": "<x-closed></x-closed>",
}
INNER = """<button id=b onclick="done('b')">Push</button> <input id=i aria-label=Field oninput="done('i:' + this.value)">
<script>function done(what) {{ top.postMessage(what, '*') }}</script>"""


@pytest.mark.parametrize("place", list(PLACES))
async def test_clicks_and_words_arrive_wherever_the_element_is(see: See, site: Site, place: str) -> None:
    site.page(INNER.format(), path="/inner")
    site.page(
        f"<p>y</p><iframe src='{site.url('/inner')}' style='margin:20px;width:400px;height:200px'></iframe>",
        path="/outer",
    )
    markup = PLACES[place].format(inner=INNER.format(), other=site.other())
    dom = await see(f"""{markup}<script>
        window.got = []; addEventListener("message", e => got.push(e.data));
        customElements.define("x-closed", class extends HTMLElement {{ constructor() {{ super();
          const root = this.attachShadow({{mode: "closed"}});
          root.innerHTML = "<button>Push</button><input aria-label=Field>";
          root.firstChild.onclick = () => got.push("b"); root.lastChild.oninput = e => got.push("i:" + e.target.value);
        }} }})</script>""")
    clicked = await dom.click(await find(dom, "button Push"))
    assert clicked.success, clicked
    assert clicked.verdict is Verdict.CHANGED
    typed = await dom.type(await find(dom, "textbox Field"), "hello")
    assert typed.success, typed
    assert typed.changes is not None
    assert typed.changes.value_now == "hello"
    assert await dom.tab.evaluate("got") == ["b", "i:hello"]
    pressed = await dom.keypress("x")
    assert pressed.verdict is Verdict.CHANGED
    assert await dom.tab.evaluate("got.at(-1)") == "i:hellox"


async def test_a_click_waits_until_input_finds_its_way_into_a_frame(see: See, site: Site, monkeypatch: Any) -> None:
    """Until the browser has drawn a frame of another process where it is, input there goes to the frame around it."""
    site.page(INNER.format(), path="/inner")
    dom = await see((FRAME % "").format(other=site.other()))
    send = Performance.input
    batches = 0

    async def astray(self: Performance, *commands: tuple[str, dict[str, Any]]) -> None:
        nonlocal batches
        batches += 1
        if batches == 1:
            commands = tuple((method, {**params, "x": 1, "y": 1}) for method, params in commands)
        await send(self, *commands)

    monkeypatch.setattr(Performance, "input", astray)
    clicked = await dom.click(await find(dom, "button Push"))
    assert clicked.success, clicked
    again = await dom.click(await find(dom, "button Push"))
    assert again.success, again


async def test_words_are_inserted_exactly_and_replace_what_was_there(see: See) -> None:
    dom = await see(f"<input aria-label=Field value=old>{LOG}")
    words = 'Ünïcödé 🙂 <b>&amp;</b> "quotes" \'n tabs'
    result = await dom.type(await only(dom), words)
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await dom.tab.evaluate("document.querySelector('input').value") == words
    more = await dom.type(await only(dom), "!", clear=False)
    assert more.success
    assert await dom.tab.evaluate("document.querySelector('input').value") == words + "!"
    assert all(trusted for _, _, trusted, *_ in await dom.tab.evaluate("heard"))


async def test_a_newline_at_the_end_is_the_enter_key(see: See) -> None:
    dom = await see("<form onsubmit='window.sent = q.value; return false'><input id=q aria-label=Search></form>")
    await dom.type(await only(dom), "tea\n")
    assert await dom.tab.evaluate("sent") == "tea"


async def test_typing_nothing_clears(see: See) -> None:
    dom = await see("<textarea aria-label=T>some\nlines</textarea>")
    result = await dom.type(await only(dom), "")
    assert result.success
    assert await dom.tab.evaluate("document.querySelector('textarea').value") == ""


async def test_a_key_press_for_each_character(see: See) -> None:
    dom = await see(f"<input id=i aria-label=Field>{LOG}")
    await dom.type(await only(dom), "aB!", char_by_char=True)
    assert await dom.tab.evaluate("i.value") == "aB!"
    assert await dom.tab.evaluate("heard.filter(h => h[0] == 'keydown').length") == 3


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("type=date", "2026-11-22"),
        ("type=time", "09:30"),
        ("type=datetime-local", "2026-11-22T09:30"),
        ("type=month", "2026-11"),
        ("type=color", "#ff8800"),
        ("type=range min=0 max=100", "42"),
        ("type=number", "12.5"),
        ("type=email", "a@b.example"),
    ],
)
async def test_fields_of_every_type(see: See, field: str, text: str) -> None:
    dom = await see(
        f"<input id=i aria-label=F {field} oninput='window.heard = this.value' onchange='window.changed = 1'>"
    )
    result = await dom.type(await only(dom), text)
    assert result.success, result
    assert await dom.tab.evaluate("[i.value, window.heard]") == [text, text]


async def test_rich_text(see: See) -> None:
    dom = await see("<div contenteditable aria-label=Editor><p>Old <b>text</b></p></div>")
    result = await dom.type(await only(dom), "New text")
    assert result.success, result
    assert await dom.tab.evaluate("document.querySelector('div').innerText.trim()") == "New text"


async def test_a_mask_may_write_it_its_own_way(see: See) -> None:
    dom = await see("<input aria-label=Phone oninput=\"this.value = this.value.replace(/(\\d{3})(\\d+)/, '$1-$2')\">")
    result = await dom.type(await only(dom), "123456")
    assert result.success
    assert result.changes is not None
    assert result.changes.value_now == "123-456"


async def test_a_field_that_refuses_is_no_success(see: See) -> None:
    dom = await see("<input aria-label=Stubborn onbeforeinput='event.preventDefault()'>")
    result = await dom.type(await only(dom), "words")
    assert (result.success, result.verdict) == (False, Verdict.NO_EFFECT)
    assert result.error is not None
    assert result.error.recoverable


async def test_a_typed_password_is_told_nowhere(see: See) -> None:
    dom = await see("<input type=password aria-label=Password>")
    result = await dom.type(await only(dom), "hunter2")
    assert result.success
    assert "hunter2" not in str(result)
    assert await dom.tab.evaluate("document.querySelector('input').value") == "hunter2"


async def test_keys_and_chords(see: See) -> None:
    dom = await see(f"<input id=i aria-label=F value=words>{LOG}<script>i.focus(); i.setSelectionRange(0, 0)</script>")
    await dom.keypress("End")
    await dom.keypress("Backspace")
    assert await dom.tab.evaluate("i.value") == "word"
    await dom.keypress("a", modifiers=["Ctrl"])
    await dom.keypress("X")
    assert await dom.tab.evaluate("i.value") == "X"
    down = await dom.tab.evaluate("heard.filter(h => h[0] == 'keydown').length")
    assert down == await dom.tab.evaluate("heard.filter(h => h[0] == 'keyup').length") == 4
    assert (await dom.keypress("Tab")).verdict is Verdict.CHANGED


async def test_scrolling_the_page_and_boxes(see: See) -> None:
    dom = await see("""<div id=box style="height:200px;overflow:auto"><a href=/x>Top of box</a>
        <div style="height:2000px"></div></div><div style="height:4000px"></div>""")
    assert (await dom.scroll()).verdict is Verdict.CHANGED
    assert await dom.tab.evaluate("scrollY") == 720
    await dom.scroll(direction="up", amount=0.5)
    assert await dom.tab.evaluate("scrollY") == 360
    await dom.scroll(to="end")
    at_end = await dom.scroll()
    assert (at_end.success, at_end.verdict) == (True, Verdict.NO_EFFECT)
    await dom.scroll(to="start")
    result = await dom.scroll(await find(dom, "Top of box"), to="end")
    assert result.verdict is Verdict.CHANGED
    assert await dom.tab.evaluate("[box.scrollTop > 1500, scrollY]") == [True, 0]


async def test_a_select_gets_the_focus_and_keys_choose(see: See) -> None:
    dom = await see("<select id=s aria-label=Size><option>S<option>M<option>L</select>")
    await dom.click(await only(dom))
    await dom.keypress("ArrowDown")
    assert await dom.tab.evaluate("s.value") == "M"


async def test_what_is_scrolled_away_is_scrolled_to(see: See) -> None:
    dom = await see("""<div style="height:300px;overflow:auto"><div style="height:3000px"></div>
        <button onclick="this.textContent = 'Pushed'">Deep</button></div>""")
    await dom.click(await find(dom, "Deep"))
    assert "Pushed" in (await dom.observe()).text


async def test_a_sticky_header_is_not_clicked_by_mistake(see: See) -> None:
    dom = await see("""<header style="position:fixed;top:0;left:0;right:0;height:500px;background:#eee">
        <a href="/wrong">Wrong</a></header><div style="height:1500px"></div>
        <button onclick="this.textContent = 'Pushed'">Under</button><div style="height:2000px"></div>""")
    result = await dom.click(await find(dom, "Under"))
    assert result.success
    assert "Pushed" in (await dom.observe(viewport_only=False)).text


# Bad targets: a typed error each, and nothing was clicked.

BAD: dict[str, tuple[str, str]] = {
    "hidden": ("b.style.display = 'none'", "hidden"),
    "invisible": ("b.style.visibility = 'hidden'", "hidden"),
    "zero size": (
        "b.style.cssText = 'width:0;height:0;padding:0;border:0;overflow:hidden;position:absolute'",
        "zero_size",
    ),
    "disabled": ("b.disabled = true", "disabled"),
    "aria-disabled": ("b.setAttribute('aria-disabled', 'true')", "disabled"),
    "off screen": ("b.style.cssText = 'position:fixed;left:-500px'", "off_screen"),
    "covered": ("veil.style.display = 'block'", "covered"),
    "moving": (
        "let n = 0; (function move() { b.style.cssText = `position:fixed;top:${100 + (n += 7) % 400}px`;"
        " requestAnimationFrame(move) })()",
        "moving",
    ),
}


@pytest.mark.parametrize("bad", list(BAD))
async def test_a_target_that_is_not_fit(see: See, bad: str) -> None:
    script, reason = BAD[bad]
    dom = await see(f"""<button id=b>Push</button>
        <div id=veil class=veil style="display:none;position:fixed;inset:0;background:#fff">Please wait</div>{LOG}""")
    target = await find(dom, "Push")
    await dom.tab.evaluate(script)
    with pytest.raises(NotActionableError) as caught:
        await dom.click(target)
    assert caught.value.reason == reason
    assert caught.value.node_id == target
    assert dom.current_snapshot is None
    assert await dom.tab.evaluate("heard.filter(h => h[0] == 'click').length") == 0


async def test_what_covers_it_is_named_with_an_id_that_works(see: See) -> None:
    dom = await see("""<button>Push</button><div id=veil style="position:fixed;inset:0;background:#fff"
        onclick="this.remove()">Click to enter</div>""")
    target = await find(dom, "Push")
    with pytest.raises(NotActionableError, match="is covered by") as caught:
        await dom.click(target)
    assert caught.value.covered_by is not None
    await dom.observe()
    assert (await dom.click(caught.value.covered_by, offset=(100, 100))).success
    await dom.observe()
    assert (await dom.click(target)).success


async def test_an_element_that_is_gone_is_not_found_and_others_are_named(see: See) -> None:
    dom = await see("<button id=b>Push</button><button>Push too</button><a href=/x>Other</a>")
    target = await find(dom, "button Push")
    await dom.tab.evaluate("b.remove()")
    with pytest.raises(NodeNotFoundError, match="nearest: 2 button Push too") as caught:
        await dom.click(target)
    assert caught.value.recoverable
    assert caught.value.nearest[0] == "2"


async def test_of_an_empty_page_no_others_are_named(see: See) -> None:
    dom = await see("<button id=b>Push</button><button>Push too</button>")
    target = await find(dom, "button Push")
    await dom.tab.evaluate("document.body.innerHTML = ''")
    with pytest.raises(NodeNotFoundError, match=r"observe again$") as caught:
        await dom.click(target)
    assert not caught.value.nearest


async def test_what_was_drawn_anew_is_acted_on_in_place_of_what_is_gone(see: See) -> None:
    dom = await see("<button id=b>Push</button><button>Push too</button><a href=/x>Other</a><p id=p></p>")
    target = await find(dom, "button Push")
    await dom.tab.evaluate("b.replaceWith(b.cloneNode(true)); b.setAttribute('onclick', 'p.textContent = 1 + 1')")
    assert (await dom.click(target)).success
    assert await dom.tab.evaluate("p.textContent") == "2"


async def test_ids_that_mean_nothing(see: See) -> None:
    dom = await see("<button>Push</button>")
    await dom.observe()
    with pytest.raises(NodeNotFoundError, match="nearest: 1 button Push"):
        await dom.click("4711")
    await dom.observe()
    with pytest.raises(InvalidArgumentError, match="is no node id"):
        await dom.click("the button")


async def test_an_id_of_another_tab_means_nothing_here(see: See) -> None:
    here, there = await see("<button>Here</button>"), await see("<p>x</p><button>a</button><button>b</button>")
    await here.observe()
    foreign = (await there.observe()).ids[-1]
    with pytest.raises(NodeNotFoundError):
        await here.click(foreign)


async def test_an_id_of_a_page_that_was_left_means_nothing(see: See, site: Site) -> None:
    dom = await see("<button>Before</button>")
    old = await only(dom)
    await dom.tab.goto(site.page("<button>After</button>"))
    await dom.observe()
    with pytest.raises(NodeNotFoundError):
        await dom.click(old)


async def test_acting_needs_a_look_first_but_not_a_fresh_one(see: See) -> None:
    dom = await see("<button>Push</button>")
    with pytest.raises(NoSnapshotError, match="observe first"):
        await dom.click("1")
    target = await only(dom)
    assert (await dom.click(target)).success
    with pytest.raises(NoSnapshotError):
        await dom.click(target)
    await dom.observe()
    await dom.keypress("Tab")
    with pytest.raises(NoSnapshotError):
        await dom.click(target)


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("<button>Push</button>", "not_editable"),
        ("<a href=/x>Link</a>", "not_editable"),
        ("<input type=checkbox aria-label=c>", "not_editable"),
        ("<select aria-label=s><option>x</select>", "not_editable"),
        ("<input readonly value=x aria-label=r>", "readonly"),
        ("<input disabled aria-label=d>", "disabled"),
        ("<div onclick=1>Div</div>", "not_editable"),
    ],
)
async def test_typing_into_what_takes_no_text(see: See, field: str, reason: str) -> None:
    dom = await see(field)
    with pytest.raises(NotActionableError) as caught:
        await dom.type(await only(dom), "words")
    assert caught.value.reason == reason


async def test_a_click_stolen_on_the_way_is_no_success(see: See) -> None:
    dom = await see("""<button id=b style="position:absolute;left:50px;top:50px">Push</button><script>
        addEventListener("pointermove", () => { const veil = document.createElement("div"); veil.id = "thief";
          veil.style.cssText = "position:fixed;inset:0"; document.body.append(veil); }, {once: true})</script>""")
    result = await dom.click(await find(dom, "Push"))
    assert (result.success, result.verdict) == (False, Verdict.WRONG_TARGET)
    assert result.error is not None
    assert "div#thief" in result.error.message


@pytest.mark.parametrize(
    "arguments",
    [{"button": "fourth"}, {"click_count": 0}, {"click_count": 9}, {"modifiers": ["Hyper"]}],
)
async def test_arguments_that_make_no_sense(see: See, arguments: dict[str, Any]) -> None:
    dom = await see(f"<button>Push</button>{LOG}")
    with pytest.raises(InvalidArgumentError):
        await dom.click(await only(dom), **arguments)
    assert await dom.tab.evaluate("heard.filter(h => h[0] == 'click').length") == 0


@pytest.mark.parametrize(
    "call", ["scroll(direction='sideways')", "scroll(amount=0)", "keypress('Entr')", "keypress('')"]
)
async def test_calls_that_make_no_sense(see: See, call: str) -> None:
    dom = await see("<p>x</p>")
    with pytest.raises(InvalidArgumentError):
        await eval(f"dom.{call}", {"dom": dom})


async def test_two_agents_do_not_disturb_each_other(context: BrowserContext, site: Site) -> None:
    url = site.page("<button onclick='this.textContent = +this.textContent + 1'>0</button>")

    async def agent() -> str:
        dom = await DomService.for_tab(await context.new_tab(url))
        for _ in range(5):
            assert (await dom.click(await only(dom))).success
        return (await dom.observe()).text

    for text in await asyncio.gather(agent(), agent(), agent()):
        assert "button 5" in text


async def test_actions_are_counted(see: See) -> None:
    counted: list[tuple[str, str, str, str]] = []
    config = ServiceConfig(metrics=lambda m: counted.append((m.kind, m.name, m.verdict, m.failure)))
    dom = await see("<button>Push</button>", config=config)
    await dom.click(await only(dom))
    with pytest.raises(NoSnapshotError):
        await dom.click("1")
    assert counted == [
        ("look", "observe", "", ""),
        ("action", "click", "changed", ""),
        ("action", "click", "", "NO_SNAPSHOT"),
    ]


# What a frame of another process sets going in the page around it.
BUSY = "const until = performance.now() + 250; while (performance.now() < until);"


@pytest.fixture
def asks_its_parent(site: Site) -> str:
    """A frame with a button that sends word to the page around it."""
    site.page("<button onclick=\"parent.postMessage('go', '*')\">Pay</button>", path="/asks")
    return f'<iframe src="{site.other("/asks")}"></iframe>'


async def test_a_frame_that_makes_the_page_around_it_go_elsewhere(see: See, site: Site, asks_its_parent: str) -> None:
    site.page("<h1>Thank you</h1>", path="/thanks", delay_s=0.3)
    dom = await see(
        f"{asks_its_parent}<form id=f method=post action=/thanks></form>"
        f"<script>onmessage = () => {{ {BUSY} f.submit() }}</script>"
    )
    result = await dom.click(await only(dom))
    assert (result.success, result.verdict) == (True, Verdict.NAVIGATED)
    assert "Thank you" in (await dom.observe()).text


async def test_a_frame_that_changes_the_page_around_it(see: See, asks_its_parent: str) -> None:
    dom = await see(
        f"{asks_its_parent}<p id=p></p><script>onmessage = () => {{ {BUSY} p.textContent = 'Paid' }}</script>"
    )
    result = await dom.click(await only(dom))
    assert result.verdict is Verdict.CHANGED
    assert result.changes is not None
    assert result.changes.dom_mutated
    assert result.changes.added_texts == ["Paid"]


async def test_a_click_that_leads_on_and_on(see: See, site: Site) -> None:
    site.page("<h1>Arrived</h1>", path="/last", delay_s=0.2)
    site.page("<script>location.replace('/last')</script>", path="/between")
    dom = await see("<a href=/between>Go</a>")
    result = await dom.click(await only(dom))
    assert result.verdict is Verdict.NAVIGATED
    assert result.changes is not None
    assert result.changes.url == site.url("/last")


async def test_a_click_whose_navigation_comes_to_nothing(see: See, site: Site) -> None:
    site.publish(b"", "text/plain", path="/nothing", status=204, delay_s=0.2)
    dom = await see("<a href=/nothing>Go</a>")
    result = await dom.click(await only(dom))
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert result.changes is not None
    assert [request.status for request in result.changes.requests] == [204]
    assert "Go" in (await dom.observe()).text


async def test_what_a_script_moves_step_by_step_is_waited_for(see: See) -> None:
    dom = await see("""<button onclick="open_()">Open</button><div id=b style="height:0"></div><script>
        function open_() {
          const begun = performance.now();
          const step = () => {
            const share = Math.min(1, (performance.now() - begun) / 300);
            b.style.height = share * 100 + "px";
            if (share < 1) setTimeout(step, 13);
          };
          setTimeout(step, 13);
        }
    </script>""")
    await dom.click(await only(dom))
    assert await dom.tab.evaluate("b.style.height") == "100px"


async def test_a_field_that_takes_no_keys_is_told_not_to_be_cleared(see: See) -> None:
    dom = await see("<label>Number <input id=n value=0 onkeydown='event.preventDefault()'></label>")
    result = await dom.type(await find(dom, "Number"), "-5")
    assert (result.success, result.verdict) == (False, Verdict.CHANGED)
    assert result.error is not None
    assert "not cleared" in result.error.message
