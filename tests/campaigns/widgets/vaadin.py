"""Vaadin's web components."""

from pathlib import Path

from browserx import NotActionableError, Verdict
from tests.campaigns.widgets.scene import Scenario, Scene, need, simple

_PAGE = "wc-vaadin"
_HERE = str(Path(__file__))


async def _submenu(scene: Scene) -> None:
    opened = "all('vaadin-menu-bar-item').map((e) => e.textContent.trim()).includes('Mail')"
    await scene.does(scene.dom.click(await scene.id_of("menuitem", "Share")), opened, True)
    mail = await scene.id_of("menuitem", "Mail")
    await scene.ask(
        "one('vaadin-menu-bar').addEventListener('item-selected', (e) => { window.picked = e.detail.value.text; })"
    )
    await scene.does(scene.dom.click(mail), "window.picked ?? ''", "Mail")


async def _scroll(scene: Scene) -> None:
    row = await scene.id_of("gridcell", "Person 0")
    first = "all('vaadin-grid-cell-content').some((e) => e.textContent === 'Person 199')"
    await scene.does(scene.dom.scroll(row, to="end"), first, True)
    need("Person 199" in await scene.line("Person 199"), "the last row is not seen")


async def _scroll_a_window(scene: Scene) -> None:
    row = await scene.id_of("gridcell", "Person 0")
    await scene.does(
        scene.dom.scroll(row, "down"), "one('vaadin-grid').shadowRoot.querySelector('#table').scrollTop > 100", True
    )


async def _to_the_end(scene: Scene) -> None:
    row = await scene.id_of("gridcell", "Person 0")
    await scene.dom.scroll(row, until="end")
    table = "one('vaadin-grid').shadowRoot.querySelector('#table')"
    need(
        await scene.ask(f"{table}.scrollTop + {table}.clientHeight >= {table}.scrollHeight - 2"), "it is not at the end"
    )


async def _clear(scene: Scene) -> None:
    await scene.does(
        scene.dom.type(await scene.id_of("textbox", "First name"), ""), "one('vaadin-text-field').value", ""
    )


async def _blur(scene: Scene) -> None:
    field = await scene.id_of("textbox", "First name")
    focused = "one('vaadin-text-field').hasAttribute('focused')"
    await scene.does(scene.dom.focus(field), focused, True)
    await scene.dom.observe()
    await scene.does(scene.dom.blur(field), focused, False)


async def _form(scene: Scene) -> None:
    ids = [await scene.id_of(*one) for one in (("textbox", "First name"), ("textbox", "Mail"), ("combobox", "Country"),
           ("checkbox", "CSV"), ("radio", "Card"), ("button", "Sort"))]  # fmt: skip
    done = await scene.dom.fill_form(dict(zip(ids[:5], ("Ada", "a@b.example", "Japan", True, True), strict=True)))
    said = await scene.ask(
        "[one('vaadin-text-field').value, one('vaadin-email-field').value, one('vaadin-combo-box').value,"
        " all('vaadin-checkbox')[1].checked, one('vaadin-radio-group').value]"
    )
    need(said == ["Ada", "a@b.example", "Japan", True, "2"], f"the form holds {said}; told {done}")
    need(done.success, f"told {done}")


async def _disabled(scene: Scene) -> None:
    await scene.refused(
        scene.dom.click(await scene.id_of("tab", "Off")), NotActionableError, "disabled", "one('vaadin-tabs').selected"
    )


async def _wait(scene: Scene) -> None:
    await scene.ask("setTimeout(() => { one('vaadin-button', 'Save').disabled = true; }, 400)")
    save = await scene.id_of("button", "Save")
    result = await scene.dom.wait_for(node_id=save, state="disabled", timeout_s=5)
    need(result.success and await scene.ask("one('vaadin-button', 'Save').disabled"), f"told {result}")


async def _save(scene: Scene) -> None:
    await scene.ask("listen('vaadin-button', 'pointerdown', 'click', 'dblclick')")
    await scene.does(
        scene.dom.click(await scene.id_of("button", "Save"), click_count=2), "heard.includes('dblclick')", True
    )


