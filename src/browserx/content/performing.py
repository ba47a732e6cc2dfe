"""Carrying out one action by script: the events, the wait until the page has settled, and what came of it."""

import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from browserx.actions import ActionChanges, ActionResult, RequestMade, VisualEffect, wording
from browserx.actions.result import Point
from browserx.actions.verdict import Evidence, judge
from browserx.content.eye import AnotherDocumentError, ContentEye
from browserx.dom.ids import IdRegistry
from browserx.errors import EvaluateError, NotActionableError, OperationTimeoutError, SnapshotError
from browserx.inpage.facts import ActionFacts, Prepared
from browserx.page import ServiceConfig

_ASK_TIMEOUT_S = 10.0
_ACT_TIMEOUT_S = 60.0
#: How long a document that is being left may take to go.
LEAVING_MS = 10_000
_SLACK_S = 2.0
_TRIES = 3


class Place(msgspec.Struct):
    """Where the page is."""

    url: str = ""
    title: str = ""


class Performed(Prepared):
    """Whether the element was fit, and if so what kept the action from being done: "" for nothing.

    ``pressed``: something was clicked to do it; ``field``: the key of the field that was given files, if it has one.
    """

    done: str = ""
    pressed: bool = False
    field: int = 0

    @property
    def place(self) -> tuple[float, float] | None:
        """Where it was done."""
        return self.point if self.point != (0.0, 0.0) else None


class Outcome(ActionFacts):
    """What the page did. ``requests``: address, status and seconds since 1970 of those that were answered."""

    requests: list[tuple[str, int, float]] = msgspec.field(default_factory=list)


class Performance:
    """One action, from the first question to its result."""

    def __init__(self, eye: ContentEye, ids: IdRegistry, config: ServiceConfig) -> None:
        self.eye = eye
        self.ids = ids
        self.config = config
        self.started = time.perf_counter()
        self.world = ""
        self.before = Place()
        self._dialogs: list[str] = []
        self._left = False

    async def begin(self) -> None:
        """See that the page answers.

        Raises:
            NotActionableError: a dialog holds it.
        """
        self.before = await self.eye.ask("hello", type_=Place, timeout_s=_ASK_TIMEOUT_S)
        self.world = self.eye.world

    async def act(self, name: str, *arguments: Any, world: str | None = None) -> Performed:
        """Have the content script act. A dialog that opens, and a document that goes away, are what came of it."""
        try:
            return await self.eye.ask(
                name, *arguments, type_=Performed, timeout_s=_ACT_TIMEOUT_S, world=world or self.world
            )
        except NotActionableError as error:
            if error.reason != "dialog":
                raise
            self._dialogs.append(error.message)
        except AnotherDocumentError:
            raise
        except EvaluateError:
            await self._follow()
            if not self._left:
                raise
        return Performed(ok=True)

    async def finish(
        self,
        *,
        needs_reach: bool = False,
        expect: str | None = None,
        inserted: str | None = None,
        moved: bool | None = None,
        at: tuple[float, float] | None = None,
        leaving_ms: int = LEAVING_MS,
        verify: Callable[[], Awaitable[str]] | None = None,
    ) -> ActionResult:
        """Wait until the page has settled, and decide the verdict.

        ``expect`` is the value the target is to hold then; ``verify`` says what is wrong with it, "" if nothing is.
        """
        facts = None if self._dialogs or self._left else await self._outcome(expect, inserted, leaving_ms)
        after = await self._arrive() if self._left else Place(facts.url if facts is not None else self.before.url)
        requests = [RequestMade("", url, status, at) for url, status, at in facts.requests] if facts else []
        judgement = judge(
            Evidence(
                facts=facts,
                navigated=self._left,
                dialogs=len(self._dialogs),
                new_tabs=0,
                requests=len(requests),
                frame_gone=self._left,
                needs_reach=needs_reach,
                holds=facts.holds if facts is not None else None,
                moved=moved,
                objection=await self._objection(verify) if verify is not None and facts is not None else "",
            )
        )
        moved_on = after.url != self.before.url
        told = facts or ActionFacts()
        changes = ActionChanges(
            url_changed=moved_on,
            navigated=self._left,
            dom_mutated=told.mutations > 0,
            added_texts=told.added,
            removed_texts=told.removed,
            errors=wording.errors(told),
            successes=wording.successes(told),
            dialogs=self._dialogs,
            requests=requests,
            focused=self._focused(told),
            value_now=told.value,
            scrolled=told.scrolled,
            url=after.url if moved_on else None,
        )
        return ActionResult(
            success=judgement.success,
            verdict=judgement.verdict,
            duration=(time.perf_counter() - self.started) * 1000,
            visual_effect=VisualEffect("ripple", Point(round(at[0], 1), round(at[1], 1))) if at else None,
            error=judgement.error,
            snapshot_invalidated=True,
            changes=changes,
        )

    async def _objection(self, verify: Callable[[], Awaitable[str]]) -> str:
        try:
            return await verify()
        except (EvaluateError, SnapshotError, NotActionableError, OperationTimeoutError):
            return ""  # what was to be verified is gone, or held by a dialog

    def _focused(self, facts: ActionFacts) -> str | None:
        """The item that the keys are for now, or else the element that has the focus."""
        known = (self.ids.known(self.world, key) for key in (facts.active, facts.focused) if key)
        return next((node_id for node_id in known if node_id is not None), None)

    async def _outcome(self, expect: str | None, inserted: str | None, leaving_ms: int) -> Outcome | None:
        timeout_ms = self.config.settle_timeout_ms
        options: dict[str, Any] = {
            "threshold": self.config.stability_threshold_ms,
            "timeout": timeout_ms,
            "leaving": leaving_ms,
        }
        if expect is not None:
            options["expect"] = expect
        if inserted is not None:
            options["inserted"] = inserted
        timeout_s = (2 * timeout_ms + leaving_ms) / 1000 + _SLACK_S
        try:
            return await self.eye.ask("outcome", options, type_=Outcome, timeout_s=timeout_s, world=self.world)
        except NotActionableError as error:
            self._dialogs.append(error.message)
        except (EvaluateError, AnotherDocumentError, OperationTimeoutError):
            # The document went away, or it is too busy to tell.
            await self._follow()
        return None

    async def _follow(self) -> None:
        """Whether another document is there now; one that is still coming is given a few tries."""
        for _ in range(_TRIES):
            try:
                await self.eye.ask("hello", type_=Place, timeout_s=_ASK_TIMEOUT_S)
            except (EvaluateError, AnotherDocumentError):
                continue
            except (NotActionableError, OperationTimeoutError):
                return
            self._left = self.eye.world != self.world
            return

    async def _arrive(self) -> Place:
        """Wait until the new document has come to rest."""
        timeout_ms = self.config.settle_timeout_ms
        options = {"threshold": self.config.stability_threshold_ms, "timeout": timeout_ms}
        for _ in range(_TRIES):
            try:
                await self.eye.ask("settled", options, type_=dict, timeout_s=2 * timeout_ms / 1000 + _SLACK_S)
                return await self.eye.ask("hello", type_=Place, timeout_s=_ASK_TIMEOUT_S)
            except (EvaluateError, SnapshotError):
                continue  # it was replaced in turn
            except (NotActionableError, OperationTimeoutError):
                break
        return Place(self.before.url)
