"""Reading an answer off a page: the value of a label, a cell of a table, what is under a heading, or whole lines."""

import re

from browserx.agent import markup
from browserx.agent.local.ground import ALL_WORDS, SAME_WORDS, matching
from browserx.agent.local.phrases import begins
from browserx.agent.local.vocabulary import Vocabulary
from browserx.dom.words import alike, words

_OF = re.compile(r"^(.+?)\s+(?:of|for|in the row of|next to|in)\s+(?:the\s+)?(.+)$", re.IGNORECASE)
_LABEL = re.compile(r"([^:\t]{1,80}):\s*(\S.*)")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_HEADING_WORDS = frozenset(("heading", "headings", "headline", "header", "main heading", "title of the page"))
_MESSAGE_WORDS = frozenset(("message", "error", "error message", "alert", "status", "success message", "notification"))
_AMOUNT = r"\d[\d.,'\u00a0]*"
_MONEY = re.compile(rf"[$€£¥₹]\s?{_AMOUNT}|{_AMOUNT}\s?(?:[€£¥₹]|(?:EUR|USD|GBP|CHF|JPY)\b)")
_SHARE = 0.6
_MOST_LINES = 5
_MOST_CHARACTERS = 4000


def answer(html: str, phrase: str, vocabulary: Vocabulary) -> str | None:
    """What the page says about ``phrase``, in its own words; None when it says nothing of it."""
    root = markup.read(html)
    wanted = phrase.casefold().strip()
    if wanted in vocabulary.pages:
        return "\n".join(root.lines())[:_MOST_CHARACTERS] or None
    if wanted in _HEADING_WORDS:
        return _heading(root, every=wanted.endswith("s"))
    lines = root.lines()
    told = _labelled(lines, phrase) or _beneath(lines, phrase)
    if told is None and wanted in _MESSAGE_WORDS:
        alerts = [one.text() for one in root.walk() if one.attributes.get("role", "") in ("alert", "status", "log")]
        told = "\n".join(text for text in alerts if text)
    if told:
        return told[:_MOST_CHARACTERS]
    if wanted in vocabulary.prices and (price := _only_price(lines)) is not None:
        return price
    for look in (_celled, _of_row, _lines_with):
        found_here = look(lines, phrase)
        if found_here:
            return found_here[:_MOST_CHARACTERS]
    return None


def _heading(root: markup.Element, *, every: bool) -> str | None:
    """The heading of the highest rank, all of them where there are several; or all there are."""
    heads = [(element.tag, text) for element in root.walk() if element.tag in _HEADINGS and (text := element.text())]
    if every or not heads:
        return "\n".join(text for _, text in heads) or None
    highest = min(tag for tag, _ in heads)
    return "\n".join(text for tag, text in heads if tag == highest)


def _only_price(lines: list[str]) -> str | None:
    """The one amount of money the page tells; None where it tells of none, or of several."""
    found = {match[0].strip() for line in lines for match in _MONEY.finditer(line)}
    return found.pop() if len(found) == 1 else None


def _labelled(lines: list[str], phrase: str) -> str | None:
    """``Total: 12 EUR`` or a row of two cells."""
    found = []
    for line in lines:
        for piece in line.split("\t"):
            match = _LABEL.fullmatch(piece)
            if match is not None and matching(match[1], phrase) >= SAME_WORDS:
                found.append(match[2])
        cells = [cell for cell in line.split("\t") if cell]
        if len(cells) == 2 and matching(cells[0].rstrip(": "), phrase) >= SAME_WORDS:
            found.append(cells[1])
    return "\n".join(dict.fromkeys(found)) or None


def _celled(lines: list[str], phrase: str) -> str | None:
    """``price of Widget``: the cell under the column, in the row."""
    match = _OF.match(phrase)
    if match is None:
        return None
    # A column that is called so goes before one whose head says more: "Price in EUR".
    for least in (SAME_WORDS, ALL_WORDS):
        for column, row in ((match[1], match[2]), (match[2], match[1])):
            if (found := _under(lines, column, row, least)) is not None:
                return found
    return None


def _under(lines: list[str], column: str, row: str, least: int) -> str | None:
    for at, line in enumerate(lines):
        head = line.split("\t")
        places = [place for place, cell in enumerate(head) if matching(cell, column) >= least]
        if len(head) < 2 or not places or (least < SAME_WORDS and len(places) > 1):
            continue
        for below in lines[at + 1 :]:
            cells = below.split("\t")
            if len(cells) < 2:
                break
            if len(cells) == len(head) and any(matching(cell, row) >= ALL_WORDS for cell in cells):
                return cells[places[0]]
    return None


def _of_row(lines: list[str], phrase: str) -> str | None:
    """``price of Widget`` where no column says so: what stands in the row of the label, in a list of labels."""
    match = _OF.match(phrase)
    if match is None:
        return None
    for at, line in enumerate(lines):
        if matching(line, match[2]) < SAME_WORDS:
            continue
        for below in lines[at + 1 : at + 1 + _MOST_LINES]:
            label = _LABEL.fullmatch(below)
            if label is not None and matching(label[1], match[1]) >= SAME_WORDS:
                return label[2]
    return None


def _beneath(lines: list[str], phrase: str) -> str | None:
    """What follows a line that is the label or heading itself."""
    for at, line in enumerate(lines[:-1]):
        if matching(line.rstrip(": "), phrase) >= SAME_WORDS:
            return lines[at + 1].replace("\t", " | ")
    return None


def _lines_with(lines: list[str], phrase: str) -> str | None:
    """The lines with all the words, or else those with the most of them."""
    asked = set(words(phrase, asked=True)) - {"of", "the", "in", "for", "a"}
    if not asked:
        return None
    scored = []
    for line in lines:
        there = set(words(line))
        scored.append(sum(1 for word in asked if word in there or any(alike(word, other) for other in there)))
    most = max(scored, default=0)
    if most < _SHARE * len(asked) or most == 0:
        return None
    best = [line.replace("\t", " | ") for line, score in zip(lines, scored, strict=True) if score == most]
    return "\n".join(best[:_MOST_LINES])


def says(html: str, text: str) -> bool:
    """Whether a text stands on the page."""
    plain = " ".join(text.casefold().split())
    return plain in " ".join(" ".join(markup.read(html).lines()).split()).casefold()


def of_field(phrase: str) -> str | None:
    """The field that "the value of X" asks for."""
    return begins(phrase, ("value of the", "value of", "value in the", "value in", "text in the", "content of the"))
