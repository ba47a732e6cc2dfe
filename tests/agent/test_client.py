"""The client of a backend on a real page: its rounds, its end, being stopped, and backends that are not what they should."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from browserx import BackendError
from browserx.agent.backends import HttpBackend, InProcess
from browserx.agent.client import Client
from browserx.agent.local import LocalPlanner
from browserx.semantic.request import InteractRequest
from browserx.semantic.response import ActionDetails, InteractData
from tests.conftest import OpenPage
from tests.web import free_port

PAGE = """<button id=go onclick="this.textContent = 'Gone'">Go</button><p>Total: 12 EUR</p>"""
Answer = InteractData | Callable[[InteractRequest], InteractData]


class Scripted:
    """A backend that says what it was told to say, in order, and keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[InteractRequest] = []

    async def interact(self, request: InteractRequest) -> InteractData:
        self.asked.append(request)
        answer = self.answers.pop(0)
        return answer(request) if callable(answer) else answer


def says(action: str, *, selector: str | None = None, **rest: Any) -> InteractData:
    details = ActionDetails(name=action.partition("(")[0], selector_path=selector)
    status = {"finish()": "completed", "fail()": "failed"}.get(action, "executing")
    given = {"status": status, "task_id": "t", "session_id": "s", "action_details": details, **rest}
    return InteractData(action=action, **given)


def on(name: str, call: str) -> Callable[[InteractRequest], InteractData]:
    """A call on the element of that name, ``call`` as ``click({})``."""

    def answer(request: InteractRequest) -> InteractData:
        node = next(node for node in request.interactive_tree or () if node.n == name)
        return says(call.format(node.i))

    return answer


async def test_a_task_from_its_beginning_to_its_end(open_page: OpenPage) -> None:
    tab = await open_page(PAGE)
    backend = Scripted(on("Go", "click({})"), says("finish()", answer="Done: it is gone."))
    heard: list[str | None] = []
    client = Client(tab, backend, on_turn=lambda turn: heard.append(turn.action))
    assert client.state == "idle"
    outcome = await client.run("press Go")
    assert (outcome.state, outcome.success, outcome.answer) == ("success", True, "Done: it is gone.")
    assert (outcome.task_id, outcome.session_id, client.state) == ("t", "s", "success")
    assert await tab.evaluate("go.textContent") == "Gone"
    assert heard == [outcome.turns[0].action, None]
    first, second = backend.asked
    assert (first.task_id, second.task_id, second.session_id) == (None, "t", "s")
    assert second.last_action_status == "success"


async def test_what_the_backend_wants_to_see_is_sent_and_only_that(open_page: OpenPage) -> None:
    wants = InteractData(status="needs_context", task_id="t", requested_dom_mode="full", needs_skeleton_dom=True)
    backend = Scripted(wants, says("finish()"))
    await Client(await open_page(PAGE), backend).run("read")
    first, second = backend.asked
    assert first.dom is None
    assert "Total: 12 EUR" in (second.dom or "")
    assert second.skeleton_dom
    assert second.screenshot is None
    assert second.task_id == "t"


async def test_a_tree_that_was_forgotten_is_sent_again(open_page: OpenPage) -> None:
    again = InteractData(status="needs_context", task_id="t", requested_dom_mode="semantic")
    backend = Scripted(on("Go", "hover({})"), again, says("finish()"))
    await Client(await open_page(PAGE), backend).run("x")
    assert [request.interactive_tree is not None for request in backend.asked] == [True, False, True]


async def test_a_backend_that_never_has_seen_enough(open_page: OpenPage) -> None:
    wants = InteractData(status="needs_context", task_id="t", requested_dom_mode="full")
    client = Client(await open_page(PAGE), Scripted(*[wants] * 9))
    with pytest.raises(BackendError, match="in a row"):
        await client.run("x")
    assert client.state == "error"


async def test_an_element_that_is_gone_is_found_by_its_selector(open_page: OpenPage) -> None:
    backend = Scripted(says("click(4711)", selector="#go"), says("click(4712)", selector="#none"), says("finish()"))
    tab = await open_page(PAGE)
    outcome = await Client(tab, backend).run("x")
    assert [turn.success for turn in outcome.turns] == [True, False, None]
    assert await tab.evaluate("go.textContent") == "Gone"
    _, found, not_found = backend.asked
    assert found.client_verification is not None
    assert (found.client_verification.element_found, found.client_verification.selector) == (True, "#go")
    assert not_found.client_verification is not None
    assert not_found.client_verification.element_found is False
    assert not_found.last_action_error is not None
    assert not_found.last_action_error.code == "NODE_NOT_FOUND"


async def test_another_tab_is_gone_on_in(open_page: OpenPage) -> None:
    tab = await open_page(PAGE)
    other = tab.url.replace("localhost", "127.0.0.1")
    backend = Scripted(says(f'newTab("{other}")'), says("finish()"))
    client = Client(tab, backend)
    await client.run("x")
    assert backend.asked[1].url == other
    assert backend.asked[1].interactive_tree is not None
    assert client.tab is not tab


