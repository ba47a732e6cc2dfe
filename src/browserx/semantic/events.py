"""What happened on a page lately, in words: "[3s ago] Added: 'Shipping calculated'"."""

from collections import deque
from typing import NamedTuple

from browserx.actions import ActionChanges

_KEPT = 20
_TOLD = 10
_TEXT = 120
#: What is older says nothing of the page as it is.
_OLDEST_S = 60.0


class _Event(NamedTuple):
    at: float
    words: str


class EventLog:
    """What came, went and was said on a page, as far as its actions told. Times are those of one monotonic clock."""

    def __init__(self) -> None:
        self._events: deque[_Event] = deque(maxlen=_KEPT)

    def note(self, changes: ActionChanges, at: float) -> None:
        """Take in what an action that ended ``at`` saw."""
        named = [*changes.errors, *changes.successes]
        self._add(at, "Error", changes.errors)
        self._add(at, "Success", changes.successes)
        self._add(at, "Added", [text for text in changes.added_texts if text not in named])
        self._add(at, "Removed", changes.removed_texts)
        self._add(at, "Dialog", changes.dialogs)
        self._add(at, "Download", [download.name for download in changes.downloads])
        for tab_id in changes.new_tabs:
            self._events.append(_Event(at, f"Opened: tab {tab_id}"))
        if changes.url_changed and changes.url:
            self._events.append(_Event(at, f"Went to: {_short(changes.url)}"))

    def say(self, words: str, at: float) -> None:
        """Note something else."""
        self._events.append(_Event(at, words))

    def told(self, now: float) -> list[str]:
        """The latest, oldest first, with how long ago they were."""
        fresh = [event for event in self._events if now - event.at <= _OLDEST_S]
        return [f"[{round(now - event.at)}s ago] {event.words}" for event in fresh[-_TOLD:]]

    def _add(self, at: float, kind: str, texts: list[str]) -> None:
        for text in texts[:_TOLD]:
            self._events.append(_Event(at, f"{kind}: '{_short(text)}'"))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TEXT else line[: _TEXT - 1] + "…"
