"""Gathering: which calls make one consistent picture of a page.

One question to one eye for each part of the page that script can walk by itself: the top document with its same-origin
frames, and each frame that is apart (another origin, another process). All are asked at once. Around that a little of
the protocol, the first time an element is met: the browser's own ids, which frame is in which element, and closed
shadow roots, which no script can find.

Why not the protocol's own trees: they cost ten times as much, and DOM.getDocument breaks on deep pages.
"""

import asyncio
import itertools
import json
from collections.abc import Awaitable, Iterable
from typing import Any, NamedTuple, TypeVar

import msgspec

from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.browser.settle import unless_dialog
from browserx.cdp.protocol import MetricsReply
from browserx.dom.backend import BackendNodes
from browserx.dom.captured import BackendIds, FrameCapture, PageCapture
from browserx.dom.cover import find_covered
from browserx.dom.internals import Internals
from browserx.errors import (
    BrowserXError,
    CdpError,
    ConnectionClosedError,
    NotAttachedError,
    OperationTimeoutError,
    SnapshotError,
    TabClosedError,
    TargetCrashedError,
)
from browserx.inpage.facts import ElementRow, LookFacts, TextRow

#: New elements whose browser ids are read with one look; those of the rest are read with the looks after it.
EAGER_BACKEND_IDS = 300
_ROUNDS = 5
_SLACK_S = 0.05
#: Of the time there is, the walk may take this share; the rest is for writing, sending and reading what it found.
_SHARE_OF_WALK = 0.5

_FACTS = msgspec.json.Decoder(LookFacts)
_ROWS = msgspec.json.Decoder(list[ElementRow | TextRow])
_COUNTS = frozenset(("RecalcStyleCount", "LayoutCount"))
_BUDGET_STEP_MS = 50
_numbers = itertools.count(1)
T = TypeVar("T")


async def _counted(asked: "asyncio.Future[MetricsReply]") -> tuple[float, ...]:
    """How often style and layout were made; nothing where the browser does not tell."""
    try:
        reply = await asked
    except (CdpError, OperationTimeoutError):
        return ()
    return tuple(metric.value for metric in reply.metrics if metric.name in _COUNTS)


def _budget_ms(rest_s: float) -> int:
    """The time a walk may take; in steps, as an expression that was asked before is compiled already."""
    budget = int(rest_s * _SHARE_OF_WALK * 1000)
    return budget // _BUDGET_STEP_MS * _BUDGET_STEP_MS if budget > 4 * _BUDGET_STEP_MS else max(1, budget)


def _are_same(before: list[FrameCapture], now: list[FrameCapture]) -> bool:
    return len(before) == len(now) and all(a is b for a, b in zip(before, now, strict=True))


class _TextObject(msgspec.Struct):
    value: str = ""


class _TextReply(msgspec.Struct, rename="camel"):
    """Runtime.evaluate with nothing but one string in it: decoded without a look at the rest."""

    result: _TextObject = msgspec.field(default_factory=_TextObject)
    exception_details: msgspec.Raw = msgspec.Raw(b"")


class _Seen(NamedTuple):
    """The last look of an eye: of which kind it was, what it told, and how often style and layout were made before."""

    whole: bool
    hidden: bool
    capture: FrameCapture
    made: tuple[float, ...]


class _Answer(NamedTuple):
    """What an eye told, and how often style and layout had been made before and, if it saw no change, after."""

    facts: LookFacts
    before: tuple[float, ...]
    after: tuple[float, ...]


def _text(frame: Frame, answer: _TextReply) -> str:
    if bytes(answer.exception_details):
        details = msgspec.json.decode(bytes(answer.exception_details))
        raise SnapshotError(
            f"{frame.url} could not be read: {details.get('exception', {}).get('description', details.get('text'))}"
        )
    return answer.result.value


