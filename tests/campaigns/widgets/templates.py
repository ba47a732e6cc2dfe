"""Admin templates on Bootstrap: Tabler with its plugins, AdminLTE."""

from browserx import NotActionableError
from tests.campaigns.widgets.scene import Scenario, Scene, need, simple

_FORM, _TABLE, _ADMIN, _MAIL = "app-tabler-form", "app-tabler-datatables", "app-adminlte-forms", "app-adminlte-mailbox"


async def _colour(scene: Scene) -> None:
    field = await scene.id_of("color", "Choose your color")
    await scene.does(scene.dom.type(field, "#ff8800"), "one('input[type=color]').value", "#ff8800")


async def _readonly(scene: Scene) -> None:
    field = await scene.id_of("textbox", "Readonly...")
    await scene.refused(
        scene.dom.type(field, "no"), NotActionableError, "can only be read", "one('input[readonly]').value"
    )


async def _many(scene: Scene) -> None:
    states = await scene.id_of("listbox", "Select multiple")
    await scene.does(
        scene.dom.select_option(states, label=["One", "Three"]),
        "[...one('select[multiple]').selectedOptions].map((e) => e.label)", ["One", "Three"],
    )  # fmt: skip


async def _sort(scene: Scene) -> None:
    name = await scene.id_of("button", "NAME")
    before = await scene.ask("one('tbody tr td').textContent.trim()")
    result = await scene.dom.click(name)
    after = await scene.ask("one('tbody tr td').textContent.trim()")
    need(before != after and result.success and result.verdict.value == "changed", f"{before!r} to {after!r}: {result}")


async def _table(scene: Scene) -> None:
    rows = await scene.dom.extract()
    need("Fury 325" in str(rows) and "Cedar Point" in str(rows), f"extracted {str(rows)[:300]}")


SCENARIOS = (
    simple("type into a mask", "Tabler, IMask date", _FORM, ("textbox", "00/00/0000"), lambda d, i: d.type(i, "24121999"),
           "one('input[data-mask=\"00/00/0000\"]').value", "24/12/1999"),
    simple("type into a mask", "Tabler, IMask phone", _FORM, ("textbox", "(00) 0000-0000"), lambda d, i: d.type(i, "1234567890"),
           "one('input[data-mask=\"(00) 0000-0000\"]').value", "(12) 3456-7890"),
    Scenario("type a colour", "Tabler, native colour", _FORM, _colour),
    Scenario("type refused", "Tabler, read-only", _FORM, _readonly),
    simple("select_option", "Tabler, native select", _FORM, ("combobox", "Select"), lambda d, i: d.select_option(i, label="Two"),
           "one('select').selectedOptions[0].label", "Two"),
    Scenario("select_option, many", "Tabler, native list", _FORM, _many),
    simple("check", "Tabler, image box", _FORM, ("checkbox", "Beautiful blonde"), lambda d, i: d.check(i),
           "all('.form-imagecheck-input')[0].checked", True),
    simple("uncheck", "Tabler, switch", _FORM, ("checkbox", "Push Notifications"), lambda d, i: d.uncheck(i),
           "labelled('Push Notifications').checked", False),
    simple("click", "Tabler, dropdown", _FORM, ("button", "Interface"), lambda d, i: d.click(i),
           "shown(one('.dropdown-menu.show'))", True),
    simple("click", "Tabler, popover", _FORM, ("clickable", "?"), lambda d, i: d.click(i), "shown(one('.popover'))", True),
    simple("drag", "Tabler, noUiSlider", _FORM, ("slider", "", 1), lambda d, i: d.drag(i, offset=(60, 0)),
           "all('.noUi-handle')[1].getAttribute('aria-valuenow')", "80.0"),
    simple("upload", "Tabler, native file field", _FORM, ("button", "Choose File"), lambda d, i: d.upload(i, [__file__]),
           "one('input[type=file]').files[0]?.name", "templates.py"),
    simple("pick_date", "Tabler, Litepicker", _FORM, ("textbox", "Select a date"), lambda d, i: d.pick_date(i, "2020-07-14"),
           "all('input[placeholder=\"Select a date\"]')[0].value", "2020-07-14"),
    simple("choose", "Tabler, Tom Select", _FORM, ("combobox", "Select tags"), lambda d, i: d.choose(i, "CSS"),
           "all('.ts-control .item').some((e) => e.textContent.trim().startsWith('CSS'))", True),
    Scenario("click", "Tabler, List.js sort", _TABLE, _sort),
    Scenario("extract", "Tabler, table", _TABLE, _table),
    simple("check", "AdminLTE, iCheck", _MAIL, ("checkbox", ""), lambda d, i: d.check(i), "one('#check1').checked", True),
    simple("select_option", "AdminLTE, native select", _ADMIN, ("combobox", "Minimal"), lambda d, i: d.select_option(i, label="Texas"),
           "one('select').value", "Texas"),
    simple("type", "AdminLTE, date", _ADMIN, ("textbox", "Date masks"), lambda d, i: d.type(i, "01/02/2026"),
           "all('input[data-inputmask-alias], input[data-mask]')[0].value", "01/02/2026"),
)  # fmt: skip
