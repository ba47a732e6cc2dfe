"""A tab we are attached to: its sessions (one for each process its frames live in) and everything that follows them."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from browserx.browser.changes import Changes
from browserx.browser.console import Console
from browserx.browser.dialogs import Dialog, Dialogs
from browserx.browser.emulation import Emulation, commands, obeyed
from browserx.browser.frames import Frame, FrameTree
from browserx.browser.interception import Interception, Rules
from browserx.browser.network import Network
from browserx.browser.settle import settle
from browserx.cdp import Session
from browserx.cdp.protocol import (
    DEEP_NODES,
    AttachedToTarget,
    BindingCalled,
    ContextInfo,
    DeepNodesReply,
    DeepNodeValue,
    EvaluateReply,
    Event,
    FrameTreeReply,
    LifecycleEvent,
)
from browserx.errors import BrowserXError, CdpError, InvalidArgumentError, TargetCrashedError
from browserx.inpage import BINDING, WORLD, eye_source, reader_source

_ATTACH_TIMEOUT_S = 10.0
#: Bodies of answers are kept by the renderer for whoever might ask; nobody does.
_KEEP_NO_BODIES = {"maxTotalBufferSize": 100_000, "maxResourceBufferSize": 50_000}
#: Workers too: a dedicated worker waits for its debugger whether or not it is attached to, and only one that is can be
#: told to run.
_FRAMES_AND_WORKERS = [{"type": "iframe", "exclude": False}, {"type": "worker", "exclude": False}, {"exclude": True}]


@dataclass(frozen=True)
class TabSettings:
    """What every tab of a context is set up with."""

    emulation: Emulation = field(default_factory=Emulation)
    extra_headers: Mapping[str, str] = field(default_factory=dict)
    ignore_https_errors: bool = False


class Attachment:
    """Everything live about an attached tab. ``Tab.attach`` makes it; it ends with its session."""

    def __init__(
        self, session: Session, settings: TabSettings, emulation: Emulation, rules: tuple[Rules, ...] = ()
    ) -> None:
        self.session = session
        self.changes = Changes()
        self.network = Network(self.changes)
        self.dialogs = Dialogs(session, self.changes, self._dialog_opened, lambda: settle(self))
        self.frames = FrameTree(self.changes, self._document_replaced)
        self.console = Console()
        self.interception = Interception(self.frames, rules)
        #: The tab's own session, and that of each frame in another process.
        #: ``on_session`` hears of each before it runs.
        self.sessions: list[Session] = []
        self.on_session: list[Callable[[Session], None]] = [
            self.network.follow,
            self.console.follow,
            self.interception.follow,
        ]
        #: How many bytes of answers the browser shall keep for us (Network.enable); None for next to none.
        self.keep_bodies: dict[str, int] | None = None
        #: Of the page, when it last came to rest; "" until then. The browser's own announcement comes later.
        self.title = ""
        #: Called with a frame whose document was replaced.
        self.on_document_replaced: list[Callable[[Frame], None]] = []
        #: Called at the first change of the page after a look.
        self.on_dirty: list[Callable[[], None]] = []
        #: By the number of a look that is under way: called with rows of it, as JSON.
        self.on_rows: dict[int, Callable[[str], None]] = {}
        #: Called with a dialog that opened.
        self.on_dialog: list[Callable[[Dialog], None]] = []
        #: Lifecycle events ("init", "DOMContentLoaded", "load", …) each document has had, by loader id.
        self.lifecycle: dict[str, set[str]] = {}
        #: What the page is told of its surroundings; ``emulate`` changes it.
        self.emulation = emulation
        self._settings = settings
        session.on("Inspector.targetCrashed", Event, self._crashed)
        session.on("Page.lifecycleEvent", LifecycleEvent, self._lifecycle)
        session.on_end(lambda error: self.changes.fail(lambda: error))

    async def prepare(self, *, paused: bool = False) -> None:
        """Set up the tab's own session, and with it those of its frames in other processes.

        Raises:
            InvalidArgumentError: there is no such locale or time zone as its context has.
        """
        await self._prepare(self.session, paused=paused)

    async def emulate(self, wanted: Emulation) -> None:
        """Tell the page, and every frame that comes, of other surroundings. What fails changes nothing.

        Raises:
            InvalidArgumentError: there is no such locale or time zone, or a tab in the same process has another.
        """
        before, self.emulation = self.emulation, wanted
        try:
            if not await self._move(before, wanted):
                await self._check_place_and_language(wanted)
        except BrowserXError:
            self.emulation = before
            with contextlib.suppress(BrowserXError):
                await self._move(wanted, before)
            raise
        for hook in tuple(self.on_dirty):
            hook()

    async def _move(self, before: Emulation, after: Emulation) -> bool:
        """Send what leads from one to the other; whether all of it was taken."""
        sessions = {self.session, *(frame.session for frame in self.frames)}
        sent = [
            (command, session.start(*command, timeout_s=_ATTACH_TIMEOUT_S))
            for session in sessions
            if session.ended is None
            for command in commands(before, after, top=session is self.session)
        ]
        outcomes = await asyncio.gather(*(obeyed(*pair) for pair in sent), return_exceptions=True)
        if failures := [outcome for outcome in outcomes if isinstance(outcome, BaseException)]:
            raise failures[0]
        return all(outcomes)

    async def _check_place_and_language(self, wanted: Emulation) -> None:
        answer = await self.call(
            self.frames.main,
            "(({locale, timeZone}) => [locale, timeZone])(Intl.DateTimeFormat().resolvedOptions())",
            timeout_s=_ATTACH_TIMEOUT_S,
        )
        locale, zone = answer.result.value
        if wanted.locale not in (None, locale) or wanted.timezone not in (None, zone):
            raise InvalidArgumentError(
                f"another tab in the same process has locale {locale} and time zone {zone}; "
                "open this one in a context of its own (browser.new_context)"
            )

    # what the tab's own frames need

    async def _prepare(self, session: Session, *, paused: bool = False) -> None:
        """Follow and instrument one session: everything in one flight, then let a paused target run."""
        self.sessions.append(session)
        session.on_end(lambda error: self.sessions.remove(session))
        for hook in tuple(self.on_session):
            hook(session)
        self.frames.follow(session, self._page_world)
        session.on("Target.attachedToTarget", AttachedToTarget, self._child_attached)
        session.on("Runtime.bindingCalled", BindingCalled, self._binding_called)
        setup: list[tuple[str, dict[str, Any]]] = [
            ("Page.enable", {}),
            ("Inspector.enable", {}),
            ("Page.setLifecycleEventsEnabled", {"enabled": True}),
            (
                "Page.addScriptToEvaluateOnNewDocument",
                {"source": eye_source(), "worldName": WORLD, "runImmediately": True},
            ),
            ("Runtime.addBinding", {"name": BINDING, "executionContextName": WORLD}),
            ("Runtime.enable", {}),
            self._network_enable,
            ("Log.enable", {}),
            # For its counts of style and layout: whether anything can have changed.
            ("Performance.enable", {}),
            (
                "Target.setAutoAttach",
                {
                    "autoAttach": True,
                    "waitForDebuggerOnStart": True,
                    "flatten": True,
                    "filter": _FRAMES_AND_WORKERS,
                },
            ),
        ]
        if session is self.session:
            # Otherwise a tab that is not in front draws no frames.
            setup.append(("Emulation.setFocusEmulationEnabled", {"enabled": True}))
        if self._settings.extra_headers:
            setup.append(("Network.setExtraHTTPHeaders", {"headers": dict(self._settings.extra_headers)}))
        if self._settings.ignore_https_errors:
            setup.append(("Security.setIgnoreCertificateErrors", {"ignore": True}))
        setup += self.interception.commands()
        replies: list[Awaitable[Any]] = [
            *(session.start(method, params, timeout_s=_ATTACH_TIMEOUT_S) for method, params in setup),
            *(
                obeyed(command, session.start(*command, timeout_s=_ATTACH_TIMEOUT_S))
                for command in commands(Emulation(), self.emulation, top=session is self.session)
            ),
        ]
        tree = session.start("Page.getFrameTree", None, FrameTreeReply, timeout_s=_ATTACH_TIMEOUT_S)
        if paused:
            session.post("Runtime.runIfWaitingForDebugger")
        *_, reply = await asyncio.gather(*replies, tree)
        assert isinstance(reply, FrameTreeReply)
        self.frames.adopt(session, reply.frame_tree)

    @property
    def _network_enable(self) -> tuple[str, dict[str, Any]]:
        return "Network.enable", self.keep_bodies or _KEEP_NO_BODIES

    async def network_enabled(self) -> None:
        """``keep_bodies`` has changed: tell the sessions there are; one that went away meanwhile needs not know."""
        told = [session.start(*self._network_enable) for session in self.sessions]
        await asyncio.gather(*told, return_exceptions=True)

    async def _child_attached(self, event: AttachedToTarget) -> None:
        child = self.session.connection.session(event.session_id)
        if event.target_info.type != "iframe":
            child.post("Runtime.runIfWaitingForDebugger")
            return
        child.on("Inspector.targetCrashed", Event, lambda _: self._frame_crashed(event.target_info.target_id))
        child.on("Page.lifecycleEvent", LifecycleEvent, self._lifecycle)
        child.on_end(lambda error: self.frames.session_ended(child))
        await self._prepare(child, paused=event.waiting_for_debugger)

    def _page_world(self, frame: Frame, context: ContextInfo) -> None:
        """Give each new page world its reader; a look finds out by itself when it is not there."""
        frame.reader = ""
        params = {
            "expression": reader_source(),
            "contextId": context.id,
            "includeCommandLineAPI": True,
            "silent": True,
        }
        asked = frame.session.start("Runtime.evaluate", params, EvaluateReply)

        def keep(done: "asyncio.Future[EvaluateReply]") -> None:
            if not done.cancelled() and done.exception() is None and frame.main == context.id:
                frame.reader = done.result().result.object_id

        asked.add_done_callback(keep)

    # events

    def _lifecycle(self, event: LifecycleEvent) -> None:
        names = self.lifecycle.setdefault(event.loader_id, set())
        names.add(event.name)
        if len(self.lifecycle) > 500:
            self.lifecycle.pop(next(iter(self.lifecycle)))
        self.changes.notify()

    def _document_replaced(self, frame: Frame) -> None:
        if frame.id == self.frames.main_id or not self.frames.main_id:
            self.changes.recover()
            self.title = ""
        for hook in tuple(self.on_document_replaced):
            hook(frame)

    def _dialog_opened(self, dialog: Dialog) -> None:
        for hook in tuple(self.on_dialog):
            hook(dialog)

    def _crashed(self, event: Event) -> None:
        for frame in self.frames:
            if frame.session is self.session:
                frame.crashed, frame.main, frame.isolated = True, None, None
        self.changes.fail(lambda: TargetCrashedError("the page's renderer crashed; navigate the tab again to go on"))

    def _binding_called(self, event: BindingCalled) -> None:
        if event.name != BINDING:
            return
        look, _, rows = event.payload.partition(" ")
        if look:
            if (take := self.on_rows.get(int(look))) is not None:
                take(rows)
            return
        for hook in tuple(self.on_dirty):
            hook()

    def _frame_crashed(self, frame_id: str) -> None:
        if frame := self.frames.get(frame_id):
            frame.crashed, frame.main, frame.isolated = True, None, None
            self.changes.notify()

    # running script in our own world

    async def nodes(self, frame: Frame, expression: str, *, timeout_s: float) -> list[DeepNodeValue | None]:
        """What the browser knows of the elements in the array that ``expression`` gives in our world of ``frame``."""
        params = {
            "expression": expression,
            "contextId": frame.isolated,
            "serializationOptions": DEEP_NODES,
            "silent": True,
        }
        reply = await frame.session.send("Runtime.evaluate", params, DeepNodesReply, timeout_s=timeout_s)
        if reply.result.object_id:
            frame.session.post("Runtime.releaseObject", {"objectId": reply.result.object_id})
        return [node.value for node in reply.result.deep_serialized_value.value]

    async def call(
        self,
        frame: Frame,
        expression: str,
        *,
        timeout_s: float,
        reply: type[EvaluateReply] = EvaluateReply,
        serialization: Mapping[str, Any] | None = None,
    ) -> EvaluateReply:
        """Evaluate ``expression`` in our world of ``frame``, awaiting a promise.

        Raises:
            CdpError: it threw, or the document went away under it.
        """
        if frame.isolated is None and not await self.changes.until(
            lambda: frame.isolated is not None or self.frames.get(frame.id) is not frame, timeout_s=timeout_s
        ):
            raise CdpError(f"the document of frame {frame.id} did not become ready", method="Runtime.evaluate")
        if frame.isolated is None:
            raise CdpError(f"frame {frame.id} went away", method="Runtime.evaluate")
        params: dict[str, Any] = {
            "expression": expression,
            "contextId": frame.isolated,
            "awaitPromise": True,
            "silent": True,
        }
        if serialization is None:
            params["returnByValue"] = True
        else:
            params["serializationOptions"] = serialization
        answer = await frame.session.send("Runtime.evaluate", params, reply, timeout_s=timeout_s)
        if answer.exception_details is not None:
            raise CdpError(
                f"our script failed in {frame.url}: {answer.exception_details.describe()}",
                method="Runtime.evaluate",
            )
        return answer
