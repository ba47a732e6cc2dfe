"""Shoelace and UI5: web components with their parts in shadow roots."""

from browserx import InvalidArgumentError, NotActionableError
from tests.campaigns.widgets.scene import Scenario, Scene, need, simple

_SHOELACE, _DIALOG, _UI5 = "wc-shoelace", "wc-shoelace-dialog", "wc-ui5"


async def _tooltip(scene: Scene) -> None:
    copy = await scene.id_of("button", "copy")
    result = await scene.dom.hover(copy)
    need(result.success, f"told {result}")
    # It comes a moment after the pointer has come to rest.
    await scene.comes("one('sl-tooltip').open", True)


async def _submit(scene: Scene) -> None:
    await scene.ask("one('form').addEventListener('submit', (e) => { e.preventDefault(); window.sent = true; })")
    await scene.does(scene.dom.submit(await scene.id_of("textbox", "Name")), "window.sent ?? false", True)


async def _submit_by_enter(scene: Scene) -> None:
    await scene.ask(
        "one('form').addEventListener('submit', (e) => { e.preventDefault(); window.sent = one('sl-input').value; })"
    )
    await scene.does(scene.dom.type(await scene.id_of("textbox", "Name"), "Eve\n"), "window.sent ?? ''", "Eve")


async def _form(scene: Scene) -> None:
    ids = [await scene.id_of(*one) for one in (("textbox", "Name"), ("combobox", "Plan"), ("textbox", "Bio"),
           ("checkbox", "Subscribe"), ("switch", "Public"), ("radio", "M"))]  # fmt: skip
    done = await scene.dom.fill_form(dict(zip(ids, ("Ada", "Basic", "long", True, True, True), strict=True)))
    said = await scene.ask(
        "[one('sl-input').value, one('sl-select').value, one('sl-textarea').value, one('sl-checkbox').checked,"
        " one('sl-switch').checked, one('sl-radio-group').value]"
    )
    need(said == ["Ada", "a", "long", True, True, "2"], f"the form holds {said}; told {done}")
    need(done.success, f"told {done}")


async def _select_offers(scene: Scene) -> None:
    plan = await scene.id_of("combobox", "Plan")
    await scene.refused(scene.dom.choose(plan, "Gold"), InvalidArgumentError, "Basic, Pro", "one('sl-select').value")


async def _covered(scene: Scene) -> None:
    delete = await scene.id_of("button", "Delete")
    await scene.refused(scene.dom.click(delete), NotActionableError, "cover", "one('sl-dialog').open")


async def _dialog(scene: Scene) -> None:
    """It is filled in and closed; what it covered can be acted on again."""
    await scene.does(
        scene.dom.type(await scene.id_of("textbox", "New name"), "a.txt"), "one('sl-input').value", "a.txt"
    )
    await scene.does(scene.dom.choose(await scene.id_of("combobox", "Folder"), "A"), "one('sl-select').value", "a")
    await scene.does(scene.dom.click(await scene.id_of("button", "Close")), "one('sl-dialog').open", False)
    await scene.does(scene.dom.click(await scene.id_of("link", "file3.txt")), "location.hash", "#f3")


async def _escape(scene: Scene) -> None:
    await scene.dom.observe()
    await scene.does(scene.dom.keypress("Escape"), "one('sl-dialog').open", False)


async def _menu(scene: Scene) -> None:
    await scene.ask(
        "one('sl-menu').addEventListener('sl-select', (e) => { window.picked = e.detail.item.textContent; })"
    )
    await scene.does(scene.dom.click(await scene.id_of("menuitem", "Copy")), "window.picked ?? ''", "Copy")
    need(not await scene.line("menuitem Copy"), "the menu is still seen")
    opened = "document.querySelector('body > sl-dropdown').open"  # a colour picker has one inside
    await scene.does(scene.dom.click(await scene.id_of("button", "Menu")), opened, True)
    need("menuitem Copy" in await scene.line("menuitem Copy"), "the menu is not seen")


