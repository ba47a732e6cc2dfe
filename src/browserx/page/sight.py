"""What is known of one tab's page: the attachment it is seen through, the last snapshot, and whether it still holds."""

import asyncio
import logging
import time

from browserx.actions.target import Target
from browserx.browser import Tab
from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.dom import DomSnapshot
from browserx.dom.capture import Capturer
from browserx.dom.captured import BackendIds, PageCapture
from browserx.dom.html import Markup
from browserx.dom.ids import IdRegistry, normalize
from browserx.dom.markup import read_attributes, read_markup
from browserx.dom.options import DEADLINE_MS
from browserx.dom.snapshot import Scope
from browserx.errors import (
    AlreadyAttachedError,
    AttachError,
    CdpError,
    InvalidArgumentError,
    NotAttachedError,
    OperationTimeoutError,
    SnapshotError,
)
from browserx.page import describe
from browserx.page.album import Album, check_opt_out
from browserx.page.config import ServiceConfig

_log = logging.getLogger("browserx.page")

_ATTACH_TRIES = 5
_BACKOFF_FROM_S = 1.0
_BACKOFF_TO_S = 10.0
#: How long a look waits for the first content of a document that has just begun.
_FIRST_CONTENT_S = 2.0
_LAST_LOOK_S = 0.05


