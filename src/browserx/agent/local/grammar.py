"""Plain instructions, taken apart: from a text to a list of intents. What is not understood stays in it as such."""

import re
from collections.abc import Callable
from typing import NamedTuple

from browserx.agent.local import phrases
from browserx.agent.local.intents import Intent, Kind, Target
from browserx.agent.local.phrases import TOKEN, Quotes, begins, ends, is_quote, parted
from browserx.agent.local.vocabulary import ENGLISH, Vocabulary
from browserx.agent.task import MAX_ACTIONS

_LIST = re.compile(r"\s*,\s*(?:(?:and|or|then)\s+)*|\s+(?:and\s+then|and|then)\s+|\s*&\s*")
_SECONDS = re.compile(r"(?:for )?(\d+(?:\.\d+)?) ?(s|secs?|seconds?|ms|milliseconds?|minutes?|mins?)", re.IGNORECASE)
_PAIR = re.compile(rf"\s*([^=:{TOKEN[0]}]+?)\s*(?:[=:]\s*|\s(?={TOKEN[0]}))(.+?)\s*$")
_NAMED_VALUES = re.compile(
    rf"[^{TOKEN[0]},]*[\w)]\s+{TOKEN}(?:(?:\s*,\s*|\s+)(?:and\s+)?[^{TOKEN[0]},]*[\w)]\s+{TOKEN})*"
)
_FIELD_LINE = re.compile(r"([^:=]{1,60}?)\s*(?::\s+|\s*=\s*)(\S.*)$")
_TIMES = re.compile(r"^(.*?)\s+(\d{1,2}) times$", re.IGNORECASE)
#: What parts a value and its place from the next.
_AND = r"(?:\s*,\s*(?:and\s+)?|\s+and\s+)"
#: A task takes no more actions either.
MAX_STEPS = MAX_ACTIONS
_MOST_TIMES = 20
_LONGEST_WAIT_S = 120.0


class Clause(NamedTuple):
    """What follows the verb of a clause, and what is needed to understand it."""

    rest: str
    said: str
    quotes: Quotes
    words: Vocabulary

    def target(self, masked: str) -> Target:
        """The words for an element."""
        return phrases.target(masked, self.quotes, self.words)

    def text(self, masked: str) -> str:
        """What was meant, without quotes."""
        return self.quotes.back(masked)

    def intent(self, kind: Kind, **fields: object) -> Intent:
        """An intent of this clause."""
        return Intent(kind=kind, said=self.said, **fields)  # type: ignore[arg-type]

    def unknown(self) -> list[Intent]:
        """It is not understood."""
        return [self.intent("unknown")]

    def on(self, kind: Kind) -> list[Intent]:
        """An intent on what follows the verb."""
        return [self.intent(kind, target=self.target(self.rest))] if self.rest else self.unknown()


Reading = Callable[[Clause], list[Intent]]


def understand(text: str, vocabulary: Vocabulary = ENGLISH) -> list[Intent]:
    """What a text asks for, in order; what is not understood is an intent of kind ``unknown``.

    No more is read than ``MAX_STEPS`` and one, which tells that there are more.
    """
    quotes = Quotes(text)
    found: list[Intent] = []
    for clause in phrases.clauses(quotes.masked, vocabulary):
        found += _clause(clause, quotes, vocabulary)
        if len(found) > MAX_STEPS:
            return found[: MAX_STEPS + 1]
    return found


def _clause(masked: str, quotes: Quotes, vocabulary: Vocabulary) -> list[Intent]:
    said = quotes.said(masked)
    verb = phrases.verb_of(masked, vocabulary)
    if verb is not None:
        kind, rest = verb
        return _READINGS[kind](Clause(rest.strip(), said, quotes, vocabulary))
    clause = Clause(masked, said, quotes, vocabulary)
    if match := _FIELD_LINE.match(masked):
        return [clause.intent("type", target=clause.target(match[1]), text=clause.text(match[2]))]
    opened = phrases.address(clause.text(masked))
    return [clause.intent("go", text=opened)] if opened is not None else clause.unknown()


