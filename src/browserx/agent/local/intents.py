"""What a plain instruction asks for, as values."""

from typing import Literal

import msgspec

Kind = Literal[
    "go",
    "click",
    "doubleClick",
    "rightClick",
    "type",
    "clear",
    "select",
    "pickDate",
    "check",
    "uncheck",
    "press",
    "scroll",
    "hover",
    "focus",
    "drag",
    "upload",
    "wait",
    "back",
    "forward",
    "reload",
    "read",
    "see",
    "switchTab",
    "newTab",
    "closeTab",
    "dialog",
    "submit",
    "unknown",
]
Relation = Literal["row", "near", "below", "above", "right", "left"]


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """The words for an element.

    Attributes:
        said: all of them, without the article.
        name: what it is called; empty when only its kind was told.
        noun: its kind, one of the vocabulary's ("button"); empty when none was told.
        ordinal: which of those that fit, from 1; from the end when negative; 0 when not told.
        relation: where it is, seen from ``anchor``.
        node_id: its id, when that was told.
        quoted: the name was quoted: it is meant to the letter.
    """

    said: str
    name: str = ""
    noun: str = ""
    ordinal: int = 0
    relation: Relation | None = None
    anchor: str = ""
    node_id: str | None = None
    quoted: bool = False


class Intent(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to do.

    Attributes:
        kind: what.
        said: the words it was said in.
        target: on what; None where that is to be found from what was done before.
        text: what to type, choose (several a line each), press, open, read or wait for; the direction of a
            scroll; the answer to a dialog.
        onto: where to drag it.
        seconds: how long to wait.
        gone: wait until ``text`` is gone, rather than there.
        until: scroll until this text is in view; ``"end"`` with ``to_end``.
        to_end: scroll all the way.
        bare: the address may as well be the name of something on the page.
    """

    kind: Kind
    said: str
    target: Target | None = None
    text: str | None = None
    onto: Target | None = None
    seconds: float | None = None
    gone: bool = False
    until: str | None = None
    to_end: bool = False
    bare: bool = False
