"""The frames of a tab, across processes: which there are, where they live, and in which worlds script can run."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from browserx.browser.changes import Changes
from browserx.cdp import Session
from browserx.cdp.protocol import (
    ContextCreated,
    ContextDestroyed,
    ContextInfo,
    Event,
    FrameAttached,
    FrameDetached,
    FrameInfo,
    FrameNavigated,
    FrameRequestedNavigation,
    FrameStartedNavigating,
    FrameStoppedLoading,
    FrameTreeInfo,
    NavigatedWithinDocument,
)
from browserx.inpage import WORLD

_SAME_DOCUMENT = ("sameDocument", "historySameDocument")
#: A navigation that a page asked for and that has not started by then was refused.
_REFUSED_AFTER_S = 1.0


@dataclass(eq=False)
class Frame:
    """One frame. ``session`` is that of the process it lives in; contexts are those of its current document."""

    id: str
    session: Session
    parent_id: str | None = None
    url: str = ""
    name: str = ""
    loader_id: str = ""
    mime_type: str = ""
    origin: str = ""
    #: Execution context of our isolated world, None while the document is being replaced.
    isolated: int | None = None
    #: Unique id of that world, for a look to know it is still the same document.
    world_id: str = ""
    #: Execution context of the page's own world.
    main: int | None = None
    #: Handle of the reader in the page's own world, "" until it answered.
    reader: str = ""
    #: Whether another document was "asked" for or is "started", and has neither come nor come to nothing.
    leaving: Literal["", "asked", "started"] = ""
    crashed: bool = field(default=False, repr=False)


class FrameTree:
    """Keeps ``Frame`` values up to date from the events of every session of a tab."""

    def __init__(self, changes: Changes, document_replaced: Callable[[Frame], None]) -> None:
        self._frames: dict[str, Frame] = {}
        self._changes = changes
        self._document_replaced = document_replaced
        self.main_id = ""
        #: How often a frame has gone to another place on the same page.
        self.moves_within = 0

    def __iter__(self) -> Iterator[Frame]:
        return iter(tuple(self._frames.values()))

    def get(self, frame_id: str) -> Frame | None:
        """The frame of this id, if it is there."""
        return self._frames.get(frame_id)

    def of_world(self, world: str) -> Frame | None:
        """The frame whose document a world belongs to, if it is still there."""
        return next((f for f in self if f.world_id == world and f.isolated is not None), None)

    @property
    def main(self) -> Frame:
        """The top frame."""
        return self._frames[self.main_id]

    def follow(self, session: Session, on_context: Callable[[Frame, ContextInfo], None]) -> None:
        """Take in every frame event of ``session``. ``on_context`` hears of each new page world."""
        self._follow_frames(session)
        self._follow_navigation(session)
        self._follow_contexts(session, on_context)

    def _follow_frames(self, session: Session) -> None:
        def attached(event: FrameAttached) -> None:
            self._ensure(event.frame_id, session, event.parent_frame_id)

        def navigated(event: FrameNavigated) -> None:
            self._navigated(session, event.frame)

        def detached(event: FrameDetached) -> None:
            # A swap means the frame lives on in another process, which announces itself.
            frame = self._frames.get(event.frame_id)
            if frame is not None and frame.session is session and event.reason != "swap":
                self._remove(event.frame_id)

        session.on("Page.frameAttached", FrameAttached, attached)
        session.on("Page.frameNavigated", FrameNavigated, navigated)
        session.on("Page.frameDetached", FrameDetached, detached)

    def _follow_navigation(self, session: Session) -> None:
        def within_document(event: NavigatedWithinDocument) -> None:
            if frame := self._frames.get(event.frame_id):
                frame.url = event.url
                self.moves_within += 1
                self._changes.notify()

        def requested(event: FrameRequestedNavigation) -> None:
            # A page's own wish is told before the answer to whatever made it wish so.
            frame = self._frames.get(event.frame_id)
            if frame is not None and event.disposition == "currentTab":
                frame.leaving = "asked"
                asyncio.get_running_loop().call_later(_REFUSED_AFTER_S, refused, frame)

        def refused(frame: Frame) -> None:
            if frame.leaving == "asked":
                self._stays(frame)

        def starts(event: FrameStartedNavigating) -> None:
            frame = self._frames.get(event.frame_id)
            if frame is not None and event.navigation_type not in _SAME_DOCUMENT:
                frame.leaving = "started"

        def stopped(event: FrameStoppedLoading) -> None:
            if frame := self._frames.get(event.frame_id):
                self._stays(frame)

        session.on("Page.frameRequestedNavigation", FrameRequestedNavigation, requested)
        session.on("Page.frameStartedNavigating", FrameStartedNavigating, starts)
        session.on("Page.frameStoppedLoading", FrameStoppedLoading, stopped)
        session.on("Page.navigatedWithinDocument", NavigatedWithinDocument, within_document)

    def _follow_contexts(self, session: Session, on_context: Callable[[Frame, ContextInfo], None]) -> None:
        def context_created(event: ContextCreated) -> None:
            context = event.context
            frame = self._frames.get(context.aux_data.frame_id)
            if frame is None:
                if not context.aux_data.frame_id:
                    return
                frame = self._ensure(context.aux_data.frame_id, session, None)
            if context.aux_data.is_default:
                frame.session, frame.main, frame.origin = session, context.id, context.origin
                on_context(frame, context)
            elif context.name == WORLD:
                frame.session, frame.isolated, frame.world_id = session, context.id, context.unique_id
            self._changes.notify()

        def context_destroyed(event: ContextDestroyed) -> None:
            for frame in self._frames.values():
                if frame.session is session:
                    if frame.main == event.execution_context_id:
                        frame.main = None
                    if frame.isolated == event.execution_context_id:
                        frame.isolated = None

        def contexts_cleared(event: Event) -> None:
            for frame in self._frames.values():
                if frame.session is session:
                    frame.main = frame.isolated = None

        session.on("Runtime.executionContextCreated", ContextCreated, context_created)
        session.on("Runtime.executionContextDestroyed", ContextDestroyed, context_destroyed)
        session.on("Runtime.executionContextsCleared", Event, contexts_cleared)

    def adopt(self, session: Session, tree: FrameTreeInfo) -> None:
        """Take in a frame tree as the browser describes it; used when following starts late."""
        info = tree.frame
        frame = self._ensure(info.id, session, info.parent_id)
        frame.session = session
        if not frame.loader_id:
            frame.url, frame.name = info.url + info.url_fragment, info.name
            frame.loader_id, frame.mime_type = info.loader_id, info.mime_type
        if info.parent_id is None and session.target_type == "page":
            self.main_id = info.id
        for child in tree.child_frames:
            self.adopt(session, child)

    def session_ended(self, session: Session) -> None:
        """Drop the frames that lived in a process that is gone, unless they moved elsewhere."""
        for frame in tuple(self._frames.values()):
            if frame.session is session and frame.id != self.main_id:
                self._remove(frame.id)
        self._changes.notify()

    def _ensure(self, frame_id: str, session: Session, parent_id: str | None) -> Frame:
        frame = self._frames.get(frame_id)
        if frame is None:
            frame = self._frames[frame_id] = Frame(frame_id, session, parent_id)
            self._changes.notify()
        elif frame.parent_id is None and parent_id is not None:
            frame.parent_id = parent_id
        return frame

    def _stays(self, frame: Frame) -> None:
        frame.leaving = ""
        self._changes.notify()

    def _navigated(self, session: Session, info: FrameInfo) -> None:
        frame = self._ensure(info.id, session, info.parent_id)
        frame.session = session
        frame.url, frame.name = info.url + info.url_fragment, info.name
        frame.loader_id, frame.mime_type = info.loader_id, info.mime_type
        frame.crashed, frame.leaving = False, ""
        for child in tuple(self._frames.values()):
            if child.parent_id == frame.id and child.session is session:
                self._remove(child.id)
        self._document_replaced(frame)
        self._changes.notify()

    def _remove(self, frame_id: str) -> None:
        self._frames.pop(frame_id, None)
        for child in tuple(self._frames.values()):
            if child.parent_id == frame_id:
                self._remove(child.id)
        self._changes.notify()
