"""What people do with controls besides pressing them, and what is asked of a page: to the same effect by every engine."""

import io
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from browserx import (
    BrowserXError,
    ContentService,
    InvalidArgumentError,
    NodeNotFoundError,
    NoSnapshotError,
    NotActionableError,
    NotSupportedError,
    OperationTimeoutError,
    Verdict,
)
from browserx.content import PlaywrightDriver
from browserx.content.files import MOST_BYTES
from tests.contract.conftest import Drive
from tests.contract.engines import Page, Service, Window
from tests.contract.test_acting import node
from tests.web import Site

#: The page's own witness of what it got.
SAY = "<output id=o>nothing yet</output><script>const say = (t) => { o.textContent += ' ' + t; };</script>"


async def said(page: Page) -> str:
    return str(await page.run("o.textContent"))


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader, grüße")
    return path


# dragging

CARDS = """<div id=a draggable=true style="width:80px;height:40px">Card</div>
    <div id=z role=button aria-label=Bin style="width:200px;height:100px;margin-top:60px">Bin</div>
    <div id=n role=button aria-label=Wall style="width:200px;height:60px">Wall</div>"""


async def test_data_is_dragged_and_dropped(drive: Drive) -> None:
    page = await drive(f"""{SAY}{CARDS}<script>
        a.addEventListener('dragstart', e => {{ e.dataTransfer.setData('text/plain', 'the card'); e.dataTransfer.effectAllowed = 'move'; }});
        a.addEventListener('dragend', e => say('ended ' + e.dataTransfer.dropEffect));
        z.addEventListener('dragenter', e => e.preventDefault());
        z.addEventListener('dragover', e => {{ e.preventDefault(); e.dataTransfer.dropEffect = 'move'; }});
        z.addEventListener('drop', e => {{ e.preventDefault(); say('dropped ' + e.dataTransfer.getData('text/plain')); }});
        n.addEventListener('drop', e => say('never'))</script>""")
    card = await node(page, "Card")
    result = await page.dom.drag(card, await node(page, "Bin"))
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert "dropped the card ended move" in await said(page)
    # Where nobody takes it, it is not dropped.
    await page.dom.drag(card, await node(page, "Wall"))
    assert (await said(page)).endswith("ended none")


KNOB = """<div id=k role=slider tabindex=0 aria-label=Knob style="position:relative;width:30px;height:30px;background:red">
    </div>"""


async def test_the_pointer_drags(drive: Drive) -> None:
    page = await drive(f"""{SAY}{KNOB}<script>let from = null;
        k.addEventListener('pointerdown', e => {{ from = e.clientX; k.setPointerCapture(e.pointerId); }});
        k.addEventListener('pointermove', e => {{ if (from !== null) k.style.left = e.clientX - from + 'px'; }});
        k.addEventListener('pointerup', e => {{ say('moved by ' + Math.round(e.clientX - from)); from = null; }})</script>""")
    result = await page.dom.drag(await node(page, "Knob"), offset=(120, 0))
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert "moved by 120" in await said(page)
    assert await page.run("k.style.left") == "120px"
    assert await page.run("Element.prototype.setPointerCapture.toString().includes('native code')")


async def test_the_mouse_drags_from_list_to_list_in_a_frame(drive: Drive) -> None:
    page = await drive(
        """<iframe style="width:500px;height:300px;margin:30px" srcdoc="<ul id=l><li tabindex=0 id=one>One</li><li tabindex=0>Two</li>
        <li tabindex=0>Three</li></ul><script>
        let held = null;
        l.onmousedown = (e) => { held = e.target.closest('li'); e.preventDefault(); };
        document.onmousemove = (e) => { const over = e.target.closest('li'); if (held && over && over !== held) over.after(held); };
        document.onmouseup = () => { held = null; };
        </script>"></iframe>"""
    )
    result = await page.dom.drag(await node(page, "One"), await node(page, "Three"))
    assert result.success
    assert await page.run("frames[0].document.getElementById('l').lastElementChild.id") == "one"


