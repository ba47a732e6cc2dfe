"""Forms: check boxes and radio buttons, lists, fields of every kind, and what submits them."""

import re
from datetime import datetime

from tests.campaigns.miniwob.player import Player, Policy
from tests.campaigns.miniwob.view import Seen

#: Words of like meaning, for the task that asks for them.
_ALIKE = """
    big large huge enormous gigantic | small tiny little mini petite | red scarlet crimson vermillion | happy cheerful
    joyful gleeful delighted | sad unhappy sorrowful miserable tragic | angry mad furious irritated | evil wicked immoral
    sinful corrupt depraved | wrong incorrect mistaken erroneous | real genuine actual | strange odd peculiar unusual
    weird | stop cease halt end finish | scared terrified panicked fearful frightened afraid | quiet calm peaceful serene
    mild | old aged archaic | love like adore favor | kill murder assassinate | keep retain preserve sustain maintain |
    hide conceal camouflage | hate despise loathe detest dislike | funny humorous amusing comical laughable | fat fleshy
    plump chubby | stupid dumb dull unwise | delicious savory delectable appetizing | cut slice carve chop | brave
    courageous fearless | begin start initiate launch | answer reply response | television televisions tv tvs | house
    home houses homes | fire flame fires flames | pig pork swine | rabbit rabbits bunny bunnies | car cars automobile
    automobiles vehicle vehicles | water
"""


def place(player: Player, what: str) -> int:
    """The place in "the 3rd …", from 0."""
    return int(player.asked(rf"(\d+)(?:st|nd|rd|th)\s+{what}")[0]) - 1


async def _check(player: Player) -> None:
    """Select what is listed, and submit."""
    wanted = player.asked(r"Select (.+) and click Submit")[0]
    for name in [] if wanted == "nothing" else wanted.split(", "):
        await player.check((await player.look()).one(role=("checkbox", "radio"), label=name))
    await player.click("Submit")


async def _check_alike(player: Player) -> None:
    wanted = player.asked(r"similar to (.+) and click Submit")[0].split(", ")
    boxes = (await player.look()).all(role="checkbox")
    for box in boxes:
        if any(_alike(box.label, word) for word in wanted):
            await player.check(box)
    await player.click("Submit")


def _alike(one: str, other: str) -> bool:
    return any({one.casefold(), other.casefold()} <= set(group.split()) for group in _ALIKE.split("|"))


async def _select(player: Player) -> None:
    """Select what is listed in a native list, and submit."""
    wanted = player.asked(r"Select (.+) from the")[0].split(", ")
    field = (await player.look()).one(role=("combobox", "listbox"))
    await player.select(field, wanted if len(wanted) > 1 else wanted[0])
    await player.click("Submit")


async def _enter(player: Player) -> None:
    """Type what is quoted into every field, and submit."""
    fields = (await player.look()).all(role="textbox")
    for field in fields:
        await player.type(field, player.quoted[0])
    await player.click("Submit")


async def _enter_changed(player: Player) -> None:
    text = player.quoted[0]
    text = text.upper() if "upper case" in player.utterance else text.lower()
    await player.type((await player.look()).one(role="textbox"), text)
    await player.click("Submit")


async def _enter_date(player: Player) -> None:
    month, day, year = player.asked(r"(\d+)/(\d+)/(\d+)")
    await player.type((await player.look()).one(tag="input"), f"{year}-{month}-{day}")
    await player.click("Submit")


async def _enter_time(player: Player) -> None:
    time = datetime.strptime(player.asked(r"(\d+:\d+ [AP]M)")[0], "%I:%M %p")
    await player.type((await player.look()).one(tag="input"), time.strftime("%H:%M"))
    await player.click("Submit")


async def _log_in(player: Player) -> None:
    name, password = player.quoted
    await player.type("Username", name)
    await _away_with_popups(player)
    await player.type("Password", password)
    await _away_with_popups(player)
    view = await player.look()
    await player.click(view.one(role="button", where=lambda seen: seen.label in ("Login", "OK")))


async def _away_with_popups(player: Player) -> None:
    """A box may come over the form, and asks something: say no."""
    view = await player.look()
    no = view.all(where=lambda seen: seen.label in ("Cancel", "No", "Dismiss", "Exit"))
    if no:
        await player.click(no[0])


async def _search_films(player: Player) -> None:
    """The labels of the fields differ from seed to seed, and their order."""
    genre, director, year = player.asked(r"for (.+) movies directed by (.+) from year (\d+)")
    for said, text in (("genre", genre), ("direct", director), ("year|date", year)):
        fields = (await player.look()).all(role="textbox")
        await player.type(next(field for field in fields if re.search(said, field.label, re.IGNORECASE)), text)
    view = await player.look()
    await player.click(view.one(where=lambda seen: seen.label in ("Submit", "Search", "Go!", "Find Movies")))


async def _focus(player: Player) -> None:
    await player.click((await player.look()).one(role="textbox"))


async def _focus_nth(player: Player) -> None:
    await player.click((await player.look()).one(role="textbox", at=place(player, "input")))


