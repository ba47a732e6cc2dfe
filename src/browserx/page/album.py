"""Making snapshots of captures, each in the light of the one before: what was replaced keeps its id."""

import time

from browserx.dom import DomSnapshot
from browserx.dom.build import build
from browserx.dom.captured import BackendIds, FrameCapture, PageCapture
from browserx.dom.classify import classify
from browserx.dom.fingerprint import pass_on_ids
from browserx.dom.ids import IdRegistry, NodeRef
from browserx.dom.snapshot import Scope
from browserx.errors import PageOptedOutError
from browserx.page.config import ServiceConfig


class Album:
    """The snapshots of one tab, one after the other; only the last is kept."""

    def __init__(self, ids: IdRegistry) -> None:
        self.ids = ids
        #: The last look, whether it still holds or not: what is gone from it may have been replaced.
        self._before: DomSnapshot | None = None
        self._before_captures: list[FrameCapture] | None = None
        self._count = 0

    def forget_captures(self) -> None:
        """The next capture is understood anew, even if it is the last one again."""
        self._before_captures = None

    def forget(self) -> None:
        """Nothing of what comes was there before."""
        self._before = self._before_captures = None

    def understand(self, capture: PageCapture, scope: Scope, backend_ids: BackendIds) -> DomSnapshot:
        """The snapshot of a capture."""
        self._count += 1
        before = self._before
        if before is not None and capture.captures is self._before_captures:
            snapshot = before.again(f"s{self._count}", capture.capture_ms, time.time())
        else:
            snapshot = self._snapshot(capture, scope, backend_ids)
        self._before, self._before_captures = snapshot, capture.captures
        return snapshot

    def _snapshot(self, capture: PageCapture, scope: Scope, backend_ids: BackendIds) -> DomSnapshot:
        started = time.perf_counter()
        tree = build(capture)
        built = time.perf_counter()
        page = classify(tree)
        stage_ms = {
            "capture": capture.capture_ms,
            "page": capture.page_ms,
            "build": (built - started) * 1000,
            "classify": (time.perf_counter() - built) * 1000,
        }
        snapshot = DomSnapshot(f"s{self._count}", scope, page, capture, self.ids, backend_ids, stage_ms, time.time())
        vanished = {NodeRef(c.world, key) for c in capture.captures for key in c.facts.vanished}
        if vanished and self._before is not None:
            pass_on_ids(self.ids, self._before, snapshot, vanished)
        snapshot.name_controls()
        return snapshot


def check_opt_out(snapshot: DomSnapshot, config: ServiceConfig) -> None:
    """Leave a page alone that asks for it.

    Raises:
        PageOptedOutError: it does, and ``config`` honours that.
    """
    if snapshot.facts.opted_out and not config.ignore_opt_out:
        raise PageOptedOutError("the page asks not to be used by AI (data-no-ai); leave it alone")
