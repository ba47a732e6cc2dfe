"""Material UI, in React: what a scenario says in words is what a person would see there."""

from browserx import InvalidArgumentError, NotActionableError, Verdict
from tests.campaigns.widgets.scene import Scenario, Scene, need, simple, told_of

_PAGE, _DIALOG = "app-react-mui", "app-react-mui-dialog"
_CHECKED = "labelled({!r}).checked"


async def _select_offers(scene: Scene) -> None:
    combobox = await scene.id_of("combobox", "Country")
    await scene.refused(
        scene.dom.choose(combobox, "Atlantis"),
        InvalidArgumentError,
        "France, Germany",
        "one('.MuiSelect-nativeInput').value",
    )


async def _not_taken(scene: Scene) -> None:
    """The page holds on to its value: that the list closed is no success."""
    result = await scene.dom.choose(await scene.id_of("combobox", "Country"), "Germany")
    need(await scene.ask("one('.MuiSelect-nativeInput').value") == "fr", "the page has changed: it takes choices now")
    need(
        not result.success and result.error is not None and "France" in result.error.message, f"told {told_of(result)}"
    )


async def _disabled(scene: Scene) -> None:
    await scene.refused(
        scene.dom.click(await scene.id_of("button", "DELETE")),
        NotActionableError,
        "disabled",
        "one('#log').textContent",
    )


async def _covered(scene: Scene) -> None:
    await scene.refused(
        scene.dom.click(await scene.id_of("button", "Button link")),
        NotActionableError,
        "cover",
        "shown(one('[role=dialog]'))",
    )


async def _select_by_keys(scene: Scene) -> None:
    combobox = await scene.id_of("combobox", "Country")
    await scene.does(scene.dom.click(combobox), "!!one('[role=listbox]')", True)
    need("option Germany" in await scene.line("Germany"), "what opened is not seen")
    await scene.does(scene.dom.keypress("ArrowDown"), "document.activeElement.textContent", "Germany")
    await scene.does(scene.dom.keypress("Escape"), "!!one('[role=listbox]')", False)


async def _escape(scene: Scene) -> None:
    await scene.dom.observe()
    await scene.does(scene.dom.keypress("Escape"), "!!one('[role=dialog]')", False)
    await scene.does(scene.dom.click(await scene.id_of("button", "OPEN DIALOG")), "shown(one('[role=dialog]'))", True)


async def _form(scene: Scene) -> None:
    ids = {name: await scene.id_of(role, name) for role, name in
           (("textbox", "Full name"), ("textbox", "Notes"), ("combobox", "Movie"),
            ("checkbox", "Gift wrap"), ("radio", "Express"))}  # fmt: skip
    given = {"Full name": "Ada Byron", "Notes": "two\nlines", "Movie": "Pulp Fiction",
             "Gift wrap": False, "Express": True}  # fmt: skip
    done = await scene.dom.fill_form({ids[name]: value for name, value in given.items()})
    said = await scene.ask(
        "[labelled('Full name').value, one('textarea').value, labelled('Movie').value, labelled('Gift wrap').checked, labelled('Express').checked]"
    )
    need(said == ["Ada Byron", "two\nlines", "Pulp Fiction", False, True], f"the form holds {said}; told {done}")
    need(done.success, f"told {done}")


async def _same(scene: Scene) -> None:
    """A box that is on is left alone, and that is what is told."""
    result = await scene.dom.check(await scene.id_of("checkbox", "Gift wrap"))
    need(result.success and result.verdict is Verdict.NO_EFFECT, f"told {result}")
    need(await scene.ask(_CHECKED.format("Gift wrap")) is True, "it is off")


async def _read(scene: Scene) -> None:
    rows = await scene.dom.extract()
    need("Eclair" in str(rows) and "262" in str(rows), f"extracted {str(rows)[:300]}")
    row = (await scene.dom.find("Eclair", role="row"))[0]
    said = await scene.dom.read(row.node_id)
    need("Eclair" in said and "16" in said, f"read {said!r}")


