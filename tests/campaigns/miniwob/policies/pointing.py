"""What takes more than a click: dragging, hovering, sliders, and selecting with the keyboard."""

import asyncio
import re

from tests.campaigns.miniwob.player import Player, Policy
from tests.campaigns.miniwob.policies.forms import place
from tests.campaigns.miniwob.view import NotSeenError, Seen, View

_FAR_PX = 15
_BIT_PX = 5
#: The editor notices a selection 100 ms after the key; nothing that can be seen tells when.
_NOTICED_S = 0.3
_COARSE_PX = 30
_WAYS = {"left": (-_FAR_PX, 0), "right": (_FAR_PX, 0), "up": (0, -_FAR_PX), "down": (0, _FAR_PX)}


async def _drag_box(player: Player) -> None:
    view = await player.look()
    boxes = sorted(view.all(where=lambda seen: seen.role != "button"), key=lambda seen: seen.width)
    await player.drag(boxes[0], to=boxes[1])
    await player.click("Submit")


async def _drag_shape(player: Player) -> None:
    way = player.asked(r"(left|right|up|down)")[0]
    shape = (await player.look()).one(role="graphics-symbol")
    await player.drag(shape, offset=_WAYS[way])
    await player.click("Submit")


def _items(view: View) -> list[Seen]:
    return view.all(role="listitem", controls=False)


async def _drag_item(player: Player) -> None:
    """Items in a list, or in a grid of three columns."""
    name, way = player.asked(r"Drag (\S+) (.+)\.")
    items = _items(await player.look())
    at = [item.text for item in items].index(name)
    await player.drag(items[at], offset=_onto(items[at], items[_goal(way, at, len(items))]))


def _onto(item: Seen, goal: Seen) -> tuple[float, float]:
    """The way to the goal and a bit further: the others move out of the way when half of them is covered."""
    return _further(goal.x - item.x), _further(goal.y - item.y)


def _further(way_px: int) -> int:
    return way_px + _BIT_PX * ((way_px > 0) - (way_px < 0))


def _goal(way: str, at: int, count: int) -> int:
    columns = 3 if count == 9 else 1
    if step := re.fullmatch(r"(up|down|left|right) by one(?: position)?", way):
        return at + {"up": -columns, "down": columns, "left": -1, "right": 1}[step[1]]
    if nth := re.search(r"(\d+)(?:st|nd|rd|th)", way):
        return int(nth[1]) - 1
    if columns == 1:
        return 0 if "top" in way else count - 1
    row = 0 if "top" in way else 2 if "bottom" in way else 1
    column = 0 if "left" in way else 2 if "right" in way else 1
    return 3 * row + column


async def _sort(player: Player) -> None:
    """Drag the least to the top, then the next."""
    count = len(_items(await player.look()))
    for goal in range(count):
        items = _items(await player.look())
        numbers = [int(item.text) for item in items]
        at = numbers.index(sorted(numbers)[goal])
        if at != goal:
            await player.drag(items[at], offset=_onto(items[at], items[goal]))
    await player.click("Submit")


async def _hover_menu(player: Player) -> None:
    """Menus that open when the pointer is on their item."""
    *above, last = player.asked(r"Select (.+)")[0].split(">")
    for name in above:
        await player.hover(await player.come(role="menuitem", label=name))
    await player.click(await player.come(role="menuitem", label=last))


async def _slide_to(player: Player, at: int, wanted: int) -> None:
    """Give the handle of a slider the focus, and press arrows until it says the number."""
    await player.focus(_handles(await player.look())[at])
    for _ in range(60):
        view = await player.look()
        number = _said(view, _handles(view)[at])
        if number == wanted:
            return
        await player.press("ArrowRight" if number < wanted else "ArrowLeft")
    raise NotSeenError(f"the slider does not come to {wanted}: the page is told as\n{view.told}")


def _handles(view: View) -> list[Seen]:
    return view.all(tag="span")


def _said(view: View, handle: Seen) -> int:
    """The number behind the handle."""
    after = view.nodes[view.nodes.index(handle) :]
    return next(int(seen.node.text) for seen in after if re.fullmatch(r"-?\d+", seen.node.text))


async def _slider(player: Player) -> None:
    await _slide_to(player, 0, int(player.asked(r"Select (-?\d+)")[0]))
    await player.click("Submit")


