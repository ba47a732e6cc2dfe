"""``DomService``: looking at one tab and acting on it."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal
from weakref import WeakKeyDictionary

from browserx.actions import ActionResult
from browserx.actions.perform import Performance, Settling
from browserx.actions.pointer import Button, click
from browserx.actions.scrolling import Direction, scroll
from browserx.actions.target import Target
from browserx.actions.typing import focused_frame, press_key, type_text
from browserx.actions.visit import visit
from browserx.browser import Tab
from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.dom import DomSnapshot, SerializationOptions
from browserx.dom.capture import Capturer, PageCapture
from browserx.dom.ids import IdRegistry, normalize
from browserx.dom.nodes import PageDocument, SerializedDom
from browserx.dom.options import DEADLINE_MS, MAX_TOKENS
from browserx.dom.serialize import new_nonce, outline, serialize
from browserx.dom.snapshot import Scope, take
from browserx.errors import (
    AlreadyAttachedError,
    AttachError,
    BrowserXError,
    CdpError,
    ConnectionClosedError,
    InvalidArgumentError,
    NoSnapshotError,
    NotActionableError,
    NotAttachedError,
    OperationTimeoutError,
    PageOptedOutError,
    SnapshotError,
)
from browserx.page import describe
from browserx.page.config import Metric, ServiceConfig
from browserx.page.observation import Observation

_log = logging.getLogger("browserx.page")

_ATTACH_TRIES = 5
_BACKOFF_FROM_S = 1.0
_BACKOFF_TO_S = 10.0

_services: "WeakKeyDictionary[Tab, DomService]" = WeakKeyDictionary()


class DomService:
    """One for each tab: ``await DomService.for_tab(tab)``.

    Calls from several callers are served one after the other. The tab is attached on first use, let go of when nobody
    has used it for long, and attached again by the next call.
    """

    def __init__(self, tab: Tab, config: ServiceConfig) -> None:
        self.tab = tab
        self.config = config
        self.ids = IdRegistry()
        #: Stands in the fence around every page of this service.
        self.nonce = new_nonce()
        self._lock = asyncio.Lock()
        self._attachment: Attachment | None = None
        self._capturer: Capturer | None = None
        self._snapshot: DomSnapshot | None = None
        self._dirty = False
        self._snapshots = 0
        self._detached = False
        self._idle: asyncio.TimerHandle | None = None

    @classmethod
    async def for_tab(cls, tab: Tab, config: ServiceConfig | None = None) -> "DomService":
        """The service of ``tab``, attached. ``config`` counts only when this is the first call for the tab.

        Raises:
            TabClosedError: the tab is gone.
            AlreadyAttachedError: another debugger holds it.
            AttachError: it could not be attached to, in five tries.
        """
        service = _services.get(tab)
        if service is None:
            service = _services[tab] = cls(tab, config or ServiceConfig())
        async with service._lock:
            await service._attached()
        return service

    @property
    def current_snapshot(self) -> DomSnapshot | None:
        """The snapshot of the last look, None after an action or a new document."""
        return self._snapshot

    def invalidate_snapshot(self) -> None:
        """Forget the last look: the next action that names a node id needs a new one."""
        self._snapshot = None

    async def detach(self) -> None:
        """Let go of the tab and of everything known about it. Calls after this raise ``NotAttachedError``."""
        async with self._lock:
            self._detached = True
            _services.pop(self.tab, None)
            await self._let_go()

    # seeing

    async def observe(
        self,
        *,
        viewport_only: bool = True,
        max_tokens: int | None = MAX_TOKENS,
        force: bool = False,
        deadline_ms: int = DEADLINE_MS,
        scope: str | int | None = None,
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
            include_layout: boxes too.
            max_depth: deepest level told.

        Raises:
            NodeNotFoundError: there is no node ``scope``.
            PageOptedOutError: the page asks not to be used by AI.
            TargetCrashedError, TabClosedError, ConnectionClosedError: there is nothing to look at.
        """
        options = SerializationOptions(
            format="outline",
            viewport_only=viewport_only and scope is None,
            max_tokens=max_tokens,
            scope=None if scope is None else str(scope),
            include_layout=include_layout,
            max_depth=max_depth or self.config.max_tree_depth,
        )
        options.check()
        if deadline_ms < 1:
            raise InvalidArgumentError("deadline_ms is at least 1")
        started = time.perf_counter()
        try:
            async with asyncio.timeout(deadline_ms / 1000 + 1), self._lock:
                spent_s = time.perf_counter() - started
                seen = await self._observe(options, max(0.05, deadline_ms / 1000 - spent_s), force)
        except TimeoutError:
            seen = describe.unseen(self.tab, self.nonce, "other callers kept the tab busy")
        except BrowserXError as error:
            self._count("look", "observe", started, failure=error.code)
            raise
        counts = {"tokens": seen.tokens, "interactive": len(seen.ids)}
        self._count("look", "observe", started, partial=seen.partial, counts=counts)
        return seen

    async def get_serialized_dom(
        self, options: SerializationOptions | None = None
    ) -> SerializedDom | PageDocument | Observation:
        """The whole page in the format asked for: ``nodes`` (the default) or ``page`` as values, ``outline`` as text.

        The last look is used if it covered as much and nothing has changed since; else the page is looked at anew.

        Raises:
            SnapshotError: a dialog is open, or the page did not answer.
        """
        options = options or SerializationOptions()
        options.check()
        async with self._lock:
            snapshot = await self._current(options)
            start = self._start(snapshot, options)
            if options.format == "outline":
                written = outline(
                    snapshot, options, nonce=self.nonce, start=start, max_nodes=self.config.max_nodes
                )
                return describe.seen(snapshot, written)
            return serialize(snapshot, options, start=start, max_nodes=self.config.max_nodes)

    async def get_snapshot(self, force: bool = False) -> DomSnapshot:
        """A snapshot of the whole page; the last one, if it covered as much and nothing has changed since.

        Raises:
            SnapshotError: a dialog is open, or the page did not answer.
        """
        async with self._lock:
            if force:
                self._snapshot = None
            return await self._current(SerializationOptions())

    async def get_attributes(self, node_id: str | int) -> dict[str, str]:
        """What is written on an element now, protected values excepted.

        Raises:
            NodeNotFoundError: there is no such element.
        """
        async with self._lock:
            attachment = await self._attached()
            target = self._target(node_id)
            answer = await attachment.call(target.frame, f"__browserx.attributes({target.key})", timeout_s=10)
            if answer.result.value is None:
                raise describe.not_found(target.node_id, self._snapshot)
            return dict(answer.result.value)

    # acting

    async def click(
        self,
        node_id: str | int,
        *,
        button: Button = "left",
        click_count: int = 1,
        modifiers: list[str] | tuple[str, ...] = (),
        offset: tuple[float, float] | None = None,
    ) -> ActionResult:
        """Click an element, at the centre of what shows of it or at ``offset`` from its top left corner.

        Raises:
            NoSnapshotError: the page was not looked at since the last action.
            NodeNotFoundError: there is no such element (any more).
            NotActionableError: it is hidden, covered (says by what), disabled, moving, or a dialog is open.
        """

        async def act(performance: Performance, target: Target) -> ActionResult:
            return await click(
                performance,
                target,
                button=button,
                click_count=click_count,
                modifiers=modifiers,
                offset=offset,
                ignore_opt_out=self.config.ignore_opt_out,
            )

        return await self._act_on("click", node_id, act)

    async def type(
        self, node_id: str | int, text: str, *, clear: bool = True, char_by_char: bool = False
    ) -> ActionResult:
        """Type into a field: focus, clear, insert exactly ``text``; a newline at its end presses Enter.

        Raises:
            NoSnapshotError, NodeNotFoundError: as ``click``.
            NotActionableError: it takes no text, or is hidden, disabled or read-only.
        """

        async def act(performance: Performance, target: Target) -> ActionResult:
            return await type_text(
                performance,
                target,
                text,
                clear=clear,
                char_by_char=char_by_char,
                ignore_opt_out=self.config.ignore_opt_out,
            )

        return await self._act_on("type", node_id, act)

    async def keypress(self, key: str, modifiers: list[str] | tuple[str, ...] = ()) -> ActionResult:
        """Press one key ("Enter", "a") or chord ("Control+A") on whatever has the focus."""

        async def act(attachment: Attachment) -> ActionResult:
            return await self._perform(
                await focused_frame(attachment), lambda performance: press_key(performance, key, modifiers)
            )

        return await self._act("keypress", act)

    async def scroll(
        self,
        node_id: str | int | None = None,
        direction: Direction = "down",
        *,
        amount: float = 1.0,
        to: Literal["start", "end"] | None = None,
    ) -> ActionResult:
        """Scroll the page, or the box that ``node_id`` is or is in, by ``amount`` windows or to its start or end."""
        if node_id is None:

            async def act(attachment: Attachment) -> ActionResult:
                return await self._perform(
                    attachment.frames.main,
                    lambda performance: scroll(performance, None, direction=direction, amount=amount, to=to),
                )

            return await self._act("scroll", act)

        async def act_on(performance: Performance, target: Target) -> ActionResult:
            return await scroll(performance, target, direction=direction, amount=amount, to=to)

        return await self._act_on("scroll", node_id, act_on)

    async def navigate(self, url: str) -> ActionResult:
        """Open ``url`` in the tab; returns when its page is loaded and quiet.

        Raises:
            NavigationError, OperationTimeoutError: no page came.
        """
        return await self._go("navigate", lambda: self.tab.goto(url))

    async def back(self) -> ActionResult:
        """Go back in the tab's history."""
        return await self._go("back", self.tab.back)

    async def forward(self) -> ActionResult:
        """Go forward in the tab's history."""
        return await self._go("forward", self.tab.forward)

    async def reload(self) -> ActionResult:
        """Load the page anew."""
        return await self._go("reload", self.tab.reload)

    # inside: the life of the tab

    async def _attached(self) -> Attachment:
        """Attach if need be; retried with growing pauses, as another debugger may be on its way out."""
        if self._detached:
            raise NotAttachedError("this service was detached; get a new one with DomService.for_tab(tab)")
        self._stay()
        attachment = self.tab.attachment
        if attachment is not None and attachment is self._attachment:
            return attachment
        pause_s = _BACKOFF_FROM_S
        for attempt in range(1, _ATTACH_TRIES + 1):
            try:
                attachment = await self.tab.attach()
                break
            except AlreadyAttachedError:
                raise
            except AttachError as error:
                if attempt == _ATTACH_TRIES:
                    raise
                _log.info("attaching to tab %d failed (%s); trying again in %g s", self.tab.id, error, pause_s)
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, _BACKOFF_TO_S)
        assert attachment is not None
        self._attachment = attachment
        self._capturer = Capturer(attachment)
        self._snapshot = None
        attachment.on_document_replaced.append(self._document_replaced)
        attachment.on_dirty.append(self._became_dirty)
        attachment.session.on_end(lambda error: self.invalidate_snapshot())
        return attachment

    def _document_replaced(self, frame: Frame) -> None:
        self._snapshot = None

    def _became_dirty(self) -> None:
        self._dirty = True

    def _stay(self) -> None:
        """Somebody uses the tab: put off letting go of it."""
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(self.config.idle_detach_s, self._idle_now)

    def _idle_now(self) -> None:
        if not self._lock.locked():
            self.tab.browser.connection.tasks.start(self._let_go(), name="idle detach")

    async def _let_go(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        self._attachment = self._capturer = self._snapshot = None
        await self.tab.detach()

    # inside: looking

    async def _observe(self, options: SerializationOptions, deadline_s: float, force: bool) -> Observation:
        attachment = await self._attached()
        if attachment.dialogs.current is not None:
            return describe.dialog(self.tab, self.nonce, attachment.dialogs.current)
        if force:
            self._snapshot = None
        try:
            snapshot = await self._look(attachment, options, deadline_s)
        except OperationTimeoutError:
            return describe.unseen(
                self.tab, self.nonce, f"its renderer is busy: it did not answer within {deadline_s:.1f} s"
            )
        if snapshot is None:
            current = attachment.dialogs.current
            if current is not None:
                return describe.dialog(self.tab, self.nonce, current)
            return describe.unseen(self.tab, self.nonce, "a dialog opened and closed while it was looked at")
        start = 0 if options.scope is not None else -1
        written = outline(snapshot, options, nonce=self.nonce, start=start, max_nodes=self.config.max_nodes)
        return describe.seen(snapshot, written)

    async def _current(self, options: SerializationOptions) -> DomSnapshot:
        attachment = await self._attached()
        snapshot = self._snapshot
        if snapshot is not None and snapshot.scope == "page" and self._is_fresh(snapshot):
            return snapshot
        if attachment.dialogs.current is not None:
            raise SnapshotError(attachment.dialogs.current.describe())
        whole = SerializationOptions(viewport_only=False)
        try:
            snapshot = await self._look(attachment, whole, DEADLINE_MS / 1000)
        except OperationTimeoutError as error:
            raise SnapshotError(f"the page did not answer: {error.message}") from error
        if snapshot is None:
            dialog = attachment.dialogs.current
            raise SnapshotError(dialog.describe() if dialog else "a dialog opened; observe again")
        return snapshot

    def _is_fresh(self, snapshot: DomSnapshot) -> bool:
        return not self._dirty and time.monotonic() - snapshot.age_from <= self.config.max_age_s

    async def _look(
        self, attachment: Attachment, options: SerializationOptions, deadline_s: float
    ) -> DomSnapshot | None:
        """Look, and keep the snapshot. A document that is replaced meanwhile is looked at once more. None: a dialog."""
        assert self._capturer is not None
        root = None
        if options.scope is not None:
            target = self._target(options.scope)
            root = (target.frame.world_id, target.key)
        until = time.monotonic() + deadline_s
        whole = not options.viewport_only
        self._dirty = False
        try:
            capture = await self._capturer.capture(whole=whole, deadline_s=deadline_s, root=root)
        except ConnectionClosedError:
            raise
        except (CdpError, SnapshotError):
            if root is not None or until <= time.monotonic():
                raise
            capture = await self._capturer.capture(whole=whole, deadline_s=until - time.monotonic())
        if capture is None:
            return None
        return self._understand(capture, "subtree" if root else "page" if whole else "viewport")

    def _understand(self, capture: PageCapture, scope: Scope) -> DomSnapshot:
        assert self._capturer is not None
        self._snapshots += 1
        snapshot = take(f"s{self._snapshots}", scope, capture, self.ids, self._capturer.backend_ids)
        if snapshot.facts.opted_out and not self.config.ignore_opt_out:
            self._snapshot = None
            raise PageOptedOutError("the page asks not to be used by AI (data-no-ai); leave it alone")
        self._snapshot = snapshot
        return snapshot

    def _start(self, snapshot: DomSnapshot, options: SerializationOptions) -> int:
        if options.scope is None:
            return -1
        node_id = normalize(options.scope)
        index = snapshot.index_of(node_id) if node_id is not None else None
        if index is None:
            raise describe.not_found(str(options.scope), snapshot)
        return index

    # inside: acting

    async def _act_on(
        self,
        name: str,
        node_id: str | int,
        act: Callable[[Performance, Target], Awaitable[ActionResult]],
    ) -> ActionResult:
        async def on_target(attachment: Attachment) -> ActionResult:
            if self._snapshot is None:
                raise NoSnapshotError("the page was not looked at since it last changed; observe first")
            snapshot = self._snapshot
            target = self._target(node_id)
            try:
                return await self._perform(target.frame, lambda performance: act(performance, target))
            except NotActionableError as error:
                if error.reason == "detached":
                    raise describe.not_found(target.node_id, snapshot) from error
                raise

        return await self._act(name, on_target)

    async def _perform(
        self, frame: Frame, act: Callable[[Performance], Awaitable[ActionResult]]
    ) -> ActionResult:
        attachment = self._attachment
        assert attachment is not None
        settling = Settling(self.config.stability_threshold_ms, self.config.settle_timeout_ms)
        performance = Performance(self.tab, attachment, self.ids, settling, frame)
        try:
            return await act(performance)
        finally:
            performance.close()

    async def _act(self, name: str, act: Callable[[Attachment], Awaitable[ActionResult]]) -> ActionResult:
        started = time.perf_counter()
        try:
            async with self._lock:
                attachment = await self._attached()
                try:
                    if attachment.dialogs.current is not None:
                        raise NotActionableError(
                            attachment.dialogs.current.describe(), node_id="", reason="dialog"
                        )
                    result = await act(attachment)
                finally:
                    self.invalidate_snapshot()
        except BrowserXError as error:
            self._count("action", name, started, failure=error.code)
            raise
        failure = result.error.code if result.error is not None else ""
        self._count("action", name, started, verdict=result.verdict.value, failure=failure)
        return result

    async def _go(self, name: str, go: Callable[[], Awaitable[Any]]) -> ActionResult:
        async def act(attachment: Attachment) -> ActionResult:
            return await visit(attachment, go)

        return await self._act(name, act)

    def _target(self, given: str | int) -> Target:
        """The element of an id: where it lives, and where it was last seen."""
        assert self._capturer is not None
        node_id = normalize(given)
        if node_id is None:
            raise InvalidArgumentError(f'{given!r} is no node id; ids look like 7, "7" or "node_7"')
        ref = self.ids.ref(node_id)
        frame = self._capturer.frame_of_world(ref.world) if ref is not None else None
        if ref is None or frame is None:
            raise describe.not_found(node_id, self._snapshot)
        node = self._snapshot.node(node_id) if self._snapshot is not None else None
        # Where it was seen says something only in the top document: elsewhere its frame may have moved under it.
        seen = node.rect if node is not None and node.frame == 0 else None
        return Target(node_id, frame, ref.key, seen)

    def _count(
        self,
        kind: str,
        name: str,
        started: float,
        *,
        verdict: str = "",
        failure: str = "",
        partial: bool = False,
        counts: dict[str, int] | None = None,
    ) -> None:
        duration_ms = (time.perf_counter() - started) * 1000
        _log.debug("%s %s: %.1f ms %s%s", kind, name, duration_ms, verdict, failure)
        if self.config.metrics is not None:
            self.config.metrics(
                Metric(kind, name, duration_ms, verdict, failure, partial, counts if counts is not None else {})
            )
