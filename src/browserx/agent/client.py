"""The client of a backend: tells it of the page, does what it says, tells what came of it, until the task is over."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import msgspec

from browserx.agent.backends import Backend
from browserx.agent.carrying import Hands
from browserx.browser import Tab
from browserx.errors import BackendError, BrowserXError
from browserx.page import DomService
from browserx.semantic.assembling import Assembler
from browserx.semantic.call import Call, parse
from browserx.semantic.response import ActionDetails, InteractData

State = Literal["idle", "running", "success", "error", "interrupted"]
#: Turns of one run; a backend ends a task long before.
MAX_TURNS = 200
#: How often in a row a backend may ask to see more.
_MOST_NEGOTIATIONS = 4

#: Gets a question, gives the person's answer, or None when there is none to be had.
Ask = Callable[[str], Awaitable[str | None] | str | None]


class TurnTaken(msgspec.Struct, frozen=True):
    """One round: what the backend said, and what came of it. ``action`` is None where nothing was to be done."""

    data: InteractData
    action: str | None = None
    success: bool | None = None
    observation: str = ""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a task ended. ``answer`` is what was found out, or why it could not be done."""

    state: State
    answer: str | None
    task_id: str | None
    session_id: str | None
    turns: list[TurnTaken]

    @property
    def success(self) -> bool:
        """Whether the task was done."""
        return self.state == "success"


class Client:
    """Works tasks on one tab, one after the other: ``await Client(tab, backend).run("press Save")``.

    Args:
        tab: where to begin; calls may lead to others.
        backend: who thinks.
        session_id: the conversation to go on with; that of the first task when left out.
        ask: answers questions; without it a question ends the run, and ``run(…, task_id=…)`` goes on with the answer.
        on_turn: hears of each round.
    """

    def __init__(
        self,
        tab: Tab,
        backend: Backend,
        *,
        session_id: str | None = None,
        ask: Ask | None = None,
        on_turn: Callable[[TurnTaken], None] | None = None,
    ) -> None:
        self.tab = tab
        self.backend = backend
        self.session_id = session_id
        self.state: State = "idle"
        self._ask = ask
        self._on_turn = on_turn
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """End the run after the action at work; what the backend would say next is not waited for."""
        self._stopped.set()

    async def run(self, query: str, *, task_id: str | None = None) -> Outcome:
        """Work a task until it is done, has failed, or needs an answer that nobody gives.

        Raises:
            BackendError: the backend could not be reached, or refused.
            BrowserXError: the tab is gone, or asks not to be used by AI.
        """
        self.state = "running"
        self._stopped.clear()
        run = _Run(self, await DomService.for_tab(self.tab), query, task_id)
        try:
            outcome = await run.to_its_end()
        except BaseException:
            self.state = "error"
            raise
        self.state = outcome.state
        self.tab = run.hands.dom.tab
        return outcome


class _Run:
    """One task at work."""

    def __init__(self, client: Client, dom: DomService, query: str, task_id: str | None) -> None:
        self.client = client
        self.query = query
        self.task_id = task_id
        self.hands = Hands(dom)
        self.page = Assembler(dom, query)
        self.turns: list[TurnTaken] = []

    async def to_its_end(self) -> Outcome:
        for _ in range(MAX_TURNS):
            data = await self._asked()
            if data is None:
                return self._over("interrupted", None)
            call = _call_of(data)
            if data.status in ("completed", "failed") or call.name in ("finish", "fail"):
                self._took(TurnTaken(data))
                done = data.status == "completed" or call.name == "finish"
                return self._over("success" if done else "error", data.answer or call.args.get("answer"))
            if call.name == "askUser":
                self._took(TurnTaken(data))
                question = data.user_question or str(call.args.get("question", ""))
                answer = await self._answered(question)
                if answer is None:
                    return self._over("interrupted", question)
                self.query = answer
                continue
            self.query = self.page.query
            await self._carried_out(call, data)
        return self._over("error", f"no end after {MAX_TURNS} turns")

    async def _asked(self) -> InteractData | None:
        """What the backend says, once it has seen what it wants to see; None when stopped."""
        wants: dict[str, Any] = {}
        for _ in range(_MOST_NEGOTIATIONS):
            if self.client._stopped.is_set():
                return None
            request = await self.page.request(
                task_id=self.task_id, session_id=self.client.session_id, query=self.query, **wants
            )
            data = await _unless(self.client._stopped, self.client.backend.interact(request))
            if data is None:
                return None
            self.task_id = data.task_id or self.task_id
            self.client.session_id = data.session_id or self.client.session_id
            if data.status != "needs_context":
                self.page.acknowledged()
                return data
            if data.requested_dom_mode == "semantic":
                self.page.forgotten()
            wants = {
                "artifact": data.requested_dom_mode,
                "with_screenshot": bool(data.needs_screenshot),
                "with_skeleton": bool(data.needs_skeleton_dom),
            }
        raise BackendError(f"the backend asked {_MOST_NEGOTIATIONS} times in a row to see more of the page")

    async def _carried_out(self, call: Call, data: InteractData) -> None:
        details = data.action_details or ActionDetails(name=call.name)
        before_url = self.hands.dom.tab.url
        carried = await self.hands.carry_out(call, selector=details.selector_path, expected=_expected(data))
        self.page.did(call, carried.result, before_url=before_url, error=carried.error, selector=carried.selector)
        if self.hands.dom is not self.page.dom:
            self.page.follow(self.hands.dom)
        success = carried.error is None and carried.result is not None and carried.result.success
        said = carried.error.message if carried.error is not None else ""
        if carried.result is not None:
            said = carried.result.error.message if carried.result.error is not None else carried.result.verdict.value
        self._took(TurnTaken(data, str(call), success, said))

    async def _answered(self, question: str) -> str | None:
        if self.client._ask is None:
            return None
        answer = self.client._ask(question)
        return await answer if inspect.isawaitable(answer) else answer

    def _took(self, turn: TurnTaken) -> None:
        self.turns.append(turn)
        if self.client._on_turn is not None:
            self.client._on_turn(turn)

    def _over(self, state: State, answer: str | None) -> Outcome:
        return Outcome(
            state=state, answer=answer, task_id=self.task_id, session_id=self.client.session_id, turns=self.turns
        )


def _call_of(data: InteractData) -> Call:
    """The call of an answer: the text decides, the details fill in what the text leaves out.

    Raises:
        BackendError: there is none, or none that is known.
    """
    if not data.action:
        raise BackendError(f"the backend answered {data.status} without an action")
    try:
        return parse(data.action)
    except BrowserXError as error:
        raise BackendError(f"the backend asked for something that is not known: {error}") from error


def _expected(data: InteractData) -> dict[str, Any] | None:
    plan = data.plan
    if plan is None or not 0 <= plan.current_step_index < len(plan.steps):
        return None
    return plan.steps[plan.current_step_index].expected_outcome


async def _unless(stopped: asyncio.Event, work: Awaitable[InteractData]) -> InteractData | None:
    """What comes of ``work``, or None as soon as it was stopped."""
    task = asyncio.ensure_future(work)
    stop = asyncio.ensure_future(stopped.wait())
    try:
        await asyncio.wait((task, stop), return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() and not stopped.is_set() else None
    finally:
        for future in (task, stop):
            if not future.done():
                future.cancel()
        await asyncio.gather(task, stop, return_exceptions=True)
