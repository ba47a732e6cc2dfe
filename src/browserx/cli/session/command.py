"""What a command of a session is."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from browserx.dom.ids import normalize

Given = argparse.Namespace
Params = dict[str, Any]


class CalledWronglyError(Exception):
    """A command makes no sense as it was given; the message says how it goes."""


class Tells(Enum):
    """What is printed of a command."""

    CHANGE = auto()
    """What the action changed: the verdict, and the page since the last look."""
    ANSWER = auto()
    """What was asked for: text as it is, all else as JSON."""
    FILE = auto()
    """Where the file is that was written."""


@dataclass(frozen=True)
class Argument:
    """One argument of a command, as ``argparse`` takes it."""

    names: tuple[str, ...]
    options: dict[str, Any]


def arg(*names: str, **options: Any) -> Argument:
    """``arg("id", metavar="ID", help=…)``."""
    return Argument(names, options)


@dataclass(frozen=True)
class Command:
    """One command.

    ``call`` says which call of ``DOMTool`` it is; without one ``session`` carries it out by itself. ``begins``: it
    makes sense when nothing is open yet. ``expects``: what should be so afterwards can be said with it.
    """

    group: str
    name: str
    summary: str
    examples: tuple[str, ...]
    arguments: tuple[Argument, ...] = ()
    call: Callable[[Given], Params] | None = None
    tells: Tells = Tells.CHANGE
    begins: bool = False
    expects: bool = False

    def params(self, given: Given) -> Params:
        """The call of the tool that it is, with what is expected of it."""
        assert self.call is not None
        params = self.call(given)
        if self.expects and (expected := _expected(given)):
            params.setdefault("options", {})["expect"] = expected
        return params


#: What can be expected of an action, and how it is asked for.
EXPECTATIONS = {
    "text": "TEXT: the page says this afterwards",
    "gone": "TEXT: the page no longer says this",
    "url": "PART: of the address, or a pattern with *",
    "value": "TEXT: the field holds this",
    "state": "STATE: of the element, like checked, disabled or expanded",
}


def _expected(given: Given) -> Params:
    told = {name: getattr(given, f"expect_{name}") for name in EXPECTATIONS}
    return {name: value for name, value in told.items() if value is not None}


def node_id(text: str) -> str:
    """An id as the outline tells it."""
    if normalize(text) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no id; ids look like 7")
    return text


def action(name: str, **parameters: Any) -> Params:
    """Parameters of a call of the tool: what was not given is left out, and is what the tool says it is."""
    fields = {key: parameters.pop(key) for key in ("nodeId", "text", "key") if parameters.get(key) is not None}
    options = {key: value for key, value in parameters.items() if value is not None and value is not False}
    return {"action": name, **fields, **({"options": options} if options else {})}
