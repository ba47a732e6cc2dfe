"""What is known of a page that is seen by script alone: the last snapshot, and whether it still holds."""

import time
from typing import NamedTuple

from browserx.content.driver import Driver
from browserx.content.eye import ContentEye
from browserx.content.stamps import StampedIds
from browserx.dom import DomSnapshot
from browserx.dom.captured import FrameCapture, PageCapture
from browserx.dom.html import Markup, Part, stitch
from browserx.dom.ids import normalize
from browserx.dom.options import DEADLINE_MS
from browserx.dom.snapshot import Scope
from browserx.errors import (
    BrowserXError,
    EvaluateError,
    InvalidArgumentError,
    NotActionableError,
    NotAttachedError,
    OperationTimeoutError,
    SnapshotError,
)
from browserx.inpage.facts import ElementRow, LookFacts, MarkupFacts
from browserx.page import ServiceConfig, describe
from browserx.page.album import Album, check_opt_out

#: A snapshot is taken anew after this long, as nobody tells of what becomes of the page.
TIME_TO_LIVE_S = 2.0
_SHARE_OF_WALK = 0.5
_ASK_TIMEOUT_S = 10.0
_LEAST_S = 0.05
_MAIN = "main"
_APART = "script cannot enter a frame of another origin"


class Target(NamedTuple):
    """An element to act on: in which document, by which key; where it was seen last, and as what."""

    node_id: str
    world: str
    key: int
    seen: tuple[int, int, int, int] | None = None
    known: tuple[str, str] | None = None