def _listed(clause: Clause, kind: Kind, masked: str) -> list[Intent]:
    """An intent on each of several: those quoted, or more than two with commas between. One "and" may be in a name."""
    pieces = [piece for piece in _LIST.split(masked) if piece]
    listed = len(pieces) > 1 and (all(is_quote(piece) for piece in pieces) or "," in masked)
    return [clause.intent(kind, target=clause.target(piece)) for piece in (pieces if listed else [masked])]


# going


def _go(clause: Clause) -> list[Intent]:
    rest = begins(clause.rest, clause.words.articles) or clause.rest
    stripped = begins(rest, ("page", "url", "address", "site", "website", "link", "web page")) or rest
    for one in (rest, stripped, ends(rest, ("page", "site", "website")) or rest):
        opened = phrases.address(clause.text(one))
        if opened is not None:
            return [clause.intent("go", text=opened)]
    if begins(rest, ("tab",)):
        return _switch_tab(clause)
    if clause.text(rest).casefold().startswith(("javascript:", "file:", "data:", "ftp:", "chrome:")):
        return clause.unknown()
    return (
        [clause.intent("click", target=clause.target(ends(rest, clause.words.pages) or rest))]
        if rest
        else (clause.unknown())
    )


def _open(clause: Clause) -> list[Intent]:
    parts = ends(clause.rest, ("in a new tab", "in new tab", "in another tab"))
    if parts is not None:
        opened = phrases.address(clause.text(parts))
        return [clause.intent("newTab", text=opened)] if opened else clause.unknown()
    opened = phrases.address(clause.text(clause.rest))
    if opened is None:
        return _go(clause)
    bare = "/" not in clause.text(clause.rest)
    return [clause.intent("go", text=opened, bare=bare, target=clause.target(clause.rest) if bare else None)]


def _switch_tab(clause: Clause) -> list[Intent]:
    rest = begins(clause.rest, clause.words.articles) or clause.rest
    name = begins(rest, ("tab number", "tab", "browser tab")) or ends(rest, clause.words.tabs) or rest
    text = clause.text(name)
    number = clause.words.ordinals.get(text.casefold())
    if not text:
        return clause.unknown()
    return [clause.intent("switchTab", text=str(number) if number and number > 0 else text, target=clause.target(rest))]


def _new_tab(clause: Clause) -> list[Intent]:
    rest = begins(clause.rest, ("with", "at", "on", "for", "to")) or clause.rest
    opened = phrases.address(clause.text(rest)) if rest else None
    return clause.unknown() if rest and opened is None else [clause.intent("newTab", text=opened)]


def _close(clause: Clause) -> list[Intent]:
    rest = begins(clause.rest, clause.words.articles) or clause.rest
    rest = begins(rest, ("current",)) or rest
    if rest.casefold() in clause.words.dialogs and rest.casefold() != "it":
        return [clause.intent("dialog", text="close", target=clause.target(rest))]
    if rest.casefold() in clause.words.tabs:
        return [clause.intent("closeTab")]
    if (number := begins(rest, ("tab number", "tab"))) and clause.text(number).isdecimal():
        return [clause.intent("closeTab", text=clause.text(number))]
    name = "close" if not rest else f"close {rest}"
    return [clause.intent("click", target=Target(said=clause.text(name), name=clause.text(name)))]


# dialogs


def _dialog(answer: str) -> Reading:
    def read(clause: Clause) -> list[Intent]:
        rest = begins(clause.rest, clause.words.articles) or clause.rest
        parts = parted(rest, clause.words.with_)
        if (parts[0] if parts else rest).casefold() in clause.words.dialogs:
            text = clause.text(parts[1]) if parts else None
            return [clause.intent("dialog", text=answer, until=text)]
        # "Accept cookies" is what a button says.
        name = clause.text(clause.said)
        return [clause.intent("click", target=Target(said=name, name=name))]

    return read


