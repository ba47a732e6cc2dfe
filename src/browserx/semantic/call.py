"""The calls an answer asks for, as text and as values: ``click(42)``, ``setValue(13, "space x")``, ``finish()``.

The arguments of a call are JSON values. The first argument of a call on an element is its node id. Source: SPEC 9.
"""

import re
from typing import Any, NamedTuple

import msgspec

from browserx.errors import InvalidArgumentError

_CALL = re.compile(r"\s*([A-Za-z]\w*)\s*\((.*)\)\s*;?\s*", re.DOTALL)
_DECIMAL = re.compile(r"0|[1-9]\d{0,15}")
_MOST_TEXT = 100_000


class Shape(NamedTuple):
    """A call: the names of its arguments, how many must be given, and what it does.

    ``on`` says that the first argument is a node id, ``may_be_on`` that it may be left out.
    """

    parameters: tuple[str, ...] = ()
    needed: int = 0
    on: bool = False
    may_be_on: bool = False
    ends: bool = False
    means: str = ""


#: All calls there are; the order is the one a legend tells them in.
SHAPES: dict[str, Shape] = {
    "click": Shape(("elementId",), 1, on=True, means="press an element"),
    "doubleClick": Shape(("elementId",), 1, on=True, means="press it twice"),
    "rightClick": Shape(("elementId",), 1, on=True, means="open its context menu"),
    "setValue": Shape(("elementId", "value"), 2, on=True, means="put a text into a field in place of what it holds"),
    "select": Shape(
        ("elementId", "option"), 2, on=True, means="choose in a list of any kind, by its words; several as a JSON list"
    ),
    "check": Shape(("elementId",), 1, on=True, means="switch a box on"),
    "uncheck": Shape(("elementId",), 1, on=True, means="switch it off"),
    "pickDate": Shape(("elementId", "date"), 2, on=True, means="set a date, as 2026-11-22"),
    "hover": Shape(("elementId",), 1, on=True, means="move the pointer onto it"),
    "focus": Shape(("elementId",), 1, on=True, means="give it the focus"),
    "drag": Shape(("elementId", "targetId"), 2, on=True, means="drag it onto another"),
    "upload": Shape(("elementId", "files"), 2, on=True, means="give files to it, a list of paths"),
    "submit": Shape(("elementId",), 1, on=True, means="send the form it is in"),
    "press": Shape(("key",), 1, means='press a key or chord on what has the focus, as "Enter" or "Control+A"'),
    "scroll": Shape(
        ("elementId", "direction"), 0, may_be_on=True, means="scroll the page, or the box an element is in"
    ),
    "navigate": Shape(("url",), 1, means="open an address"),
    "back": Shape(means="go back"),
    "forward": Shape(means="go forward"),
    "reload": Shape(means="load the page anew"),
    "wait": Shape(("for", "gone"), 0, means="wait for a text, or with true until it is gone, or some seconds"),
    "switchTab": Shape(("tab",), 1, means="go on in another tab"),
    "newTab": Shape(("url",), 0, means="open a tab"),
    "closeTab": Shape(("tab",), 0, means="close a tab"),
    "dialog": Shape(("answer", "text"), 1, means='answer a dialog: "accept" or "dismiss"'),
    "askUser": Shape(("question",), 1, ends=True, means="ask the person"),
    "finish": Shape(("answer",), 0, ends=True, means="the task is done"),
    "fail": Shape(("reason",), 0, ends=True, means="the task cannot be done"),
}
DIRECTIONS = ("down", "up", "left", "right")


class Call(msgspec.Struct, frozen=True):
    """A call as a value. ``element_id`` is a node id, as text; ``args`` are the other arguments by their names."""

    name: str
    element_id: str | None = None
    args: dict[str, Any] = {}

    @property
    def ends(self) -> bool:
        """Whether the client has nothing to carry out on the page."""
        return SHAPES[self.name].ends

    @property
    def number(self) -> int | str | None:
        """The node id as the wire tells it: a number where it is decimal."""
        return element_number(self.element_id)

    def __str__(self) -> str:
        given: list[Any] = [] if self.element_id is None else [self.number]
        # What ends a task is said bare, "exactly finish()": the answer stands beside it.
        if not (SHAPES[self.name].ends and self.name != "askUser"):
            given += self.args.values()
        return f"{self.name}({', '.join(msgspec.json.encode(one).decode() for one in given)})"


