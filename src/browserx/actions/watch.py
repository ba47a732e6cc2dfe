"""Watching what the page does while an action runs: the frame it is in, and the frames around that."""

import asyncio
import json
from typing import Any, TypeVar

import msgspec

from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.browser.settle import unless_dialog
from browserx.errors import CdpError, OperationTimeoutError
from browserx.inpage.facts import ActionFacts

_BEGIN_TIMEOUT_S = 10.0
_ASK_SLACK_S = 2.0

T = TypeVar("T")


class _Quiet(msgspec.Struct):
    quiet: bool
    mutations: int = 0


class Watch:
    """Asks the eyes of the frames concerned. A page hears from the frames in it: so those around are watched too.

    The watch in ``frame`` itself is begun by whatever prepares the action there, which knows the element.
    """

    def __init__(self, attachment: Attachment, frame: Frame) -> None:
        self.frame = frame
        self._attachment = attachment
        self._around: list[Frame] = []
        while (above := attachment.frames.get(frame.parent_id or "")) is not None:
            self._around.append(above)
            frame = above
        self._worlds = {frame.id: frame.world_id for frame in (self.frame, *self._around)}
        self._ended = False

    @property
    def gone(self) -> bool:
        """Whether the frame of the action, or its document, is no longer there."""
        return not self._is_same(self.frame)

    @property
    def world_id(self) -> str:
        """The world the action is in, as it was when it began."""
        return self._worlds[self.frame.id]

    async def begin_around(self) -> None:
        """Begin to watch the frames around the action's own."""
        if self._around:
            begin = "__browserx.beginWatch(0)"
            asked = (self._ask(frame, begin, bool, _BEGIN_TIMEOUT_S) for frame in self._around)
            await asyncio.gather(*asked)

    async def end(
        self, *, threshold_ms: int, timeout_ms: float, expect: str | None, inserted: str | None
    ) -> ActionFacts | None:
        """What was seen, once all is quiet; None when the document of the action cannot tell any more."""
        options: dict[str, Any] = {"threshold": threshold_ms, "timeout": timeout_ms}
        around = f"__browserx.endWatch({json.dumps(options)})"
        if expect is not None:
            options["expect"] = expect
        if inserted is not None:
            options["inserted"] = inserted
        own = f"__browserx.endWatch({json.dumps(options)})"
        timeout_s = timeout_ms / 1000 + _ASK_SLACK_S
        facts, *others = await asyncio.gather(
            self._ask(self.frame, own, ActionFacts, timeout_s),
            *(self._ask(frame, around, ActionFacts, timeout_s) for frame in self._around),
        )
        self._ended = facts is not None
        for other in others:
            if facts is not None and other is not None:
                facts.mutations += other.mutations
                facts.added += other.added
                facts.removed += other.removed
                facts.scrolled |= other.scrolled
                facts.url_changed |= other.url_changed
        return facts

    async def quiet(self, *, threshold_ms: int, timeout_ms: float) -> int:
        """Wait until all is quiet again; the number of mutations seen meanwhile."""
        expression = f"__browserx.quiet({json.dumps({'threshold': threshold_ms, 'timeout': timeout_ms})})"
        timeout_s = timeout_ms / 1000 + _ASK_SLACK_S
        seen = await asyncio.gather(
            *(self._ask(frame, expression, _Quiet, timeout_s) for frame in (self.frame, *self._around))
        )
        return sum(quiet.mutations for quiet in seen if quiet is not None)

    def drop(self) -> None:
        """Watch no more; nobody wants to know."""
        if self._ended:
            return
        for frame in (self.frame, *self._around):
            if self._is_same(frame):
                drop = {"expression": "__browserx.dropWatch()", "contextId": frame.isolated}
                frame.session.post("Runtime.evaluate", drop)

    def _is_same(self, frame: Frame) -> bool:
        known = self._attachment.frames.get(frame.id)
        return known is frame and frame.isolated is not None and frame.world_id == self._worlds[frame.id]

    async def _ask(self, frame: Frame, expression: str, type_: type[T], timeout_s: float) -> T | None:
        if not self._is_same(frame):
            return None
        try:
            answer = await unless_dialog(
                self._attachment,
                self._attachment.call(frame, expression, timeout_s=timeout_s),
                timeout_s=timeout_s,
            )
        except (CdpError, OperationTimeoutError):
            return None  # the document went away while it was asked, or is too busy to tell
        if answer is None or answer.result.value is None:
            return None
        return msgspec.convert(answer.result.value, type_)
