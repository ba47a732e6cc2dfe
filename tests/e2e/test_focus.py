"""What has the focus: typing into it, carets and selections, and the item that a list points at."""

import pytest

from browserx import DomService, NotActionableError, PageOptedOutError, Verdict
from tests.conftest import See
from tests.e2e.test_acting import find
from tests.web import Site

KINDS = {
    "text": "<input aria-label=Field value=one>",
    "email": "<input aria-label=Field type=email value=one>",
    "number": "<input aria-label=Field type=number value=1>",
    "textarea": "<textarea aria-label=Field>one\ntwo</textarea>",
    "editor": "<div aria-label=Field role=textbox contenteditable>one<p>two</p></div>",
    "shadow": """<x-f></x-f><script>customElements.define('x-f', class extends HTMLElement { constructor() { super()
        .attachShadow({mode: 'closed'}).innerHTML = '<input aria-label=Field value=one>'; } })</script>""",
}


@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_added_to_a_field_comes_after_what_it_holds(see: See, kind: str) -> None:
    dom = await see(KINDS[kind])
    added = "23" if kind == "number" else "more"
    before = {"number": "1", "textarea": "one\ntwo", "editor": "onetwo"}.get(kind, "one")
    result = await dom.type(await find(dom, "Field"), added, clear=False)
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert result.changes is not None
    assert result.changes.value_now == before + added


async def test_it_comes_after_it_also_when_the_caret_is_elsewhere(see: See) -> None:
    dom = await see("<input aria-label=Field value=one style='width:500px'>")
    await dom.click(await find(dom, "Field"), offset=(3, 10))
    await dom.type(await find(dom, "Field"), "two", clear=False)
    assert await dom.tab.evaluate("document.querySelector('input').value") == "onetwo"


async def test_a_field_that_takes_no_more_says_so(see: See) -> None:
    dom = await see("<input aria-label=Field value=one maxlength=3>")
    result = await dom.type(await find(dom, "Field"), "two", clear=False)
    assert (result.success, result.verdict) == (False, Verdict.NO_EFFECT)


async def test_typing_goes_to_the_caret_of_what_has_the_focus(see: See) -> None:
    dom = await see("<input id=a value=ad aria-label=A><input id=b aria-label=B>")
    await dom.focus(await find(dom, "A"))
    await dom.tab.evaluate("a.setSelectionRange(1, 1)")
    result = await dom.type(None, "--")
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert result.changes is not None
    assert result.changes.value_now == "a--d"
    result = await dom.type(None, "new\n", clear=True)
    assert await dom.tab.evaluate("[a.value, b.value]") == ["new", ""]


async def test_a_secret_that_is_typed_into_what_has_the_focus_is_not_told(see: See) -> None:
    dom = await see("<input type=password aria-label=Secret autofocus>")
    result = await dom.type(None, "hunter2")
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert "hunter2" not in str(result.to_dict())
    assert await dom.tab.evaluate("document.querySelector('input').value") == "hunter2"


async def test_an_editor_whose_field_nobody_sees(see: See) -> None:
    dom = await see("""<div style='position:relative'><textarea autofocus style='opacity:0;position:absolute;width:1px;height:1px'
        oninput="document.querySelector('p').textContent = this.value"></textarea><p>empty</p></div>""")
    result = await dom.type(None, "x = 1")
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert "x = 1" in (await dom.observe()).text


async def test_a_game_that_has_no_field_gets_the_keys(see: See) -> None:
    dom = await see("<p id=o></p><script>addEventListener('keydown', (e) => o.textContent += e.key)</script>")
    result = await dom.type(None, "crane\n")
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert await dom.tab.evaluate("o.textContent") == "craneEnter"
    silent = await see("<p>Nothing listens")
    assert (await silent.type(None, "crane")).verdict is Verdict.NO_EFFECT


async def test_what_can_only_be_read_takes_nothing(see: See) -> None:
    dom = await see("<input readonly value=x aria-label=A>")
    await dom.focus(await find(dom, "A"))
    with pytest.raises(NotActionableError, match="only be read"):
        await dom.type(None, "y")


