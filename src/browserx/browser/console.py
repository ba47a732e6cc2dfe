"""What a page says in its console, and what goes wrong in it: heard passively, the newest kept.

Source: https://chromedevtools.github.io/devtools-protocol/tot/Runtime/ (consoleAPICalled, exceptionThrown) and
https://console.spec.whatwg.org/#formatter (placeholders).
"""

import re
from collections import deque
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from browserx.cdp import Session

Level = Literal["debug", "log", "info", "warning", "error"]

_KEPT = 500
_TEXT_LIMIT = 2000
_ERROR_LIMIT = 300
#: The browser keeps what was logged alive for whoever might look into it; nobody does.
_RELEASE_EVERY = 100
_LEVELS: dict[str, Level] = {
    "debug": "debug",
    "verbose": "debug",
    "info": "info",
    "warning": "warning",
    "error": "error",
    "assert": "error",
}
_UNSAID = frozenset(("clear", "endGroup", "profile", "profileEnd"))
_PLACEHOLDER = re.compile(r"%[sdifoOc%]")


@dataclass(frozen=True)
class ConsoleMessage:
    """One message. ``number`` counts up within the tab; ``line`` from 1, 0 if unknown; ``time`` is seconds since 1970.

    ``kind`` is ``console`` for what the page's script said, ``exception`` for what it threw and nobody caught, and
    ``browser`` for what the browser says of it (a resource that did not load, a policy that was broken, …).
    """

    number: int
    level: Level
    text: str
    kind: Literal["console", "exception", "browser"] = "console"
    url: str = ""
    line: int = 0
    time: float = 0.0

    def describe(self, limit: int = _ERROR_LIMIT) -> str:
        """One line of at most ``limit`` characters, with the place it comes from."""
        place = f" ({self.url}{f':{self.line}' if self.line else ''})" if self.url else ""
        place = place if len(place) <= limit // 2 else ""
        text = " ".join(self.text.partition("\n    at ")[0].split())
        room = limit - len(place)
        return (text if len(text) <= room else text[: room - 1] + "…") + place


class _Property(msgspec.Struct):
    name: str = ""
    type: str = ""
    value: str = ""


class _Preview(msgspec.Struct):
    subtype: str = ""
    overflow: bool = False
    properties: list[_Property] = []


class _Value(msgspec.Struct, rename="camel"):
    """Runtime.RemoteObject, as far as it is shown."""

    type: str = ""
    subtype: str = ""
    value: Any = None
    unserializable_value: str = ""
    description: str = ""
    object_id: str = ""
    preview: _Preview | None = None


class _CallFrame(msgspec.Struct, rename="camel"):
    url: str = ""
    line_number: int = 0


class _Stack(msgspec.Struct, rename="camel"):
    call_frames: list[_CallFrame] = []


class _Called(msgspec.Struct, rename="camel"):
    """Event Runtime.consoleAPICalled."""

    type: str
    args: list[_Value] = []
    timestamp: float = 0.0
    stack_trace: _Stack | None = None


class _Exception(msgspec.Struct, rename="camel"):
    text: str = ""
    url: str = ""
    line_number: int = 0
    stack_trace: _Stack | None = None
    exception: _Value | None = None


class _Thrown(msgspec.Struct, rename="camel"):
    """Event Runtime.exceptionThrown."""

    exception_details: _Exception
    timestamp: float = 0.0


class _Entry(msgspec.Struct, rename="camel"):
    level: str = "info"
    text: str = ""
    url: str = ""
    line_number: int = -1
    timestamp: float = 0.0


class _EntryAdded(msgspec.Struct):
    """Event Log.entryAdded."""

    entry: _Entry