def _answer(clause: Clause) -> list[Intent]:
    rest = begins(clause.rest, clause.words.articles) or clause.rest
    parts = parted(rest, clause.words.with_)
    if parts is None or parts[0].casefold() not in clause.words.dialogs:
        return clause.unknown()
    return [clause.intent("dialog", text="accept", until=clause.text(parts[1]))]


# pointing


def _click(clause: Clause) -> list[Intent]:
    rest, times = _times(clause.rest)
    return [one for _ in range(times) for one in _listed(clause, "click", rest)] if rest else clause.unknown()


def _times(rest: str) -> tuple[str, int]:
    """What is to be done, and how often: "twice", "3 times"."""
    if match := _TIMES.match(rest):
        return match[1], min(int(match[2]), _MOST_TIMES)
    once = ends(rest, ("twice",))
    return (rest, 1) if once is None else (once, 2)


def _press(clause: Clause) -> list[Intent]:
    rest = begins(clause.rest, clause.words.articles) or clause.rest
    rest, times = _times(rest)
    several = [phrases.key(clause.text(piece), clause.words) for piece in _LIST.split(rest)]
    if len(several) > 1 and None not in several:
        return [clause.intent("press", text=one) for one in several for _ in range(times)]
    parts = parted(rest, ("in", "on", "while in"))
    for named, place in ((rest, None), parts or ("", None)):
        bare = ends(named, ("key", "keys", "button")) if named else None
        pressed = phrases.key(clause.text(bare if bare and not ends(named, ("button",)) else named), clause.words)
        if pressed is None and bare and ends(named, ("key",)) and len(clause.text(bare)) == 1:
            pressed = clause.text(bare)
        if pressed is not None:
            before = [clause.intent("focus", target=clause.target(place))] if place else []
            told = None if place else clause.target(rest)
            return before + [clause.intent("press", text=pressed, target=told) for _ in range(times)]
    return _click(clause)


def _check(clause: Clause) -> list[Intent]:
    return _boxes(clause, "check")


def _uncheck(clause: Clause) -> list[Intent]:
    return _boxes(clause, "uncheck")


def _boxes(clause: Clause, kind: Kind) -> list[Intent]:
    rest = begins(clause.rest, clause.words.articles) or clause.rest
    several = begins(rest, ("checkboxes", "boxes", "options", "check boxes")) or rest
    return _listed(clause, kind, several) if several else clause.unknown()


def _drag(clause: Clause) -> list[Intent]:
    parts = parted(clause.rest, clause.words.onto)
    if parts is None:
        return clause.unknown()
    return [clause.intent("drag", target=clause.target(parts[0]), onto=clause.target(parts[1]))]


def _scroll(clause: Clause) -> list[Intent]:
    words = clause.rest.casefold()
    until = begins(clause.rest, ("down until", "up until", "until", "down to", "up to", "to", "down till", "till"))
    direction = next((way for way in ("up", "left", "right") if begins(words, (way,)) is not None), "down")
    if until:
        place = begins(until, clause.words.articles) or until
        if begins(place, ("end", "bottom", "very end", "very bottom")) is not None:
            return [clause.intent("scroll", text="down", to_end=True)]
        if begins(place, ("top", "beginning", "start", "very top")) is not None:
            return [clause.intent("scroll", text="up", to_end=True)]
        name = _shown(clause, until)[0]
        return [clause.intent("scroll", text=direction, until=clause.text(name), target=clause.target(name))]
    rest = begins(clause.rest, ("down", "up", "left", "right")) if clause.rest else ""
    if rest is None or (rest and begins(rest, ("a bit", "a little", "once", "the page", "one page")) is None):
        inside = begins(rest or clause.rest, ("in", "inside", "within", "on"))
        if not inside:
            return clause.unknown()
        return [clause.intent("scroll", text=direction, target=clause.target(inside))]
    return [clause.intent("scroll", text=direction)]