async def test_a_page_that_is_to_be_left_alone_is(see: See) -> None:
    dom = await see("<input autofocus><p>x")
    await dom.tab.evaluate("document.body.setAttribute('data-no-ai', '')")
    with pytest.raises(PageOptedOutError):
        await dom.type(None, "y")
    assert await dom.tab.evaluate("document.querySelector('input').value") == ""


async def test_the_focus_may_be_in_a_frame_of_another_site(see: See, site: Site) -> None:
    inner = site.page("<input aria-label=Inner>").replace("localhost", "127.0.0.1")
    dom = await see(f"<iframe src='{inner}'></iframe>")
    await dom.click(await find(dom, "Inner"))
    result = await dom.type(None, "Ada")
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert result.changes is not None
    assert result.changes.value_now == "Ada"


async def _pressed(dom: DomService, key: str) -> Verdict:
    return (await dom.keypress(key)).verdict


async def test_a_selection_that_changed_is_a_change(see: See) -> None:
    for kind in KINDS:
        dom = await see(KINDS[kind])
        await dom.focus(await find(dom, "Field"))
        assert await _pressed(dom, "Control+A") is Verdict.CHANGED, kind
        assert await _pressed(dom, "Control+A") is Verdict.NO_EFFECT, kind
    dom = await see("<p>Words to select")
    assert await _pressed(dom, "Control+A") is Verdict.CHANGED


async def test_a_click_on_a_text_selects_nothing(see: See) -> None:
    dom = await see("<button style='user-select:text'>Nothing happens</button>")
    await dom.click(await find(dom, "Nothing"))
    assert (await dom.click(await find(dom, "Nothing"))).verdict is Verdict.NO_EFFECT


async def test_the_item_that_a_list_points_at_is_told_as_focused(see: See) -> None:
    dom = await see("""<input role=combobox aria-label=City aria-expanded=true aria-controls=l><ul id=l role=listbox>
        <li role=option id=x>Graz</li><li role=option id=y>Wien</li></ul><script>
        const field = document.querySelector('input'); const at = ['x', 'y']; let i = 0;
        field.addEventListener('keydown', (e) => { if (e.key == 'ArrowDown') {
            field.ariaActiveDescendantElement = null; field.setAttribute('aria-activedescendant', at[i++ % 2]); } })
        </script>""")
    city, graz, wien = [await find(dom, name) for name in ("City", "Graz", "Wien")]
    focused = await dom.focus(city)
    assert focused.changes is not None
    assert focused.changes.focused == city
    for wanted in (graz, wien):
        result = await dom.keypress("ArrowDown")
        assert result.verdict is Verdict.CHANGED
        assert result.changes is not None
        assert result.changes.focused == wanted


@pytest.mark.parametrize(
    "how", [{"modifiers": ["Ctrl"]}, {"modifiers": ["Shift"]}, {"button": "middle"}], ids=["ctrl", "shift", "middle"]
)
async def test_a_link_that_the_browser_opens_in_a_tab_of_its_own(see: See, site: Site, how: dict[str, str]) -> None:
    dom = await see(f"<a href='{site.page('<h1>There</h1>', title='There')}#part'><b>Open</b></a>")
    result = await dom.click(await find(dom, "Open"), **how)  # type: ignore[arg-type]
    assert (result.success, result.verdict) == (True, Verdict.OPENED)
    assert result.changes is not None
    (number,) = result.changes.new_tabs
    opened = await DomService.for_tab(dom.tab.browser.tab(number))
    assert "There" in (await opened.observe()).text
    assert not result.changes.navigated


async def test_a_page_that_prevents_that_is_believed(see: See, site: Site) -> None:
    stop = "for (const t of ['click', 'auxclick']) addEventListener(t, e => e.preventDefault())"
    dom = await see(f"<a href='{site.page('There')}'>Open</a><script>{stop}</script>")
    await dom.focus(await find(dom, "Open"))
    result = await dom.click(await find(dom, "Open"), modifiers=["Ctrl"])
    assert result.verdict is Verdict.NO_EFFECT
    assert result.changes is not None
    assert result.changes.new_tabs == []
