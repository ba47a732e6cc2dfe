"""The words of a text, so that what means the same is written the same: for matching, never for showing.

Case, accents, points and the Arabic article are folded; a plural is its singular; "log in", "log-in" and "login" meet.
Scripts that write no blanks between words (Chinese, Japanese, Korean, Thai and their like) give their characters and
pairs of characters.

Source: Unicode NFKC and case folding; D. Harman, "How effective is suffixing?" (1991), for the plurals.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

_ASCII = re.compile(r"[a-z0-9]+")
#: Scripts without blanks between words.
_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
#: Vowel signs of Indic scripts are no letters to ``re``, but no word ends at them.
_PIECES = re.compile(rf"([{_UNSPACED}]+)|((?:(?![{_UNSPACED}])[^\W_]|[\u0900-\u0963\u0966-\u0dff])+)")
#: Accents, and the points of Hebrew and Arabic, which people leave out.
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]")
#: "log in" is written "login" as well.
_PARTICLES = frozenset(("in", "out", "up", "on", "off", "down"))
_ARABIC_THE = "\u0627\u0644"
_BEGIN_LIKE = 4
_SHARE_LIKE = 0.6


def words(text: str, *, asked: bool = False) -> list[str]:
    """The words of ``text``, in its order, and after them those that may be written together.

    ``asked`` is for a query: where characters stand together, only their pairs.
    """
    folded = text.casefold()
    found: list[str] = []
    if folded.isascii():
        found = [_singular(word) for word in _ASCII.findall(folded)]
    else:
        folded = _MARKS.sub("", unicodedata.normalize("NFKD", folded))
        for unspaced, word in _PIECES.findall(unicodedata.normalize("NFC", folded)):
            found += _characters(unspaced, asked) if unspaced else [_singular(word)]
    return found + [one + other for one, other in pairwise(found) if _may_be_one(one, other)]


def alike(one: str, other: str) -> bool:
    """Whether two words begin the same for most of their length: "delivery" and "deliver"."""
    same = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        same += 1
    return same >= _BEGIN_LIKE and same >= _SHARE_LIKE * max(len(one), len(other))


def _characters(run: str, asked: bool) -> list[str]:
    pairs = [one + other for one, other in pairwise(run)]
    return pairs if asked and pairs else [*run, *pairs]


def _may_be_one(one: str, other: str) -> bool:
    """As in "log in" and "login", "e-mail" and "email"."""
    return other in _PARTICLES or (len(one) == 1 and one.isascii() and (one + other).isalpha() and other.isascii())


@lru_cache(maxsize=16384)
def _singular(word: str) -> str:
    if word.startswith(_ARABIC_THE) and len(word) > 4:
        return word[2:]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("xes", "ches", "shes", "sses", "zzes")):
        return word[:-2]
    return word[:-1]
