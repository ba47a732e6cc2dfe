"""Texts: reading, copying, computing, and writing what came of it."""

import re

from tests.campaigns.miniwob.player import Player, Policy
from tests.campaigns.miniwob.policies.forms import place
from tests.campaigns.miniwob.view import Seen, View


def _field(view: View) -> Seen:
    """The field to write into: one line high, and empty."""
    return view.one(tag="input", where=lambda seen: seen.role in ("textbox", "spinbutton"))


async def _write(player: Player, text: str) -> None:
    await player.type(_field(await player.look()), text)
    await player.click("Submit")


async def _copy(player: Player) -> None:
    area = (await player.look()).one(tag="textarea")
    await _write(player, area.value)


async def _copy_nth(player: Player) -> None:
    area = (await player.look()).one(tag="textarea", at=place(player, "text area"))
    await _write(player, area.value)


async def _copy_by_keys(player: Player) -> None:
    """Select all, copy, and paste, as a person does."""
    view = await player.look()
    await player.click(view.one(tag="textarea"))
    await player.press("Control+A")
    await player.press("Control+C")
    await player.click(_field(await player.look()))
    await player.press("Control+V")
    await player.click("Submit")


async def _nth_word(player: Player) -> None:
    words = re.sub(r"[^\w\s]", "", (await player.look()).text()).split()
    await _write(player, words[place(player, "word")])


async def _last_word(player: Player) -> None:
    area = (await player.look()).one(tag="textarea")
    await player.scroll(area, to="end")
    area = (await player.look()).one(tag="textarea")
    await _write(player, area.value.split()[-1])


async def _scroll(player: Player) -> None:
    """Only scroll, and submit."""
    area = (await player.look()).one(tag="textarea")
    await player.scroll(area, to="end" if "bottom" in player.utterance else "start")
    await player.click("Submit")


def _table(view: View) -> dict[str, str]:
    """A table of two columns."""
    rows = [[cell.text for cell in row.children if cell.text] for row in view.all(role="row", controls=False)]
    return {row[0]: row[1] for row in rows if len(row) == 2}


async def _read_table(player: Player) -> None:
    asked = player.asked(r"value of (.+) into")[0]
    await _write(player, _table(await player.look())[asked])


async def _read_table_into_form(player: Player) -> None:
    view = await player.look()
    table = _table(view)
    await player.fill({field: table[field.label.rstrip(":")] for field in view.all(role="textbox")})
    await player.click("Submit")


async def _algebra(player: Player) -> None:
    left, sign, right, total = re.findall(r"(x|\d+) ([-+]) (x|\d+) = (-?\d+)", (await player.look()).text())[0]
    if left == "x":
        answer = int(total) - int(right) if sign == "+" else int(total) + int(right)
    else:
        answer = int(total) - int(left) if sign == "+" else int(left) - int(total)
    await _write(player, str(answer))


async def _arithmetic(player: Player) -> None:
    left, sign, right = re.findall(r"(-?\d+) ?([-+x]) ?(-?\d+) =", (await player.look()).text())[0]
    one, other = int(left), int(right)
    await _write(player, str({"+": one + other, "-": one - other, "x": one * other}[sign]))


async def _letters(player: Player) -> None:
    """The letters lean to all sides, and are letters all the same."""
    view = await player.look()
    await _write(player, "".join(view.text().split()))


async def _terminal(player: Player) -> None:
    """List the files, find the one that is meant, and remove it."""
    view = await player.look()
    await player.click(view.one(where=lambda seen: "terminal" in seen.label))
    await _command(player, "ls")
    shown = await player.until(lambda seen: _listed(seen))
    files = _listed(shown)[0].split()
    extension = re.search(r"extension \.(\S+)", player.utterance)
    fits = [name for name in files if (name.endswith(f".{extension[1]}") if extension else "." not in name)]
    await _command(player, f"rm {fits[0]}")


def _listed(view: View) -> list[str]:
    return re.findall(r"user\$ ls (.+?) user\$", view.text())


async def _command(player: Player, line: str) -> None:
    for character in line:
        await player.press(" " if character == " " else character)
    await player.press("Enter")


POLICIES: dict[str, Policy] = {
    "copy-paste": _copy_by_keys,
    "copy-paste-2": _copy_nth,
    "find-word": _nth_word,
    "read-table": _read_table,
    "read-table-2": _read_table_into_form,
    "scroll-text": _last_word,
    "scroll-text-2": _scroll,
    "simple-algebra": _algebra,
    "simple-arithmetic": _arithmetic,
    "terminal": _terminal,
    "text-transform": _letters,
}