async def _sliders(player: Player) -> None:
    for at, wanted in enumerate(player.asked(r"\[(\d+),(\d+),(\d+)\]")):
        await _slide_to(player, at, int(wanted))
    await player.click("Submit")


async def _slider_and_box(player: Player) -> None:
    await _slide_to(player, 0, int(player.asked(r"Select (-?\d+)")[0]))
    await player.check((await player.look()).one(role="checkbox", at=place(player, "checkbox")))
    await player.click("Submit")


async def _find_hot(player: Player) -> None:
    """Move over the area; the nearer, the warmer. Look coarsely for what is not ice-cold, then finely around it."""
    view = await player.look()
    area = max(view.all(), key=lambda seen: seen.width * seen.height)
    spots = [(x, y) for x in range(5, area.width, _COARSE_PX) for y in range(5, area.height, _COARSE_PX)]
    found = await _warmer(player, area, spots, ("COLD", "WARM", "HOT"))
    for step, good in ((8, ("WARM", "HOT")), (3, ("HOT",))):
        found = await _warmer(player, area, _around(area, found, step), good)
    await player.click(area, offset=found)


def _around(area: Seen, spot: tuple[int, int], step: int) -> list[tuple[int, int]]:
    """Spots of the area around one, the nearest first."""
    steps = sorted(((dx, dy) for dx in range(-5, 6) for dy in range(-5, 6)), key=lambda way: abs(way[0]) + abs(way[1]))
    spots = [(spot[0] + dx * step, spot[1] + dy * step) for dx, dy in steps]
    return [(x, y) for x, y in spots if 0 < x < area.width and 0 < y < area.height]


async def _warmer(player: Player, area: Seen, spots: list[tuple[int, int]], good: tuple[str, ...]) -> tuple[int, int]:
    for spot in spots:
        await player.hover(area, offset=spot)
        if (await player.look()).all(where=lambda seen: seen.node.text in good or seen.name in good, controls=False):
            return spot
    raise NotSeenError(f"no {good} in {len(spots)} spots")


async def _style_text(player: Player) -> None:
    """Select in the editor by the keyboard, and take a style or a colour from its bar."""
    view = await player.look()
    editor = view.one(where=lambda seen: bool(seen.value))
    text = editor.value
    everything = "everything" in player.utterance
    await player.click(editor)
    if everything:
        await player.press("Control+A")
    else:
        word = player.asked(r"the text (\S+) the")[0]
        await player.press("Control+Home")
        for _ in range(text.index(word)):
            await player.press("ArrowRight")
        for _ in word:
            await player.press("Shift+ArrowRight")
    await asyncio.sleep(_NOTICED_S)
    style = re.search(r"style (\w+)", player.utterance)
    color = re.search(r"color (\w+)", player.utterance)
    if style:
        await player.click(await _button(player, style[1]))
    elif color:
        await player.click(await _button(player, "color"))
        await player.click(await _swatch(player, color[1]))
    await player.click("Submit")


_STYLES = {"bold": "ql-bold", "italics": "ql-italic", "underlined": "ql-underline", "color": "ql-picker-label"}
_SWATCHES = {
    "red": "rgb(230, 0, 0)",
    "orange": "rgb(255, 153, 0)",
    "yellow": "rgb(255, 255, 0)",
    "green": "rgb(0, 138, 0)",
    "blue": "rgb(0, 102, 204)",
    "purple": "rgb(153, 51, 255)",
}


async def _button(player: Player, style: str) -> Seen:
    """What its icon shows is told nowhere but in its class."""
    for seen in (await player.look()).all():
        if _STYLES[style] in (await player.attributes(seen)).get("class", "").split():
            return seen
    raise NotSeenError(f"no button for {style}")


async def _swatch(player: Player, color: str) -> Seen:
    for seen in (await player.look()).all():
        if _SWATCHES[color] in (await player.attributes(seen)).get("style", ""):
            return seen
    raise NotSeenError(f"no {color}")


POLICIES: dict[str, Policy] = {
    "click-menu": _hover_menu,
    "drag-box": _drag_box,
    "drag-circle": _drag_shape,
    "drag-items": _drag_item,
    "drag-items-grid": _drag_item,
    "drag-single-shape": _drag_shape,
    "drag-sort-numbers": _sort,
    "form-sequence": _slider_and_box,
    "hot-cold": _find_hot,
    "text-editor": _style_text,
    "use-slider": _slider,
    "use-slider-2": _sliders,
}
