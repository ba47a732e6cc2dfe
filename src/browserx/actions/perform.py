"""Carrying out one action: the input, the wait until the page has settled, and what came of it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from browserx.actions import wording
from browserx.actions.cost import Metrics, metrics, spent
from browserx.actions.effects import Effects
from browserx.actions.result import (
    ActionChanges,
    ActionResult,
    DownloadBegun,
    EffectKind,
    PerformanceDelta,
    Point,
    RequestMade,
    VisualEffect,
)
from browserx.actions.verdict import Evidence, judge
from browserx.actions.watch import Watch
from browserx.browser.attachment import Attachment
from browserx.browser.dialogs import Dialog
from browserx.browser.downloads import Download
from browserx.browser.frames import Frame
from browserx.browser.navigation import arrival
from browserx.browser.settle import unless_dialog
from browserx.browser.tab import Tab
from browserx.dom.ids import IdRegistry
from browserx.errors import CdpError, OperationTimeoutError
from browserx.inpage.facts import ActionFacts

_INPUT_TIMEOUT_S = 15.0
_URL_LIMIT = 500
#: A file whose answer has come is announced after this long at most.
_ANNOUNCED_AFTER_S = 1.0
_NO_CONTENT = (204, 205)
#: A tab that the browser opens for a link is there after this long at most.
_OPENED_AFTER_S = 2.0


class Settling(NamedTuple):
    """How long to wait. ``threshold_ms`` without a change is quiet; ``timeout_ms`` bounds it all."""

    threshold_ms: int = 300
    timeout_ms: int = 3000


class Performance:
    """One action from its first event to its result.

    Made before the input is sent, so that nothing that happens is missed; ``frame`` is the frame whose eye watches.
    """

    def __init__(
        self,
        tab: Tab,
        attachment: Attachment,
        ids: IdRegistry,
        settling: Settling,
        frame: Frame,
        effects: Effects | None = None,
    ) -> None:
        self.tab = tab
        self.attachment = attachment
        self.ids = ids
        self.settling = settling
        self.frame = frame
        self.watch = Watch(attachment, frame)
        self.started = time.perf_counter()
        self._mark = attachment.network.mark
        self._console_mark = attachment.console.mark
        self._loader = attachment.frames.main.loader_id
        self._url = attachment.frames.main.url
        self._dialogs: list[Dialog] = []
        self._new_tabs: list[Tab] = []
        #: Tabs that nobody says who opened, with the address each began with.
        self._orphans: list[tuple[Tab, str]] = []
        self._downloads: list[Download] = []
        self._effects = effects
        self._metrics: Metrics | None = None
        self._effect: VisualEffect | None = None
        attachment.on_dialog.append(self._dialog_opened)
        tab.browser.on_tab_opened.append(self._tab_opened)
        tab.browser.on_download.append(self._download_began)

    def close(self) -> None:
        """Hear and watch no more."""
        self.attachment.on_dialog.remove(self._dialog_opened)
        self.tab.browser.on_tab_opened.remove(self._tab_opened)
        self.tab.browser.on_download.remove(self._download_began)
        self.watch.drop()

    async def measure(self) -> None:
        """Have the result tell what the action cost the page."""
        self._metrics = await metrics(self.attachment)

    def _dialog_opened(self, dialog: Dialog) -> None:
        self._dialogs.append(dialog)

    def _tab_opened(self, tab: Tab) -> None:
        if tab.opener_id == self.tab.target_id:
            self._new_tabs.append(tab)
        elif tab.opener_id is None and tab.context is self.tab.context:
            self._orphans.append((tab, tab.url))
            self.attachment.changes.notify()

    def _download_began(self, download: Download) -> None:
        if download.tab is None:
            return
        ours = self.tab.target_id in (download.tab.target_id, download.tab.opener_id)
        if ours or any(download.tab is tab for tab, _ in self._orphans):
            self._downloads.append(download)
            self.attachment.changes.notify()

    def show(self, kind: EffectKind, x: float, y: float) -> None:
        """Show a person what is done where; told with the result too. ``x`` and ``y`` are those of the top viewport."""
        self._effect = VisualEffect(kind, Point(round(x, 1), round(y, 1)))
        if self._effects is not None:
            self._effects.show(self._effect)

    async def input(self, *commands: tuple[str, dict[str, Any]]) -> None:
        """Send input events in order, and wait until the page has taken them, or a dialog holds it.

        Input always goes to the tab's own session: the browser itself hands it to the frame it belongs to.
        """
        session = self.attachment.session
        replies = [session.start(method, params, timeout_s=_INPUT_TIMEOUT_S) for method, params in commands]
        await unless_dialog(self.attachment, _all(replies), timeout_s=_INPUT_TIMEOUT_S)

    async def finish(
        self,
        *,
        needs_reach: bool = False,
        expect: str | None = None,
        inserted: str | None = None,
        moved: bool | None = None,
        verify: Callable[[], Awaitable[str]] | None = None,
    ) -> ActionResult:
        """Wait until the page has settled, and decide the verdict.

        ``expect`` is the value the target is to hold then, or ``inserted`` what is to have come to it; ``verify`` says
        what is wrong with it, "" if nothing is.
        """
        facts = await self._settle(expect, inserted)
        main = self.attachment.frames.main
        navigated = main.loader_id != self._loader
        requests = self.attachment.network.since(self._mark)
        evidence = Evidence(
            facts=facts,
            navigated=navigated,
            dialogs=len(self._dialogs),
            new_tabs=len(self._new_tabs),
            requests=len(requests),
            frame_gone=self.watch.gone,
            needs_reach=needs_reach,
            holds=facts.holds if facts is not None else None,
            moved=moved,
            objection=await self._objection(verify) if verify is not None and facts is not None else "",
            downloads=len(self._downloads),
        )
        judgement = judge(evidence)
        changes = ActionChanges(
            url_changed=main.url != self._url,
            navigated=navigated,
            dom_mutated=facts is not None and facts.mutations > 0,
            added_texts=facts.added if facts is not None else [],
            removed_texts=facts.removed if facts is not None else [],
            errors=wording.errors(facts) if facts is not None else [],
            successes=wording.successes(facts) if facts is not None else [],
            dialogs=[dialog.describe() for dialog in self._dialogs],
            new_tabs=[tab.id for tab in self._new_tabs if not tab.closed],
            downloads=[
                DownloadBegun(d.name, str(d.path) if d.path else None, d.url[:_URL_LIMIT], d.state)
                for d in self._downloads
            ],
            requests=[
                RequestMade(request.method, request.url[:_URL_LIMIT], request.status, request.wall_time)
                for request in requests
            ],
            console_errors=self.attachment.console.errors_since(self._console_mark),
            focused=self._focused(facts) if facts is not None else None,
            value_now=facts.value if facts is not None else None,
            scrolled=facts is not None and facts.scrolled,
            url=main.url if main.url != self._url else None,
            performance=await self._cost(),
        )
        return ActionResult(
            success=judgement.success,
            verdict=judgement.verdict,
            duration=(time.perf_counter() - self.started) * 1000,
            visual_effect=self._effect,
            error=judgement.error,
            snapshot_invalidated=True,
            changes=changes,
        )

    async def _cost(self) -> PerformanceDelta | None:
        if self._metrics is None or self._dialogs:
            return None
        return spent(self._metrics, await metrics(self.attachment))

    async def _objection(self, verify: Callable[[], Awaitable[str]]) -> str:
        if self._dialogs or self._new_document or self.watch.gone:
            return ""  # what was to be verified is held, or gone
        try:
            return await verify()
        except (CdpError, OperationTimeoutError):
            return ""  # it went away just now

    def _focused(self, facts: ActionFacts) -> str | None:
        """The item that the keys are for now, or else the element that has the focus."""
        known = (self.ids.known(self.watch.world_id, key) for key in (facts.active, facts.focused) if key)
        return next((node_id for node_id in known if node_id is not None), None)

    async def _settle(self, expect: str | None, inserted: str | None) -> ActionFacts | None:
        """Wait for what the action set going: a new document, requests, changes of the page. What its eye saw."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.settling.timeout_ms / 1000
        threshold_ms = self.settling.threshold_ms
        facts = await self.watch.end(
            threshold_ms=threshold_ms, timeout_ms=self.settling.timeout_ms, expect=expect, inserted=inserted
        )
        await self._follow_navigation()
        network, changes = self.attachment.network, self.attachment.changes
        if network.in_flight(self._mark) and not self._dialogs and not self._new_document:
            await changes.until(
                lambda: not network.in_flight(self._mark) or self._dialogs or self._new_document,
                timeout_s=max(0.0, deadline - loop.time()),
            )
            await self._follow_navigation()
            if not self._new_document:
                # What came may be shown only now.
                rest_ms = max(1, round((deadline - loop.time()) * 1000))
                mutations = await self.watch.quiet(threshold_ms=threshold_ms, timeout_ms=rest_ms)
                if facts is not None:
                    facts.mutations += mutations
                await self._follow_navigation()
        if facts is not None and facts.opens:
            await self._follow_link(facts.opens, deadline)
        await self._follow_downloads(deadline, facts)
        return facts

    async def _follow_link(self, url: str, deadline: float) -> None:
        """Wait for the tab that the browser opens by itself for a link: that has no opener to tell it by."""
        loop = asyncio.get_running_loop()
        found: list[Tab] = []

        def is_there() -> bool:
            found[:] = [tab for tab, address in self._orphans if _without_fragment(address) == _without_fragment(url)]
            return bool(found or self._new_tabs)

        timeout_s = min(_OPENED_AFTER_S, deadline - loop.time())
        await self.attachment.changes.until(is_there, timeout_s=max(0.0, timeout_s))
        self._new_tabs += found

    async def _follow_downloads(self, deadline: float, facts: ActionFacts | None) -> None:
        """Wait for what the action had the browser fetch; a large file goes on by itself."""
        loop = asyncio.get_running_loop()
        if not self._downloads and not self._new_document and not self._dialogs:
            if self._fetched_no_page() or self._may_be_fetching_unseen(facts):
                # The answer was, or may be, a file: the browser announces it a moment later.
                await self._announced(min(_ANNOUNCED_AFTER_S, deadline - loop.time()))
            elif facts is not None and facts.fetches:
                # Only the server knows how long it takes until there is anything to save.
                await self._announced(deadline - loop.time())
        for download in self._downloads:
            await download.ended(deadline - loop.time())

    async def _announced(self, timeout_s: float) -> None:
        await self.attachment.changes.until(
            lambda: self._downloads or self._new_document or self._dialogs or self._has_pages(),
            timeout_s=max(0.0, timeout_s),
        )

    def _has_pages(self) -> bool:
        """Whether the tabs that opened are pages, not on their way to a file."""
        return bool(self._new_tabs) and all(tab.url and not tab.closed for tab in self._new_tabs)

    def _may_be_fetching_unseen(self, facts: ActionFacts | None) -> bool:
        """A tab that opened and went, or requests of a script after which nothing on the page has changed."""
        if self._new_tabs:
            return any(tab.closed or not tab.url for tab in self._new_tabs)
        unseen = facts is not None and not facts.mutations
        return unseen and any(r.kind in ("Fetch", "XHR") for r in self.attachment.network.since(self._mark))

    def _fetched_no_page(self) -> bool:
        return any(
            request.document and request.aborted and 200 <= request.status < 300 and request.status not in _NO_CONTENT
            for request in self.attachment.network.since(self._mark)
        )

    @property
    def _new_document(self) -> bool:
        return self.attachment.frames.main.loader_id != self._loader

    async def _follow_navigation(self) -> None:
        """If the action made the tab go elsewhere, wait for that page as any navigation does."""
        attachment = self.attachment
        main = attachment.frames.main
        if main.leaving and not self._new_document:
            # Another document has been asked for: it decides what becomes of this one.
            await attachment.changes.until(
                lambda: self._new_document or not main.leaving or self._dialogs, timeout_s=_INPUT_TIMEOUT_S
            )
        if self._new_document and not self._dialogs:
            await arrival(attachment, attachment.frames.main.loader_id)


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]


async def _all(replies: Sequence[Awaitable[Any]]) -> bool:
    await asyncio.gather(*replies)
    return True
