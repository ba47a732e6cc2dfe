"""What may be stored as text, so that both databases keep it, and give it back, alike."""

import json
from typing import Any, NamedTuple

from browserx.errors import InvalidArgumentError

#: Characters of a name by which something is looked up. PostgreSQL indexes values of up to 2.7 KB.
NAME_CHARS = 255
URL_CHARS = 16_384
#: One message, with all it carries.
MESSAGE_CHARS = 4_000_000
#: The state of a task, or an answer.
DOCUMENT_CHARS = 32_000_000


def clean(text: str) -> str:
    """Without what is no text: NUL (which PostgreSQL refuses) and lone halves of surrogate pairs become U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        # By way of UTF-16 two halves that stand together become their character.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def name(text: str, what: str) -> str:
    """A cleaned name to store.

    Raises:
        InvalidArgumentError: it is empty or longer than 255 characters.
    """
    if not text or len(text) > NAME_CHARS:
        raise InvalidArgumentError(f"{what} has {len(text)} characters: give it 1 to {NAME_CHARS}")
    return clean(text)


def bounded(text: str, what: str, most: int) -> str:
    """A cleaned text to store.

    Raises:
        InvalidArgumentError: it has more than ``most`` characters.
    """
    if len(text) > most:
        raise InvalidArgumentError(f"{what} has {len(text)} characters, and {most} are kept at most: shorten it")
    return clean(text)


class Json(NamedTuple):
    """A JSON value that is text already: ``encode`` takes it as it is."""

    text: str


def encode(value: Any, what: str, most: int = DOCUMENT_CHARS) -> str:
    """A JSON value as text. Whole numbers of any size are kept; surrogates are cleaned away as in ``clean``.

    Raises:
        InvalidArgumentError: it is no JSON value (NaN is none, and nothing may hold itself), or too long.
    """
    if isinstance(value, Json):
        return bounded(value.text, what, most)
    try:
        written = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArgumentError(f"{what} is no JSON value: {error}") from error
    return bounded(written, what, most)


def decode(written: str) -> Any:
    """What ``encode`` was given."""
    return json.loads(written)
