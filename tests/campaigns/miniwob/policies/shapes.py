"""Shapes and colours: what they are is told by their tags, and their colours by what is written on them."""

import re
from typing import NamedTuple

from tests.campaigns.miniwob.player import Player, Policy
from tests.campaigns.miniwob.view import Seen

_KINDS = {"rect": "rectangle", "circle": "circle", "polygon": "triangle"}
_LARGE_PX = 15


class _Shape(NamedTuple):
    seen: Seen
    kind: str
    text: str
    color: str
    size: str

    def fits(self, description: str) -> bool:
        """Whether it is "a large red letter", "a circle", "a black 7"."""
        *manners, what = description.split()
        is_what = what in ("item", self.kind, self.text) or (what == "shape" and self.kind in _KINDS.values())
        return is_what and all(manner in (self.color, self.size) for manner in manners)


async def _shapes(player: Player) -> list[_Shape]:
    shapes = []
    for seen in (await player.look()).all(tag=(*_KINDS, "text")):
        written = await player.attributes(seen)
        kind, text, size = _KINDS.get(seen.tag, ""), "", seen.width
        if seen.tag == "text":
            text = seen.label
            kind = "digit" if text.isdigit() else "letter"
            size = int(written["font-size"].removesuffix("px"))
        shapes.append(_Shape(seen, kind, text, written.get("fill", ""), "large" if size > _LARGE_PX else "small"))
    return shapes


async def _click_shape(player: Player) -> None:
    wanted = player.asked(r"Click on an? (.+)")[0]
    await player.click(next(shape.seen for shape in await _shapes(player) if shape.fits(wanted)))


async def _count(player: Player) -> None:
    wanted = player.asked(r"How many (.+)s are there")[0]
    count = sum(shape.fits(wanted) for shape in await _shapes(player))
    await player.click((await player.look()).one(role="button", label=str(count)))


async def _identify(player: Player) -> None:
    (shape,) = await _shapes(player)
    await player.click({"digit": "Number"}.get(shape.kind, shape.kind))


async def _background(player: Player, seen: Seen) -> str:
    style = (await player.attributes(seen)).get("style", "")
    match = re.search(r"background-color: ([^;]+);", style)
    return match[1] if match else ""


async def _color(player: Player) -> None:
    wanted = player.asked(r"Click on the (\w+) colored box")[0]
    for seen in reversed((await player.look()).all()):
        if await _background(player, seen) == wanted:
            await player.click(seen)
            return


async def _shades(player: Player) -> None:
    """Of a shade, the channel with the most is its colour."""
    wanted = player.asked(r"shades of (\w+)")[0]
    for seen in (await player.look()).all(tag="span"):
        channels = [int(part) for part in re.findall(r"\d+", await _background(player, seen))]
        if ("red", "green", "blue")[channels.index(max(channels))] == wanted:
            await player.click(seen)
    await player.click("Submit")


async def _coordinate(player: Player) -> None:
    """The points stand in rows and columns around (0, 0)."""
    x, y = player.asked(r"\((-?\d+),(-?\d+)\)")
    points = (await player.look()).all(tag="circle")
    columns = sorted({point.x for point in points})
    rows = sorted({point.y for point in points}, reverse=True)
    at = (columns[int(x) + len(columns) // 2], rows[int(y) + len(rows) // 2])
    await player.click(next(point for point in points if (point.x, point.y) == at))


POLICIES: dict[str, Policy] = {
    "click-color": _color,
    "click-shades": _shades,
    "click-shape": _click_shape,
    "count-shape": _count,
    "grid-coordinate": _coordinate,
    "identify-shape": _identify,
}
