"""``ContentService``: looking at one page and acting on it, by script alone."""

import asyncio
import time
from collections.abc import Callable
from typing import NoReturn, cast

from browserx.browser import Tab
from browserx.content.acting import ContentActing
from browserx.content.driver import Driver, TabDriver
from browserx.dom import DomSnapshot, SerializationOptions
from browserx.dom.ids import normalize
from browserx.dom.options import DEADLINE_MS, MAX_TOKENS
from browserx.dom.serialize import Serialized, serialize
from browserx.errors import (
    BrowserXError,
    ContentScriptError,
    InvalidArgumentError,
    NotActionableError,
    OperationTimeoutError,
    SnapshotError,
)
from browserx.page import DialogSeen, DomService, Observation, ServiceConfig, describe
from browserx.page.telling import Teller

_ASK_TIMEOUT_S = 10.0
_DEADLINE_SLACK_S = 0.25


class _Unseen:
    """A page that could not be looked at, as far as it is known."""

    def __init__(self, url: str = "", title: str = "") -> None:
        self.url = url
        self.title = title


class ContentService(ContentActing):
    """``DomService`` for a driver that can only evaluate script: ``ContentService(PlaywrightDriver(page))``.

    The same calls give the same types. Calls from several callers are served one after the other. The script is put
    into each document when it is first asked, and taken out by ``detach``.
    """

    def __init__(
        self,
        driver: Driver,
        config: ServiceConfig | None = None,
        *,
        on_detach: Callable[[], object] | None = None,
    ) -> None:
        config = config or ServiceConfig(engine="content")
        super().__init__(driver, config)
        self._teller = Teller(config.max_nodes)
        #: Stands in the fence around every page of this service.
        self.nonce = self._teller.nonce
        self._on_detach = on_detach
        self._last = _Unseen()

    def __getattr__(self, name: str) -> NoReturn:
        if not name.startswith("_") and hasattr(DomService, name):
            raise InvalidArgumentError(f"the content engine has no {name}; use the CDP engine for that")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    @property
    def current_snapshot(self) -> DomSnapshot | None:
        """The snapshot of the last look, None after an action or in a new document."""
        return self._sight.snapshot

    def invalidate_snapshot(self) -> None:
        """Forget the last look: the next action that names a node id needs a new one."""
        self._sight.forget()

    async def detach(self) -> None:
        """Take the script and its stamps out of the page. Calls after this raise ``NotAttachedError``."""
        async with self._lock:
            if self._on_detach is not None:
                self._on_detach()
            await self._sight.close()

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
        """Look at the page, and tell what is there as text for a model; as ``DomService.observe`` does.

        Every look is a whole one, so ``force`` changes nothing.

        Raises:
            NodeNotFoundError: there is no node ``scope``.
            PageOptedOutError: the page asks not to be used by AI.
            ContentScriptError: the page takes no script.
            TabClosedError: there is nothing to look at.
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
        del force
        if deadline_ms < 1:
            raise InvalidArgumentError("deadline_ms is at least 1")
        started = time.perf_counter()
        deadline = started + deadline_ms / 1000
        try:
            async with asyncio.timeout(deadline_ms / 1000 + _DEADLINE_SLACK_S), self._lock:
                seen = await self._observe(options, deadline)
        except (TimeoutError, OperationTimeoutError):
            why = f"it did not answer within {deadline_ms} ms: it is busy, or holds a dialog"
            seen = describe.unseen(self._last, self.nonce, why)
        except BrowserXError as error:
            self._count("look", "observe", started, failure=error.code)
            raise
        self._count("look", "observe", started, partial=seen.partial, seen=seen)
        return seen

    async def _observe(self, options: SerializationOptions, deadline: float) -> Observation:
        await self._sight.attached()
        try:
            snapshot = await self._sight.look(
                whole=not options.viewport_only,
                deadline_s=max(0.01, deadline - time.perf_counter()),
                scope=options.scope,
            )
        except NotActionableError as error:
            if error.reason != "dialog":
                raise
            # Script cannot tell what a dialog says; the driver may have told.
            return describe.dialog(self._last, self.nonce, DialogSeen("alert", error.message))
        self._last = _Unseen(snapshot.facts.url, snapshot.facts.title)
        return self._teller.tell(snapshot, options, start=0 if options.scope is not None else -1)

    async def get_serialized_dom(self, options: SerializationOptions | None = None) -> Serialized | Observation:
        """The whole page in the format asked for, ``nodes`` when nothing is said.

        The last look is used if it covered as much, is at most two seconds old and nothing has changed since.

        Raises:
            SnapshotError: the page did not answer, or a dialog holds it.
        """
        options = options or SerializationOptions()
        options.check()
        async with self._lock:
            snapshot = await self._current(hidden=options.include_hidden)
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
        """A snapshot of the whole page; the last one, if it covered as much, is young and nothing has changed since.

        Raises:
            SnapshotError: the page did not answer, or a dialog holds it.
        """
        async with self._lock:
            if force:
                self._sight.forget()
            return await self._current()

    async def get_attributes(self, node_id: str | int) -> dict[str, str]:
        """What is written on an element now, protected values excepted.

        Raises:
            NodeNotFoundError: there is no such element.
        """
        async with self._lock:
            eye = await self._sight.attached()
            target = self._sight.target(node_id)
            try:
                told = await eye.ask(
                    "attributes",
                    target.key,
                    type_=dict[str, str] | None,  # type: ignore[arg-type]
                    timeout_s=_ASK_TIMEOUT_S,
                    world=target.world,
                )
            except SnapshotError:
                told = None
            if told is None:
                raise describe.not_found(target.node_id, self._sight.snapshot)
            return dict(told)

    async def _current(self, *, hidden: bool = False) -> DomSnapshot:
        await self._sight.attached()
        try:
            return await self._sight.current(hidden=hidden)
        except ContentScriptError:
            raise
        except (OperationTimeoutError, NotActionableError) as error:
            raise SnapshotError(f"the page did not answer: {error.message}") from error


def service_for(tab: Tab, config: ServiceConfig, on_detach: Callable[[], object]) -> DomService:
    """The content engine on one of our own tabs: a service in all but its class."""
    return cast(DomService, ContentService(TabDriver(tab), config, on_detach=on_detach))