# filling


def _type(clause: Clause) -> list[Intent]:
    rest = clause.rest
    if not rest:
        return clause.unknown()
    placed = _placed(clause.words.into)
    if re.fullmatch(rf"{placed}(?:{_AND}{placed})+", rest, re.IGNORECASE):
        pairs = re.findall(placed, rest, re.IGNORECASE)
        return [clause.intent("type", text=clause.text(value), target=clause.target(place)) for value, place in pairs]
    if match := re.fullmatch(
        rf"[^{TOKEN[0]}]+\s({TOKEN})\s+(?:{'|'.join(clause.words.into)})\s+([^{TOKEN[0]}]+)", rest, re.IGNORECASE
    ):
        place = clause.target(match[2])
        if place.ordinal:
            # "the number "16" into the third field": what it is called says less than where it goes.
            return [clause.intent("type", text=clause.text(match[1]), target=place)]
    if not rest.startswith(TOKEN[0]) and (pairs := _values(clause, _before_into(clause))):
        return pairs
    # What is quoted is told apart from where it goes by itself; else the last of the likeliest word parts them.
    if match := re.fullmatch(rf"({TOKEN})\s+(?:{'|'.join(clause.words.into)})\s+(.+)", rest, re.IGNORECASE):
        return [clause.intent("type", text=clause.text(match[1]), target=clause.target(match[2]))]
    parts = None if is_quote(rest) else parted(rest, clause.words.into, last=True)
    if parts is not None:
        return [clause.intent("type", text=clause.text(parts[0]), target=clause.target(parts[1]))]
    return [clause.intent("type", text=clause.text(rest))]


def _placed(into: tuple[str, ...]) -> str:
    """A quoted value and where it goes, as a pattern: ``"a" into X``, when another or nothing follows."""
    return rf"({TOKEN})\s+(?:{'|'.join(into)})\s+([^{TOKEN[0]},]+?)(?={_AND}{TOKEN[0]}|$)"


def _before_into(clause: Clause) -> str:
    """The rest without "into the text fields" after the last value: each value has its own."""
    match = re.fullmatch(rf"(.*{TOKEN})\s+(?:{'|'.join(clause.words.into)})\s+[^{TOKEN[0]}]+", clause.rest)
    return match[1] if match else clause.rest


def _values(clause: Clause, masked: str) -> list[Intent]:
    """``the username "x" and the password "y"``: each value with what stands before it; none if it is not so."""
    if not _NAMED_VALUES.fullmatch(masked):
        return []
    found = re.findall(rf"\s*(?:,\s*)?(?:and\s+)?([^{TOKEN[0]}]*?)\s*({TOKEN})", masked.strip())
    pairs = [(re.sub(r"[\s:=]+$|\s(?:as|to|with)$", "", name.strip(" ,")), value) for name, value in found]
    return [clause.intent("type", target=clause.target(name), text=clause.text(value)) for name, value in pairs]


def _fill(clause: Clause) -> list[Intent]:
    rest = begins(clause.rest, clause.words.articles) or clause.rest
    # A heading for what follows line by line.
    if (rest.rstrip(":").strip().casefold() in clause.words.forms or not rest) and clause.said.endswith(":"):
        return []
    parts = parted(rest, clause.words.with_)
    is_form = parts is not None and parts[0].casefold() in clause.words.forms
    if parts is not None and not is_form:
        return [clause.intent("type", target=clause.target(parts[0]), text=clause.text(parts[1]))]
    pairs = _pairs(clause, parts[1] if parts is not None else begins(rest, clause.words.forms) or rest)
    if pairs:
        return pairs
    if parts is None and (moved := parted(rest, clause.words.into, last=True)) is not None:
        return [clause.intent("type", target=clause.target(moved[1]), text=clause.text(moved[0]))]
    return clause.unknown()