SCENARIOS = (
    simple("click", "MUI Tab", _PAGE, ("tab", "SHIPPING"), lambda d, i: d.click(i),
           "one('[role=tab][aria-selected=true]').textContent", "Shipping"),
    simple("click", "MUI ToggleButton", _PAGE, ("button", "C"), lambda d, i: d.click(i),
           "one('.MuiToggleButton-root.Mui-selected').textContent", "C"),
    simple("click", "MUI Accordion", _PAGE, ("button", "Accordion one"), lambda d, i: d.click(i),
           "one('.MuiAccordionSummary-root').getAttribute('aria-expanded')", "true"),
    simple("click", "MUI Chip, its x", _PAGE, ("image", "delete"), lambda d, i: d.click(i), "one('#log').textContent", "del"),
    simple("type into a slider", "MUI Slider", _PAGE, ("slider", "Volume"), lambda d, i: d.type(i, "75"),
           "one('.MuiSlider-thumb').style.left", "75%"),
    Scenario("click refused", "MUI Button, disabled", _PAGE, _disabled),
    Scenario("click refused", "MUI Dialog, behind it", _DIALOG, _covered),
    simple("type", "MUI TextField", _PAGE, ("textbox", "Full name"), lambda d, i: d.type(i, "Ada Byron"),
           "labelled('Full name').value", "Ada Byron", value_now="Ada Byron"),
    simple("type into a textarea", "MUI TextField multiline", _PAGE, ("textbox", "Notes"), lambda d, i: d.type(i, "a\nb"),
           "one('textarea').value", "a\nb"),
    simple("type a password", "MUI TextField", _PAGE, ("textbox", "Password"), lambda d, i: d.type(i, "hunter2"),
           "labelled('Password').value", "hunter2"),
    simple("type char by char", "MUI TextField with a limit", _DIALOG, ("textbox", "One-time code"),
           lambda d, i: d.type(i, "123456", char_by_char=True), "labelled('One-time code').value", "123456"),
    simple("focus", "MUI TextField", _PAGE, ("textbox", "Full name"), lambda d, i: d.focus(i),
           "!!labelled('Full name').closest('.Mui-focused')", True),
    simple("uncheck", "MUI Checkbox", _PAGE, ("checkbox", "Gift wrap"), lambda d, i: d.uncheck(i),
           _CHECKED.format("Gift wrap"), False),
    Scenario("check", "MUI Checkbox that is on", _PAGE, _same),
    simple("check", "MUI Switch", _PAGE, ("checkbox", "Notify me"), lambda d, i: d.check(i), _CHECKED.format("Notify me"), True),
    simple("check", "MUI Radio", _PAGE, ("radio", "Express"), lambda d, i: d.check(i), _CHECKED.format("Express"), True),
    simple("check", "MUI Rating", _PAGE, ("radio", "5 Stars"), lambda d, i: d.check(i),
           "one('.MuiRating-root input:checked').value", "5"),
    simple("check", "MUI Checkbox in a row", _PAGE, ("checkbox", "", 3), lambda d, i: d.check(i),
           "all('tbody input:checked').length", 1),
    Scenario("choose", "MUI Select whose page takes no choice", _PAGE, _not_taken),
    simple("choose", "MUI Autocomplete", _PAGE, ("combobox", "Movie"), lambda d, i: d.choose(i, "Pulp Fiction"),
           "labelled('Movie').value", "Pulp Fiction"),
    Scenario("choose refused", "MUI Select", _PAGE, _select_offers),
    Scenario("keypress", "MUI Select", _PAGE, _select_by_keys),
    Scenario("keypress", "MUI Dialog", _DIALOG, _escape),
    simple("click", "MUI Dialog, its button", _DIALOG, ("button", "CANCEL"), lambda d, i: d.click(i),
           "!!one('[role=dialog]')", False),
    simple("drag", "MUI Slider", _PAGE, ("slider", "Volume"), lambda d, i: d.drag(i, offset=(60, 0)),
           "+one('.MuiSlider-thumb input').value > 40", True),
    simple("upload", "MUI Button over a file field", _PAGE, ("button", "UPLOAD"), lambda d, i: d.upload(i, [__file__]),
           "one('input[type=file]').files[0]?.name", "mui.py"),
    Scenario("fill_form", "MUI form", _PAGE, _form),
    Scenario("read and extract", "MUI Table", _PAGE, _read),
)  # fmt: skip
