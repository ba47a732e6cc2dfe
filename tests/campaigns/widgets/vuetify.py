"""Vuetify, in Vue."""

from browserx import NotActionableError
from tests.campaigns.widgets.scene import Scenario, Scene, need, simple

_PAGE = "app-vue-vuetify"
_SELECTED = "[...document.querySelectorAll('.v-select .v-select__selection-text')].map((e) => e.textContent)"


async def _otp(scene: Scene) -> None:
    """One field for each character: each typed character goes on to the next."""
    first = await scene.id_of("textbox", "OTP character 1")
    value = "all('.v-otp-input__field').map((e) => e.value).join('')"
    await scene.does(scene.dom.click(first), "document.activeElement === all('.v-otp-input__field')[0]", True)
    for key in "4711":
        await scene.dom.keypress(key)
    need(await scene.ask(value) == "4711", f"it holds {await scene.ask(value)}")


async def _pages(scene: Scene) -> None:
    await scene.does(
        scene.dom.click(await scene.id_of("button", "Next page")),
        "one('tbody tr td:nth-child(2)').textContent",
        "Dessert 5",
    )
    need("Dessert 5" in await scene.line("Dessert 5"), "the second page is not seen")
    await scene.does(
        scene.dom.click(await scene.id_of("columnheader", "Calories")),
        "one('th[aria-sort=ascending]')?.textContent",
        "Calories",
    )


async def _menu(scene: Scene) -> None:
    opened = "all('.v-overlay--active [role=listbox]').length"
    await scene.does(scene.dom.click(await scene.id_of("combobox", "State")), opened, 1)
    need("NY" in await scene.line("NY"), "what opened is not seen")
    await scene.does(scene.dom.keypress("Escape"), opened, 0)


async def _date(scene: Scene) -> None:
    """The calendar is there all the time; what is named is a day of it."""
    day = (
        await scene.id_of("button", "Sunday, November 1, 2026")
        if await scene.ask("new Date().getMonth()") == 10
        else (await scene.id_of("button", "Next month"))
    )
    picked = "all('.v-date-picker-month__day--selected').map((e) => e.dataset.vDate)"
    await scene.does(scene.dom.pick_date(day, "2027-01-14"), picked, ["2027-01-14"])


async def _form(scene: Scene) -> None:
    ids = [await scene.id_of(*one) for one in (("textbox", "First name"), ("combobox", "State"), ("combobox", "City"),
           ("textbox", "Bio"), ("checkbox", "Agree"), ("radio", "Radio two"), ("checkbox", "Dark"))]  # fmt: skip
    done = await scene.dom.fill_form(dict(zip(ids, ("Ada", "TX", "B", "long", True, True, True), strict=True)))
    said = await scene.ask(
        "[labelled('First name').value, one('.v-select__selection-text').textContent, one('.v-autocomplete__selection-text').textContent,"
        " labelled('Bio').value, ...['Agree', 'Radio two', 'Dark'].map((one) => labelled(one).checked)]"
    )
    need(said == ["Ada", "TX", "B", "long", True, True, True], f"the form holds {said}; told {done}")
    need(done.success, f"told {done}")


async def _disabled(scene: Scene) -> None:
    await scene.refused(
        scene.dom.click(await scene.id_of("button", "First page")),
        NotActionableError,
        "disabled",
        "one('tbody').textContent",
    )


