"""What a question needs to be shown, guessed from its words (SPEC 8): a picture, or what can be acted on."""

import re
from typing import Literal

_VISUAL = (
    *("icon", "image", "logo", "picture", "photo", "avatar", "thumbnail", "banner", "color", "colour", "shape"),
    *("chart", "graph", "table", "price", "looks like", "appears", "top", "bottom", "left", "right", "corner"),
    *("center", "middle", "next to", "above", "below", "beside", "near", "first", "last"),
    *("what is", "what does", "how much", "identify", "recognize"),
)
_MANY = 50


def _any_of(words: tuple[str, ...]) -> "re.Pattern[str]":
    return re.compile(rf"\b(?:{'|'.join(words)})s?\b", re.IGNORECASE)


_LOOKS_VISUAL = _any_of(_VISUAL)


def mode_hint(query: str, interactive: int) -> Literal["hybrid", "skeleton"]:
    """What to send besides a tree, or when there is none: for words about looks, or many elements, a picture."""
    if _LOOKS_VISUAL.search(query) or interactive > _MANY:
        return "hybrid"
    return "skeleton"
