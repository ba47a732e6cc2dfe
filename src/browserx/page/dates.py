"""Picking a date: in a native field, by typing it the way the field shows dates, or in a calendar that opens."""

import datetime
import re
from collections import Counter
from typing import NamedTuple

import msgspec

from browserx.actions import ActionResult, Verdict
from browserx.dom import DomSnapshot
from browserx.dom.ids import normalize
from browserx.dom.tree import PageNode
from browserx.errors import InvalidArgumentError, NotActionableError
from browserx.inpage.facts import Fact
from browserx.page.compound import Stepping

_NATIVE = {"date": "%Y-%m-%d", "datetime-local": "%Y-%m-%dT%H:%M", "month": "%Y-%m", "week": "%G-W%V"}
_MOST_MONTHS = 240
_MOST_DAYS = 31
_MOST_WORDS = 6
_MONTHS = (
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
)
_MONTH_OF = {name: number for names in _MONTHS for number, name in enumerate(names.split(), 1)}
_MONTH_OF |= {name[:3]: number for name, number in _MONTH_OF.items() if name.isascii()}
_WORD = re.compile(r"[^\W\d_]+|\d+")
_ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b")
_NEXT = re.compile(r"\bnext\b|nächst|suivant|siguiente|successiv|próxim|volgende|^[›»>→]$", re.IGNORECASE)
_BACK = re.compile(r"\bprev|vorherig|précédent|anterior|precedent|vorige|^[‹«<←]$", re.IGNORECASE)
_YEARLY = re.compile(r"year|jahr|année|año|anno|ano\b|jaar|decade", re.IGNORECASE)
_MONTHLY = re.compile(r"month|monat|mois|\bmes\b|mese|mês|maand", re.IGNORECASE)
_PLACES = re.compile(r"d{1,2}|m{1,2}|y{2,4}|t{1,2}|j{2,4}|a{4}", re.IGNORECASE)
_CODES = {"d": "%d", "t": "%d", "m": "%m", "y": "%Y", "a": "%Y", "j": "%Y"}


class _Month(NamedTuple):
    year: int
    month: int

    def is_before(self, day: datetime.date) -> bool:
        return (self.year, self.month) < (day.year, day.month)


async def pick_date(dom: Stepping, node_id: str | int, date: datetime.date | str) -> ActionResult:
    """Put a date into a field, or choose it in the calendar that an element opens.

    ``date`` is a date or written ``2026-11-22``.

    Raises:
        InvalidArgumentError: that is no date.
        NotActionableError: the field did not take it, and no calendar with that day was found.
    """
    day = _date(date)
    known = normalize(node_id)
    snapshot = dom.current_snapshot
    node = snapshot.node(known) if snapshot is not None and known is not None else None
    if node is None or known is None:
        return await dom.click(node_id)  # says what is wrong with the id
    kind = node.extra.attributes.get("type", "") if node.extra is not None else ""
    if node.tag == "input" and kind in _NATIVE:
        return await dom.type(known, day.strftime(_NATIVE[kind]))
    states = node.extra.states if node.extra is not None else {}
    if node.tag == "input" and not states.get("readonly"):
        result = await dom.type(known, day.strftime(_format(node)))
        shown = await dom.get_snapshot(force=True)
        if result.success and _holds(shown.node(known), day):
            result = await _taken(dom, shown, known, result)
            if _holds((await dom.get_snapshot(force=True)).node(known), day):
                dom.invalidate_snapshot()  # as after any action
                return result
    return await _in_calendar(dom, known, day)


async def _taken(dom: Stepping, shown: DomSnapshot, node_id: str, typed: ActionResult) -> ActionResult:
    """Many fields take what was typed only when they are left, or, with a calendar open at them, by Enter."""
    node = shown.node(node_id)
    if node is not None and node.extra is not None and node.extra.states.get("expanded") is True:
        done = await dom.keypress("Enter")
    else:
        done = await dom.blur(node_id)
    if not done.success or done.changes is None or typed.changes is None:
        return done
    changes = msgspec.structs.replace(
        done.changes,
        dom_mutated=True,
        requests=[*typed.changes.requests, *done.changes.requests],
        value_now=typed.changes.value_now,
    )
    verdict = typed.verdict if done.verdict is Verdict.NO_EFFECT else done.verdict
    return msgspec.structs.replace(done, verdict=verdict, changes=changes, visual_effect=typed.visual_effect)


def _date(given: datetime.date | str) -> datetime.date:
    if isinstance(given, datetime.datetime):
        return given.date()
    if isinstance(given, datetime.date):
        return given
    try:
        return datetime.date.fromisoformat(given)
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"{given!r} is no date; write it like 2026-11-22") from error


def _format(node: PageNode) -> str:
    """How the field says it wants dates (``dd.mm.yyyy``), else as it holds one, else month first."""
    extra = node.extra
    hint = (extra.attributes.get("placeholder", "") if extra is not None else "") or node.name
    shape = re.search(rf"({_PLACES.pattern})(\W)({_PLACES.pattern})\2({_PLACES.pattern})", hint, re.IGNORECASE)
    if shape is not None:
        return shape[2].join(_CODES[shape[place][0].lower()] for place in (1, 3, 4))
    held = re.fullmatch(r"(\d+)(\D)(\d+)\2(\d+)", extra.value.strip()) if extra is not None and extra.value else None
    if held is None:
        return "%m/%d/%Y"
    order = ("%Y", "%m", "%d") if len(held[1]) == 4 else ("%d", "%m", "%Y") if held[2] == "." else ("%m", "%d", "%Y")
    return held[2].join(order)