async def test_a_question_is_answered_and_the_task_goes_on(open_page: OpenPage) -> None:
    ask = says('askUser("Which one?")', status="needs_user_input", user_question="Which one?")
    for answer in (lambda question: f"to {question}", None):
        backend = Scripted(ask, says("click(1)"), says("finish()"))
        client = Client(await open_page(PAGE), backend, ask=answer)
        outcome = await client.run("press it")
        if answer is None:
            assert (outcome.state, outcome.answer) == ("interrupted", "Which one?")
            # Later somebody knows.
            outcome = await client.run("the first", task_id=outcome.task_id)
            assert backend.asked[1].query == "the first"
            assert backend.asked[1].task_id == "t"
        else:
            assert [request.query for request in backend.asked] == ["press it", "to Which one?", "press it"]
        assert outcome.success


async def test_a_question_and_its_answer_through_the_planner(open_page: OpenPage) -> None:
    tab = await open_page("<button onclick='said=1'>Delete</button><button onclick='said=2'>Delete</button>")
    asked: list[str] = []

    async def person(question: str) -> str:
        asked.append(question)
        return "the second"

    outcome = await Client(tab, InProcess(LocalPlanner()), ask=person).run("click Delete")
    assert outcome.success, outcome.answer
    assert len(asked) == 1
    assert await tab.evaluate("said") == 2


# being stopped


async def test_stopped_while_the_backend_thinks(open_page: OpenPage) -> None:
    thinking, let_go = asyncio.Event(), asyncio.Event()

    class Slow:
        cancelled = False

        async def interact(self, request: InteractRequest) -> InteractData:
            thinking.set()
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                self.cancelled = True
                raise
            return says("finish()")

    backend = Slow()
    client = Client(await open_page(PAGE), backend)
    run = asyncio.create_task(client.run("x"))
    await thinking.wait()
    client.stop()
    outcome = await asyncio.wait_for(run, 5)
    assert (outcome.state, client.state, outcome.turns) == ("interrupted", "interrupted", [])
    assert backend.cancelled


async def test_stopped_in_the_middle_of_an_action_it_ends_with_it(open_page: OpenPage) -> None:
    tab = await open_page(PAGE)

    class Stopping(Scripted):
        async def interact(self, request: InteractRequest) -> InteractData:
            asyncio.get_running_loop().call_later(0.05, client.stop)
            return await super().interact(request)

    backend = Stopping(says("wait(0.3)"), says("finish()"))
    client = Client(tab, backend)
    outcome = await client.run("x")
    assert outcome.state == "interrupted"
    assert [turn.success for turn in outcome.turns] == [True]
    assert len(backend.asked) == 1
    # It can be used again.
    backend.answers = [says("finish()")]
    backend.interact = super(Stopping, backend).interact  # type: ignore[method-assign]
    assert (await client.run("y")).success


# backends that are not what they should be


async def test_a_backend_that_is_not_there(open_page: OpenPage) -> None:
    async with HttpBackend(f"http://127.0.0.1:{free_port()}") as backend:
        client = Client(await open_page(PAGE), backend)
        with pytest.raises(BackendError, match="browserx serve"):
            await client.run("x")
        assert client.state == "error"


@pytest.mark.parametrize(
    ("status", "body"),
    [(200, "<h1>Welcome</h1>"), (200, '{"success": true, "data": {}}'), (500, "Internal Server Error"), (404, "{}")],
)
async def test_a_backend_that_answers_nonsense(open_page: OpenPage, status: int, body: str) -> None:
    transport = httpx2.MockTransport(lambda request: httpx2.Response(status, text=body))
    async with HttpBackend("http://backend.test", transport=transport) as backend:
        with pytest.raises(BackendError, match="is it BrowserX"):
            await Client(await open_page(PAGE), backend).run("x")


@pytest.mark.parametrize("action", ["explode(1)", "click", "click()", None])
async def test_a_backend_that_asks_for_what_there_is_not(open_page: OpenPage, action: str | None) -> None:
    backend = Scripted(InteractData(status="executing", action=action, task_id="t"))
    with pytest.raises(BackendError):
        await Client(await open_page(PAGE), backend).run("x")


async def test_a_backend_that_is_busy_and_then_free(open_page: OpenPage) -> None:
    keys: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        keys.append(request.headers["Idempotency-Key"])
        if len(keys) == 1:
            problem = {"code": "TASK_BUSY", "message": "wait"}
            return httpx2.Response(409, json={"success": False, "error": problem}, headers={"Retry-After": "0"})
        return httpx2.Response(200, json={"success": True, "data": says("finish()", answer="yes").to_wire()})

    async with HttpBackend("http://backend.test", transport=httpx2.MockTransport(answer)) as backend:
        outcome = await Client(await open_page(PAGE), backend).run("x")
    assert outcome.answer == "yes"
    assert len(keys) == 2
    assert keys[0] == keys[1]


async def test_a_refusal_is_told_in_its_own_words(open_page: OpenPage) -> None:
    problem = {"success": False, "error": {"code": "UNAUTHORIZED", "message": "the token is not known"}}
    transport = httpx2.MockTransport(lambda request: httpx2.Response(401, json=problem))
    async with HttpBackend("http://backend.test", transport=transport) as backend:
        with pytest.raises(BackendError, match="the token is not known") as refused:
            await Client(await open_page(PAGE), backend).run("x")
    assert (refused.value.reason, refused.value.status) == ("UNAUTHORIZED", 401)