async def test_a_drag_has_one_end(drive: Drive) -> None:
    page = await drive("<button>a</button><button>b</button><div style='height:3000px'></div><button>far</button>")
    a, b = (await page.dom.observe()).ids
    with pytest.raises(InvalidArgumentError, match="element to drop on, or an offset"):
        await page.dom.drag(a)
    await page.dom.observe()
    with pytest.raises(InvalidArgumentError, match="element to drop on, or an offset"):
        await page.dom.drag(a, b, offset=(1, 1))
    far = (await page.dom.observe(viewport_only=False)).ids[-1]
    with pytest.raises(NotActionableError, match="in view at once"):
        await page.dom.drag(a, far)
    await page.dom.observe()
    await page.run("document.querySelectorAll('button')[1].remove()")
    with pytest.raises(NodeNotFoundError) as raised:
        await page.dom.drag(a, b)
    assert raised.value.node_id == b


# files


async def test_files_are_given_to_a_field_or_what_stands_for_it(drive: Drive, letter: Path, tmp_path: Path) -> None:
    picture = tmp_path / "dot.png"
    picture.write_bytes(bytes(range(256)))
    page = await drive(f"""{SAY}<input type=file id=f aria-label=Letter><label>Pictures<input type=file id=g multiple hidden></label>
        <script>f.addEventListener('change', async () => say('got ' + f.files[0].name + ': ' + await f.files[0].text()));
        g.addEventListener('change', async () => say([...g.files].map(f => f.name + ' ' + f.type + ' ' + f.size)
          + ' ' + new Uint8Array(await g.files[0].arrayBuffer())[255]));</script>""")
    result = await page.dom.upload(await node(page, "Letter"), [letter])
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    await page.dom.wait_for(text="got letter.txt: Dear reader, grüße")
    result = await page.dom.upload((await page.dom.find("Pictures"))[0].node_id, [picture, letter])
    assert result.success
    await page.dom.wait_for(text="dot.png image/png 256,letter.txt text/plain 20 255")


async def test_a_button_that_asks_for_files_is_given_them(drive: Drive, letter: Path) -> None:
    page = await drive(f"""{SAY}<input type=file id=f style="display:none"><button id=b>Attach</button><div><button id=c>Add</button></div>
        <script>b.onclick = () => f.click(); f.onchange = () => say('got ' + f.files[0].name);
        c.onclick = () => {{ document.querySelector('input')?.remove(); const made = document.createElement('input'); made.type = 'file';
          made.onchange = () => say('made got ' + made.files.length); made.click(); }};</script>""")
    assert (await page.dom.upload(await node(page, "Attach"), [letter])).success
    assert "got letter.txt" in await said(page)
    add = await node(page, "Add")
    await page.run("f.remove()")
    await page.dom.observe()
    assert (await page.dom.upload(add, str(letter))).success
    assert "made got 1" in await said(page)
    assert await page.run("!Object.hasOwn(HTMLInputElement.prototype, 'click')")