async def _slider_by_keys(scene: Scene) -> None:
    await scene.dom.focus(await scene.id_of("slider", "Volume"))
    await scene.does(scene.dom.keypress("End"), "one('sl-range').value", 100)


async def _panel(scene: Scene) -> None:
    picture = await scene.dom.screenshot(node_id=await scene.id_of("textbox", "Bio"))
    need(picture[:4] == b"\x89PNG" and len(picture) > 200, "no picture came")


async def _radios_by_keys(scene: Scene) -> None:
    await scene.dom.click(await scene.id_of("radio", "A"))
    await scene.does(scene.dom.keypress("ArrowRight"), "all('ui5-radio-button').map((e) => e.checked)", [False, True])


_STAR = "one('sl-rating').value"
SCENARIOS = (
    simple("click", "Shoelace sl-tab", _SHOELACE, ("tab", "Custom"), lambda d, i: d.click(i), "one('sl-tab[active]').panel", "c"),
    simple("click", "Shoelace sl-input, its x", _SHOELACE, ("button", "Clear entry"), lambda d, i: d.click(i),
           "one('sl-input').value", ""),
    simple("click", "Shoelace sl-details", _SHOELACE, ("button", "More"), lambda d, i: d.click(i), "one('sl-details').open", True),
    simple("click", "Shoelace sl-tree-item", _SHOELACE, ("treeitem", "Maple"), lambda d, i: d.click(i),
           "all('sl-tree-item').filter((e) => e.selected).map((e) => e.textContent)", ["Maple"]),
    simple("click", "Shoelace sl-carousel", _SHOELACE, ("button", "Next slide"), lambda d, i: d.click(i),
           "one('sl-carousel').activeSlide", 1),
    Scenario("click", "Shoelace sl-dropdown", _SHOELACE, _menu),
    Scenario("click", "Shoelace sl-dialog", _DIALOG, _dialog),
    Scenario("click refused", "Shoelace sl-dialog, behind it", _DIALOG, _covered),
    simple("click at an offset", "Shoelace sl-rating", _SHOELACE, ("slider", "Rating"), lambda d, i: d.click(i, offset=(70, 10)),
           _STAR, 4),
    Scenario("keypress", "Shoelace sl-dialog", _DIALOG, _escape),
    Scenario("keypress", "Shoelace sl-range", _SHOELACE, _slider_by_keys),
    simple("type", "Shoelace sl-input", _SHOELACE, ("textbox", "Name"), lambda d, i: d.type(i, "Ada"), "one('sl-input').value", "Ada",
           value_now="Ada"),
    simple("type char by char", "Shoelace sl-input", _SHOELACE, ("textbox", "Name"),
           lambda d, i: d.type(i, "ette", clear=False, char_by_char=True), "one('sl-input').value", "Annette"),
    simple("type into a textarea", "Shoelace sl-textarea", _SHOELACE, ("textbox", "Bio"), lambda d, i: d.type(i, "a\nb"),
           "one('sl-textarea').value", "a\nb"),
    simple("type into a slider", "Shoelace sl-range", _SHOELACE, ("slider", "Volume"), lambda d, i: d.type(i, "40"),
           "one('sl-range').value", 40),
    simple("hover", "Shoelace sl-rating", _SHOELACE, ("slider", "Rating"), lambda d, i: d.hover(i, offset=(70, 10)),
           "one('sl-rating').shadowRoot.querySelectorAll('.rating__symbol--hover').length > 0", True),
    Scenario("hover", "Shoelace sl-tooltip", _SHOELACE, _tooltip),
    simple("check", "Shoelace sl-checkbox", _SHOELACE, ("checkbox", "Subscribe"), lambda d, i: d.check(i),
           "one('sl-checkbox').checked", True),
    simple("check", "Shoelace sl-switch", _SHOELACE, ("switch", "Public"), lambda d, i: d.check(i), "one('sl-switch').checked", True),
    simple("check", "Shoelace sl-radio", _SHOELACE, ("radio", "M"), lambda d, i: d.check(i), "one('sl-radio-group').value", "2"),
    simple("choose", "Shoelace sl-select", _SHOELACE, ("combobox", "Plan"), lambda d, i: d.choose(i, "Basic"),
           "one('sl-select').value", "a"),
    Scenario("choose refused", "Shoelace sl-select", _SHOELACE, _select_offers),
    simple("drag", "Shoelace sl-split-panel", _SHOELACE, ("separator", "Resize"), lambda d, i: d.drag(i, offset=(-200, 0)),
           "one('sl-split-panel').position < 40", True),
    simple("drag", "Shoelace sl-range", _SHOELACE, ("slider", "Volume"), lambda d, i: d.drag(i, offset=(300, 0)),
           "one('sl-range').value > 10", True),
    Scenario("submit", "Shoelace form", _SHOELACE, _submit),
    Scenario("type and Enter", "Shoelace form", _SHOELACE, _submit_by_enter),
    Scenario("fill_form", "Shoelace form", _SHOELACE, _form),
    Scenario("screenshot", "Shoelace sl-textarea", _SHOELACE, _panel),
    simple("click", "UI5 ui5-tab", _UI5, ("tab", "Two"), lambda d, i: d.click(i), "all('ui5-tab').map((e) => e.selected)",
           [False, True]),
    simple("click", "UI5 ui5-segmented-button", _UI5, ("option", "Satellite"), lambda d, i: d.click(i),
           "all('ui5-segmented-button-item').map((e) => e.selected)", [False, True]),
    simple("click", "UI5 ui5-panel", _UI5, ("button", "Panel"), lambda d, i: d.click(i), "one('ui5-panel').collapsed", False),
    simple("click", "UI5 ui5-list", _UI5, ("clickable", "Bulgaria"), lambda d, i: d.click(i),
           "all('ui5-li').filter((e) => e.selected).map((e) => e.textContent)", ["Bulgaria"]),
    simple("click", "UI5 ui5-tree", _UI5, ("image", "Collapse Node"), lambda d, i: d.click(i),
           "one('ui5-tree-item').expanded", False),
    simple("click at an offset", "UI5 ui5-rating-indicator", _UI5, ("slider", "Rating"), lambda d, i: d.click(i, offset=(100, 15)),
           "one('ui5-rating-indicator').value >= 3", True),
    simple("type", "UI5 ui5-input", _UI5, ("textbox", "Name"), lambda d, i: d.type(i, "Ada"), "one('ui5-input').value", "Ada",
           value_now="Ada"),
    simple("type into a textarea", "UI5 ui5-textarea", _UI5, ("textbox", "Notes"), lambda d, i: d.type(i, "a\nb"),
           "one('ui5-textarea').value", "a\nb"),
    simple("check", "UI5 ui5-checkbox", _UI5, ("checkbox", "Agree"), lambda d, i: d.check(i), "one('ui5-checkbox').checked", True),
    simple("check", "UI5 ui5-switch", _UI5, ("switch", ""), lambda d, i: d.check(i), "one('ui5-switch').checked", True),
    simple("check", "UI5 ui5-radio-button", _UI5, ("radio", "B"), lambda d, i: d.check(i),
           "all('ui5-radio-button').map((e) => e.checked)", [False, True]),
    Scenario("keypress", "UI5 ui5-radio-button", _UI5, _radios_by_keys),
    simple("choose", "UI5 ui5-select", _UI5, ("combobox", ""), lambda d, i: d.choose(i, "Tablet"),
           "one('ui5-select').selectedOption.textContent", "Tablet"),
    simple("drag", "UI5 ui5-slider", _UI5, ("slider", "Slider handle"), lambda d, i: d.drag(i, offset=(200, 0)),
           "one('ui5-slider').value > 10", True),
    simple("focus", "UI5 ui5-input", _UI5, ("textbox", "Name"), lambda d, i: d.focus(i), "one('ui5-input').focused", True),
)  # fmt: skip
