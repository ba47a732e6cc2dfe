"""What a question needs to be shown, guessed from its words (SPEC 8): a picture, or what can be acted on."""

import re
from typing import Literal

_VISUAL = (
    *("icon", "image", "logo", "picture", "photo", "avatar", "thumbnail", "banner", "color", "colour", "shape"),
    *("chart", "graph", "table", "price", "looks like", "appears", "top", "bottom", "left", "right", "corner"),
    *("center", "middle", "next to", "above", "below", "beside", "near", "first", "last"),
    *("what is", "what does", "how much", "identify", "recognize"),
)
_ACTING = (
    *("click", "type", "fill", "select", "enter", "press", "submit", "check", "toggle", "scroll", "navigate"),
    *("search", "find"),
)
_MANY = 50
_SOME = 20


def _any_of(words: tuple[str, ...]) -> "re.Pattern[str]":
    return re.compile(rf"\b(?:{'|'.join(words)})s?\b", re.IGNORECASE)


_LOOKS_VISUAL, _LOOKS_ACTING = _any_of(_VISUAL), _any_of(_ACTING)


def mode_hint(query: str, interactive: int) -> Literal["hybrid", "skeleton"]:
    """What to send besides a tree, or when there is none: for words about looks, or many elements, a picture."""
    if _LOOKS_VISUAL.search(query) or interactive > _MANY:
        return "hybrid"
    return "skeleton"


def is_plain_action(query: str, interactive: int) -> bool:
    """Whether a question names something to do, on a page of some size, and nothing about looks."""
    return mode_hint(query, interactive) == "skeleton" and (
        _LOOKS_ACTING.search(query) is not None or _SOME <= interactive <= _MANY
    )