def _pairs(clause: Clause, masked: str) -> list[Intent]:
    """``name=Ann, email=a@b.c and city: Rome``; none if any of it is not so."""
    pieces = re.split(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+(?=[^=:,]+(?:[=:]|\s\ue000))", masked)
    found: list[Intent] = []
    for piece in pieces:
        match = _PAIR.match(piece)
        if match is not None:
            name, value = match[1], match[2]
        elif (parts := parted(piece, ("as", "is", "to", "with"))) is not None:
            name, value = parts
        else:
            return []
        found.append(clause.intent("type", target=clause.target(name), text=clause.text(value)))
    return found


def _set(clause: Clause) -> list[Intent]:
    parts = parted(clause.rest, clause.words.to)
    match = _FIELD_LINE.match(clause.rest) if parts is None else None
    if match is not None:
        parts = match[1], match[2]
    if parts is None:
        return clause.unknown()
    return [clause.intent("type", target=clause.target(parts[0]), text=clause.text(parts[1]))]


def _select(clause: Clause) -> list[Intent]:
    rest = begins(clause.rest, clause.words.articles) or clause.rest
    if begins(rest, clause.words.out_of):
        # "A in Folder": it is the name of an option.
        rest = clause.rest
    if not rest:
        return clause.unknown()
    for noun in ("checkboxes", "checkbox", "radio button", "radio"):
        if (named := ends(rest, (noun,)) or begins(rest, (noun,))) is not None and named:
            return _listed(clause, "check", rest if noun != "checkboxes" else named)
    if ends(rest, ("tab", "button", "link")):
        return [clause.intent("click", target=clause.target(rest))]
    rest = begins(rest, ("option", "options", "value", "item", "date")) or rest
    parts = None if is_quote(rest) else parted(rest, clause.words.out_of)
    option, place = parts if parts is not None else (rest, None)
    on = clause.target(place) if place is not None else None
    told = clause.text(option)
    if phrases.is_unclear_day(told):
        return clause.unknown()
    chosen = phrases.day(told, clause.words)
    if chosen is not None:
        return [clause.intent("pickDate", target=on, text=chosen)]
    pieces = [piece for piece in _LIST.split(option) if piece]
    listed = len(pieces) > 1 and (all(is_quote(piece) for piece in pieces) or ("," in option and on is None))
    if listed and on is not None:
        # All of them at once: choosing one after the other would leave only the last.
        return [clause.intent("select", target=on, text="\n".join(clause.text(piece) for piece in pieces))]
    return [clause.intent("select", target=on, text=clause.text(piece)) for piece in (pieces if listed else [option])]


def _upload(clause: Clause) -> list[Intent]:
    parts = parted(clause.rest, ("to", "into", "in", "on", "as"), last=True)
    path, place = parts if parts is not None else (clause.rest, None)
    path = begins(begins(path, clause.words.articles) or path, ("file", "files")) or path
    files = [clause.text(piece) for piece in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", path) if piece]
    if not files:
        return clause.unknown()
    on = clause.target(place) if place is not None else None
    return [clause.intent("upload", target=on, text="\n".join(files))]


def _search(clause: Clause) -> list[Intent]:
    if not clause.rest:
        return clause.unknown()
    field = Target(said="search field", name=clause.words.searching[0], noun="field")
    text = clause.rest
    # Only of what is quoted can be told where it ends.
    if match := re.fullmatch(rf"({TOKEN})\s+(?:{'|'.join(clause.words.into)})\s+(.+)", text, re.IGNORECASE):
        text, field = match[1], clause.target(match[2])
    return [clause.intent("type", target=field, text=clause.text(text)), clause.intent("submit")]


def _login(clause: Clause) -> list[Intent]:
    pairs = _values(clause, clause.rest) or _pairs(clause, clause.rest)
    if not pairs:
        found = re.fullmatch(r"((?:user ?name|email|user|login)) (\S+) and (?:the )?(password) (\S+)", clause.rest)
        if found is None:
            return clause.unknown()
        pairs = [
            clause.intent("type", target=clause.target(name), text=clause.text(value))
            for name, value in (found.group(1, 2), found.group(3, 4))
        ]
    return [*pairs, clause.intent("submit")]


def _submit(clause: Clause) -> list[Intent]:
    rest = begins(clause.rest, clause.words.articles) or clause.rest
    if not rest or rest.casefold() in clause.words.forms or rest.casefold() == "it":
        return [clause.intent("submit")]
    if ends(clause.rest, ("button",)):
        return [clause.intent("click", target=clause.target(clause.said))]
    return clause.unknown() if ends(rest, ("form",)) is None else [clause.intent("submit")]


# reading and waiting


def _wait(clause: Clause) -> list[Intent]:
    if match := _SECONDS.fullmatch(clause.rest):
        unit = match[2].casefold()
        factor = 0.001 if unit.startswith(("ms", "milli")) else 60.0 if unit.startswith("min") else 1.0
        return [clause.intent("wait", seconds=min(float(match[1]) * factor, _LONGEST_WAIT_S))]
    masked, gone = _shown(clause, clause.rest)
    return [clause.intent("wait", text=clause.text(masked), gone=gone)] if masked else clause.unknown()


def _shown(clause: Clause, masked: str) -> tuple[str, bool]:
    """The text that has to be there, or gone."""
    left = ends(masked, clause.words.gone)
    gone = bool(left)
    before = left or ends(masked, clause.words.here) or masked
    for _ in range(2):
        before = begins(before, (*clause.words.articles, "text", "message", "words")) or before
    return before, gone


def _see(clause: Clause) -> list[Intent]:
    inside = re.fullmatch(r"(?:the )?page (?:contains|shows|says|has) (.+)", clause.rest, re.IGNORECASE)
    if inside is not None:
        return [clause.intent("see", text=clause.text(_shown(clause, inside[1])[0]))]
    masked, gone = _shown(clause, clause.rest)
    if masked == clause.rest and not is_quote(masked):
        return clause.unknown()
    return [clause.intent("see", text=clause.text(masked), gone=gone)]


def _read(clause: Clause) -> list[Intent]:
    rest = clause.rest.rstrip("?. ")
    rest = begins(rest, ("what is", "what's", "what are", "out", "me", "about", "which", "what")) or rest
    rest = re.sub(r"\s+(?:is|are|says?|costs?|does it cost)$", "", rest)
    rest = begins(rest, clause.words.articles) or rest
    return [clause.intent("read", text=clause.text(rest), target=clause.target(rest))] if rest else clause.unknown()


def _simple(kind: Kind) -> Reading:
    def read(clause: Clause) -> list[Intent]:
        rest = clause.rest.casefold()
        fits = not rest or rest in ("page", "the page", "once", "to the previous page", "one page", "this page")
        return [clause.intent(kind)] if fits else clause.unknown()

    return read


def _on(kind: Kind) -> Reading:
    return lambda clause: clause.on(kind)


_READINGS: dict[str, Reading] = {
    "go": _go,
    "open": _open,
    "click": _click,
    "press": _press,
    "doubleClick": _on("doubleClick"),
    "rightClick": _on("rightClick"),
    "type": _type,
    "fill": _fill,
    "set": _set,
    "clear": _on("clear"),
    "select": _select,
    "check": _check,
    "uncheck": _uncheck,
    "scroll": _scroll,
    "hover": _on("hover"),
    "focus": _on("focus"),
    "drag": _drag,
    "upload": _upload,
    "wait": _wait,
    "back": _simple("back"),
    "forward": _simple("forward"),
    "reload": _simple("reload"),
    "read": _read,
    "see": _see,
    "search": _search,
    "switchTab": _switch_tab,
    "newTab": _new_tab,
    "close": _close,
    "accept": _dialog("accept"),
    "dismiss": _dialog("dismiss"),
    "answer": _answer,
    "submit": _submit,
    "login": _login,
}
