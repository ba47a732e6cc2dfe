"""Which element of a page may be meant by one that is gone from it, and how sure that is.

Stricter than passing on ids (``fingerprint``), which happens at every look and admits no doubt, this is asked when an
action names an element that is not there any more. It says how sure it is, and never chooses between two.
"""

import re
from difflib import SequenceMatcher
from typing import NamedTuple

from browserx.dom.fingerprint import signature, surroundings
from browserx.dom.tree import Classified

#: What each likeness counts.
_NAME, _ATTRIBUTES, _AROUND, _PLACE = 0.5, 0.15, 0.25, 0.1
_SURE_FROM = 0.7
_MARGIN = 0.15
_NEAR_PX = 40
_NUMBER = re.compile(r"\d+")


class Candidate(NamedTuple):
    """A node of the page as it is now. ``confidence`` is from 0 to 1."""

    node: int
    confidence: float


class Healing(NamedTuple):
    """The best candidate, if it is sure enough, and those that are as good as it: with any of these it is in doubt."""

    best: Candidate | None
    rivals: list[Candidate]


def heal(before: Classified, index: int, after: Classified, there: set[int]) -> Healing:
    """Look for what node ``index`` of ``before`` has become in ``after``.

    ``there`` are nodes of ``after`` that were on the page before: they are something else.
    """
    found = [
        Candidate(other, round(_likeness(before, index, after, other), 3))
        for other, yes in enumerate(after.actionable)
        if yes and other not in there and after.tree.nodes[other].role == before.tree.nodes[index].role
    ]
    found.sort(key=lambda one: -one.confidence)
    if not found or found[0].confidence < _SURE_FROM:
        return Healing(None, [])
    best = found[0]
    return Healing(best, [other for other in found[1:] if best.confidence - other.confidence < _MARGIN])


def _likeness(before: Classified, index: int, after: Classified, other: int) -> float:
    was, now = signature(before, index), signature(after, other)
    if _NUMBER.findall(was.name) != _NUMBER.findall(now.name):
        return 0.0  # row 1 is not row 2
    score = _NAME * SequenceMatcher(None, was.name.casefold(), now.name.casefold()).ratio() if was.name else 0.0
    score += _ATTRIBUTES * _share(was[3:], now[3:])
    score += _AROUND * _share(surroundings(before, index), surroundings(after, other))
    a, b = before.tree.nodes[index], after.tree.nodes[other]
    if abs(a.x - b.x) <= _NEAR_PX and abs(a.y - b.y) <= _NEAR_PX:
        score += _PLACE
    return score


def _share(was: tuple[str, ...], now: tuple[str, ...]) -> float:
    """How many of what both could say they say alike."""
    said = [(a, b) for a, b in zip(was, now, strict=True) if a or b]
    return sum(a == b for a, b in said) / len(said) if said else 1.0
