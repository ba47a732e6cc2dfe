"""The pieces of an instruction: what is quoted, where a clause ends, addresses, dates, keys, the words for a thing."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache
from urllib.parse import urlsplit

from browserx.agent.local.intents import Target
from browserx.agent.local.vocabulary import Vocabulary

#: What is quoted stands between these two, by its number, while a text is taken apart.
_OPEN, _CLOSE = "\ue000", "\ue001"
TOKEN = f"{_OPEN}\\d+{_CLOSE}"
_QUOTED = re.compile(
    r'"((?:\\"|[^"])*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|`([^`]*)`|(?<!\w)\'([^\']*)\'(?!\w)|(?<!\w)‘([^’]*)’(?!\w)'
    r"|((?:https?|about|file|javascript|data|ftp|chrome):[^\s,\"'<>]+(?:,[^\s,\"'<>]+)*)",
    re.IGNORECASE,
)
_TOKEN = re.compile(TOKEN)
_SPACE = re.compile(r"\s+")
_BARE = re.compile(r"(?:[a-z0-9](?:[\w-]*[a-z0-9])?\.)+[a-z]{2,24}\.?(?::\d{1,5})?(?:[/?#]\S*)?", re.IGNORECASE)
_LOCAL = re.compile(r"(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\])(?::\d{1,5})?(?:[/?#]\S*)?", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\s*\n+\s*")
_MARK = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•])\s+")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?([^\W\d]+)\.?,?\s+(\d{4})")
_MONTH_FIRST = re.compile(r"([^\W\d]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
_ID = re.compile(r"(?:element |node |id )*#?(\d+)|element id (\S+)")
#: So many characters hold what may stand before a verb, and the verb.
_VERB_ROOM = 120
_NUMBERED = re.compile(r"^(.*?)\s*(?:\bnumber |\bno\. ?|#)(\d{1,3})$")


class Quotes:
    """A text with what is quoted in it put aside, so that nothing in it is taken for an instruction."""

    def __init__(self, text: str) -> None:
        self._texts: list[str] = []
        self._addresses: set[int] = set()
        self.masked = _QUOTED.sub(self._put, text.replace(_OPEN, "").replace(_CLOSE, ""))

    def _put(self, match: re.Match[str]) -> str:
        text = next(group for group in match.groups() if group is not None)
        tail = ""
        if match[8] is not None:
            kept = text.rstrip(".,;:!?)")
            text, tail = kept, text[len(kept) :]
            self._addresses.add(len(self._texts))
        self._texts.append(text.replace('\\"', '"'))
        return f"{_OPEN}{len(self._texts) - 1}{_CLOSE}{tail}"

    def back(self, masked: str) -> str:
        """The text as it is meant: what was quoted, without the quotes."""
        return _TOKEN.sub(lambda token: self._texts[int(token[0][1:-1])], masked).strip()

    def said(self, masked: str) -> str:
        """The text as it was said."""

        def shown(token: re.Match[str]) -> str:
            number = int(token[0][1:-1])
            return self._texts[number] if number in self._addresses else f'"{self._texts[number]}"'

        return plain(_TOKEN.sub(shown, masked))


def is_quote(masked: str) -> bool:
    """Whether it is one quoted text and nothing else."""
    return _TOKEN.fullmatch(masked.strip()) is not None


def plain(text: str) -> str:
    """In one line."""
    return _SPACE.sub(" ", text).strip()


def _any_of(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


@lru_cache(maxsize=256)
def _beginning(words: tuple[str, ...]) -> "re.Pattern[str]":
    return re.compile(rf"(?:{_any_of(words)})(?![\w-])[ ,:]*", re.IGNORECASE)


@lru_cache(maxsize=256)
def _end(words: tuple[str, ...]) -> "re.Pattern[str]":
    return re.compile(rf"(?:^|\s)(?:{_any_of(words)})$", re.IGNORECASE)


@lru_cache(maxsize=256)
def _alone(word: str) -> "re.Pattern[str]":
    return re.compile(rf"(?:(?<=\s)|(?<={_CLOSE})){re.escape(word)}(?=\s|{_OPEN})", re.IGNORECASE)


def begins(text: str, words: Iterable[str]) -> str | None:
    """What follows the longest of ``words`` that ``text`` begins with; None where it begins with none."""
    match = _beginning(tuple(words)).match(text)
    return text[match.end() :] if match else None


def ends(text: str, words: Iterable[str]) -> str | None:
    """What stands before the longest of ``words`` that ``text`` ends with."""
    match = _end(tuple(words)).search(text)
    return text[: match.start()].rstrip(" ,") if match else None


def parted(text: str, words: Iterable[str], *, last: bool = False) -> tuple[str, str] | None:
    """What stands before and after one of ``words``: the earliest of the words given that parts it, in their order."""
    for word in words:
        found = list(_alone(word).finditer(text))
        if found:
            match = found[-1 if last else 0]
            before, after = text[: match.start()].strip(), text[match.end() :].strip()
            if before and after:
                return before, after
    return None


def without_article(text: str, vocabulary: Vocabulary) -> str:
    """The words without the article before them."""
    rest = begins(text, vocabulary.articles)
    return rest.strip() if rest else text.strip()


def verb_of(clause: str, vocabulary: Vocabulary) -> tuple[str, str] | None:
    """Which kind of clause it is by the longest verb it begins with, and what follows; None without a verb."""
    found = [
        (len(rest), kind, rest)
        for kind, verbs in vocabulary.verbs.items()
        if (rest := begins(clause, verbs)) is not None
    ]
    return min(found)[1:] if found else None


def clauses(masked: str, vocabulary: Vocabulary) -> Iterator[str]:
    """The clauses of a text in order: sentences and lines, parted where a joint or a comma comes before a verb.

    Each is taken apart when it is asked for.
    """
    for sentence in _sentences(masked, vocabulary):
        yield from filter(None, _split(sentence, vocabulary))


def _sentences(masked: str, vocabulary: Vocabulary) -> list[str]:
    sentences: list[str] = []
    for piece in _SENTENCE.split(masked):
        before = sentences[-1].rsplit(None, 1)[-1].rstrip(".").casefold() if sentences and sentences[-1] else ""
        if sentences and sentences[-1].endswith(".") and before in vocabulary.abbreviations:
            sentences[-1] += f" {piece}"
        else:
            sentences.append(piece)
    # A number alone is the mark of a list, parted from its line by its own point.
    return [_MARK.sub("", one) for one in sentences if not re.fullmatch(r"\s*\d{1,3}[.)]\s*", one)]


def _split(sentence: str, vocabulary: Vocabulary) -> Iterator[str]:
    joints = _any_of(vocabulary.joints)
    border = re.compile(
        rf"\s*,\s*(?:(?:{joints})\s+)*|(?:(?<=\s)|(?<={_CLOSE}))(?:(?:{joints})\s+)+|\s\d{{1,2}}[.)]\s+", re.IGNORECASE
    )
    start = 0
    for match in border.finditer(sentence):
        # A verb is told by the beginning: reading all that follows each time would take the square of it.
        rest = _trimmed(sentence[match.end() : match.end() + _VERB_ROOM], vocabulary)
        before = sentence[start : match.start()].strip()
        if verb_of(rest, vocabulary) is None or not before or _is_in_name(before, match[0], rest):
            continue
        yield _trimmed(before, vocabulary)
        start = match.end()
    yield _trimmed(sentence[start:], vocabulary)


def _is_in_name(before: str, joint: str, rest: str) -> bool:
    """Whether a verb after "and" is but a word of a name: "Terms and Open Source"."""
    words = before.split()
    return "," not in joint and rest[:1].isupper() and len(words) > 1 and words[-1][:1].isupper()


def _trimmed(clause: str, vocabulary: Vocabulary) -> str:
    """A clause without what says nothing."""
    clause = plain(clause)
    while (rest := begins(clause, vocabulary.fillers)) is not None and rest:
        clause = rest
    clause = re.sub(r"[\s,;.!?]+$", "", clause)
    while (rest := ends(clause, vocabulary.courtesies)) is not None and rest:
        clause = rest
    return clause


def address(text: str) -> str | None:
    """The address a text is, with the scheme it leaves out; None if it is none that may be opened."""
    text = text.strip().rstrip(".,;")
    if " " in text or not text:
        return None
    if text.casefold() == "about:blank":
        return text
    if text.casefold().startswith(("http://", "https://")):
        try:
            return text if urlsplit(text).hostname else None
        except ValueError:
            return None
    if _LOCAL.fullmatch(text):
        return f"http://{text}"
    return f"https://{text}" if _BARE.fullmatch(text) else None


def day(text: str, vocabulary: Vocabulary) -> str | None:
    """The date a text is, as 2026-11-22; None if it is none, or might be one of two."""
    text = plain(text)
    if match := _ISO.fullmatch(text):
        return _date(int(match[1]), int(match[2]), int(match[3]))
    if match := _SLASHED.fullmatch(text):
        first, second, year = (int(part) for part in match.groups())
        if "." in text or first > 12:
            return _date(year, second, first)
        return _date(year, first, second) if second > 12 or first == second else None
    if match := _DAY_FIRST.fullmatch(text):
        return _date(int(match[3]), _month(match[2], vocabulary), int(match[1]))
    if match := _MONTH_FIRST.fullmatch(text):
        return _date(int(match[3]), _month(match[1], vocabulary), int(match[2]))
    return None


def is_unclear_day(text: str) -> bool:
    """Whether it is a date whose month and day cannot be told apart: 3/4/2026."""
    match = _SLASHED.fullmatch(plain(text))
    return match is not None and "/" in text and max(int(match[1]), int(match[2])) <= 12 and match[1] != match[2]


def _month(word: str, vocabulary: Vocabulary) -> int:
    word = word.casefold()
    fits = [i + 1 for i, month in enumerate(vocabulary.months) if len(word) > 2 and month.startswith(word)]
    return fits[0] if len(fits) == 1 else 0


def _date(year: int, month: int, of_month: int) -> str | None:
    try:
        return date(year, month, of_month).isoformat()
    except ValueError:
        return None


def key(text: str, vocabulary: Vocabulary) -> str | None:
    """The key or chord a text names, as "Control+A"; None if it names none. A single letter alone is none."""
    parts = [
        part.strip() for part in re.split(r"\s*\+\s*|(?<=ctrl)-|(?<=\w)-(?=\w$)", text.strip(), flags=re.IGNORECASE)
    ]
    named = [vocabulary.keys.get(part.casefold()) or (part.upper() if len(part) == 1 else None) for part in parts]
    if None in named or not all(parts) or (len(parts) == 1 and len(parts[0]) == 1):
        return None
    return "+".join(name for name in named if name)


def target(masked: str, quotes: Quotes, vocabulary: Vocabulary) -> Target:
    """The words for an element, understood."""
    text = without_article(masked.strip(" ,.;:"), vocabulary)
    said = quotes.said(text)
    if match := _ID.fullmatch(text):
        return Target(said=said, node_id=match[1] or match[2], name=said)
    ordered = sorted(vocabulary.relations, key=len, reverse=True)
    for words in ordered:
        parts = parted(text, (words,)) or (("", rest) if (rest := begins(text, (words,))) else None)
        if parts is not None:
            around = without_article(parts[1], vocabulary)
            before = _named(parts[0], quotes, vocabulary)
            anchor = quotes.back(re.sub(r"(?:^row |'s row$)", "", around))
            return Target(
                said=said,
                name=before.name,
                noun=before.noun,
                ordinal=before.ordinal,
                quoted=before.quoted,
                relation=vocabulary.relations[words],
                anchor=anchor,
            )
    return _named(text, quotes, vocabulary, said)


def _named(text: str, quotes: Quotes, vocabulary: Vocabulary, said: str | None = None) -> Target:
    text = without_article(text, vocabulary)
    ordinal = 0
    words = tuple(vocabulary.ordinals)
    if (rest := begins(text, words)) is not None and rest:
        ordinal = vocabulary.ordinals[text[: len(text) - len(rest)].strip(" ,:").casefold()]
        text = rest
    elif match := _NUMBERED.match(text):
        ordinal, text = int(match[2]), match[1]
    noun, name = _noun(text, vocabulary)
    return Target(
        said=quotes.said(text) if said is None else said,
        name=quotes.back(name),
        noun=noun,
        ordinal=ordinal,
        quoted=is_quote(name),
    )


def _noun(text: str, vocabulary: Vocabulary) -> tuple[str, str]:
    """The kind of element that is told before or after its name, and the name."""
    by_word = {word: words[0] for words in vocabulary.nouns for word in words}
    if text.casefold() in by_word:
        return by_word[text.casefold()], ""
    for word in sorted(by_word, key=len, reverse=True):
        if (name := ends(text, (word,))) and not name.casefold().endswith(" to"):
            return by_word[word], name
    for word in sorted(by_word, key=len, reverse=True):
        if (rest := begins(text, (word,))) is not None and rest:
            name = begins(rest, vocabulary.called) or rest
            if name != rest or is_quote(name) or word in vocabulary.leading:
                return by_word[word], name
    rest = begins(text, vocabulary.called)
    return "", rest or text