class ContentSight:
    """Takes snapshots by script. Used by one caller at a time."""

    def __init__(self, driver: Driver, config: ServiceConfig) -> None:
        self.config = config
        self.ids = StampedIds()
        self.eye = ContentEye(driver, self._met)
        #: The snapshot of the last look, None after an action.
        self.snapshot: DomSnapshot | None = None
        #: Of the page, as far as it is known.
        self.url = ""
        self.title = ""
        self._album = Album(self.ids)
        self._driver = driver
        self._looked_at = 0.0
        self._changes = 0
        self._closed = False

    async def attached(self) -> ContentEye:
        """The eye of the page.

        Raises:
            NotAttachedError: the service was detached for good.
        """
        if self._closed:
            raise NotAttachedError("this service was detached; make a new one")
        return self.eye

    async def close(self) -> None:
        """Take everything of ours out of the page, if it still answers, and let go of the driver."""
        if self._closed:
            return
        self._closed = True
        self.snapshot = None
        try:
            if self.eye.world:
                await self.eye.ask("forget", type_=dict, timeout_s=_ASK_TIMEOUT_S, world=self.eye.world)
        except BrowserXError:
            pass  # the document is gone, and all of it with that, or nobody can reach into it any more
        finally:
            await self._driver.close()

    def forget(self) -> None:
        """The last look holds no more."""
        self.snapshot = None

    def renew(self) -> None:
        """Every look is a whole one: there is nothing else to forget."""
        self.forget()

    def _met(self, world: str) -> None:
        # Another document: every element of the last one went with it.
        self.ids.forget_all_but({world})
        self.snapshot = None

    async def look(
        self, *, whole: bool, deadline_s: float, scope: str | None = None, hidden: bool = False
    ) -> DomSnapshot:
        """Look, and keep the snapshot. A document that goes away meanwhile is followed once.

        Raises:
            NodeNotFoundError: there is no node ``scope``.
            OperationTimeoutError: the page did not answer within ``deadline_s`` seconds.
            SnapshotError: it could not be read.
            PageOptedOutError: it asks not to be used by AI.
        """
        target = self.target(scope) if scope is not None else None
        until = time.monotonic() + deadline_s
        for is_last in (False, True):
            try:
                return await self._look(target, whole=whole, hidden=hidden, until=until)
            except EvaluateError as error:
                if is_last or target is not None or time.monotonic() >= until:
                    raise SnapshotError(f"the page could not be read: {error.message}; observe again") from error
        raise AssertionError

    async def _look(self, target: Target | None, *, whole: bool, hidden: bool, until: float) -> DomSnapshot:
        started = time.perf_counter()
        rest_s = max(_LEAST_S, until - time.monotonic())
        options = {
            "whole": whole,
            "hidden": hidden,
            "budgetMs": max(1, round(rest_s * _SHARE_OF_WALK * 1000)),
            "fresh": 0,
            "root": target.key if target is not None else 0,
            "floor": self.ids.floor,
        }
        world = target.world if target is not None else None
        facts = await self.eye.ask("look", options, type_=LookFacts, timeout_s=rest_s, world=world)
        if facts.gone:
            raise SnapshotError("the element is gone; observe again")
        world = self.eye.world
        frame_ids, missing = _apart(facts)
        spent_ms = (time.perf_counter() - started) * 1000
        capture = PageCapture([FrameCapture(_MAIN, world, facts, frame_ids)], {}, missing, spent_ms, facts.ms)
        scope: Scope = "subtree" if target is not None else "page" if whole else "viewport"
        snapshot = self._album.understand(capture, scope, {})
        self.snapshot = None
        self._looked_at = time.monotonic()
        check_opt_out(snapshot, self.config)
        if self.ids.to_stamp:
            taken, self.ids.to_stamp = self.ids.to_stamp, []
            await self.eye.ask("passOn", taken, type_=object, timeout_s=_ASK_TIMEOUT_S, world=world)
        self._changes = await self.eye.ask("changes", type_=int, timeout_s=_ASK_TIMEOUT_S, world=world)
        self.snapshot = snapshot
        self.url, self.title = snapshot.facts.url, snapshot.facts.title
        return snapshot

    async def current(self, *, hidden: bool = False) -> DomSnapshot:
        """A snapshot of the whole page: the last one if it covered as much, is young and nothing changed since.

        Raises:
            SnapshotError: the page did not answer, or a dialog holds it.
        """
        await self.attached()
        snapshot = self.snapshot
        try:
            if snapshot is not None and snapshot.scope == "page" and not hidden and await self._is_fresh():
                return snapshot
            snapshot = await self.look(whole=True, deadline_s=DEADLINE_MS / 1000, hidden=hidden)
        except (OperationTimeoutError, NotActionableError) as error:
            raise SnapshotError(f"the page did not answer: {error.message}") from error
        if hidden:
            self._looked_at = -TIME_TO_LIVE_S
        return snapshot

    async def _is_fresh(self) -> bool:
        if time.monotonic() - self._looked_at > min(TIME_TO_LIVE_S, self.config.max_age_s):
            return False
        world = self.eye.world
        try:
            return not await self.eye.ask("isDirty", self._changes, type_=bool, timeout_s=_ASK_TIMEOUT_S, world=world)
        except (SnapshotError, EvaluateError):
            return False

    async def markup(self, snapshot: DomSnapshot, *, max_chars: int, start: int) -> Markup:
        """The page of ``snapshot`` as HTML, or the subtree of its node ``start``.

        Raises:
            SnapshotError: the page did not answer, or the node is gone.
        """
        ref = snapshot.ref(start) if start >= 0 else None
        options = {
            "maxChars": max_chars,
            "budgetMs": round(DEADLINE_MS * _SHARE_OF_WALK),
            "root": ref.key if ref is not None else 0,
        }
        facts = await self.eye.ask(
            "html", options, type_=MarkupFacts, timeout_s=DEADLINE_MS / 1000, world=self.eye.world
        )
        if facts.gone:
            raise SnapshotError("the element is gone; observe again")
        apart = {key: f"frame-{key}" for key in facts.segments if isinstance(key, int)}
        missing = dict.fromkeys(apart.values(), _APART)
        notes = [f"frame {key}: {why}" for key, why in missing.items()]
        if facts.late:
            notes.append("the rest of the page: there was no time to read it")
        return Markup(
            url=snapshot.facts.url,
            title=snapshot.facts.title,
            html=stitch(_MAIN, {_MAIN: Part(facts.segments, apart)}, missing),
            truncated=facts.cut,
            missing=notes,
        )

    async def attributes(self, snapshot: DomSnapshot) -> dict[int, dict[str, str]]:
        """What is written on all that can be acted on, by its index in the tree of ``snapshot``."""
        keys = {index: snapshot.ref(index).key for index, yes in enumerate(snapshot.page.actionable) if yes}
        told = await self.eye.ask(
            "written",
            list(keys.values()),
            type_=list[dict[str, str] | None],
            timeout_s=_ASK_TIMEOUT_S,
            world=self.eye.world,
        )
        return {index: written for index, written in zip(keys, told, strict=True) if written is not None}

    def target(self, given: str | int) -> Target:
        """The element of an id: where it lives, and where it was last seen.

        Raises:
            InvalidArgumentError: that is no id.
            NodeNotFoundError: there is no such element; names the nearest.
        """
        node_id = normalize(given)
        if node_id is None:
            raise InvalidArgumentError(f'{given!r} is no node id; ids look like 7, "7" or "node_7"')
        ref = self.ids.ref(node_id)
        if ref is None:
            raise describe.not_found(node_id, self.snapshot)
        index = self.snapshot.index_of(node_id) if self.snapshot is not None else None
        if self.snapshot is None or index is None:
            return Target(node_id, ref.world, ref.key)
        node = self.snapshot.page.tree.nodes[index]
        known = (node.role, node.name) if self.snapshot.page.actionable[index] else None
        return Target(node_id, ref.world, ref.key, node.rect, known)


def _apart(facts: LookFacts) -> tuple[dict[int, str], dict[str, str]]:
    """The frames that the script could not enter: names for them by key, and why, by name."""
    frame_ids = {
        row.key: f"frame-{row.key}"
        for row in facts.rows
        if type(row) is ElementRow
        and row.extra is not None
        and row.extra.frame is not None
        and not row.extra.frame.inside
    }
    return frame_ids, dict.fromkeys(frame_ids.values(), _APART)
