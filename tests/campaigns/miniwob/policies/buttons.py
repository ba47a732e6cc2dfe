"""Buttons, links and dialogs: find the one that is meant, and click it."""

import re

from tests.campaigns.miniwob.player import Player, Policy
from tests.campaigns.miniwob.view import Seen

_WIDGETS = {
    "button": lambda seen: seen.role == "button",
    "checkbox": lambda seen: seen.role == "checkbox",
    "radio": lambda seen: seen.role == "radio",
    "text": lambda seen: seen.tag == "input" and seen.role == "textbox",
    "textarea": lambda seen: seen.tag == "textarea",
}


async def _quoted(player: Player) -> None:
    """Click what is called as quoted."""
    await player.click(player.quoted[-1])


async def _numbered(player: Player) -> None:
    """Click the buttons that are named in capitals, in their order."""
    for name in re.findall(r"\b(ONE|TWO)\b", player.utterance):
        await player.click(name)


async def _only(player: Player) -> None:
    await player.click((await player.look()).one(role="button"))


async def _close(player: Player) -> None:
    await player.click("Close")


async def _dialog(player: Player) -> None:
    name = player.quoted[0]
    await player.click("Close" if name == "x" else name)


async def _widget(player: Player) -> None:
    is_meant = _WIDGETS[player.quoted[0]]
    await player.click((await player.look()).one(where=is_meant))


async def _agreement(player: Player) -> None:
    """Cancel; or read to the end, sign, and agree."""
    if not player.quoted:
        await player.click("Cancel")
        return
    name, button = player.quoted
    await player.scroll((await player.look()).one(tag="textarea", controls=False), to="end")
    await player.type((await player.look()).one(role="textbox", tag="input"), name)
    await player.click(button)


async def _cheapest(player: Player) -> None:
    """The ticket that is the least of what is asked for."""
    view = await player.look()
    offers = view.all(role="button", where=lambda seen: seen.label.startswith("Book"))
    if "duration" in player.utterance:
        best = min(offers, key=lambda offer: _minutes(_card(offer).text))
    else:
        best = min(offers, key=_price)
    if "longest" in player.utterance:
        best = max(offers, key=lambda offer: _minutes(_card(offer).text))
    if "most expensive" in player.utterance:
        best = max(offers, key=_price)
    await player.click(best)


def _card(offer: Seen) -> Seen:
    return next(up for up in offer.around() if re.search(r"\d+h \d+m", up.text))


def _minutes(text: str) -> int:
    hours, minutes = re.findall(r"(\d+)h (\d+)m", text)[0]
    return int(hours) * 60 + int(minutes)


def _price(offer: Seen) -> int:
    return int(offer.label.rpartition("$")[2])


async def _odd_or_even(player: Player) -> None:
    view = await player.look()
    answers = view.all(role="button", label="Odd")
    for odd in answers:
        row = next(up for up in odd.around() if re.search(r"-?\d+", up.text))
        number = int(re.findall(r"-?\d+", row.text)[0])
        even = next(seen for seen in row.walk() if seen.role == "button" and seen.label == "Even")
        await player.click(odd if number % 2 else even)
    await player.click("Submit")


async def _ascending(player: Player) -> None:
    """After the first click the numbers are hidden: remember where they were."""
    numbers = (await player.look()).all(where=lambda seen: seen.label.isdigit())
    first, *rest = sorted(numbers, key=lambda seen: int(seen.label))
    await player.click(first)
    for number in rest:
        await player.click(next(seen for seen in (await player.look()).all() if _covers(seen, number)))


def _covers(seen: Seen, other: Seen) -> bool:
    """Whether it lies where the middle of the other was."""
    x, y = other.x + other.width / 2, other.y + other.height / 2
    return seen.x <= x <= seen.x + seen.width and seen.y <= y <= seen.y + seen.height


async def _generate(player: Player) -> None:
    """Generate numbers until one fits."""
    while True:
        await player.click("Generate")
        numbers = [seen.text for seen in (await player.look()).nodes if re.fullmatch(r"-?\d+", seen.node.text)]
        if _fits(int(numbers[0]), player):
            break
    await player.click("Submit")


def _fits(number: int, player: Player) -> bool:
    if "odd" in player.utterance or "even" in player.utterance:
        return number % 2 == ("odd" in player.utterance)
    how, limit = player.asked(r"(less|greater) than (\d+)")
    return number < int(limit) if how == "less" else number > int(limit)


async def _greatest(player: Player) -> None:
    """Turn the cards over one by one, and pick the greatest."""
    cards = (await player.look()).all(where=lambda seen: seen.role != "button")
    numbers = {}
    for card in cards:
        await player.click(card)
        turned = next(seen for seen in (await player.look()).nodes if seen.id == card.id)
        numbers[card.id] = int(turned.label)
    await player.click(max(cards, key=lambda card: numbers[card.id]))
    await player.click("Submit")


POLICIES: dict[str, Policy] = {
    "ascending-numbers": _ascending,
    "buy-ticket": _cheapest,
    "click-button": _quoted,
    "click-button-sequence": _numbered,
    "click-dialog": _close,
    "click-dialog-2": _dialog,
    "click-link": _quoted,
    "click-test": _only,
    "click-test-2": _numbered,
    "click-test-transfer": _numbered,
    "click-widget": _widget,
    "find-greatest": _greatest,
    "generate-number": _generate,
    "odd-or-even": _odd_or_even,
    "sign-agreement": _agreement,
    "unicode-test": _quoted,
}
