"""``DomService``: looking at one tab and acting on it."""

import time
from collections.abc import Callable
from importlib import import_module
from weakref import WeakKeyDictionary

from browserx.browser import Tab
from browserx.dom import DomSnapshot, SerializationOptions
from browserx.dom.ids import NodeRef
from browserx.dom.options import DEADLINE_MS
from browserx.errors import NotActionableError, OperationTimeoutError, SnapshotError
from browserx.page import describe, selecting
from browserx.page.acting import Acting
from browserx.page.config import ServiceConfig
from browserx.page.observation import Observation
from browserx.page.picturing import Picturing
from browserx.page.place import Place, place_of
from browserx.page.shown_ids import ShownIds
from browserx.page.sight import Sight
from browserx.page.steps import Steps

_ASK_TIMEOUT_S = 10.0

_services: "WeakKeyDictionary[Tab, DomService]" = WeakKeyDictionary()


class DomService(Acting, Picturing[Sight], Steps):
    """One for each tab: ``await DomService.for_tab(tab)``.

    Calls from several callers are served one after the other. The tab is attached on first use, let go of when nobody
    has used it for long, and attached again by the next call.
    """

    @classmethod
    async def for_tab(cls, tab: Tab, config: ServiceConfig | None = None) -> "DomService":
        """The service of ``tab``, attached. ``config`` counts only when this is the first call for the tab.

        With ``engine="content"`` it is a ``ContentService``: the same surface, by nothing but script.

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

    async def detach(self) -> None:
        """Let go of the tab and of everything known about it. Calls after this raise ``NotAttachedError``."""
        async with self._lock:
            _services.pop(self.tab, None)
            if self._shown_ids is not None:
                await self._shown_ids.close()
            await self._sight.close()

    @property
    def _window(self) -> Tab:
        return self.tab

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

    async def _camera(self) -> Tab:
        attachment = await self._sight.attached()
        if attachment.dialogs.current is not None:
            raise SnapshotError(attachment.dialogs.current.describe())
        return self.tab

    async def _glance(self) -> DomSnapshot:
        attachment = await self._sight.attached()
        snapshot = await self._sight.look(attachment, whole=False, deadline_s=DEADLINE_MS / 1000)
        if snapshot is None:
            raise SnapshotError("a dialog opened; answer it and try again")
        return snapshot

    async def _place(self, node_id: str | int) -> Place:
        attachment = await self._sight.attached()
        target = self._sight.target(node_id)
        try:
            return await place_of(attachment, target, self._sight.ids, ignore_opt_out=self.config.ignore_opt_out)
        except NotActionableError as error:
            if error.reason == "detached":
                raise describe.not_found(target.node_id, self._sight.snapshot) from error
            raise

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

    # for people

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
                self._shown_ids = ShownIds(attachment, self._in_view)
        if shown and self._shown_ids is not None:
            await self._shown_ids.draw()

    async def _in_view(self) -> DomSnapshot | None:
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
