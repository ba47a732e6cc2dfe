"""What a question needs to be shown, guessed from its words (SPEC 8): a picture, or what can be acted on."""

import re
from typing import Literal

_VISUAL = (
    *("icon", "image", "logo", "picture", "photo", "avatar", "thumbnail", "banner", "color", "colour", "shape"),
    *("chart", "graph", "table", "price", "looks like", "appears", "top", "bottom", "left", "right", "corner"),
    *("center", "middle", "next to", "above", "below", "beside", "near", "first", "last"),
    *("what is", "what does", "how much", "identify", "recognize"),
)
#: Words that say where something is, by what is around it or by its place among its like.
_PLACES = (
    *(
        "row",
        "column",
        "line",
        "side",
        "next",
        "beside",
        "near",
        "nearest",
        "above",
        "below",
        "under",
        "over",
        "between",
    ),
    *("left", "right", "top", "bottom", "corner", "middle", "center", "first", "second", "third", "fourth", "fifth"),
    *("last", r"\d+(?:st|nd|rd|th)", "drag", "drop"),
)
_MANY = 50


def _any_of(words: tuple[str, ...]) -> "re.Pattern[str]":
    return re.compile(rf"\b(?:{'|'.join(words)})s?\b", re.IGNORECASE)


_LOOKS_VISUAL, _TELLS_PLACES = _any_of(_VISUAL), _any_of(_PLACES)


def mode_hint(query: str, interactive: int) -> Literal["hybrid", "skeleton"]:
    """What to send besides a tree, or when there is none: for words about looks, or many elements, a picture."""
    if _LOOKS_VISUAL.search(query) or interactive > _MANY:
        return "hybrid"
    return "skeleton"


def tells_places(query: str) -> bool:
    """Whether the words say where something is: only then does it help to know where everything is."""
    return _TELLS_PLACES.search(query) is not None or _LOOKS_VISUAL.search(query) is not None