async def _radio_and_number(player: Player) -> None:
    """Check the nth box or button, and enter a number into the nth field."""
    view = await player.look()
    kind = "radio" if "radio" in player.utterance else "checkbox"
    await player.click(view.one(role=kind, at=place(player, kind)))
    field = (await player.look()).one(role="textbox", at=place(player, "textbox"))
    await player.type(field, player.quoted[0])
    await player.click("Submit")


async def _dropdown_and_button(player: Player) -> None:
    """The drop-down is drawn, no native list."""
    item = player.asked(r"Choose (.+) from the dropdown")[0]
    view = await player.look()
    await player.choose(view.one(where=lambda seen: seen.role != "button"), item)
    await player.click((await player.look()).one(role="button", label=player.quoted[0]))


async def _spin(player: Player) -> None:
    """Click the arrows until the number is there."""
    wanted = int(player.asked(r"Select (-?\d+)")[0])
    while True:
        view = await player.look()
        number = int(view.one(role="spinbutton").value)
        if number == wanted:
            break
        up, down = view.all(role="button")[:2]
        await player.click(up if number < wanted else down)
    await player.click("Submit")


async def _complete(player: Player) -> None:
    """Type the beginning, and take the suggestion that ends as asked."""
    begins, *ends = player.quoted
    view = await player.look()
    known = {seen.id for seen in view.all()}

    def fits(seen: Seen) -> bool:
        text = seen.label
        return seen.id not in known and text.startswith(begins) and text.endswith(ends[0] if ends else "")

    await player.type(view.one(role="textbox"), begins)
    await player.click(await player.come(where=fits))
    await player.click("Submit")


async def _draw_number(player: Player) -> None:
    """Check the boxes that make a digit, which is shown as a picture."""
    boxes = sorted((await player.look()).all(role="checkbox"), key=lambda box: (box.y, box.x))
    for box, is_on in zip(boxes, _DIGITS[int(player.quoted[0])].replace(" ", ""), strict=True):
        if is_on == "#":
            await player.click(box)
    await player.click("Submit")


#: As the page draws them, seven rows of four.
_DIGITS = {
    0: ".##. #..# #..# #..# #..# #..# .##.",
    1: "..#. .##. ..#. ..#. ..#. ..#. ..#.",
    2: ".##. #..# #..# ..#. .#.. #... ####",
    3: ".##. #..# ...# .##. ...# #..# .##.",
    4: "#... #.#. #.#. #### ..#. ..#. ..#.",
    5: "#### #... #... ###. ...# #..# .##.",
    6: ".##. #..# #... ###. #..# #..# .##.",
    7: "#### #..# ...# ..#. ..#. .#.. .#..",
    8: ".##. #..# #..# .##. #..# #..# .##.",
    9: ".##. #..# #..# .### ...# #..# .##.",
}


async def _guess(player: Player) -> None:
    """Halve what is left until it is right."""
    low, high = 0, 9
    while low <= high:
        guess = (low + high) // 2
        await player.type((await player.look()).one(role="spinbutton"), str(guess))
        await player.click("Submit")
        said = (await player.look()).text()
        if "lower than" in said:
            high = guess - 1
        elif "higher than" in said:
            low = guess + 1
        else:
            return


async def _color(player: Player) -> None:
    wanted = _COLORS[player.asked(r"Select (\w+) with")[0]]
    await player.type("Color", wanted)
    await player.press("Tab")
    await player.click("Submit")


_COLORS = {
    "red": "FF0000",
    "lime": "00FF00",
    "green": "008000",
    "blue": "0000FF",
    "yellow": "FFFF00",
    "cyan": "00FFFF",
    "aqua": "00FFFF",
    "magenta": "FF00FF",
    "black": "000000",
    "white": "FFFFFF",
    "grey": "808080",
    "gray": "808080",
    "orange": "FFA500",
    "purple": "800080",
    "pink": "FFC0CB",
    "olive": "808000",
    "navy": "000080",
    "teal": "008080",
    "maroon": "800000",
    "silver": "C0C0C0",
}


POLICIES: dict[str, Policy] = {
    "choose-list": _select,
    "click-scroll-list": _select,
    "click-checkboxes": _check,
    "click-checkboxes-large": _check,
    "click-checkboxes-soft": _check_alike,
    "click-checkboxes-transfer": _check,
    "click-option": _check,
    "enter-date": _enter_date,
    "enter-password": _enter,
    "enter-text": _enter,
    "enter-text-2": _enter_changed,
    "enter-text-dynamic": _enter,
    "enter-time": _enter_time,
    "focus-text": _focus,
    "focus-text-2": _focus_nth,
    "form-sequence-2": _radio_and_number,
    "form-sequence-3": _dropdown_and_button,
    "guess-number": _guess,
    "login-user": _log_in,
    "login-user-popup": _log_in,
    "multi-layouts": _search_films,
    "multi-orderings": _search_films,
    "number-checkboxes": _draw_number,
    "use-autocomplete": _complete,
    "use-autocomplete-nodelay": _complete,
    "use-colorwheel": _color,
    "use-spinner": _spin,
}
