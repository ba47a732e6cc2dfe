"""HTML as text: written safely from values, and joined from what the eyes of several frames wrote.

What is written here comes from a page that is not trusted. Names of tags and attributes are checked, everything else is
escaped; what an eye wrote (``inpage/eye/html.js``) is joined as it is and never parsed.
"""

import re
from collections.abc import Mapping
from html import escape
from typing import Any, NamedTuple

import msgspec

#: Elements without content.
VOID_TAGS = frozenset(("area", "br", "col", "embed", "hr", "img", "input", "wbr"))
#: What an eye keeps free in each frame that is written elsewhere (``APART_ROOM`` in ``inpage/eye/html.js``).
APART_CHARACTERS = 80
#: Tags whose content a parser takes as it stands, so that it would swallow what comes after.
_SWALLOWING = frozenset(("noembed", "noframes", "plaintext", "xmp"))
_SAFE_NAME = re.compile(r"[A-Za-z][\w.:-]*", re.ASCII)
_BLANKS = re.compile(r"[\x00-\x20\x7f-\xa0]")
_RUNS = re.compile(r"(?:javascript|vbscript):", re.IGNORECASE)


class Markup(msgspec.Struct, rename="camel", omit_defaults=True, kw_only=True):
    """The page in the ``skeleton`` or ``html`` format. ``truncated``: it was longer; ``missing``: what was not read."""

    url: str
    title: str
    html: str
    truncated: bool = False
    missing: list[str] = []

    def to_dict(self) -> dict[str, Any]:
        """As it goes over the wire: plain JSON values, camelCase names."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]


class Part(NamedTuple):
    """One document: pieces of text, and between them the keys of frame elements; which frame is in each of those."""

    segments: list[str | int]
    frame_ids: dict[int, str]

    @property
    def size(self) -> int:
        """Characters it takes, what is in its frames not counted."""
        return sum(len(segment) if isinstance(segment, str) else APART_CHARACTERS for segment in self.segments)

    @property
    def inner(self) -> list[str]:
        """The frames in it, in the order of the document."""
        return [self.frame_ids.get(key, "") for key in self.segments if isinstance(key, int)]


def element(tag: str, attributes: Mapping[str, str], content: str = "") -> str:
    """One element. ``content`` is HTML already; values of attributes are put on one line, empty ones left out."""
    if not _SAFE_NAME.fullmatch(tag):
        tag = "unknown-element"
    elif tag in _SWALLOWING:
        tag = "pre"
    written = "".join(f' {name}="{one_line(value)}"' for name, value in attributes.items() if value)
    return f"<{tag}{written}>" if tag in VOID_TAGS else f"<{tag}{written}>{content}</{tag}>"


def one_line(text: str) -> str:
    """Text as part of a line of HTML."""
    return escape(" ".join(text.split()))


def safe_address(address: str) -> str:
    """An address as it may be passed on: "" for one that runs script when it is followed."""
    return "" if _RUNS.match(_BLANKS.sub("", address)) else address


def stitch(top: str, parts: Mapping[str, Part], missing: Mapping[str, str]) -> str:
    """The HTML of frame ``top`` with that of each frame in its element. One that is missing says why."""
    written: list[str] = []

    def write(frame_id: str, around: frozenset[str]) -> None:
        part = parts[frame_id]
        for segment in part.segments:
            if isinstance(segment, str):
                written.append(segment)
                continue
            inner = part.frame_ids.get(segment, "")
            if inner in parts and inner not in around:
                written.append(">")
                write(inner, around | {inner})
            else:
                written.append(_unreadable(missing.get(inner, "not loaded yet")))

    write(top, frozenset((top,)))
    return "".join(written)


def _unreadable(why: str) -> str:
    room = APART_CHARACTERS - len(' data-unreadable="">')
    return f' data-unreadable="{escape(why)[:room]}">'
