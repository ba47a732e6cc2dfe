"""Tabs, sections, trees, menus and pages of results: open what hides the thing, and find it."""

import re
from functools import partial

from tests.campaigns.miniwob.player import Player, Policy
from tests.campaigns.miniwob.policies.forms import place
from tests.campaigns.miniwob.view import Seen, View


async def _tab(player: Player) -> None:
    await player.click(player.asked(r"Click on (Tab #\d)")[0])


async def _in_tabs(player: Player) -> None:
    """Go from tab to tab until the link shows."""
    tabs = [seen for seen in (await player.look()).all() if _is_in_tablist(seen)]
    for tab in tabs:
        view = await player.look()
        if links := view.all(label=player.quoted[0]):
            await player.click(links[0])
            return
        await player.click(tab)
        await player.come(role="tabpanel", where=partial(_is_called, tab.label), controls=False)
    await player.click(player.quoted[0])


def _is_in_tablist(seen: Seen) -> bool:
    return any(up.role == "tablist" for up in seen.around())


def _is_called(name: str, seen: Seen) -> bool:
    return seen.name == name


async def _section(player: Player) -> None:
    """Expand the only section, if it is not, and submit."""
    view = await player.look()
    await player.click(view.one(role="tab"))
    await player.still()
    await player.click("Submit")


def _expanded(tab: Seen) -> bool:
    return bool(tab.node.states.get("expanded"))


async def _in_sections(player: Player) -> None:
    """Expand section after section until the link shows."""
    for section in (await player.look()).all(role="tab"):
        view = await player.look()
        if links := view.all(label=player.quoted[0]):
            await player.click(links[0])
            return
        if not _expanded(next(seen for seen in view.nodes if seen.id == section.id)):
            await player.click(section)
            await player.still()
    await player.click(player.quoted[0])


async def _tree(player: Player) -> None:
    """Open folder after folder until the name shows."""
    opened: set[str] = set()
    while True:
        view = await player.look()
        found = view.all(label=player.quoted[0])
        if found:
            await player.click(found[-1])
            return
        names = [seen for seen in view.all() if seen.label and _is_folder(seen) and seen.id not in opened]
        opened.add(names[0].id)
        await player.click(names[0])


def _is_folder(seen: Seen) -> bool:
    """A folder is told as something to click within something to click."""
    return any(up.node.actionable for up in seen.around())


async def _menu_button(player: Player) -> None:
    """Open the menu, and its menus, and take the item."""
    await player.click("Menu")
    view = await player.look()
    if not view.all(role="menuitem", label=player.quoted[-1]):
        await player.click(view.one(role="menuitem", label="Playback"))
    await player.click(await player.come(role="menuitem", label=player.quoted[-1]))


async def _pie(player: Player) -> None:
    """Open the pie, and take the slice."""
    await player.click("+")
    await player.come(label="-")
    await player.still()
    await player.click(player.quoted[0])


async def _search(player: Player) -> None:
    """Search, go to the page with the nth result, and take it."""
    await player.type((await player.look()).one(role="textbox"), player.quoted[0])
    await player.click("Search")
    wanted = place(player, "search result")
    page, at = divmod(wanted, 3)
    if page:
        await player.click(await player.come(role="link", label=str(page + 1)))
    await player.click(_results(await player.look())[at])


def _results(view: View) -> list[Seen]:
    return view.all(role="link", where=lambda seen: not re.fullmatch(r"\d|[<>]", seen.label))


async def _phone_book(player: Player) -> None:
    """Turn the pages to the person, and take what is asked for."""
    name, what = player.asked(r"Find (.+) in the contact book and click on their (\w+)")
    while not (view := await player.look()).all(role="heading", label=name, controls=False):
        await player.click(view.one(role="link", label=">"))
    links = view.all(role="link", where=lambda seen: not re.fullmatch(r"\d|[<>]", seen.label))
    await player.click(links[("phone", "email", "address").index(what)])


async def _order(player: Player) -> None:
    """Put what is asked for into the order."""
    view = await player.look()
    dishes = [_dish(plus) for plus in view.all(label="+")]
    one_each = re.search(r"one of each item: (.+)", player.utterance)
    if one_each:
        for name in one_each[1].split(", "):
            await player.click(
                next(plus for plus, dish in zip(view.all(label="+"), dishes, strict=True) if name in dish)
            )
    else:
        count, kind = player.asked(r"Order (\d+) items that are (.+?)\.?$")
        plus = next(
            plus for plus, dish in zip(view.all(label="+"), dishes, strict=True) if kind.casefold() in dish.casefold()
        )
        for _ in range(int(count)):
            await player.click(plus)
    await player.click("Order!")


def _dish(plus: Seen) -> str:
    """All that is told of the dish whose plus it is, with its pictures."""
    dish = next(up for up in plus.around() if re.search(r"[A-Za-z]", up.text))
    return " ".join([dish.text, *(seen.name for seen in dish.walk() if seen.role == "image")])


POLICIES: dict[str, Policy] = {
    "click-collapsible": _section,
    "click-collapsible-nodelay": _section,
    "click-collapsible-2": _in_sections,
    "click-collapsible-2-nodelay": _in_sections,
    "click-menu-2": _menu_button,
    "click-pie": _pie,
    "click-pie-nodelay": _pie,
    "click-tab": _tab,
    "click-tab-2": _in_tabs,
    "click-tab-2-easy": _in_tabs,
    "click-tab-2-medium": _in_tabs,
    "click-tab-2-hard": _in_tabs,
    "navigate-tree": _tree,
    "order-food": _order,
    "phone-book": _phone_book,
    "search-engine": _search,
}