class Console:
    """Of one attached tab, all its frames. What was said before we attached, the browser tells on attaching."""

    def __init__(self) -> None:
        self.messages: deque[ConsoleMessage] = deque(maxlen=_KEPT)
        self._number = 0

    @property
    def mark(self) -> int:
        """The number of the newest message; messages after it came later."""
        return self._number

    def errors_since(self, mark: int, *, limit: int = 10) -> list[str]:
        """The errors after ``mark``, oldest first, a line each; of more than ``limit`` the first, and how many more."""
        errors = [message for message in self.messages if message.number > mark and message.level == "error"]
        told = [message.describe() for message in errors[:limit]]
        return told if len(errors) <= limit else [*told, f"… and {len(errors) - limit} more"]

    def follow(self, session: Session) -> None:
        """Hear one session."""
        held = 0

        def called(event: _Called) -> None:
            nonlocal held
            if any(value.object_id for value in event.args):
                held += 1
                if held >= _RELEASE_EVERY:
                    held = 0
                    session.post("Runtime.releaseObjectGroup", {"objectGroup": "console"})
            if event.type not in _UNSAID:
                level = _LEVELS.get(event.type, "log")
                self._add(level, _formatted(event.args), "console", _top(event.stack_trace), event.timestamp)

        def thrown(event: _Thrown) -> None:
            details = event.exception_details
            what = _shown(details.exception) if details.exception is not None else ""
            place = _CallFrame(details.url, details.line_number) if details.url else _top(details.stack_trace)
            self._add("error", f"{details.text} {what}".strip(), "exception", place, event.timestamp)

        def entry_added(event: _EntryAdded) -> None:
            entry = event.entry
            place = _CallFrame(entry.url, entry.line_number)
            self._add(_LEVELS.get(entry.level, "log"), entry.text, "browser", place, entry.timestamp)

        session.on("Runtime.consoleAPICalled", _Called, called)
        session.on("Runtime.exceptionThrown", _Thrown, thrown)
        session.on("Log.entryAdded", _EntryAdded, entry_added)

    def _add(
        self,
        level: Level,
        text: str,
        kind: Literal["console", "exception", "browser"],
        place: _CallFrame,
        timestamp_ms: float,
    ) -> None:
        self._number += 1
        text = text if len(text) <= _TEXT_LIMIT else text[: _TEXT_LIMIT - 1] + "…"
        line = place.line_number + 1 if place.url else 0
        self.messages.append(ConsoleMessage(self._number, level, text, kind, place.url, line, timestamp_ms / 1000))


def _top(stack: _Stack | None) -> _CallFrame:
    return stack.call_frames[0] if stack is not None and stack.call_frames else _CallFrame()


def _formatted(values: list[_Value]) -> str:
    """The arguments of one call as the console shows them, its placeholders filled in and its styles left out."""
    rest = list(values)
    if len(rest) > 1 and rest[0].type == "string" and isinstance(rest[0].value, str):
        template = rest.pop(0).value

        def fill(found: re.Match[str]) -> str:
            if found[0] == "%%":
                return "%"
            if not rest:
                return found[0]
            value = rest.pop(0)
            return "" if found[0] == "%c" else _shown(value)

        first = _PLACEHOLDER.sub(fill, template)
        return " ".join([first, *map(_shown, rest)])
    return " ".join(map(_shown, rest))


def _shown(value: _Value) -> str:
    if value.type == "string":
        return str(value.value)
    if value.type == "undefined":
        return "undefined"
    if value.unserializable_value:
        return value.unserializable_value
    if value.preview is not None and value.subtype not in ("error", "node", "date", "regexp"):
        return _previewed(value.preview, value.description)
    if value.description:
        return value.description
    return (
        "null"
        if value.value is None
        else str(value.value).lower()
        if isinstance(value.value, bool)
        else str(value.value)
    )


def _previewed(preview: _Preview, description: str) -> str:
    shown = [
        (property_.name, f'"{property_.value}"' if property_.type == "string" else property_.value or property_.type)
        for property_ in preview.properties
    ]
    more = ", …" if preview.overflow else ""
    if preview.subtype == "array":
        return f"[{', '.join(value for _, value in shown)}{more}]"
    if preview.subtype or description not in ("", "Object"):
        return description
    return f"{{{', '.join(f'{name}: {value}' for name, value in shown)}{more}}}"