class Sight:
    """Attaches on first use, lets go after long idleness, and takes snapshots. Used by one caller at a time."""

    def __init__(self, tab: Tab, config: ServiceConfig, lock: asyncio.Lock) -> None:
        self.tab = tab
        self.config = config
        self.ids = IdRegistry()
        #: The snapshot of the last look, None after an action or a new document.
        self.snapshot: DomSnapshot | None = None
        self._album = Album(self.ids)
        self._lock = lock
        self._attachment: Attachment | None = None
        self._capturer: Capturer | None = None
        self._dirty = False
        self._looked_at = 0.0
        self._closed = False
        self._idle: asyncio.TimerHandle | None = None

    # the life of the tab

    async def attached(self) -> Attachment:
        """Attach if need be; retried with growing pauses, as another debugger may be on its way out.

        Raises:
            NotAttachedError: the service was detached for good.
            TabClosedError, AlreadyAttachedError: final at once.
            AttachError: five tries were in vain.
        """
        if self._closed:
            raise NotAttachedError("this service was detached; get a new one with DomService.for_tab(tab)")
        self._stay()
        attachment = self.tab.attachment
        if attachment is not None and attachment is self._attachment:
            return attachment
        attachment = await self._attach()
        self._attachment = attachment
        self._capturer = Capturer(attachment)
        self.snapshot = None
        attachment.on_document_replaced.append(self._document_replaced)
        attachment.on_dirty.append(self._became_dirty)
        attachment.session.on_end(lambda error: self.forget())
        return attachment

    async def close(self) -> None:
        """Let go of the tab for good."""
        self._closed = True
        await self._let_go()

    def forget(self) -> None:
        """The last look holds no more."""
        self.snapshot = None

    def renew(self) -> None:
        """The next look uses nothing that is known from earlier ones."""
        self.forget()
        self._album.forget_captures()
        if self._capturer is not None:
            self._capturer.forget_looks()

    async def _attach(self) -> Attachment:
        pause_s = _BACKOFF_FROM_S
        for _ in range(_ATTACH_TRIES - 1):
            try:
                return await self.tab.attach()
            except AlreadyAttachedError:
                raise
            except AttachError as error:
                _log.info("attaching to tab %d failed (%s); trying again in %g s", self.tab.id, error, pause_s)
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, _BACKOFF_TO_S)
        return await self.tab.attach()

    def _document_replaced(self, frame: Frame) -> None:
        self.snapshot = None

    def _became_dirty(self) -> None:
        self._dirty = True

    def _stay(self) -> None:
        """Somebody uses the tab: put off letting go of it."""
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(self.config.idle_detach_s, self._idle_now)

    def _idle_now(self) -> None:
        if self._lock.locked():
            self._stay()
        else:
            self.tab.browser.connection.tasks.start(self._let_go(), name="idle detach")

    async def _let_go(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        if (attachment := self._attachment) is not None:
            # The tab may stay attached for others.
            attachment.on_document_replaced.remove(self._document_replaced)
            attachment.on_dirty.remove(self._became_dirty)
        self._attachment = self._capturer = self.snapshot = None
        self._album.forget()
        await self.tab.detach()

    # looking

    async def look(
        self,
        attachment: Attachment,
        *,
        whole: bool,
        deadline_s: float,
        scope: str | None = None,
        hidden: bool = False,
    ) -> DomSnapshot | None:
        """Look, and keep the snapshot. A document that is replaced meanwhile is looked at once more. None: a dialog.

        Raises:
            NodeNotFoundError: there is no node ``scope``.
            OperationTimeoutError: the page did not answer within ``deadline_s`` seconds.
            SnapshotError: it could not be read.
            PageOptedOutError: it asks not to be used by AI.
        """
        capturer = self._capturer
        assert capturer is not None
        root = None
        if scope is not None:
            target = self.target(scope)
            root = (target.frame.world_id, target.key)
        there = {frame.world_id for frame in attachment.frames}
        self.ids.forget_all_but(there)
        capturer.forget_all_but(there)
        until = time.monotonic() + deadline_s
        self._dirty = False
        try:
            capture = await capturer.capture(whole=whole, deadline_s=deadline_s, root=root, hidden=hidden)
        except (CdpError, SnapshotError):
            rest_s = until - time.monotonic()
            if root is not None or rest_s <= 0:
                raise
            capture = await capturer.capture(whole=whole, deadline_s=rest_s, hidden=hidden)
        if capture is not None and root is None and _is_blank(capture):
            # A document that has only just begun: what it is to show is a moment away.
            rest_s = min(until - time.monotonic(), _FIRST_CONTENT_S)
            loader = attachment.frames.main.loader_id
            if await attachment.changes.until(lambda: _has_content(attachment, loader), timeout_s=rest_s):
                rest_s = max(_LAST_LOOK_S, until - time.monotonic())
                capture = await capturer.capture(whole=whole, deadline_s=rest_s, hidden=hidden)
        if capture is None:
            return None
        return self._keep(capture, "subtree" if root else "page" if whole else "viewport", capturer.backend_ids)

    async def glance(self, attachment: Attachment) -> DomSnapshot | None:
        """Look at the viewport for our own sake: for callers nothing has been looked at. None: a dialog.

        Raises:
            As ``look``.
        """
        if attachment.dialogs.current is not None:
            return None
        kept = (self.snapshot, self._dirty, self._looked_at)
        loader = attachment.frames.main.loader_id
        try:
            return await self.look(attachment, whole=False, deadline_s=DEADLINE_MS / 1000)
        finally:
            self.snapshot, self._dirty, self._looked_at = kept
            if attachment.frames.main.loader_id != loader:
                self.snapshot = None

    async def current(self, *, hidden: bool = False) -> DomSnapshot:
        """A snapshot of the whole page: the last one if it covered as much and nothing changed since, else a new one.

        One with what is ``hidden`` too is always new, and not used again.

        Raises:
            SnapshotError: a dialog is open, or the page did not answer.
        """
        attachment = await self.attached()
        snapshot = self.snapshot
        if snapshot is not None and snapshot.scope == "page" and self._is_fresh() and not hidden:
            return snapshot
        if self.tab.dialog is not None:
            raise SnapshotError(self.tab.dialog.describe())
        try:
            snapshot = await self.look(attachment, whole=True, deadline_s=DEADLINE_MS / 1000, hidden=hidden)
        except OperationTimeoutError as error:
            raise SnapshotError(f"the page did not answer: {error.message}") from error
        if snapshot is None:
            dialog = attachment.dialogs.current
            raise SnapshotError(dialog.describe() if dialog else "a dialog opened; observe again")
        self._dirty = self._dirty or hidden
        return snapshot

    async def markup(self, snapshot: DomSnapshot, *, max_chars: int, start: int) -> Markup:
        """The page of ``snapshot`` as HTML, or the subtree of its node ``start``.

        Raises:
            SnapshotError: a dialog is open, or the page did not answer.
        """
        assert self._capturer is not None
        try:
            markup = await read_markup(
                self._capturer, snapshot, max_chars=max_chars, deadline_s=DEADLINE_MS / 1000, start=start
            )
        except OperationTimeoutError as error:
            raise SnapshotError(f"the page did not answer: {error.message}") from error
        if markup is None:
            dialog = self.tab.dialog
            raise SnapshotError(dialog.describe() if dialog else "a dialog opened; observe again")
        return markup

    async def attributes(self, snapshot: DomSnapshot) -> dict[int, dict[str, str]]:
        """What is written on all that can be acted on, by its index in the tree of ``snapshot``."""
        assert self._capturer is not None
        return await read_attributes(self._capturer, snapshot)

    def target(self, given: str | int) -> Target:
        """The element of an id: where it lives, and where it was last seen.

        Raises:
            InvalidArgumentError: that is no id.
            NodeNotFoundError: there is no such element; names the nearest.
        """
        assert self._capturer is not None
        node_id = normalize(given)
        if node_id is None:
            raise InvalidArgumentError(f'{given!r} is no node id; ids look like 7, "7" or "node_7"')
        ref = self.ids.ref(node_id)
        frame = self._capturer.attachment.frames.of_world(ref.world) if ref is not None else None
        if ref is None or frame is None:
            raise describe.not_found(node_id, self.snapshot)
        index = self.snapshot.index_of(node_id) if self.snapshot is not None else None
        if self.snapshot is None or index is None:
            return Target(node_id, frame, ref.key)
        node = self.snapshot.page.tree.nodes[index]
        # Where it was seen says something only in the top document: elsewhere its frame may have moved under it.
        seen = node.rect if node.frame == 0 else None
        known = (node.role, node.name) if self.snapshot.page.actionable[index] else None
        return Target(node_id, frame, ref.key, seen, known)

    def _keep(self, capture: PageCapture, scope: Scope, backend_ids: BackendIds) -> DomSnapshot:
        snapshot = self._album.understand(capture, scope, backend_ids)
        self._looked_at = time.monotonic()
        self.snapshot = None
        check_opt_out(snapshot, self.config)
        self.snapshot = snapshot
        return snapshot

    def _is_fresh(self) -> bool:
        return not self._dirty and time.monotonic() - self._looked_at <= self.config.max_age_s


def _is_blank(capture: PageCapture) -> bool:
    top = capture.captures[0].facts
    return top.loading and not top.rows


def _has_content(attachment: Attachment, loader_id: str) -> bool:
    main = attachment.frames.main
    return main.loader_id != loader_id or "DOMContentLoaded" in attachment.lifecycle.get(loader_id, ())