async def _nothing(scene: Scene) -> None:
    """A button nothing listens to: the press shows, and no more."""
    result = await scene.dom.click(await scene.id_of("button", "Save"))
    need(result.success and result.verdict in (Verdict.NO_EFFECT, Verdict.CHANGED), f"told {result}")


SCENARIOS = (
    simple("click", "Vaadin vaadin-tab", _PAGE, ("tab", "Orders"), lambda d, i: d.click(i), "one('vaadin-tabs').selected", 1),
    simple("click", "Vaadin vaadin-details", _PAGE, ("button", "Details"), lambda d, i: d.click(i),
           "one('vaadin-details').opened", True),
    simple("click", "Vaadin vaadin-password-field, its eye", _PAGE, ("button", "Show password"), lambda d, i: d.click(i),
           "one('vaadin-password-field input').type", "text"),
    simple("click", "Vaadin vaadin-grid, sorter", _PAGE, ("clickable", "Sort by Name"), lambda d, i: d.click(i),
           "one('vaadin-grid-sorter').direction", "asc"),
    Scenario("click", "Vaadin vaadin-menu-bar", _PAGE, _submenu),
    Scenario("click", "Vaadin vaadin-button", _PAGE, _nothing),
    Scenario("click refused", "Vaadin vaadin-tab, disabled", _PAGE, _disabled),
    Scenario("dblclick", "Vaadin vaadin-button", _PAGE, _save),
    simple("type", "Vaadin vaadin-text-field", _PAGE, ("textbox", "First name"), lambda d, i: d.type(i, "Ada"),
           "one('vaadin-text-field').value", "Ada", value_now="Ada"),
    simple("type without clearing", "Vaadin vaadin-text-field", _PAGE, ("textbox", "First name"),
           lambda d, i: d.type(i, "ris", clear=False), "one('vaadin-text-field').value", "Boris"),
    Scenario("type nothing", "Vaadin vaadin-text-field", _PAGE, _clear),
    simple("type a password", "Vaadin vaadin-password-field", _PAGE, ("textbox", "Password"), lambda d, i: d.type(i, "geheim"),
           "one('vaadin-password-field').value", "geheim"),
    Scenario("blur", "Vaadin vaadin-text-field", _PAGE, _blur),
    simple("check", "Vaadin vaadin-checkbox", _PAGE, ("checkbox", "CSV"), lambda d, i: d.check(i),
           "all('vaadin-checkbox')[1].checked", True),
    simple("check", "Vaadin vaadin-radio-button", _PAGE, ("radio", "Card"), lambda d, i: d.check(i),
           "one('vaadin-radio-group').value", "2"),
    simple("check", "Vaadin vaadin-grid, a row", _PAGE, ("checkbox", "Select Row 2"), lambda d, i: d.check(i),
           "one('vaadin-grid').selectedItems.map((e) => e.n)", ["Person 1"]),
    simple("choose", "Vaadin vaadin-combo-box", _PAGE, ("combobox", "Country"), lambda d, i: d.choose(i, "Japan"),
           "one('vaadin-combo-box').value", "Japan"),
    simple("choose", "Vaadin vaadin-select", _PAGE, ("button", "Sort"), lambda d, i: d.choose(i, "Old"),
           "one('vaadin-select').value", "2"),
    simple("pick_date", "Vaadin vaadin-date-picker", _PAGE, ("combobox", "Born"), lambda d, i: d.pick_date(i, "2024-02-29"),
           "one('vaadin-date-picker').value", "2024-02-29"),
    Scenario("scroll", "Vaadin vaadin-grid", _PAGE, _scroll_a_window),
    Scenario("scroll to its end", "Vaadin vaadin-grid", _PAGE, _scroll),
    Scenario("scroll until its end", "Vaadin vaadin-grid", _PAGE, _to_the_end),
    simple("upload", "Vaadin vaadin-upload", _PAGE, ("button", "Upload Files"), lambda d, i: d.upload(i, [_HERE]),
           "one('vaadin-upload').files.map((e) => e.name)", ["vaadin.py"]),
    Scenario("fill_form", "Vaadin form", _PAGE, _form),
    Scenario("wait_for", "Vaadin vaadin-button", _PAGE, _wait),
)  # fmt: skip