def element_number(element_id: str | None) -> int | str | None:
    """A node id as the wire tells it: a number where it is decimal."""
    return int(element_id) if element_id is not None and _DECIMAL.fullmatch(element_id) else element_id


def call(name: str, element_id: str | int | None = None, **args: Any) -> Call:
    """Make a call. A keyword with a trailing underscore names an argument that is a word of Python (``for_``)."""
    given = {key.rstrip("_"): value for key, value in args.items() if value is not None}
    return checked(Call(name, None if element_id is None else str(element_id), given))


def parse(text: str) -> Call:
    """Read a call.

    Raises:
        InvalidArgumentError: it is no call, there is none of that name, or its arguments are others; says what fits.
    """
    found = _CALL.fullmatch(text) if len(text) <= _MOST_TEXT else None
    if found is None:
        raise InvalidArgumentError(f'{text[:100]!r} is no call; write one as click(42) or setValue(13, "text")')
    name, inner = found.groups()
    if name not in SHAPES:
        raise InvalidArgumentError(f"there is no call {name!r}; there are {', '.join(SHAPES)}")
    try:
        values = msgspec.json.decode(f"[{inner}]".encode("utf-8", "replace"), type=list[Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidArgumentError(
            f"the arguments of {name} are not JSON values, comma between: {inner[:100]!r}"
        ) from error
    return checked(_bound(name, values))


def _bound(name: str, values: list[Any]) -> Call:
    shape = SHAPES[name]
    names = list(shape.parameters)
    if shape.may_be_on and values and values[0] in DIRECTIONS:
        names.remove("elementId")
    if len(values) > len(names):
        raise InvalidArgumentError(f"{name} takes {_usage(name)}")
    bound = dict(zip(names, values, strict=False))
    element_id = bound.pop("elementId", None)
    if element_id is not None and (isinstance(element_id, bool) or not isinstance(element_id, int | str)):
        raise InvalidArgumentError(f"the element of {name} is a node id: {_usage(name)}")
    return Call(name, None if element_id is None else str(element_id), bound)


def checked(made: Call) -> Call:
    """The call itself, if it can be one; its arguments in their order.

    Raises:
        InvalidArgumentError: an argument is missing, or is of the wrong kind.
    """
    shape = SHAPES.get(made.name)
    if shape is None:
        raise InvalidArgumentError(f"there is no call {made.name!r}; there are {', '.join(SHAPES)}")
    given = ([] if made.element_id is None else ["elementId"]) + list(made.args)
    missing = [name for name in shape.parameters[: shape.needed] if name not in given]
    unknown = [name for name in given if name not in shape.parameters]
    if missing or unknown:
        raise InvalidArgumentError(f"{made.name} takes {_usage(made.name)}")
    for name, value in made.args.items():
        if not _fits(name, value):
            raise InvalidArgumentError(f"{name} of {made.name} cannot be {msgspec.json.encode(value).decode()[:80]}")
    ordered = {name: made.args[name] for name in shape.parameters if name in made.args}
    if isinstance(ordered.get("targetId"), str):
        ordered["targetId"] = element_number(ordered["targetId"])
    # They are written by their places, so none can be given after one that is left out.
    places = [name for name in shape.parameters if name != "elementId"]
    if list(ordered) != places[: len(ordered)]:
        raise InvalidArgumentError(f"{made.name} takes {_usage(made.name)}, none left out before another")
    return msgspec.structs.replace(made, args=ordered)


def _fits(name: str, value: Any) -> bool:
    if name in ("for", "tab"):
        return isinstance(value, int | float | str) and not isinstance(value, bool)
    if name == "gone":
        return isinstance(value, bool)
    if name == "files":
        return isinstance(value, list) and bool(value) and all(isinstance(path, str) for path in value)
    if name == "direction":
        return value in DIRECTIONS
    if name == "answer" and value not in ("accept", "dismiss"):
        return isinstance(value, str)
    if name == "option" and isinstance(value, list):
        return bool(value) and all(isinstance(one, str) for one in value)
    if name in ("targetId", "option", "value"):
        return isinstance(value, int | float | str) and not isinstance(value, bool)
    return isinstance(value, str)


def _usage(name: str) -> str:
    shape = SHAPES[name]
    told = [one if i < shape.needed else f"{one}?" for i, one in enumerate(shape.parameters)]
    return f"{name}({', '.join(told)})"


def legend() -> str:
    """The calls there are, a line each, for a reader who is to choose one."""
    return "\n".join(f"{_usage(name)}: {shape.means}" for name, shape in SHAPES.items())
