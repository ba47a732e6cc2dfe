"""``DomService``: looking at one tab and acting on it."""

import asyncio
import datetime
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

from browserx.actions import ActionResult
from browserx.browser import Tab
from browserx.browser.screenshot import PictureFormat
from browserx.dom import DomSnapshot, SerializationOptions
from browserx.dom.ids import NodeRef, normalize
from browserx.dom.options import DEADLINE_MS, MAX_TOKENS
from browserx.dom.serialize import Serialized, serialize
from browserx.errors import (
    BrowserXError,
    InvalidArgumentError,
    NotActionableError,
    OperationTimeoutError,
    SnapshotError,
)
from browserx.page import compound, dates, describe, picture, reading, selecting
from browserx.page.acting import Acting
from browserx.page.config import ServiceConfig
from browserx.page.hand import Expected
from browserx.page.observation import Observation
from browserx.page.place import place_of
from browserx.page.shown_ids import ShownIds
from browserx.page.telling import Teller

_ASK_TIMEOUT_S = 10.0
#: Waiting for other callers of the tab may take this much longer than the deadline, never more.
_DEADLINE_SLACK_S = 0.25

_services: "WeakKeyDictionary[Tab, DomService]" = WeakKeyDictionary()


class DomService(Acting):
    """One for each tab: ``await DomService.for_tab(tab)``.

    Calls from several callers are served one after the other. The tab is attached on first use, let go of when nobody
    has used it for long, and attached again by the next call.
    """

    def __init__(self, tab: Tab, config: ServiceConfig) -> None:
        super().__init__(tab, config)
        self._teller = Teller(config.max_nodes)
        #: Stands in the fence around every page of this service.
        self.nonce = self._teller.nonce

    @classmethod
    async def for_tab(cls, tab: Tab, config: ServiceConfig | None = None) -> "DomService":
        """The service of ``tab``, attached. ``config`` counts only when this is the first call for the tab.

        With ``engine="content"`` it is a ``ContentService``: the core of this surface, by nothing but script.

        Raises:
            TabClosedError: the tab is gone.
            AlreadyAttachedError: another debugger holds it.
            AttachError: it could not be attached to, in five tries.
        """
        service = _services.get(tab)
        if service is None:
            config = config or ServiceConfig()
            service = _services[tab] = cls(tab, config) if config.engine == "cdp" else _by_content(tab, config)
        async with service._lock:
            await service._sight.attached()
        return service

    @property
    def current_snapshot(self) -> DomSnapshot | None:
        """The snapshot of the last look, None after an action or a new document."""
        return self._sight.snapshot

    def invalidate_snapshot(self) -> None:
        """Forget the last look: the next action that names a node id needs a new one."""
        self._sight.forget()

    async def detach(self) -> None:
        """Let go of the tab and of everything known about it. Calls after this raise ``NotAttachedError``."""
        async with self._lock:
            _services.pop(self.tab, None)
            if self._shown_ids is not None:
                await self._shown_ids.close()
            await self._sight.close()

    # seeing

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
            seen = describe.unseen(self.tab, self.nonce, f"it did not answer within {deadline_ms} ms: it is busy")
        except BrowserXError as error:
            self._count("look", "observe", started, failure=error.code)
            raise
        self._count("look", "observe", started, partial=seen.partial, seen=seen)
        return seen

    async def _observe(self, options: SerializationOptions, deadline: float) -> Observation:
        attachment = await self._sight.attached()
        if attachment.dialogs.current is not None:
            return describe.dialog(self.tab, self.nonce, attachment.dialogs.current)
        rest_s = max(0.01, deadline - time.perf_counter())
        try:
            snapshot = await self._sight.look(
                attachment, whole=not options.viewport_only, deadline_s=rest_s, scope=options.scope
            )
        except OperationTimeoutError:
            return describe.unseen(
                self.tab, self.nonce, f"its renderer is busy: it did not answer within {rest_s * 1000:.0f} ms"
            )
        if snapshot is None:
            if self.tab.dialog is not None:
                return describe.dialog(self.tab, self.nonce, self.tab.dialog)
            return describe.unseen(self.tab, self.nonce, "a dialog opened and closed while it was looked at")
        return self._teller.tell(snapshot, options, start=0 if options.scope is not None else -1)

    async def get_serialized_dom(self, options: SerializationOptions | None = None) -> Serialized | Observation:
        """The whole page in the format asked for, ``nodes`` when nothing is said; ``docs/formats.md`` shows them all.

        The last look is used if it covered as much and nothing has changed since; else the page is looked at anew.

        Raises:
            SnapshotError: a dialog is open, or the page did not answer.
        """
        options = options or SerializationOptions()
        options.check()
        async with self._lock:
            snapshot = await self._sight.current(hidden=options.include_hidden)
            start = -1
            if options.scope is not None:
                index = snapshot.index_of(normalize(options.scope) or "")
                if index is None:
                    raise describe.not_found(options.scope, snapshot)
                start = index
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

    # reading

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

    # selectors

    async def selector(self, node_id: str | int) -> str:
        """A selector that finds exactly this element, by what is written on it or where it stands.

        Raises:
            NodeNotFoundError: there is no such element, or nothing tells it apart from others.
        """
        snapshot = await self.get_snapshot()
        async with self._lock:
            attachment = await self._sight.attached()
            target = self._sight.target(node_id)
            found = await selecting.selector_of(attachment, snapshot, NodeRef(target.frame.world_id, target.key))
            if found is None:
                raise describe.not_found(target.node_id, snapshot)
            return found

    async def locate(self, selector: str) -> str:
        """The id of the one element that fits: ``#save``, ``my-app >> button``, ``role=link[name="Home"]``.

        Raises:
            NodeNotFoundError: it finds nothing, or several; names them.
            InvalidArgumentError: it is no selector.
        """
        snapshot = await self.get_snapshot()
        async with self._lock:
            attachment = await self._sight.attached()
            found = await selecting.matches(attachment, snapshot, self._sight.ids, selector)
            return selecting.the_one(selector, found)

    # several steps in one

    async def choose(self, node_id: str | int, text: str, *, expect: Expected = None) -> ActionResult:
        """Choose ``text`` in a list of any kind: native, opened by a click, or narrowed down by typing.

        Raises:
            InvalidArgumentError: it offers no such choice; names what it offers.
            NotActionableError: nothing opens.
        """
        return await self._then(lambda: compound.choose(self, node_id, text), expect, node_id)

    async def pick_date(
        self, node_id: str | int, date: datetime.date | str, *, expect: Expected = None
    ) -> ActionResult:
        """Put a date (``2026-11-22``) into a field, or choose it in the calendar that an element opens.

        Raises:
            InvalidArgumentError: that is no date.
            NotActionableError: the field did not take it, and no calendar with that day was found.
        """
        return await self._then(lambda: dates.pick_date(self, node_id, date), expect, node_id)

    async def fill_form(self, values: Mapping[str | int, Any]) -> compound.FormFilled:
        """Fill in several fields, ``{node_id: value}``: text, true or false, the label of a choice, or files.

        The page is looked at between them; stops at the first field that does not take its value.
        """
        return await compound.fill_form(self, values)

    # pictures

    async def screenshot(
        self,
        *,
        node_id: str | int | None = None,
        full_page: bool = False,
        annotated: bool = False,
        format: PictureFormat = "png",  # noqa: A002 (the protocol's word)
        quality: int | None = None,
    ) -> bytes:
        """A picture of the viewport, of the whole page, or of one element, which is scrolled to if need be.

        ``annotated`` draws a box and the node id on all that can be acted on in the viewport, as a PNG.

        Raises:
            InvalidArgumentError: what is asked for does not go together.
            NodeNotFoundError: there is no such element.
            NotActionableError: the element is hidden, or has no size.
            SnapshotError: a dialog holds the page, or the picture would be too large.
        """
        if node_id is not None and (full_page or annotated):
            raise InvalidArgumentError("a picture of one element is neither full_page nor annotated; leave that out")
        if annotated and (full_page or format != "png"):
            raise InvalidArgumentError("annotated pictures are PNGs of the viewport; leave full_page and format out")
        async with self._lock:
            attachment = await self._sight.attached()
            if attachment.dialogs.current is not None:
                raise SnapshotError(attachment.dialogs.current.describe())
            if annotated:
                snapshot = await self._sight.look(attachment, whole=False, deadline_s=DEADLINE_MS / 1000)
                if snapshot is None:
                    raise SnapshotError("a dialog opened; answer it and try again")
                return await picture.annotated(self.tab, snapshot)
            clip = None
            if node_id is not None:
                target = self._sight.target(node_id)
                ignore = self.config.ignore_opt_out
                try:
                    clip = await place_of(attachment, target, self._sight.ids, ignore_opt_out=ignore)
                except NotActionableError as error:
                    if error.reason == "detached":
                        raise describe.not_found(target.node_id, self._sight.snapshot) from error
                    raise
            return await self.tab.screenshot(full_page=full_page, clip=clip, format=format, quality=quality)

    async def show_ids(self, shown: bool = True) -> None:
        """Show a person the node id at everything in view that can be acted on, or show it no more.

        It is drawn over the page, not in it, and drawn again after each action, and when the page changes, is scrolled
        or resized. Looks and actions are what they are without it; pictures show it.

        Raises:
            SnapshotError, OperationTimeoutError: the page cannot be seen.
            PageOptedOutError: it asks not to be used by AI.
        """
        async with self._lock:
            attachment = await self._sight.attached()
            before = self._shown_ids
            if before is not None and (not shown or before.attachment is not attachment):
                await before.close()
                self._shown_ids = None
            if shown and self._shown_ids is None:
                self._shown_ids = ShownIds(attachment, self._glance)
        if shown and self._shown_ids is not None:
            await self._shown_ids.draw()

    async def _glance(self) -> DomSnapshot | None:
        async with self._lock:
            shown = self._shown_ids
            return None if shown is None else await self._sight.glance(shown.attachment)

    async def get_attributes(self, node_id: str | int) -> dict[str, str]:
        """What is written on an element now, protected values excepted.

        Raises:
            NodeNotFoundError: there is no such element.
        """
        async with self._lock:
            attachment = await self._sight.attached()
            target = self._sight.target(node_id)
            answer = await attachment.call(
                target.frame, f"__browserx.attributes({target.key})", timeout_s=_ASK_TIMEOUT_S
            )
            if answer.result.value is None:
                raise describe.not_found(target.node_id, self._sight.snapshot)
            return dict(answer.result.value)


def _by_content(tab: Tab, config: ServiceConfig) -> DomService:
    # The fallback stands above this room, and is loaded by those only who ask for it. It has the surface of a service.
    make: Callable[[Tab, ServiceConfig, Callable[[], object]], DomService]
    make = import_module("browserx.content").service_for
    return make(tab, config, lambda: _services.pop(tab, None))
