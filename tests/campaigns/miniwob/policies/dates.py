"""Dates, picked in a calendar that opens under the field."""

from datetime import date, datetime

from tests.campaigns.miniwob.player import Player, Policy
from tests.campaigns.miniwob.view import View


def _month(view: View) -> date | None:
    """The month that the calendar shows."""
    for seen in view.nodes:
        try:
            return datetime.strptime(seen.text, "%B %Y").date()
        except ValueError:
            continue
    return None


async def _pick(player: Player, day: date) -> None:
    """In the open calendar, go to the month, and take the day."""
    view = await player.until(_month)
    while (shown := _month(view)) != day.replace(day=1):
        assert shown is not None
        await player.click("Prev" if day < shown else "Next")
        view = await player.until(_month)
    await player.click((await player.look()).one(role="link", label=str(day.day)))


async def _date(player: Player) -> None:
    await player.pick_date((await player.look()).one(role="textbox"), _day(player))
    await _submit(player)


async def _date_by_hand(player: Player) -> None:
    await player.click((await player.look()).one(role="textbox"))
    await _pick(player, _day(player))
    await _submit(player)


async def _submit(player: Player) -> None:
    """The calendar fades away."""
    await player.until(lambda view: not view.all(role="table", controls=False))
    await player.click("Submit")


def _day(player: Player) -> date:
    return datetime.strptime(player.asked(r"Select ([\d/]+)")[0], "%m/%d/%Y").date()


POLICIES: dict[str, Policy] = {
    "choose-date": _date_by_hand,
    "choose-date-easy": _date,
    "choose-date-medium": _date,
    "choose-date-nodelay": _date_by_hand,
}