def _holds(node: PageNode | None, day: datetime.date) -> bool:
    held = node.extra.value if node is not None and node.extra is not None and node.extra.value else ""
    numbers = sorted(int(number) for number in re.findall(r"\d+", held)[:3])
    return numbers in (sorted((day.year, day.month, day.day)), sorted((day.year % 100, day.month, day.day)))


async def _in_calendar(dom: Stepping, node_id: str, day: datetime.date) -> ActionResult:
    shown = await dom.get_snapshot()
    before = set(shown.ids_of_controls())
    if _month(shown) is None:
        await dom.click(node_id)
        shown = await dom.get_snapshot(force=True)
    for _ in range(_MOST_MONTHS):
        if (found := _day(shown, day)) is not None:
            return await dom.click(found)
        month = _month(shown)
        if month is None or month == (day.year, day.month):
            break
        arrow = _arrow(shown, _NEXT if month.is_before(day) else _BACK, before)
        if arrow is None:
            break
        await dom.click(arrow)
        shown = await dom.get_snapshot(force=True)
    raise NotActionableError(
        f"no calendar with {day.isoformat()} was found at element {node_id}; look at what opened, and click the day",
        node_id=node_id,
        reason="no_date",
    )


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _month(snapshot: DomSnapshot) -> _Month | None:
    """The month that a calendar shows: a month by its name, and a year beside it."""
    page, nodes = snapshot.page, snapshot.page.tree.nodes
    said = [_words(node.text or page.names[i]) for i, node in enumerate(nodes) if node.facts & Fact.VISIBLE]
    for words, following in zip(said, [*said[1:], []], strict=True):
        month = next((_MONTH_OF[word] for word in words if word in _MONTH_OF), None) if len(words) <= 3 else None
        years = [int(word) for word in (*words, *following[:1]) if len(word) == 4 and word.isdigit()]
        if month is not None and years:
            return _Month(years[0], month)
    days = Counter(_Month(day.year, day.month) for name in _shown_names(snapshot) if (day := _whole(name)) is not None)
    return days.most_common(1)[0][0] if days else None


def _shown_names(snapshot: DomSnapshot) -> list[str]:
    """What everything is called that is shown and can be acted on."""
    page, nodes = snapshot.page, snapshot.page.tree.nodes
    return [page.names[i] for i, yes in enumerate(page.actionable) if yes and nodes[i].facts & Fact.VISIBLE]


def _whole(name: str) -> datetime.date | None:
    """The date that a name is, with a month in letters and a year: "Monday, 2 November 2026"."""
    words = _words(name)
    month = next((_MONTH_OF[word] for word in words if word in _MONTH_OF), None)
    numbers = [int(word) for word in words if word.isdigit()] + [int(number) for number in _ORDINAL.findall(name)]
    year = next((number for number in numbers if number > _MOST_DAYS), None)
    day = next((number for number in numbers if number <= _MOST_DAYS), None)
    if month is None or year is None or day is None or len(words) > _MOST_WORDS:
        return None
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def _day(snapshot: DomSnapshot, day: datetime.date) -> str | None:
    """What stands for the day: by its whole name, or by its number in the month that is shown."""
    page, nodes = snapshot.page, snapshot.page.tree.nodes
    shown = [i for i, yes in enumerate(page.actionable) if yes and nodes[i].facts & Fact.VISIBLE]
    for i in shown:
        words = _words(page.names[i])
        numbers = {int(word) for word in words if word.isdigit()} | {int(n) for n in _ORDINAL.findall(page.names[i])}
        if day.month in {_MONTH_OF.get(word) for word in words} and {day.year, day.day} <= numbers:
            return snapshot.node_id(i)
    if _month(snapshot) != (day.year, day.month):
        return None
    days = [i for i in shown if page.names[i].strip() == str(day.day) and not nodes[i].facts & Fact.DISABLED]
    if not days:
        return None
    # At either end of a month days of its neighbours are shown too.
    return snapshot.node_id(days[0] if day.day < 15 else days[-1])


def _arrow(snapshot: DomSnapshot, direction: re.Pattern[str], before: set[str]) -> str | None:
    """What leads to the next or the last month: rather what came with the calendar, or says month; never by years."""
    page, nodes = snapshot.page, snapshot.page.tree.nodes
    found = [
        (snapshot.node_id(i) in before, _MONTHLY.search(page.names[i]) is None, i)
        for i, yes in enumerate(page.actionable)
        if yes
        and nodes[i].facts & (Fact.VISIBLE | Fact.DISABLED) == Fact.VISIBLE
        and direction.search(page.names[i].strip())
        and not _YEARLY.search(page.names[i])
    ]
    return snapshot.node_id(min(found)[2]) if found else None
