"""Seeing, whatever the engine: texts and formats of a page, and what is wanted out of it.

How a snapshot comes about is the engine's own; what is made of it is the same for all, and stands here.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from typing import Any, Generic, Protocol, TypeVar

from browserx.dom import DomSnapshot, SerializationOptions
from browserx.dom.html import Markup
from browserx.dom.ids import normalize
from browserx.dom.options import DEADLINE_MS, MAX_TOKENS
from browserx.dom.serialize import Serialized, serialize
from browserx.errors import BrowserXError, InvalidArgumentError
from browserx.page import describe, reading
from browserx.page.config import ServiceConfig
from browserx.page.counting import Counting
from browserx.page.observation import Observation
from browserx.page.telling import Teller

#: Waiting for other callers of the tab may take this much longer than the deadline, never more.
_DEADLINE_SLACK_S = 0.25


class Eyesight(Protocol):
    """What an engine knows of its page: the last snapshot, and whether it still holds."""

    snapshot: DomSnapshot | None

    def forget(self) -> None:
        """The last look holds no more."""

    def renew(self) -> None:
        """The next look uses nothing that is known from earlier ones."""

    async def current(self, *, hidden: bool = False) -> DomSnapshot:
        """A snapshot of the whole page, which may be the last one. Raises ``SnapshotError``."""

    async def markup(self, snapshot: DomSnapshot, *, max_chars: int, start: int) -> Markup:
        """The page of ``snapshot`` as HTML, or the subtree of its node ``start``. Raises ``SnapshotError``."""

    async def attributes(self, snapshot: DomSnapshot) -> dict[int, dict[str, str]]:
        """What is written on all that can be acted on, by its index in the tree of ``snapshot``."""


S = TypeVar("S", bound=Eyesight)


class Looking(Counting, ABC, Generic[S]):
    """The seeing half of a service: one look at a time, by the ``sight`` of its engine."""

    def __init__(self, config: ServiceConfig, engine: str, sight: S, lock: asyncio.Lock) -> None:
        super().__init__(config, engine)
        self._sight = sight
        self._lock = lock
        self._teller = Teller(config.max_nodes)
        #: Stands in the fence around every page of this service.
        self.nonce = self._teller.nonce

    @abstractmethod
    async def _observe(self, options: SerializationOptions, deadline: float) -> Observation:
        """Look, and tell; ``deadline`` is on the clock of ``time.perf_counter``."""

    @property
    @abstractmethod
    def _window(self) -> describe.Place:
        """What is looked at, as far as it is known without a look."""

    @property
    def current_snapshot(self) -> DomSnapshot | None:
        """The snapshot of the last look, None after an action or in a new document."""
        return self._sight.snapshot

    def invalidate_snapshot(self) -> None:
        """Forget the last look: the next action that names a node id needs a new one."""
        self._sight.forget()

    async def observe(
        self,
        *,
        viewport_only: bool = True,
        max_tokens: int | None = MAX_TOKENS,
        force: bool = False,
        deadline_ms: int = DEADLINE_MS,
        scope: str | int | None = None,
        query: str | None = None,
        diff_from: str | None = None,
        include_layout: bool = False,
        max_depth: int | None = None,
    ) -> Observation:
        """Look at the page, and tell what is there as text for a model.

        Returns within ``deadline_ms``: with everything, or, ``partial``, with what could be read. An open dialog is
        reported instead of the page it holds.

        Args:
            viewport_only: only what is in the viewport, with counts of the rest; False: the whole page.
            max_tokens: the budget; None for no limit of any kind.
            force: use nothing known from earlier looks.
            deadline_ms: how long it may take.
            scope: a node id: only its subtree.
            query: what to look for, on the whole page: only the parts of it that are about that.
            diff_from: the ``snapshot_id`` of an earlier look: only what changed since its text, where that is shorter.
            include_layout: boxes too.
            max_depth: deepest level told.

        Raises:
            NodeNotFoundError: there is no node ``scope``.
            PageOptedOutError: the page asks not to be used by AI.
            ContentScriptError: the page takes no script (content engine only).
            TargetCrashedError, TabClosedError, ConnectionClosedError: there is nothing to look at.
        """
        options = SerializationOptions(
            format="outline",
            viewport_only=viewport_only and scope is None and query is None,
            max_tokens=max_tokens,
            scope=None if scope is None else str(scope),
            query=query,
            diff_from=diff_from,
            include_layout=include_layout,
            max_depth=max_depth or self.config.max_tree_depth,
        )
        options.check()
        if deadline_ms < 1:
            raise InvalidArgumentError("deadline_ms is at least 1")
        started = time.perf_counter()
        deadline = started + deadline_ms / 1000
        try:
            async with asyncio.timeout(deadline_ms / 1000 + _DEADLINE_SLACK_S), self._lock:
                if force:
                    self._sight.renew()
                seen = await self._observe(options, deadline)
        except TimeoutError:
            why = f"it did not answer within {deadline_ms} ms: it is busy, or holds a dialog"
            seen = describe.unseen(self._window, self.nonce, why)
        except BrowserXError as error:
            self._count("look", "observe", started, failure=error.code)
            raise
        self._count("look", "observe", started, partial=seen.partial, seen=seen)
        return seen

    async def get_serialized_dom(self, options: SerializationOptions | None = None) -> Serialized | Observation:
        """The whole page in the format asked for, ``nodes`` when nothing is said; ``docs/formats.md`` shows them all.

        The last look is used if it covered as much and nothing has changed since (by the content engine: for two
        seconds); else the page is looked at anew.

        Raises:
            SnapshotError: a dialog is open, or the page did not answer.
        """
        options = options or SerializationOptions()
        options.check()
        async with self._lock:
            snapshot = await self._sight.current(hidden=options.include_hidden)
            start = self._index(snapshot, options.scope)
            if options.format == "outline":
                return self._teller.tell(snapshot, options, start=start)
            if options.format == "html":
                return await self._sight.markup(snapshot, max_chars=options.max_chars, start=start)
            attributes = await self._sight.attributes(snapshot) if options.format == "skeleton" else None
            return serialize(snapshot, options, start=start, max_nodes=self.config.max_nodes, written=attributes)

    async def get_snapshot(self, force: bool = False) -> DomSnapshot:
        """A snapshot of the whole page; the last one, if it covered as much and nothing has changed since.

        Raises:
            SnapshotError: a dialog is open, or the page did not answer.
        """
        async with self._lock:
            if force:
                self._sight.forget()
            return await self._sight.current()

    # what is wanted out of it

    async def find(self, text: str = "", *, role: str = "", limit: int = 20) -> list[reading.Found]:
        """What on the whole page says ``text`` and is a ``role``, what can be acted on first.

        Raises:
            InvalidArgumentError: neither was given.
            SnapshotError: a dialog is open, or the page did not answer.
        """
        return reading.find(await self.get_snapshot(), text, role, limit)

    async def read(self, node_id: str | int | None = None) -> str:
        """All that an element says, or the page: its words in reading order.

        Raises:
            NodeNotFoundError: there is no such element.
        """
        snapshot = await self.get_snapshot()
        return reading.words(snapshot, self._index(snapshot, node_id))

    async def extract(self, schema: dict[str, Any] | None = None, *, scope: str | int | None = None) -> Any:
        """The tables of the page or of element ``scope``; with a JSON ``schema``, data in its shape.

        Raises:
            NodeNotFoundError: there is no element ``scope``.
            InvalidArgumentError: the schema is neither an object nor an array of objects.
        """
        snapshot = await self.get_snapshot()
        start = self._index(snapshot, scope)
        return reading.tables(snapshot, start) if schema is None else reading.extract(snapshot, schema, start)

    @staticmethod
    def _index(snapshot: DomSnapshot, node_id: str | int | None) -> int:
        if node_id is None:
            return -1
        index = snapshot.index_of(normalize(node_id) or "")
        if index is None:
            raise describe.not_found(str(node_id), snapshot)
        return index
