"""Controls that are built of other things: sliders that are drawn, editors that draw their text, fields in shadow roots."""

import pytest

from browserx import DomService, NotActionableError, Verdict
from tests.conftest import See
from tests.e2e.test_acting import find

#: A slider as component libraries have it: the native one is clipped away in the thumb, which moves with it.
SLIDER = """<style>#rail { position: relative; width: 300px; height: 4px; background: #ccc; margin: 30px }
    #thumb { position: absolute; top: -8px; left: 30%; width: 20px; height: 20px; background: #06c; border-radius: 50% }
    #thumb input { position: absolute; clip: rect(0 0 0 0); width: 100%; height: 100%; margin: -1px }</style>
    <div id=rail><span id=thumb><input id=i type=range aria-label=Volume value=30></span></div><script>
    const put = (v) => { i.value = v; thumb.style.left = i.value + '%'; };
    i.oninput = () => put(i.value);
    thumb.onpointerdown = (e) => thumb.setPointerCapture(e.pointerId);
    thumb.onpointermove = (e) => { if (e.buttons) put((e.clientX - rail.getBoundingClientRect().x) / 3); };</script>"""

#: An editor that draws its text itself, and takes its keys in a field that nobody sees.
EDITOR = """<style>#e { width: 400px; border: 1px solid #888; font-family: monospace; position: relative }
    #keys { overflow: hidden; width: 3px; height: 0; position: relative }</style>
    <div id=e><div id=keys><textarea id=t style="position: absolute; outline: none"></textarea></div>
    <pre id=p tabindex=-1 style="min-height: 60px">first draft</pre></div><button>Run</button><script>
    let all = false; window.deaf = false;
    p.onmousedown = (e) => { e.preventDefault(); t.focus(); };
    t.onkeydown = (e) => { if (e.ctrlKey && e.key === 'a') all = true;
      if (e.key === 'Backspace') { p.textContent = all ? '' : p.textContent.slice(0, -1); all = false; } };
    t.oninput = () => { if (!deaf) p.textContent += t.value; t.value = ''; };</script>"""


async def test_a_slider_is_told_where_its_thumb_is_drawn(see: See) -> None:
    dom = await see(SLIDER)
    seen = await dom.observe()
    assert "slider Volume = 30 (0..100)" in seen.text
    assert len(seen.ids) == 1
    result = await dom.drag(seen.ids[0], offset=(90, 0))
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert 55 <= int(await dom.tab.evaluate("i.value")) <= 65
    await dom.observe()
    assert (await dom.type(seen.ids[0], "10")).success
    assert await dom.tab.evaluate("thumb.style.left") == "10%"


async def test_a_slider_in_nothing_that_can_be_seen_is_not_told(see: See) -> None:
    dom = await see(SLIDER.replace("background: #06c", "opacity: 0"))
    assert "slider" not in (await dom.observe()).text


async def test_an_editor_takes_text_in_its_field_for_keys(see: See) -> None:
    dom = await see(EDITOR)
    result = await dom.type(await find(dom, "first draft"), "query {\n  hello\n}")
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await dom.tab.evaluate("p.textContent") == "query {\n  hello\n}"
    await dom.type(await find(dom, "hello"), " # more", clear=False)
    assert await dom.tab.evaluate("p.textContent") == "query {\n  hello\n} # more"


async def test_an_editor_that_does_not_show_the_text_has_not_taken_it(see: See) -> None:
    dom = await see(EDITOR)
    await dom.tab.evaluate("window.deaf = true")
    result = await dom.type(await find(dom, "first draft"), "new words")
    assert not result.success
    assert result.error is not None
    assert "does not show the text" in result.error.message


async def test_what_has_no_field_for_keys_takes_no_text(see: See) -> None:
    dom = await see("<div onclick='0' style='width:200px'>Card</div><input aria-label=Other><button>Push</button>")
    for words in ("clickable", "Push"):
        with pytest.raises(NotActionableError, match="takes no text"):
            await dom.type(await find(dom, words), "words")


#: A form whose field and button are components: their native parts are in shadow roots, and in no form themselves.
FORM = """<form id=f><x-field></x-field>{0}</form><script>
    customElements.define('x-field', class extends HTMLElement {{ constructor() {{ super();
      this.attachShadow({{mode: '{1}'}}).innerHTML = '<input aria-label=Name>';
      this.shadowRoot?.firstChild.addEventListener('keydown', (e) => e.key === 'Enter' && f.requestSubmit()); }} }});
    customElements.define('x-button', class extends HTMLElement {{ constructor() {{ super(); this.type = 'submit';
      this.attachShadow({{mode: 'open'}}).innerHTML = '<button>Send</button>'; this.onclick = () => f.requestSubmit(); }} }});
    window.sent = 0; f.onsubmit = (e) => {{ e.preventDefault(); sent++; }};</script>"""


@pytest.mark.parametrize(("button", "mode"), [("", "open"), ("<x-button type=submit></x-button>", "closed")])
async def test_a_form_of_components_is_sent(see: See, button: str, mode: str) -> None:
    dom = await see(FORM.format(button, mode))
    result = await dom.submit(await find(dom, "Name"))
    assert result.success
    assert await dom.tab.evaluate("sent") == 1


async def found_as(dom: DomService, role: str, name: str) -> list[str]:
    return [one.role for one in await dom.find(name, role=role)]


async def test_what_is_found_goes_by_the_word_the_outline_has_for_it(see: See) -> None:
    dom = await see("""<ul><li onclick="0" style="cursor:pointer">Bulgaria</li></ul><div contenteditable>Dear all</div>
        <input type=color aria-label=Paint>""")
    seen = await dom.observe()
    assert "clickable Bulgaria" in seen.text
    assert await found_as(dom, "clickable", "Bulgaria") == ["clickable"]
    assert await found_as(dom, "textbox", "") == ["textbox"]
    assert await found_as(dom, "color", "Paint") == ["color"]
    assert await found_as(dom, "ColorWell", "Paint") == ["color"]


async def test_an_overlay_that_fades_in_a_shadow_root_is_waited_for(see: See) -> None:
    dom = await see("""<button onclick="this.textContent = 'Deleted'">Delete</button><div id=h></div><script>
        const root = h.attachShadow({mode: 'open'});
        root.innerHTML = '<div style="position:fixed;inset:0;background:#fffa"><button>Close</button></div>';
        root.querySelector('button').onclick = () => root.firstChild.animate({ opacity: [1, 0] }, 600)
          .finished.then(() => root.firstChild.remove());</script>""")
    assert (await dom.click(await find(dom, "Close"))).verdict is Verdict.CHANGED
    assert (await dom.click(await find(dom, "Delete"))).success
    assert "Deleted" in (await dom.observe()).text
