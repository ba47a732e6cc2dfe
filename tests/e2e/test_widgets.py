"""Every action on widgets of other makers: web components, an editor and a calendar, as npm has them.

Each test finds an element by role and name, acts, and asks the widget's own state what became of it; ``Scene.does`` also
holds what the action told against that. ``scripts/campaign widgets`` does the same to more libraries.
"""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from browserx import BrowserContext, DomService, InvalidArgumentError, NotActionableError
from tests.campaigns.widgets.scene import Act, Scene
from tests.javascript import packages
from tests.web import Site

Show = Callable[[str], Awaitable[Scene]]

_SHOELACE = """<link rel=stylesheet href="/lib/@shoelace-style/shoelace/cdn/themes/light.css"><script type=module>
    for (const name of "{0}".split(" ")) import(`/lib/@shoelace-style/shoelace/cdn/components/${{name}}/${{name}}.js`);</script>"""
_FIELDS = "input textarea select option checkbox switch radio radio-group rating button details split-panel"
FORM = f"""{_SHOELACE.format(_FIELDS)}<form><sl-input label=Name value=Ann></sl-input><sl-textarea label=Bio></sl-textarea>
    <sl-select label=Plan value=b><sl-option value=a>Basic</sl-option><sl-option value=b>Pro</sl-option></sl-select>
    <sl-checkbox>News</sl-checkbox> <sl-switch checked>Public</sl-switch>
    <sl-radio-group label=Size value=1><sl-radio value=1>Small</sl-radio><sl-radio value=2>Large</sl-radio></sl-radio-group>
    <sl-rating label=Rating></sl-rating><sl-button type=submit>Save</sl-button></form>
    <sl-details summary=More>inside</sl-details>
    <sl-split-panel style="height:60px"><div slot=start>A</div><div slot=end>B</div></sl-split-panel>"""
DIALOG = f"""{_SHOELACE.format("dialog input button dropdown menu menu-item")}<button id=b onclick="b.textContent = 'Deleted'">Delete</button>
    <sl-dialog label=Rename open><sl-input label="New name"></sl-input><sl-button slot=footer>Cancel</sl-button></sl-dialog>
    <sl-dropdown><sl-button slot=trigger>Menu</sl-button><sl-menu><sl-menu-item>Cut</sl-menu-item>
    <sl-menu-item>Copy</sl-menu-item></sl-menu></sl-dropdown>"""
EDITOR = """<link rel=stylesheet href="/lib/codemirror/lib/codemirror.css"><script src="/lib/codemirror/lib/codemirror.js"></script>
    <textarea id=t>first draft</textarea><script>window.editor = CodeMirror.fromTextArea(t, { lineNumbers: true });</script>"""
CALENDAR = """<script src="/lib/fullcalendar/index.global.min.js"></script><div id=c style="max-width:900px"></div><script>
    new FullCalendar.Calendar(c, { initialView: 'dayGridMonth', initialDate: '2026-05-14', navLinks: true, editable: true,
    events: [{ title: 'Meeting', start: '2026-05-06' }] }).render();</script>"""


@pytest.fixture
async def show(context: BrowserContext, site: Site) -> Show:
    """Opens a page with widgets."""
    site.folder("/lib/", await asyncio.to_thread(packages))

    async def show_(body: str) -> Scene:
        tab = await context.new_tab(site.page(body))
        return Scene(tab, await DomService.for_tab(tab))

    return show_


SIMPLE: dict[str, tuple[str, tuple[str, str], Act, str, object]] = {
    "click": (FORM, ("button", "More"), lambda d, i: d.click(i), "one('sl-details').open", True),
    "click at an offset": (
        FORM,
        ("slider", "Rating"),
        lambda d, i: d.click(i, offset=(70, 10)),
        "one('sl-rating').value",
        4,
    ),
    "type": (FORM, ("textbox", "Name"), lambda d, i: d.type(i, "Eve"), "one('sl-input').value", "Eve"),
    "type on": (
        FORM,
        ("textbox", "Name"),
        lambda d, i: d.type(i, "ette", clear=False, char_by_char=True),
        "one('sl-input').value",
        "Annette",
    ),
    "type into a textarea": (
        FORM,
        ("textbox", "Bio"),
        lambda d, i: d.type(i, "a\nb"),
        "one('sl-textarea').value",
        "a\nb",
    ),
    "focus": (FORM, ("textbox", "Name"), lambda d, i: d.focus(i), "document.activeElement.localName", "sl-input"),
    "check": (FORM, ("checkbox", "News"), lambda d, i: d.check(i), "one('sl-checkbox').checked", True),
    "check a radio": (FORM, ("radio", "Large"), lambda d, i: d.check(i), "one('sl-radio-group').value", "2"),
    "uncheck": (FORM, ("switch", "Public"), lambda d, i: d.uncheck(i), "one('sl-switch').checked", False),
    "choose": (FORM, ("combobox", "Plan"), lambda d, i: d.choose(i, "Basic"), "one('sl-select').value", "a"),
    "drag": (
        FORM,
        ("separator", "Resize"),
        lambda d, i: d.drag(i, offset=(-200, 0)),
        "one('sl-split-panel').position < 40",
        True,
    ),
    "type into a drawn editor": (
        EDITOR,
        ("clickable", "first draft"),
        lambda d, i: d.type(i, "two\nlines"),
        "editor.getValue()",
        "two\nlines",
    ),
    "pick_date": (
        CALENDAR,
        ("button", "Next month"),
        lambda d, i: d.pick_date(i, "2026-07-09"),
        "one('h2').textContent",
        "July 9, 2026",
    ),
}