class Capturer:
    """Looks at one attached tab, and remembers what need not be asked twice."""

    def __init__(self, attachment: Attachment) -> None:
        self.attachment = attachment
        self._nodes = BackendNodes(attachment)
        self._internals = Internals()
        #: Worlds whose eye and we agree on which elements it told of; a word of it may get lost on the way.
        self._agreed: set[str] = set()
        #: The last look of each eye, by world, and of all of them.
        self._seen: dict[str, _Seen] = {}
        self._page: PageCapture | None = None

    async def capture(
        self, *, whole: bool, deadline_s: float, root: tuple[str, int] | None = None, hidden: bool = False
    ) -> PageCapture | None:
        """Look at the page, or at the subtree of element ``root`` (world, key). None when a dialog opened meanwhile.

        ``hidden`` tells of what nobody can see too.

        Raises:
            OperationTimeoutError: the top document did not answer within ``deadline_s`` seconds.
            SnapshotError: it could not be read, or ``root`` is gone.
            TargetCrashedError, TabClosedError, ConnectionClosedError: it never will be.
        """
        loop = asyncio.get_running_loop()
        started = loop.time()
        until = started + deadline_s
        captures: list[FrameCapture] = []
        by_frame: dict[str, int] = {}
        missing: dict[str, str] = {}
        top = self.attachment.frames.of_world(root[0]) if root is not None else self.attachment.frames.main
        if top is None:
            raise SnapshotError("the document of this element is gone; observe again")
        wanted = [top] if root is not None else [top, *self._apart()]
        for _ in range(_ROUNDS):
            looks = [
                self._look(frame, whole=whole, hidden=hidden, until=until, root=root[1] if root and frame is top else 0)
                for frame in wanted
            ]
            answers = await unless_dialog(
                self.attachment, all_answers(looks), timeout_s=max(0.0, until - loop.time()) + 1.0
            )
            if answers is None:
                return None
            for frame, answer in zip(wanted, answers, strict=True):
                if isinstance(answer, FrameCapture):
                    by_frame[frame.id] = len(captures)
                    captures.append(answer)
                elif frame is top:
                    raise answer
                else:
                    missing[frame.id] = why_missing(answer)
            wanted = self._still_wanted(captures, by_frame, missing)
            if not wanted:
                break
        if self._page is not None and self._page.missing == missing and _are_same(self._page.captures, captures):
            return self._page._replace(capture_ms=(loop.time() - started) * 1000, page_ms=0.0)
        captures = [self._own(capture) for capture in captures]
        if len(captures) > 1:
            covering = find_covered(self.attachment, captures, until)
            await unless_dialog(self.attachment, covering, timeout_s=deadline_s + 1.0)
        spent = (loop.time() - started) * 1000
        page = PageCapture(captures, by_frame, missing, spent, sum(c.facts.ms for c in captures))
        if root is None:
            self._page = page
        return page

    @property
    def backend_ids(self) -> BackendIds:
        """The browser's own ids of elements, by world and key."""
        return self._nodes.ids

    async def frames_in(self, frame: Frame, world: str, keys: list[int], until: float) -> dict[int, str]:
        """Which frame is in which of these frame elements of ``world``, by their keys."""
        return await self._nodes.frames_in(frame, world, keys, timeout_s=_rest(until))

    def forget_looks(self) -> None:
        """Take nothing for granted that was seen before."""
        self._seen.clear()
        self._page = None

    def _own(self, capture: FrameCapture) -> FrameCapture:
        """What lies over a frame from outside is asked of each page anew: a capture used again gets room of its own."""
        if self._page is None or not any(capture is used for used in self._page.captures):
            return capture
        own = FrameCapture(capture.frame_id, capture.world, capture.facts, capture.frame_ids)
        if (seen := self._seen.get(capture.world)) is not None:
            self._seen[capture.world] = seen._replace(capture=own)
        return own

    def forget_all_but(self, worlds: set[str]) -> None:
        """The documents of all other worlds went away, and every element with them."""
        self._agreed &= worlds
        self._internals.forget_all_but(worlds)
        self._nodes.forget_all_but(worlds)
        for world in self._seen.keys() - worlds:
            del self._seen[world]

    # which frames

    def _apart(self) -> list[Frame]:
        """Frames that the eye of their parent probably cannot enter. Wrong guesses cost a look, nothing else."""
        frames = self.attachment.frames
        apart = []
        for frame in frames:
            parent = frames.get(frame.parent_id) if frame.parent_id is not None else None
            if frame.id == frames.main_id or frame.isolated is None:
                continue
            if parent is None or parent.session is not frame.session or parent.origin != frame.origin:
                apart.append(frame)
        return apart

    def _still_wanted(
        self, captures: list[FrameCapture], by_frame: dict[str, int], missing: dict[str, str]
    ) -> list[Frame]:
        wanted = []
        for capture in captures:
            for row in capture.facts.rows:
                if type(row) is not ElementRow or row.extra is None or row.extra.frame is None:
                    continue
                frame_id = capture.frame_ids.get(row.key, "")
                if row.extra.frame.inside or not frame_id or frame_id in by_frame or frame_id in missing:
                    continue
                frame = self.attachment.frames.get(frame_id)
                if frame is None or frame.isolated is None:
                    missing[frame_id] = "crashed" if frame is not None and frame.crashed else "still loading"
                else:
                    wanted.append(frame)
        return wanted

    # one eye

    async def _look(self, frame: Frame, *, whole: bool, hidden: bool, until: float, root: int) -> FrameCapture:
        loop = asyncio.get_running_loop()
        for _ in range(_ROUNDS):
            rest = until - loop.time()
            if rest <= 0:
                break
            world = frame.world_id
            if self._nodes.is_at_a_loss(world):
                self._agreed.discard(world)
            # Taken out until the answer is there: the eye may have looked anew though nobody heard what it told.
            seen = self._seen.pop(world, None) if root == 0 else None
            if seen is not None and ((seen.whole, seen.hidden) != (whole, hidden) or world not in self._agreed):
                seen = None
            options = {
                "whole": whole,
                "hidden": hidden,
                "budgetMs": _budget_ms(rest),
                "fresh": EAGER_BACKEND_IDS,
                "anew": world not in self._agreed,
                "again": seen is not None,
                "root": root,
            }
            answer = await self._ask_look(frame, options, timeout_s=rest + _SLACK_S)
            facts = answer.facts
            if facts.still and seen is not None:
                if seen.made != answer.after:
                    continue
                seen.capture.facts.vanished = []
                self._seen[world] = seen
                return seen.capture
            if facts.gone:
                raise SnapshotError("the element is gone; observe again")
            if not await self._meet(frame, world, facts, until):
                await self._internals.tell(frame, facts, self._nodes.ids.get(world, {}))
                frames = await self.frames_in(frame, world, _frame_keys(facts), until)
                capture = FrameCapture(frame.id, world, facts, frames)
                if root == 0 and answer.before:
                    self._seen[world] = _Seen(whole, hidden, capture, answer.before)
                return capture
        raise OperationTimeoutError(
            f"{frame.url} did not answer in time; it may be busy: allow more time, or try again",
            timeout_s=0.0,
        )

    async def _meet(self, frame: Frame, world: str, facts: LookFacts, until: float) -> bool:
        """Learn of what a look met first; whether there is more to see because of it."""
        found_roots = False
        if facts.fresh or facts.later:
            self._agreed.discard(world)
            found_roots = await self._nodes.meet(frame, world, facts, timeout_s=_rest(until))
        self._agreed.add(world)
        return found_roots

    async def _ask_look(self, frame: Frame, options: dict[str, Any], *, timeout_s: float) -> _Answer:
        """Have the eye of ``frame`` look. Of many rows the first are read while it still looks for the others.

        Changes of style are heard of by nobody, but the browser counts how often it makes style and layout: when it has
        done neither since before a look, up to after one that asked for both, there was none. It tells these counts out
        of turn, in the middle of a script if need be: those of before go first, those of after wait for the answer.
        """
        rows: list[ElementRow | TextRow] = []
        number = next(_numbers) if options["whole"] else 0
        if number:
            self.attachment.on_rows[number] = lambda sent: rows.extend(_ROWS.decode(sent))
        await self._ready(frame, timeout_s)
        before = self._made(frame, timeout_s)
        asked = self._ask(frame, f"__browserx.look({json.dumps({**options, 'number': number})})", timeout_s)
        try:
            facts = _FACTS.decode(_text(frame, await asked))
        finally:
            self.attachment.on_rows.pop(number, None)
        if rows:
            facts.rows = rows + facts.rows
        after = await _counted(self._made(frame, timeout_s)) if facts.still else ()
        return _Answer(facts, await _counted(before), after)

    @staticmethod
    def _made(frame: Frame, timeout_s: float) -> "asyncio.Future[MetricsReply]":
        asked = frame.session.start("Performance.getMetrics", None, MetricsReply, timeout_s=timeout_s)
        asked.add_done_callback(lambda done: done.cancelled() or done.exception())
        return asked

    async def ask_text(self, frame: Frame, expression: str, *, timeout_s: float) -> str:
        """Ask the eye of ``frame`` for a string.

        Raises:
            SnapshotError: the question failed in the page.
            OperationTimeoutError: no answer came in time.
        """
        await self._ready(frame, timeout_s)
        return _text(frame, await self._ask(frame, expression, timeout_s))

    async def _ready(self, frame: Frame, timeout_s: float) -> None:
        if frame.isolated is None:
            await self.attachment.changes.until(lambda: frame.isolated is not None, timeout_s=timeout_s)

    @staticmethod
    def _ask(frame: Frame, expression: str, timeout_s: float) -> "asyncio.Future[_TextReply]":
        params = {
            "expression": expression,
            "contextId": frame.isolated,
            "returnByValue": True,
            "silent": True,
        }
        return frame.session.start("Runtime.evaluate", params, _TextReply, timeout_s=timeout_s)


def _rest(until: float) -> float:
    return max(_SLACK_S, until - asyncio.get_running_loop().time())


def _frame_keys(facts: LookFacts) -> list[int]:
    return [
        row.key
        for row in facts.rows
        if type(row) is ElementRow and row.extra is not None and row.extra.frame is not None
    ]


async def all_answers(questions: Iterable[Awaitable[T]]) -> list[T | BrowserXError]:
    """What each of the questions came to; raises only what ends the tab for good, and what nobody expects."""
    answers: list[T | BrowserXError] = []
    for answer in await asyncio.gather(*questions, return_exceptions=True):
        if isinstance(answer, TabClosedError | ConnectionClosedError | NotAttachedError):
            raise answer
        if isinstance(answer, BaseException) and not isinstance(answer, BrowserXError):
            raise answer
        answers.append(answer)
    return answers


def why_missing(error: BrowserXError) -> str:
    """Why a frame could not be read, in words."""
    if isinstance(error, OperationTimeoutError):
        return "did not answer in time"
    if isinstance(error, TargetCrashedError):
        return "crashed"
    return "went away while it was read"