SCENARIOS = (
    simple("click", "Vuetify v-tab", _PAGE, ("tab", "TWO"), lambda d, i: d.click(i),
           "one('[role=tab][aria-selected=true]').textContent", "Two"),
    simple("click", "Vuetify v-btn-toggle", _PAGE, ("button", "M"), lambda d, i: d.click(i),
           "one('.v-btn-toggle .v-btn--active')?.textContent", "M"),
    simple("click", "Vuetify v-expansion-panel", _PAGE, ("button", "Panel B"), lambda d, i: d.click(i),
           "shown(one('.v-expansion-panel-text', 'bb'))", True),
    simple("click", "Vuetify v-chip, its x", _PAGE, ("button", "Close", 2), lambda d, i: d.click(i),
           "shown(one('.v-chip', 'Closable'))", False),
    simple("click", "Vuetify v-list-group", _PAGE, ("clickable", "Admin"), lambda d, i: d.click(i),
           "shown(one('.v-list-item', 'Roles'))", True),
    simple("click", "Vuetify v-rating", _PAGE, ("button", "Rating 4 of 5"), lambda d, i: d.click(i),
           "all('.v-rating input:checked').at(-1).value", "4"),
    simple("click", "Vuetify v-pagination", _PAGE, ("button", "Go to page 3"), lambda d, i: d.click(i),
           "all('.v-pagination__item--is-active').at(-1).textContent", "3"),
    Scenario("click", "Vuetify v-data-table", _PAGE, _pages),
    Scenario("click refused", "Vuetify v-btn, disabled", _PAGE, _disabled),
    simple("type", "Vuetify v-text-field", _PAGE, ("textbox", "First name"), lambda d, i: d.type(i, "Ada"),
           "labelled('First name').value", "Ada", value_now="Ada"),
    simple("type into a textarea", "Vuetify v-textarea", _PAGE, ("textbox", "Bio"), lambda d, i: d.type(i, "a\nb"),
           "labelled('Bio').value", "a\nb"),
    simple("type and Enter", "Vuetify v-combobox", _PAGE, ("combobox", "Tags"), lambda d, i: d.type(i, "zed\n"),
           "all('.v-combobox .v-chip__content').map((e) => e.textContent.trim())", ["x", "y", "zed"]),
    Scenario("keypress", "Vuetify v-otp-input", _PAGE, _otp),
    Scenario("keypress", "Vuetify v-select", _PAGE, _menu),
    simple("focus", "Vuetify v-text-field", _PAGE, ("textbox", "First name"), lambda d, i: d.focus(i),
           "!!labelled('First name').closest('.v-input--focused')", True),
    simple("check", "Vuetify v-checkbox", _PAGE, ("checkbox", "Agree"), lambda d, i: d.check(i), "labelled('Agree').checked", True),
    simple("check", "Vuetify v-radio", _PAGE, ("radio", "Radio two"), lambda d, i: d.check(i), "labelled('Radio two').checked", True),
    simple("check", "Vuetify v-switch", _PAGE, ("checkbox", "Dark"), lambda d, i: d.check(i), "labelled('Dark').checked", True),
    simple("check", "Vuetify v-data-table, all rows", _PAGE, ("checkbox", "Select all"), lambda d, i: d.check(i),
           "all('tbody input:checked').length", 5),
    simple("choose", "Vuetify v-select", _PAGE, ("combobox", "State"), lambda d, i: d.choose(i, "NY"), _SELECTED, ["NY", "5"]),
    simple("choose", "Vuetify v-autocomplete", _PAGE, ("combobox", "City"), lambda d, i: d.choose(i, "B"),
           "labelled('City').value", "B"),
    simple("choose", "Vuetify v-data-table, rows a page", _PAGE, ("combobox", "Items per page"), lambda d, i: d.choose(i, "10"),
           "all('tbody tr').length", 10),
    simple("drag", "Vuetify v-slider", _PAGE, ("slider", "", 0), lambda d, i: d.drag(i, offset=(80, 0)),
           "+one('.v-slider-thumb').getAttribute('aria-valuenow') > 5", True),
    simple("upload", "Vuetify v-file-input", _PAGE, ("button", "Attachment"), lambda d, i: d.upload(i, [__file__]),
           "one('input[type=file]').files[0]?.name", "vuetify.py"),
    Scenario("pick_date", "Vuetify v-date-picker", _PAGE, _date),
    Scenario("fill_form", "Vuetify form", _PAGE, _form),
)  # fmt: skip
