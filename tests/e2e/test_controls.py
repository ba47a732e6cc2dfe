"""What people do with controls besides pressing them, in a top page, a frame of another site and a closed shadow root."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from browserx import (
    DomService,
    InvalidArgumentError,
    NodeNotFoundError,
    NotActionableError,
    OperationTimeoutError,
    Verdict,
)
from tests.conftest import See
from tests.e2e.test_acting import find
from tests.web import Site

Place = Callable[[str], Awaitable[DomService]]

#: The page's own witness of what it got: the text of its output.
SAY = "<output id=o>nothing yet</output><script>const say = (t) => { o.textContent = t; };</script>"


@pytest.fixture(params=["top", "frame", "closed"])
def place(request: pytest.FixtureRequest, see: See, site: Site) -> Place:
    """Puts a piece of a page into each kind of place."""

    async def put(body: str) -> DomService:
        if request.param == "frame":
            site.page(body, path="/piece")
            return await see(f"<h1>Around</h1><iframe width=900 height=600 src='{site.other('/piece')}'></iframe>")
        if request.param == "closed":
            script = re.compile("<script>(.*?)</script>", re.DOTALL)
            return await see(
                f"<template id=t>{script.sub('', body)}</template><div id=h></div><script>"
                "const root = h.attachShadow({mode: 'closed'}); root.append(t.content.cloneNode(true));"
                "for (const el of root.querySelectorAll('[id]')) window[el.id] = el;"
                f"{' '.join(script.findall(body))}</script>"
            )
        return await see(body)

    return put


async def says(dom: DomService, words: str) -> bool:
    return words in (await dom.observe(viewport_only=False)).text


async def test_hovering_shows_what_is_shown_on_hovering(place: Place) -> None:
    dom = await place(
        f"{SAY}<button id=b>Menu</button><script>b.addEventListener('mouseenter', () => say('hovered'))</script>"
    )
    result = await dom.hover(await find(dom, "Menu"))
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await says(dom, "hovered")


async def test_the_focus_comes_and_goes(place: Place) -> None:
    dom = await place(f"""{SAY}<input id=i aria-label=Name><script>
        i.addEventListener('focus', () => say('focused')); i.addEventListener('blur', () => say('left'))</script>""")
    assert (await dom.focus(await find(dom, "Name"))).verdict is Verdict.CHANGED
    assert await says(dom, "focused")
    assert (await dom.blur(await find(dom, "Name"))).success
    assert await says(dom, "left")


async def test_an_option_is_chosen_by_value_label_or_place(place: Place) -> None:
    dom = await place(f"""{SAY}<select id=s aria-label=City><option value=r>Rome<option value=o>Oslo<option value=l disabled>Lima
        </select><script>s.addEventListener('change', () => say('chose ' + s.value))</script>""")
    result = await dom.select_option(await find(dom, "City"), label="Oslo")
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await says(dom, "chose o")
    await dom.select_option(await find(dom, "City"), value="r")
    assert await says(dom, "chose r")
    await dom.select_option(await find(dom, "City"), index=1)
    assert await says(dom, "chose o")
    assert (await dom.select_option(await find(dom, "City"), label="oslo")).verdict is Verdict.NO_EFFECT
    with pytest.raises(InvalidArgumentError, match="Rome, Oslo, Lima"):
        await dom.select_option(await find(dom, "City"), label="Paris")
    with pytest.raises(NotActionableError, match="disabled"):
        await dom.select_option(await find(dom, "City"), label="Lima")
    with pytest.raises(NotActionableError, match="one option only"):
        await dom.select_option(await find(dom, "City"), label=["Rome", "Oslo"])


async def test_several_are_chosen_where_several_can_be(see: See) -> None:
    dom = await see("<select multiple aria-label=Many><option>One<option>Two<option>Three</select>")
    await dom.select_option(await find(dom, "Many"), label=["One", "Three"])
    assert await says(dom, "= One, Three")
    with pytest.raises(InvalidArgumentError, match="not several of them"):
        await dom.select_option(await find(dom, "Many"), label="One", value="Two")


async def test_boxes_and_switches_are_put_on_and_off(place: Place) -> None:
    dom = await place(f"""{SAY}<label><input type=checkbox id=c> News</label>
        <div role=switch aria-checked=false tabindex=0 id=w>Dark</div><script>
        c.addEventListener('change', () => say('box ' + c.checked));
        w.addEventListener('click', () => w.setAttribute('aria-checked', w.getAttribute('aria-checked') == 'false'))</script>""")
    assert (await dom.check(await find(dom, "News"))).verdict is Verdict.CHANGED
    assert await says(dom, "box true")
    assert (await dom.check(await find(dom, "News"))).verdict is Verdict.NO_EFFECT
    assert (await dom.uncheck(await find(dom, "News"))).success
    assert await says(dom, "box false")
    assert (await dom.check(await find(dom, "Dark"))).success
    assert await says(dom, "[x] Dark")


async def test_a_box_that_does_not_stay_on_is_no_success(see: See) -> None:
    dom = await see("<label><input type=checkbox onclick='return false'> Never</label><button>No box</button>")
    result = await dom.check(await find(dom, "Never"))
    assert not result.success
    assert result.error is not None
    assert "not checked" in result.error.message
    with pytest.raises(NotActionableError, match="nothing that can be checked"):
        await dom.check(await find(dom, "No box"))


async def test_a_radio_cannot_be_taken_back(see: See) -> None:
    dom = await see("<label><input type=radio name=r checked> One</label><label><input type=radio name=r> Two</label>")
    with pytest.raises(NotActionableError, match="radio"):
        await dom.uncheck(await find(dom, "One"))
    await dom.check(await find(dom, "Two"))
    assert await says(dom, "[x] Two")


DND = """<div id=a draggable=true style="width: 80px; height: 40px">Card</div>
    <div id=z role=button aria-label=Bin style="width: 200px; height: 100px; margin-top: 60px">Bin</div>"""


async def test_data_is_dragged_and_dropped(place: Place) -> None:
    dom = await place(f"""{SAY}{DND}<script>
        a.addEventListener('dragstart', e => e.dataTransfer.setData('text/plain', 'the card'));
        z.addEventListener('dragover', e => e.preventDefault());
        z.addEventListener('drop', e => {{ e.preventDefault(); say('dropped ' + e.dataTransfer.getData('text/plain')); }})</script>""")
    card = await find(dom, "Card")
    result = await dom.drag(card, await find(dom, "Bin"))
    assert result.success
    assert await says(dom, "dropped the card")


async def test_the_pointer_drags(place: Place) -> None:
    dom = await place(f"""{SAY}<div id=k role=slider tabindex=0 aria-label=Knob style="position: relative; width: 30px; height: 30px; background: red">
        </div><script>let from = null;
        k.addEventListener('pointerdown', e => {{ from = e.clientX; k.setPointerCapture(e.pointerId); }});
        k.addEventListener('pointermove', e => {{ if (from !== null) k.style.left = e.clientX - from + 'px'; }});
        k.addEventListener('pointerup', e => {{ say('moved by ' + Math.round(e.clientX - from)); from = null; }})</script>""")
    result = await dom.drag(await find(dom, "Knob"), offset=(120, 0))
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await says(dom, "moved by 120")


async def test_dragging_needs_an_end(see: See) -> None:
    dom = await see("<button>a</button>")
    with pytest.raises(InvalidArgumentError, match="element to drop on, or an offset"):
        await dom.drag(await find(dom, "a"))


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader")
    return path


async def test_a_file_is_given_to_a_field(place: Place, letter: Path) -> None:
    dom = await place(f"""{SAY}<input type=file id=f aria-label=Letter><script>
        f.addEventListener('change', async () => say('got ' + f.files[0].name + ': ' + await f.files[0].text()))</script>""")
    result = await dom.upload(await find(dom, "Letter"), [letter])
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await says(dom, "got letter.txt: Dear reader")


async def test_a_file_is_given_to_what_is_hidden_behind_a_button(place: Place, letter: Path) -> None:
    dom = await place(f"""{SAY}<input type=file id=f style="display: none"><button id=b>Attach</button><script>
        b.addEventListener('click', () => f.click());
        f.addEventListener('change', () => say('got ' + f.files[0].name))</script>""")
    assert (await dom.upload(await find(dom, "Attach"), [letter])).success
    assert await says(dom, "got letter.txt")


async def test_what_cannot_be_uploaded_is_said(see: See, letter: Path, tmp_path: Path) -> None:
    dom = await see("<input type=file aria-label=One><button>Plain</button>")
    with pytest.raises(InvalidArgumentError, match="no file that is there"):
        await dom.upload(await find(dom, "One"), [tmp_path / "missing"])
    with pytest.raises(InvalidArgumentError, match="takes one file"):
        await dom.upload(await find(dom, "One"), [letter, letter])
    with pytest.raises(InvalidArgumentError, match="no files"):
        await dom.upload(await find(dom, "One"), [])
    with pytest.raises(NotActionableError, match="did not ask for files"):
        await dom.upload(await find(dom, "Plain"), [letter])


async def test_a_form_is_sent_by_its_button_or_by_enter(place: Place) -> None:
    dom = await place(f"""{SAY}<form id=g><input aria-label=First><button>Go</button></form>
        <form id=e><input aria-label=Second></form><script>
        g.addEventListener('submit', e => {{ e.preventDefault(); say('sent by ' + e.submitter.textContent); }});
        e.addEventListener('submit', e => {{ e.preventDefault(); say('sent by Enter'); }})</script>""")
    assert (await dom.submit(await find(dom, "First"))).success
    assert await says(dom, "sent by Go")
    assert (await dom.submit(await find(dom, "Second"))).success
    assert await says(dom, "sent by Enter")


async def test_what_is_in_no_form_cannot_be_sent(see: See) -> None:
    dom = await see("<input aria-label=Alone>")
    with pytest.raises(NotActionableError, match="no form"):
        await dom.submit(await find(dom, "Alone"))


# what is expected, and waiting for it


async def test_what_was_expected_is_checked(see: See) -> None:
    dom = await see(
        """<button onclick="setTimeout(() => o.textContent = 'All saved', 400)">Save</button><p id=o></p>"""
    )
    result = await dom.click(await find(dom, "Save"), expect={"text": "all saved"})
    assert result.expectation is not None
    assert result.expectation.passed
    result = await dom.click(await find(dom, "Save"), expect={"text": "something else"})
    assert result.expectation is not None
    assert not result.expectation.passed
    assert "'something else' is not on the page" in result.expectation.message
    with pytest.raises(InvalidArgumentError, match="nothing is expected"):
        await dom.click(await find(dom, "Save"), expect={})


async def test_value_state_and_address_are_expected_too(see: See) -> None:
    dom = await see("""<input aria-label=Code oninput="this.value = this.value.toUpperCase()">
        <label><input type=checkbox> Box</label><a href="#there">There</a>""")
    result = await dom.type(await find(dom, "Code"), "abc", expect={"value": "ABC"})
    assert result.expectation is not None
    assert result.expectation.passed
    result = await dom.click(await find(dom, "Box"), expect={"state": "unchecked"})
    assert result.expectation is not None
    assert not result.expectation.passed
    result = await dom.click(await find(dom, "There"), expect={"url": "*#there"})
    assert result.expectation is not None
    assert result.expectation.passed


async def test_waiting_ends_with_what_is_waited_for(see: See) -> None:
    dom = await see("""<p id=p>Loading</p><script>setTimeout(() => { p.textContent = 'Ready'; history.replaceState(0, '', '#done') }, 300)
        </script>""")
    await dom.wait_for(text="Ready")
    await dom.wait_for(gone="Loading", url="#done")
    with pytest.raises(OperationTimeoutError, match="'Never' is not on the page"):
        await dom.wait_for(text="Never", timeout_s=0.3)
    with pytest.raises(InvalidArgumentError, match="node_id"):
        await dom.wait_for(state="visible")


# what the page said of it


async def test_messages_are_told_as_errors_and_successes(see: See) -> None:
    dom = await see("""<button onclick="e.hidden = false">Fail</button><button onclick="s.textContent = 'Änderungen gespeichert'">Save</button>
        <button onclick="p.textContent = 'A new paragraph'">Read</button>
        <div role=alert id=e hidden>Name is required</div><div role=status id=s></div><p id=p></p>""")
    changes = (await dom.click(await find(dom, "Fail"))).changes
    assert changes is not None
    assert (changes.errors, changes.successes) == (["Name is required"], [])
    changes = (await dom.click(await find(dom, "Save"))).changes
    assert changes is not None
    assert (changes.errors, changes.successes) == ([], ["Änderungen gespeichert"])
    changes = (await dom.click(await find(dom, "Read"))).changes
    assert changes is not None
    assert (changes.errors, changes.successes) == ([], [])


async def test_a_status_that_is_read_out_at_once_is_no_error(see: See) -> None:
    dom = await see("""<button onclick="s.textContent = '3 results, use up and down arrow keys'">Find</button>
        <div role=status aria-live=assertive id=s></div>""")
    changes = (await dom.click(await find(dom, "Find"))).changes
    assert changes is not None
    assert changes.added_texts == ["3 results, use up and down arrow keys"]
    assert changes.errors == []


# what has taken over


async def test_what_was_drawn_anew_under_another_name_is_healed(see: See) -> None:
    dom = await see(
        """<h2>Cart</h2><div id=d><button onclick="r.textContent = 'paid'">Pay 10 euro</button></div><p id=r></p>"""
    )
    node_id = await find(dom, "Pay")
    await dom.tab.evaluate("""d.innerHTML = `<button onclick="r.textContent = 'paid'">Pay the 10 euro</button>`""")
    result = await dom.click(node_id)
    assert result.success
    assert result.healed is not None
    assert (result.healed.from_, result.healed.to != node_id, result.healed.confidence > 0.7) == (node_id, True, True)
    assert await says(dom, "paid")


async def test_nothing_is_healed_in_doubt(see: See) -> None:
    dom = await see("<div id=d><button>Delete the row</button></div>")
    node_id = await find(dom, "Delete")
    await dom.tab.evaluate("d.innerHTML = '<button>Delete the row</button><button>Delete the row</button>'")
    with pytest.raises(NodeNotFoundError, match=r"may be .* or .*: observe again and choose"):
        await dom.click(node_id)


async def test_another_number_is_another_thing(see: See) -> None:
    dom = await see("<div id=d><button>Delete row 1</button></div>")
    node_id = await find(dom, "Delete")
    await dom.tab.evaluate("d.innerHTML = '<button>Delete row 2</button>'")
    with pytest.raises(NodeNotFoundError):
        await dom.click(node_id)


async def test_a_list_that_loads_more_is_scrolled_to_its_end(see: See) -> None:
    dom = await see("""<style>li { height: 60px }</style><ul id=l></ul><script>let n = 0;
        const more = () => { for (let i = 0; i < 30 && n < 150; i++) l.insertAdjacentHTML('beforeend', `<li>Item ${++n}</li>`); };
        more(); addEventListener('scroll', () => {
            if (innerHeight + scrollY > document.body.scrollHeight - 50) setTimeout(more, 30); });</script>""")
    assert (await dom.scroll(until="end")).verdict is Verdict.CHANGED
    assert "Item 150" in (await dom.observe()).text
    assert (await dom.scroll(until="end")).verdict is Verdict.NO_EFFECT
