"""``DomService``: looking at one tab and acting on it."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

from msgspec.structs import replace

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
from browserx.dom.diff import Told
from browserx.dom.ids import normalize
from browserx.dom.options import DEADLINE_MS, MAX_TOKENS
from browserx.dom.serialize import Serialized, serialize
from browserx.dom.text import Outline, new_nonce, outline
from browserx.dom.tree import Classified
from browserx.errors import (
    BrowserXError,
    InvalidArgumentError,
    NoSnapshotError,
    NotActionableError,
    OperationTimeoutError,
)
from browserx.page import describe
from browserx.page.config import Metric, ServiceConfig
from browserx.page.observation import Observation
from browserx.page.sight import Sight

_log = logging.getLogger("browserx.page")

_ASK_TIMEOUT_S = 10.0
#: Waiting for other callers of the tab may take this much longer than the deadline, never more.
_DEADLINE_SLACK_S = 0.25
#: So many texts are remembered for those that only tell what changed.
_TEXTS_KEPT = 8

_services: "WeakKeyDictionary[Tab, DomService]" = WeakKeyDictionary()

Act = Callable[[Performance], Awaitable[ActionResult]]
ActOn = Callable[[Performance, Target], Awaitable[ActionResult]]


class _Written(NamedTuple):
    page: Classified
    options: SerializationOptions
    outline: Outline


class DomService:
    """One for each tab: ``await DomService.for_tab(tab)``.

    Calls from several callers are served one after the other. The tab is attached on first use, let go of when nobody
    has used it for long, and attached again by the next call.
    """

    def __init__(self, tab: Tab, config: ServiceConfig) -> None:
        self.tab = tab
        self.config = config
        #: Stands in the fence around every page of this service.
        self.nonce = new_nonce()
        #: The last texts, by snapshot.
        self._texts: dict[str, _Written] = {}
        #: The last text, for a look that finds nothing changed.
        self._written: _Written | None = None
        self._lock = asyncio.Lock()
        self._sight = Sight(tab, config, self._lock)

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
        return self._tell(snapshot, options, start=0 if options.scope is not None else -1)

    def _tell(self, snapshot: DomSnapshot, options: SerializationOptions, *, start: int) -> Observation:
        """Write a snapshot as text, and remember it for one that only tells what changed since."""
        last = self._written
        if last is None or last.page is not snapshot.page or last.options != options or options.diff_from is not None:
            written = outline(
                snapshot,
                options,
                nonce=self.nonce,
                start=start,
                max_nodes=self.config.max_nodes,
                before=self._earlier(options),
            )
            last = self._written = _Written(snapshot.page, options, written)
        if last.outline.is_comparable:
            self._texts.pop(snapshot.id, None)
            self._texts[snapshot.id] = last
            if len(self._texts) > _TEXTS_KEPT:
                del self._texts[next(iter(self._texts))]
        return describe.seen(snapshot, last.outline)

    def _earlier(self, options: SerializationOptions) -> list[Told] | None:
        """What the text told that this one is to tell the change from, if the same was asked for then."""
        before = self._texts.get(options.diff_from or "")
        same = before is not None and replace(before.options, diff_from=None) == replace(options, diff_from=None)
        return before.outline.told() if before is not None and same else None

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
                return self._tell(snapshot, options, start=start)
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
        ignore = self.config.ignore_opt_out
        return await self._act_on(
            "click",
            node_id,
            lambda performance, target: click(
                performance,
                target,
                button=button,
                click_count=click_count,
                modifiers=modifiers,
                offset=offset,
                ignore_opt_out=ignore,
            ),
        )

    async def type(
        self, node_id: str | int, text: str, *, clear: bool = True, char_by_char: bool = False
    ) -> ActionResult:
        """Type into a field: focus, clear, insert exactly ``text``; a newline at its end presses Enter.

        Raises:
            NoSnapshotError, NodeNotFoundError: as ``click``.
            NotActionableError: it takes no text, or is hidden, disabled or read-only.
        """
        ignore = self.config.ignore_opt_out
        return await self._act_on(
            "type",
            node_id,
            lambda performance, target: type_text(
                performance, target, text, clear=clear, char_by_char=char_by_char, ignore_opt_out=ignore
            ),
        )

    async def keypress(self, key: str, modifiers: list[str] | tuple[str, ...] = ()) -> ActionResult:
        """Press one key ("Enter", "a") or chord ("Control+A") on whatever has the focus."""

        async def act(attachment: Attachment) -> ActionResult:
            frame = await focused_frame(attachment)
            return await self._perform(frame, lambda performance: press_key(performance, key, modifiers))

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
        if node_id is not None:
            return await self._act_on(
                "scroll",
                node_id,
                lambda performance, target: scroll(performance, target, direction=direction, amount=amount, to=to),
            )

        async def act(attachment: Attachment) -> ActionResult:
            return await self._perform(
                attachment.frames.main,
                lambda performance: scroll(performance, None, direction=direction, amount=amount, to=to),
            )

        return await self._act("scroll", act)

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

    # inside

    async def _act_on(self, name: str, node_id: str | int, act: ActOn) -> ActionResult:
        """Carry out an action on an element of the current snapshot."""

        async def on_target(attachment: Attachment) -> ActionResult:
            snapshot = self._sight.snapshot
            if snapshot is None:
                raise NoSnapshotError("the page was not looked at since it last changed; observe first")
            target = self._sight.target(node_id)
            try:
                return await self._perform(target.frame, lambda performance: act(performance, target))
            except NotActionableError as error:
                if error.reason == "detached":
                    raise describe.not_found(target.node_id, snapshot) from error
                raise

        return await self._act(name, on_target)

    async def _go(self, name: str, go: Callable[[], Awaitable[Any]]) -> ActionResult:
        return await self._act(name, lambda attachment: visit(attachment, go))

    async def _perform(self, frame: Frame, act: Act) -> ActionResult:
        settling = Settling(self.config.stability_threshold_ms, self.config.settle_timeout_ms)
        performance = Performance(self.tab, await self._sight.attached(), self._sight.ids, settling, frame)
        try:
            await performance.watch.begin_around()
            return await act(performance)
        finally:
            performance.close()

    async def _act(self, name: str, act: Callable[[Attachment], Awaitable[ActionResult]]) -> ActionResult:
        """Whatever comes of it, the snapshot it was based on holds no more."""
        started = time.perf_counter()
        try:
            async with self._lock:
                attachment = await self._sight.attached()
                try:
                    if attachment.dialogs.current is not None:
                        words = attachment.dialogs.current.describe()
                        raise NotActionableError(words, node_id="", reason="dialog")
                    result = await act(attachment)
                finally:
                    self._sight.forget()
        except BrowserXError as error:
            self._count("action", name, started, failure=error.code)
            raise
        failure = result.error.code if result.error is not None else ""
        self._count("action", name, started, verdict=result.verdict.value, failure=failure)
        return result

    def _count(
        self,
        kind: str,
        name: str,
        started: float,
        *,
        verdict: str = "",
        failure: str = "",
        partial: bool = False,
        seen: Observation | None = None,
    ) -> None:
        duration_ms = (time.perf_counter() - started) * 1000
        _log.debug("%s %s: %.1f ms %s%s", kind, name, duration_ms, verdict, failure)
        if self.config.metrics is not None:
            told = {"tokens": seen.tokens, "interactive": len(seen.ids)} if seen is not None else {}
            self.config.metrics(Metric(kind, name, duration_ms, verdict, failure, partial, told))