async def test_what_cannot_be_uploaded_is_said(
    drive: Drive, engine: str, letter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await drive("<div><input type=file aria-label=One></div><input type=file disabled aria-label=Off>")
    one, off = (await page.dom.observe()).ids
    for files, words in (
        ([tmp_path / "missing"], "no file that is there"),
        ([letter] * 2, "one file"),
        ([], "no files"),
    ):
        with pytest.raises(InvalidArgumentError, match=words):
            await page.dom.upload(one, files)
        await page.dom.observe()
    with pytest.raises(NotActionableError) as raised:
        await page.dom.upload(off, [letter])
    assert raised.value.reason == "disabled"
    await page.run("document.body.innerHTML = '<button>Plain</button>'; 1")
    with pytest.raises(NotActionableError, match="did not ask for files"):
        await page.dom.upload(await node(page, "Plain"), [letter])
    if engine != "cdp":
        monkeypatch.setattr("browserx.content.files.MOST_BYTES", 3)
        with pytest.raises(InvalidArgumentError, match="too much to hand in"):
            await page.dom.upload(await node(page, "Plain"), [letter])
    assert MOST_BYTES > 1_000_000


# forms


async def test_a_form_is_sent_by_its_button_or_by_enter(drive: Drive) -> None:
    page = await drive(f"""{SAY}<form id=g><input aria-label=First><button>Go</button></form>
        <form id=e><input aria-label=Second></form><input aria-label=Alone><form><div tabindex=0>Empty</div></form><script>
        g.addEventListener('submit', e => {{ e.preventDefault(); say('sent by ' + e.submitter.textContent); }});
        e.addEventListener('submit', e => {{ e.preventDefault(); say('sent by Enter'); }})</script>""")
    assert (await page.dom.submit(await node(page, "First"))).success
    assert (await said(page)).endswith("sent by Go")
    assert (await page.dom.submit(await node(page, "Second"))).success
    assert (await said(page)).endswith("sent by Enter")
    with pytest.raises(NotActionableError, match="no form"):
        await page.dom.submit(await node(page, "Alone"))
    with pytest.raises(NotActionableError, match="no button and no field"):
        await page.dom.submit(await node(page, "Empty"))


MENU = """<button id=b aria-haspopup=listbox onclick="l.hidden = !l.hidden">Size</button>
    <ul id=l role=listbox hidden><li role=option tabindex=-1>Small</li><li role=option tabindex=-1>Large</li></ul><script>
    for (const li of l.children) li.onclick = () => { b.textContent = 'Size: ' + li.textContent; l.hidden = true; };</script>"""
CITIES = """<input id=i role=combobox aria-label=City aria-expanded=false><div id=found></div><script>
    const cities = ['Rome', 'Oslo', 'Lima', 'Ottawa'];
    i.oninput = () => { found.innerHTML = cities.filter(c => i.value && c.toLowerCase().startsWith(i.value.toLowerCase()))
        .map(c => `<div role=option tabindex=-1>${c}</div>`).join('');
        for (const one of found.children) one.onclick = () => { i.value = one.textContent; found.innerHTML = ''; }; };</script>"""


async def test_a_choice_is_made_in_lists_of_any_kind(drive: Drive) -> None:
    page = await drive(f"<select aria-label=Native><option>One<option>Two</select>{MENU}{CITIES}<button>Plain</button>")
    assert (await page.dom.choose(await node(page, "Native"), "Two")).verdict is Verdict.CHANGED
    assert (await page.dom.choose(await node(page, "Size"), "large")).success
    assert (await page.dom.choose(await node(page, "City"), "Oslo")).success
    text = (await page.dom.observe()).text
    for words in ("Native = Two", "Size: Large", "City = Oslo"):
        assert words in text
    with pytest.raises(InvalidArgumentError, match="it offers: Small, Large"):
        await page.dom.choose(await node(page, "Size"), "Huge")
    with pytest.raises(InvalidArgumentError, match="it offers: One, Two"):
        await page.dom.choose(await node(page, "Native"), "Three")
    with pytest.raises(NotActionableError, match="no choices came"):
        await page.dom.choose(await node(page, "Plain"), "Anything")


async def test_a_form_is_filled_in_up_to_what_does_not_fit(drive: Drive, letter: Path) -> None:
    page = await drive("""<input aria-label=Name><label><input type=checkbox> News</label><input type=file aria-label=Letter>
        <select aria-label=Plan><option>Free<option>Paid</select><input type=date aria-label=Day><input aria-label=Rest>""")
    name, news, file, plan, day, rest = (await page.dom.observe()).ids
    done = await page.dom.fill_form({name: "Ada", news: True, file: [letter], plan: "Paid", day: "2026-11-22"})
    assert done.success, done
    held = "[...document.querySelectorAll('input, select')].map(e => e.type == 'checkbox' ? e.checked : e.value).join()"
    assert await page.run(held) == "Ada,true,C:\\fakepath\\letter.txt,Paid,2026-11-22,"
    await page.dom.observe()
    done = await page.dom.fill_form({news: False, plan: "no such", rest: "never"})
    assert [(field.node_id, bool(field.error)) for field in done.fields] == [(news, False), (plan, True)]
    assert not done.success
    assert await page.run(held) == "Ada,false,C:\\fakepath\\letter.txt,Paid,2026-11-22,"
    with pytest.raises(InvalidArgumentError, match="no fields"):
        await page.dom.fill_form({})


CALENDAR = """<input id=i readonly aria-label=Departure><div id=c hidden></div><script>
    let at = new Date(2026, 9, 1);
    const names = 'January February March April May June July August September October November December'.split(' ');
    const draw = () => {
        const days = new Date(at.getFullYear(), at.getMonth() + 1, 0).getDate();
        c.innerHTML = `<button id=p>Previous month</button><b>${names[at.getMonth()]} ${at.getFullYear()}</b><button id=n>Next month</button>`
          + [...Array(days).keys()].map(d => `<button class=d>${d + 1}</button>`).join('');
        p.onclick = () => { at.setMonth(at.getMonth() - 1); draw(); };
        n.onclick = () => { at.setMonth(at.getMonth() + 1); draw(); };
        for (const d of c.querySelectorAll('.d')) d.onclick = () => {
            i.value = `${d.textContent}/${at.getMonth() + 1}/${at.getFullYear()}`; c.hidden = true; };
    };
    i.onclick = () => { draw(); c.hidden = false; };</script>"""


async def test_a_date_is_picked_in_a_field_by_typing_or_in_a_calendar(drive: Drive) -> None:
    page = await drive(
        f"<input type=date aria-label=Native><input placeholder='dd.mm.yyyy' aria-label=Typed>{CALENDAR}"
    )
    for name in ("Native", "Typed", "Departure"):
        assert (await page.dom.pick_date(await node(page, name), "2026-11-05")).success
    assert await page.run("[...document.querySelectorAll('input')].map(e => e.value).join()") == (
        "2026-11-05,05.11.2026,5/11/2026"
    )
    with pytest.raises(InvalidArgumentError, match="no date"):
        await page.dom.pick_date(await node(page, "Native"), "tomorrow")


# waiting, and what is asked


async def test_waiting_ends_with_what_is_waited_for(drive: Drive) -> None:
    page = await drive("""<p id=p>Loading</p><button disabled>Go</button><input aria-label=F><script>
        setTimeout(() => { p.textContent = 'Ready'; document.querySelector('button').disabled = false; }, 500);
        setTimeout(() => { document.querySelector('input').value = 'x'; history.pushState(0, '', '#done'); }, 900);</script>""")
    assert (await page.dom.wait_for(text="Ready", timeout_s=20)).success
    go, field = (await page.dom.observe()).ids
    await page.dom.wait_for(node_id=go, state="enabled", timeout_s=20)
    assert (await page.dom.wait_for(url="#done", timeout_s=20)).success
    assert (await page.dom.wait_for(node_id=field, value="x", timeout_s=20)).success
    waited = await page.dom.wait_for(gone="Loading")
    assert (waited.success, waited.verdict, waited.snapshot_invalidated) == (True, Verdict.NO_EFFECT, True)
    with pytest.raises(OperationTimeoutError, match="'Never' is not on the page"):
        await page.dom.wait_for(text="Never", timeout_s=0.3)
    with pytest.raises(InvalidArgumentError, match="nothing is expected"):
        await page.dom.wait_for()


SHOP = """<h1>Order 17</h1><p>Total: 1.234,50 EUR</p><dl><dt>Status</dt><dd>Shipped</dd></dl>
    <table><tr><th>Item</th><th>Unit price</th></tr><tr><td>Tea</td><td>$4.50</td></tr><tr><td>Cup</td><td>$12</td></tr></table>
    <label>Name <input value="Ada"></label><button>Cancel order</button>"""


async def test_what_is_wanted_is_found_read_and_extracted(drive: Drive) -> None:
    dom = (await drive(SHOP)).dom
    first, *_ = await dom.find("order")
    assert (first.role, first.name, first.actionable) == ("button", "Cancel order", True)
    assert await dom.read(first.node_id) == "Cancel order"
    assert "Total: 1.234,50 EUR" in await dom.read()
    assert await dom.extract() == [[{"Item": "Tea", "Unit price": "$4.50"}, {"Item": "Cup", "Unit price": "$12"}]]
    shape: dict[str, Any] = {"total": {"type": "number"}, "status": {}, "name": {}, "coupon": {}}
    told = await dom.extract({"type": "object", "properties": shape})
    assert told == {"total": 1234.5, "status": "Shipped", "name": "Ada", "coupon": None}
    with pytest.raises(InvalidArgumentError, match="text to find"):
        await dom.find()
    with pytest.raises(NodeNotFoundError):
        await dom.read("999")
    with pytest.raises(NodeNotFoundError):
        await dom.extract(scope="999")


async def test_a_selector_finds_an_element_again(drive: Drive) -> None:
    page = await drive(
        """<button>One</button><button>Two</button><div id=host></div><iframe srcdoc="<button id=in>Framed</button>"></iframe>
        <script>host.attachShadow({mode: 'open'}).innerHTML = '<button>Rooted</button>'</script>"""
    )
    for name in ("Two", "Rooted", "Framed"):
        node_id = await node(page, name)
        assert await page.dom.locate(await page.dom.selector(node_id)) == node_id
    assert await page.dom.locate('role=button[name="Two"]') == await node(page, "Two")
    with pytest.raises(NodeNotFoundError, match="2 elements fit"):
        await page.dom.locate("button")
    with pytest.raises(NodeNotFoundError, match="nothing on the page fits"):
        await page.dom.locate("#none")
    for wrong in ("", "a[["):
        with pytest.raises(InvalidArgumentError, match="selector"):
            await page.dom.locate(wrong)
    with pytest.raises(NodeNotFoundError):
        await page.dom.selector(999)


async def test_messages_are_told_as_errors_and_successes(drive: Drive) -> None:
    page = await drive("""<div role=alert id=a></div><button onclick="a.textContent = 'The code is wrong'">Check</button>
        <button onclick="document.body.append('Saved successfully')">Save</button>""")
    check = await page.dom.click(await node(page, "Check"))
    saved = await page.dom.click(await node(page, "Save"))
    assert check.changes is not None
    assert saved.changes is not None
    assert (check.changes.errors, saved.changes.successes) == (["The code is wrong"], ["Saved successfully"])


async def test_what_was_drawn_anew_under_another_name_is_healed(drive: Drive) -> None:
    page = await drive("<main><h2>Cart</h2><button>Go to checkout</button></main><nav><a href='#x'>Home</a></nav>")
    old = await node(page, "Go to checkout")
    await page.run(
        "document.querySelector('main').innerHTML = '<h2>Cart</h2><button>Go to checkout now</button>';"
        "document.querySelector('button').onclick = () => { document.title = 'hit' }; 1"
    )
    result = await page.dom.click(old)
    assert result.success
    assert result.healed is not None
    assert (result.healed.from_, await page.run("document.title")) == (old, "hit")


# pictures, prints, dialogs


async def test_pictures_of_the_viewport_the_page_and_one_element(drive: Drive, engine: str) -> None:
    page = await drive(
        "<div style='height:1500px'></div><button style='width:120px;height:50px;background:#0f0;border:0'>Go</button>"
    )
    viewport = _picture(await page.dom.screenshot())
    assert viewport.format == "PNG"
    assert viewport.width == await page.run("innerWidth")
    (go,) = (await page.dom.observe(viewport_only=False)).ids
    alone = _picture(await page.dom.screenshot(node_id=go))
    assert alone.size == (120, 50)
    assert alone.convert("RGB").getpixel((3, 3)) == (0, 255, 0)
    assert _picture(await page.dom.screenshot(format="jpeg", quality=50)).format == "JPEG"
    annotated = await page.dom.screenshot(annotated=True)
    assert annotated != await page.dom.screenshot()
    if engine == "selenium":
        with pytest.raises(NotSupportedError, match="viewport only"):
            await page.dom.screenshot(full_page=True)
    else:
        assert _picture(await page.dom.screenshot(full_page=True)).height >= 1550
    with pytest.raises(InvalidArgumentError, match="one element"):
        await page.dom.screenshot(node_id=go, full_page=True)
    with pytest.raises(InvalidArgumentError, match="quality"):
        await page.dom.screenshot(quality=50)
    with pytest.raises(NodeNotFoundError):
        await page.dom.screenshot(node_id=9999)
    await page.run("document.querySelector('button').hidden = true")
    await page.run("document.querySelector('button').style.display = 'none'")
    with pytest.raises(NotActionableError) as raised:
        await page.dom.screenshot(node_id=go)
    assert raised.value.reason == "hidden"


def _picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


async def test_a_page_is_printed(drive: Drive) -> None:
    page = await drive("<h1>Bill</h1>")
    printed = await page.dom.pdf(paper="a5", landscape=True, background=True, margins=(0.5, 1, 0.5, 1))
    assert printed.startswith(b"%PDF-")
    with pytest.raises(InvalidArgumentError, match="no paper"):
        await page.dom.pdf(paper="napkin")


class _Bare:
    """A driver of somebody's own: it evaluates, and that is all."""

    def __init__(self, page: Page) -> None:
        assert isinstance(page.dom, ContentService)
        self.evaluate = page.dom.driver.evaluate

    async def close(self) -> None:
        """Nothing to let go of."""


async def test_a_driver_that_can_only_evaluate_says_what_it_cannot_do(by_content: Drive) -> None:
    page = await by_content("<button>Go</button>")
    dom = ContentService(_Bare(page))
    assert "Go" in (await dom.observe()).text
    for call in (dom.screenshot, dom.pdf, lambda: dom.answer_dialog(True)):
        with pytest.raises(NotSupportedError, match=r"_Bare .*use the CDP engine"):
            await call()
    await dom.detach()


async def test_a_dialog_is_told_and_answered(by_content: Drive, engine: str) -> None:
    page = await by_content("<button onclick=\"document.title = prompt('Your name?', 'Bob')\">Go</button>")
    assert isinstance(page.dom, ContentService)
    go = await node(page, "Go")
    with pytest.raises(NotActionableError, match="no dialog is open"):
        await page.dom.answer_dialog(True)
    result = await page.dom.click(go)
    assert result.verdict is Verdict.OPENED
    seen = await page.dom.observe()
    assert seen.dialog is not None
    assert seen.dialog.text == "Your name?"
    if engine != "selenium":  # which does not tell of which kind it is
        assert (seen.dialog.kind, seen.dialog.default_text) == ("prompt", "Bob")
    with pytest.raises(BrowserXError):
        await page.dom.screenshot()
    answered = await page.dom.answer_dialog(True, "Ada")
    assert answered.text == "Your name?"
    assert await page.run("document.title") == "Ada"


async def test_playwright_answers_dialogs_by_itself_when_it_is_let(
    windows: Callable[[str], Awaitable[Window]], site: Site
) -> None:
    kept = (await windows("playwright")).driver
    assert isinstance(kept, PlaywrightDriver)
    browser = kept.page.context.browser  # type: ignore[attr-defined]
    other = await browser.new_page()
    await other.goto(site.page("<button onclick=\"document.title = confirm('Sure?')\">Go</button>"))
    dom = ContentService(PlaywrightDriver(other))
    assert (await dom.click((await dom.observe()).ids[0])).success
    assert await other.title() == "false"
    with pytest.raises(NotSupportedError, match="leave_dialogs"):
        await dom.answer_dialog(True)
    await dom.detach()
    await other.close()


# bad targets

Act = Callable[[Service, str, Path], Awaitable[Any]]
ACTIONS: dict[str, tuple[str, Act]] = {
    "click": ("<button id=t>Target</button>", lambda dom, i, _: dom.click(i)),
    "hover": ("<button id=t>Target</button>", lambda dom, i, _: dom.hover(i)),
    "focus": ("<input id=t aria-label=Target>", lambda dom, i, _: dom.focus(i)),
    "blur": ("<input id=t aria-label=Target>", lambda dom, i, _: dom.blur(i)),
    "type": ("<input id=t aria-label=Target>", lambda dom, i, _: dom.type(i, "words")),
    "check": ("<input type=checkbox id=t aria-label=Target>", lambda dom, i, _: dom.check(i)),
    "select": (
        "<select id=t aria-label=Target><option>a<option>b</select>",
        lambda dom, i, _: dom.select_option(i, label="b"),
    ),
    "choose": ("<select id=t aria-label=Target><option>a<option>b</select>", lambda dom, i, _: dom.choose(i, "b")),
    "date": ("<input type=date id=t aria-label=Target>", lambda dom, i, _: dom.pick_date(i, "2026-11-22")),
    "drag": ("<button id=t>Target</button>", lambda dom, i, _: dom.drag(i, offset=(30, 0))),
    "upload": ("<input type=file id=t aria-label=Target>", lambda dom, i, file: dom.upload(i, [file])),
    "submit": ("<form onsubmit='return false'><button id=t>Target</button></form>", lambda dom, i, _: dom.submit(i)),
}
POINTER = {"click", "hover", "check", "drag", "submit"}
#: What may be done to what nobody can use: looking at it closer, or leaving it.
NEED_NOT_BE_ENABLED = {"hover", "blur", "drag"}
COUNT = """<script>window.heard = 0; for (const type of ["click", "input", "change", "submit", "drop"])
    addEventListener(type, (e) => { if (e.target === window.t || e.target.contains?.(window.t)) heard++; }, true);</script>"""


async def refused(page: Page, name: str, node_id: str, letter: Path) -> BrowserXError:
    """The error it ends with; nothing was done, and whatever came of it, the next look is asked for."""
    with pytest.raises(BrowserXError) as caught:
        await ACTIONS[name][1](page.dom, node_id, letter)
    assert page.dom.current_snapshot is None
    return caught.value


@pytest.mark.parametrize("name", ACTIONS)
async def test_what_is_not_fit_is_not_acted_on(drive: Drive, letter: Path, name: str) -> None:
    """Never was, hidden, covered, disabled, gone: one page each, to be quick."""
    body, _ = ACTIONS[name]
    page = await drive(f"<div>{body}</div>{COUNT}")
    with pytest.raises(NoSnapshotError):
        await ACTIONS[name][1](page.dom, "1", letter)

    async def target() -> str:
        text = (await page.dom.observe()).text
        return next(line for line in text.splitlines() if "Target" in line).split()[0]

    node_id = await target()
    assert isinstance(await refused(page, name, "4711", letter), NodeNotFoundError)
    # What is hidden, covered or disabled after it was seen.
    if name != "upload":
        node_id = await target()
        await page.run("void (t.style.display = 'none')")
        assert _reason(await refused(page, name, node_id, letter)) == "hidden"
        await page.run("void (t.style.display = '')")
    if name in POINTER:
        node_id = await target()
        await page.run(
            "document.body.insertAdjacentHTML('beforeend', '<div id=veil style=\"position:fixed;inset:0;background:#fff\">Veil</div>')"
        )
        assert _reason(await refused(page, name, node_id, letter)) == "covered"
        await page.run("veil.remove()")
    if name not in NEED_NOT_BE_ENABLED:
        node_id = await target()
        await page.run("void (t.disabled = true)")
        error = await refused(page, name, node_id, letter)
        assert _reason(error) in ("disabled", "no_form"), error
        await page.run("void (t.disabled = false)")
    node_id = await target()
    await page.run("t.remove()")
    assert isinstance(await refused(page, name, node_id, letter), NodeNotFoundError)
    assert await page.run("window.heard") == 0


def _reason(error: BrowserXError) -> str:
    return error.reason if isinstance(error, NotActionableError) else repr(error)


@pytest.mark.parametrize("name", sorted(ACTIONS.keys() - {"check", "select", "choose", "type", "date", "upload"}))
async def test_a_frame_of_another_origin_is_not_acted_on(
    by_content: Drive, site: Site, letter: Path, name: str
) -> None:
    site.page("<button>Inside</button>", path="/inner")
    page = await by_content(f'<form><iframe title="Pay" tabindex="0" src="{site.other("/inner")}"></iframe></form>')
    snapshot = await page.dom.get_snapshot()
    (frame,) = [i for i, n in enumerate(snapshot.page.tree.nodes) if n.tag == "iframe"]
    error = await refused(page, name, snapshot.node_id(frame), letter)
    assert _reason(error) == "cross_origin"


async def test_what_is_in_a_closed_root_is_not_there(by_content: Drive) -> None:
    page = await by_content(
        """<button>Outside</button><fancy-box></fancy-box><script>customElements.define("fancy-box", class extends HTMLElement {
        connectedCallback() { this.attachShadow({mode: "closed"}).innerHTML = "<button>Unreachable</button>"; } });</script>"""
    )
    assert await page.dom.find("Unreachable") == []
    assert "closed shadow root" in await page.dom.read()
    with pytest.raises(OperationTimeoutError):
        await page.dom.wait_for(text="Unreachable", timeout_s=0.2)
