"""Gathering HTML: each eye writes its own document, all at once, and frames that are apart are put in their places.

One limit holds for the whole page. The documents further out are written first: what is left of the limit goes to the
frames in them, in their order, and a frame that does not fit is asked again for as much as does.
"""

import asyncio
import json

import msgspec

from browserx.browser.frames import Frame
from browserx.browser.settle import unless_dialog
from browserx.dom.capture import Capturer, all_answers, why_missing
from browserx.dom.html import Markup, Part, stitch
from browserx.dom.snapshot import DomSnapshot
from browserx.errors import BrowserXError, SnapshotError
from browserx.inpage.facts import MarkupFacts

#: Of the time there is, the walk in the page may take this share.
_SHARE_OF_WALK = 0.5
_SLACK_S = 0.05
#: Less than this of a frame says nothing.
_WORTH_ASKING = 500
_ATTRIBUTES_TIMEOUT_S = 2.0

_FACTS = msgspec.json.Decoder(MarkupFacts)
_WRITTEN = msgspec.json.Decoder(list[dict[str, str] | None])


async def read_markup(
    capturer: Capturer, snapshot: DomSnapshot, *, max_chars: int, deadline_s: float, start: int = -1
) -> Markup | None:
    """The page of ``snapshot`` as HTML, or the subtree of its node ``start``, as it is now.

    None when a dialog opened meanwhile. Frames that did not answer the look are not asked again.

    Raises:
        OperationTimeoutError: the top document did not answer within ``deadline_s`` seconds.
        SnapshotError: it could not be read, or the node is gone.
    """
    reading = _Reading(capturer, snapshot, max_chars, asyncio.get_running_loop().time() + deadline_s)
    return await unless_dialog(capturer.attachment, reading.page(start), timeout_s=deadline_s + 1.0)


async def read_attributes(capturer: Capturer, snapshot: DomSnapshot) -> dict[int, dict[str, str]]:
    """What is written on all that can be acted on (id, name, type, role, aria-label, test id, href), by node.

    Those of a frame that does not answer soon are left out, as are those of elements that are gone.
    """
    by_world: dict[str, dict[int, int]] = {}
    for index, yes in enumerate(snapshot.page.actionable):
        if yes:
            ref = snapshot.ref(index)
            by_world.setdefault(ref.world, {})[index] = ref.key
    asked = [(frame, keys) for world, keys in by_world.items() if (frame := capturer.attachment.frames.of_world(world))]
    questions = [
        capturer.ask_text(frame, f"__browserx.written({json.dumps([*keys.values()])})", timeout_s=_ATTRIBUTES_TIMEOUT_S)
        for frame, keys in asked
    ]
    found: dict[int, dict[str, str]] = {}
    answers = await unless_dialog(capturer.attachment, all_answers(questions), timeout_s=_ATTRIBUTES_TIMEOUT_S + 1.0)
    for (_, keys), answer in zip(asked, answers or [], strict=False):
        if isinstance(answer, str):
            told = zip(keys, _WRITTEN.decode(answer), strict=True)
            found.update((index, attributes) for index, attributes in told if attributes is not None)
    return found


class _Reading:
    """One reading of a page as HTML."""

    def __init__(self, capturer: Capturer, snapshot: DomSnapshot, max_chars: int, until: float) -> None:
        self.capturer = capturer
        self.snapshot = snapshot
        self.max_chars = max_chars
        self.until = until
        #: Why frames are not there, by their id.
        self.missing = {frame.frame_id: frame.why for frame in snapshot.page.tree.frames if frame.why}
        self.parts: dict[str, Part] = {}
        self.truncated = False
        #: What else was not read; in a frame that is asked twice it is said once.
        self.notes: dict[str, None] = {}

    async def page(self, start: int) -> Markup:
        frames = self.capturer.attachment.frames
        ref = self.snapshot.ref(start) if start >= 0 else None
        top = frames.of_world(ref.world) if ref is not None else frames.main
        if top is None:
            raise SnapshotError("the document of this element is gone; observe again")
        self.parts[top.id] = await self._ask(top, self.max_chars, ref.key if ref is not None else 0)
        await self._gather(self.parts[top.id].inner)
        await self._make_fit(top.id)
        return Markup(
            url=frames.main.url,
            title=self.snapshot.facts.title,
            html=stitch(top.id, self.parts, self.missing),
            truncated=self.truncated,
            missing=[*(f"frame {self._address(key)}: {why}" for key, why in self.missing.items()), *self.notes],
        )

    async def _ask(self, frame: Frame, max_chars: int, root: int = 0) -> Part:
        rest_s = max(_SLACK_S, self.until - asyncio.get_running_loop().time())
        world = frame.world_id
        options = {"maxChars": max_chars, "budgetMs": round(rest_s * _SHARE_OF_WALK * 1000), "root": root}
        expression = f"__browserx.html({json.dumps(options)})"
        facts = _FACTS.decode(await self.capturer.ask_text(frame, expression, timeout_s=rest_s + _SLACK_S))
        if facts.gone:
            raise SnapshotError("the element is gone; observe again")
        self.truncated = self.truncated or facts.cut
        if facts.late:
            self.notes[f"the rest of {frame.url[:100]}: there was no time to read it"] = None
        if facts.deep:
            self.notes[f"{facts.deep} elements of {frame.url[:100]} that are nested too deep"] = None
        keys = [key for key in facts.segments if isinstance(key, int)]
        return Part(facts.segments, await self.capturer.frames_in(frame, world, keys, self.until))

    async def _gather(self, wanted: list[str]) -> None:
        """Ask the frames that are apart, level by level, all of a level at once."""
        while wanted:
            asked = []
            for frame_id in dict.fromkeys(wanted):
                frame = self.capturer.attachment.frames.get(frame_id)
                if frame_id in self.missing or frame_id in self.parts:
                    continue
                if frame is None or frame.isolated is None:
                    self.missing[frame_id] = "crashed" if frame is not None and frame.crashed else "still loading"
                else:
                    asked.append(frame)
            wanted = []
            answers = await all_answers([self._ask(frame, self.max_chars) for frame in asked])
            for frame, answer in zip(asked, answers, strict=True):
                if isinstance(answer, BrowserXError):
                    self.missing[frame.id] = why_missing(answer)
                else:
                    self.parts[frame.id] = answer
                    wanted += answer.inner

    async def _make_fit(self, top: str) -> None:
        """Shorten or drop the frames for which the limit leaves no room."""
        rest = self.max_chars - self.parts[top].size
        waiting = list(self.parts[top].inner)
        while waiting:
            frame_id = waiting.pop(0)
            part = self.parts.get(frame_id)
            frame = self.capturer.attachment.frames.get(frame_id)
            if part is not None and part.size > rest:
                self.truncated = True
                del self.parts[frame_id]
                self.missing[frame_id] = "left out, the limit was reached"
                part = None
                if frame is not None and rest >= _WORTH_ASKING:
                    (answer,) = await all_answers([self._ask(frame, rest)])
                    if isinstance(answer, Part) and answer.size <= rest:
                        part = self.parts[frame_id] = answer
                        del self.missing[frame_id]
            if part is not None:
                rest -= part.size
                waiting += part.inner

    def _address(self, frame_id: str) -> str:
        frame = self.capturer.attachment.frames.get(frame_id)
        return frame.url[:100] if frame is not None and frame.url else frame_id