@pytest.mark.parametrize("action", list(SIMPLE))
async def test_an_action_on_a_widget_does_what_it_tells(show: Show, action: str) -> None:
    body, target, act, witness, becomes = SIMPLE[action]
    scene = await show(body)
    await scene.does(act(scene.dom, await scene.id_of(*target)), witness, becomes)


async def test_a_form_of_widgets_is_filled_in_and_sent(show: Show) -> None:
    scene = await show(FORM)
    await scene.ask("one('form').addEventListener('submit', (e) => { e.preventDefault(); window.sent = true; })")
    fields = [("textbox", "Name"), ("combobox", "Plan"), ("checkbox", "News"), ("switch", "Public"), ("radio", "Large")]
    ids = [await scene.id_of(*field) for field in fields]
    done = await scene.dom.fill_form(dict(zip(ids, ("Ada", "Basic", True, False, True), strict=True)))
    assert done.success
    held = "['sl-input', 'sl-select', 'sl-radio-group'].map((tag) => one(tag).value)"
    assert await scene.ask(held) == ["Ada", "a", "2"]
    assert await scene.ask("[one('sl-checkbox').checked, one('sl-switch').checked]") == [True, False]
    await scene.does(scene.dom.submit(await scene.id_of("textbox", "Bio")), "window.sent ?? false", True)


async def test_what_a_widget_does_not_offer_is_refused(show: Show) -> None:
    scene = await show(FORM)
    plan = await scene.id_of("combobox", "Plan")
    await scene.refused(scene.dom.choose(plan, "Gold"), InvalidArgumentError, "Basic, Pro", "one('sl-select').value")


async def test_a_dialog_covers_the_page_until_a_key_closes_it(show: Show) -> None:
    scene = await show(DIALOG)
    delete = await scene.id_of("button", "Delete")
    await scene.refused(scene.dom.click(delete), NotActionableError, "cover", "b.textContent")
    field = await scene.id_of("textbox", "New name")
    await scene.does(scene.dom.type(field, "a.txt"), "one('sl-input').value", "a.txt")
    await scene.does(scene.dom.keypress("Escape"), "one('sl-dialog').open", False)
    await scene.does(scene.dom.click(await scene.id_of("button", "Delete")), "b.textContent", "Deleted")


async def test_a_menu_opens_and_an_item_of_it_is_chosen(show: Show) -> None:
    scene = await show(DIALOG.replace(" open>", ">"))
    await scene.ask(
        "one('sl-menu').addEventListener('sl-select', (e) => { window.picked = e.detail.item.textContent; })"
    )
    await scene.does(scene.dom.click(await scene.id_of("button", "Menu")), "one('sl-dropdown').open", True)
    await scene.does(scene.dom.click(await scene.id_of("menuitem", "Copy")), "window.picked ?? ''", "Copy")


async def test_chords_work_in_an_editor(show: Show) -> None:
    scene = await show(EDITOR)
    await scene.dom.type(await scene.id_of("clickable", "first draft"), "other")
    await scene.dom.keypress("Control+A")
    await scene.does(scene.dom.keypress("Delete"), "editor.getValue()", "")
    await scene.does(scene.dom.keypress("Control+Z"), "editor.getValue()", "other")


async def test_an_event_is_dragged_to_another_day(show: Show) -> None:
    scene = await show(CALENDAR)
    event, day = await scene.id_of("clickable", "Meeting"), await scene.id_of("link", "13")
    where = "one('.fc-event').closest('td').dataset.date"
    await scene.does(scene.dom.drag(event, day), where, "2026-05-13")
