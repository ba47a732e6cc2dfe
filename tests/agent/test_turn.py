"""One turn: what is asked for, what is kept, what is noticed; with a function as the brain."""

from collections.abc import Callable
from typing import Any

import pytest

from browserx.agent.brain import Decision, Step, Thinking
from browserx.agent.task import MAX_ACTIONS, Task
from browserx.agent.turn import new_task, take_turn
from browserx.errors import TaskOverError
from browserx.semantic.call import call
from browserx.semantic.hashing import tree_hash
from browserx.semantic.request import InteractRequest
from browserx.semantic.response import Usage
from tests.agent.pages import URL, Client, node, request

PAGE = [node("1", "btn", "Save"), node("2", "btn", "Other"), node("3", "inp", "Name")]


class Fake:
    """A brain that is a function; keeps what it was given."""

    def __init__(self, decide: Callable[[Thinking], Decision]) -> None:
        self.decide = decide
        self.given: list[Thinking] = []

    async def think(self, thinking: Thinking) -> Decision:
        self.given.append(thinking)
        return self.decide(thinking)


def does(name: str, element_id: str | None = None, **args: Any) -> Decision:
    return Decision(thought=f"I {name}", call=call(name, element_id, **args))


def in_turn(*decisions: Decision) -> Fake:
    left = list(decisions)
    return Fake(lambda thinking: left.pop(0) if len(left) > 1 else left[0])


def page(**rest: Any) -> dict[str, Any]:
    return {"interactive_tree": PAGE, "page_title": "Cart", **rest}


async def test_an_action_is_asked_for_and_its_outcome_judged() -> None:
    brain = in_turn(does("click", "1"), does("finish"))
    client = Client(brain, "save it", page())
    first = await client.turn()
    assert first.data.action == "click(1)"
    assert first.data.status == "executing"
    assert first.data.action_details is not None
    assert first.data.action_details.to_wire() == {
        "name": "click",
        "elementId": 1,
        "selectorPath": 'role=button[name="Save"]',
        "args": {},
    }
    assert [(line.role, line.content, line.status) for line in first.said] == [
        ("user", "save it", None),
        ("assistant", "I click", "pending"),
    ]
    second = await client.turn(last_action_error={"message": "covered", "code": "NOT_ACTIONABLE", "action": "click(1)"})
    assert second.settled is not None
    assert (second.settled.message_id, second.settled.status) == (first.said[1].message_id, "failure")
    judged = brain.given[1].verification
    assert judged is not None
    assert (judged.passed, judged.message) == (False, "NOT_ACTIONABLE: covered")
    assert second.data.verification is not None
    assert second.data.verification.passed is False
    assert [done.passed for done in second.task.history] == [False]


async def test_a_task_survives_being_written_down_between_any_two_turns() -> None:
    client = Client(in_turn(does("click", "1"), does("askUser", question="?"), does("finish")), "x", page())
    for told in ({}, {"verification_passed": True}, {"query": "yes"}):
        await client.turn(**told)
        assert client.task is not None
        kept = Task.model_validate_json(client.task.model_dump_json(by_alias=True))
        assert kept == client.task
        client.task = kept
    assert client.last.data.status == "completed"


async def test_what_is_needed_is_asked_for_and_the_brain_sees_it() -> None:
    brain = Fake(
        lambda thinking: (
            does("finish")
            if thinking.view.dom
            else Decision(thought="", needs="full", why="the text is needed", memory={"n": 1})
        )
    )
    client = Client(brain, "read it", page())
    first = await client.turn()
    assert first.data.to_wire() == {
        "status": "needs_context",
        "taskId": client.last.task.task_id,
        "sessionId": "s",
        "requestedDomMode": "full",
        "needsScreenshot": False,
        "needsSkeletonDom": False,
        "reason": "the text is needed",
    }
    assert first.task.memory == {"n": 1}
    assert [line.role for line in first.said] == ["user"]
    second = await client.turn(dom="<p>text</p>")
    assert second.data.action == "finish()"
    assert [line.role for line in second.said] == ["assistant"]
    assert second.task.negotiations == 0


@pytest.mark.parametrize(
    ("needs", "with_skeleton", "screenshot", "skeleton"),
    [("hybrid", False, True, True), ("skeleton", False, False, True), ("full", True, False, True)],
)
async def test_what_is_asked_for_by_name(needs: Any, with_skeleton: bool, screenshot: bool, skeleton: bool) -> None:
    client = Client(in_turn(Decision(thought="", needs=needs, with_skeleton=with_skeleton)), "x", page())
    told = (await client.turn()).data
    assert (told.requested_dom_mode, told.needs_screenshot, told.needs_skeleton_dom) == (needs, screenshot, skeleton)


async def test_asking_for_what_never_comes_ends_the_task() -> None:
    client = Client(in_turn(Decision(thought="", needs="full", why="w")), "x", page())
    for _ in range(3):
        assert (await client.turn()).data.status == "needs_context"
    end = await client.turn()
    assert end.data.action == "fail()"
    assert "did not send" in (end.data.answer or "")


async def test_a_tree_that_is_as_it_was_need_not_be_sent() -> None:
    brain = in_turn(does("click", "1"), does("click", "2"), does("finish"))
    client = Client(brain, "x", page(interactive_tree_hash=tree_hash(PAGE)))
    await client.turn()
    await client.turn(interactive_tree=None, verification_passed=True)
    assert brain.given[1].view.nodes == PAGE
    changed = await client.turn(interactive_tree=None, interactive_tree_hash="another")
    assert changed.data.status == "needs_context"
    assert changed.data.requested_dom_mode == "semantic"
    assert len(brain.given) == 2
    again = await client.turn(interactive_tree_hash="another", verification_passed=True)
    assert again.data.action == "finish()"
    assert [done.passed for done in again.task.history] == [True, True]


async def test_nothing_of_the_page_at_all_is_asked_for() -> None:
    brain = in_turn(does("finish"))
    task = new_task(InteractRequest(url=URL, query="x"), "s")
    turn = await take_turn(brain, task, InteractRequest(url=URL, query="x"))
    assert turn.data.requested_dom_mode == "semantic"
    assert [line.role for line in turn.said] == ["user"]
    turn = await take_turn(brain, turn.task, InteractRequest(url=URL, query="x", dom="<button>Save</button>"))
    assert [one.n for one in brain.given[0].view.nodes] == ["Save"]
    assert [line.role for line in turn.said] == ["assistant"]


async def test_a_call_that_failed_twice_is_never_sent_a_third_time() -> None:
    brain = in_turn(does("click", "1"))
    client = Client(brain, "x", page())
    await client.turn()
    second = await client.turn(verification_passed=False)
    assert (second.data.action, second.data.status) == ("click(1)", "correcting")
    third = await client.turn(verification_passed=False, verification_message="it is stuck")
    assert third.data.action == "fail()"
    assert "click(1) failed twice" in (third.data.answer or "")
    assert "it is stuck" in (third.data.answer or "")
    assert brain.given[-1].refused == {"click(1)"}
    assert brain.given[-1].looping


async def test_a_brain_that_is_refused_a_call_may_choose_another() -> None:
    brain = Fake(lambda thinking: does("click", "2" if thinking.looping else "1"))
    client = Client(brain, "x", page())
    await client.turn()
    await client.turn(verification_passed=False)
    assert (await client.turn(verification_passed=False)).data.action == "click(2)"


async def test_a_call_that_went_well_in_between_may_fail_again() -> None:
    client = Client(in_turn(does("click", "1")), "x", page())
    await client.turn()
    for passed in (False, True, False, True):
        assert (await client.turn(verification_passed=passed)).data.action == "click(1)"


async def test_a_circle_is_told_to_the_brain() -> None:
    brain = in_turn(does("click", "1"))
    client = Client(brain, "x", page())
    for _ in range(4):
        await client.turn(verification_passed=True)
    assert [thinking.looping for thinking in brain.given] == [False, False, False, True]


async def test_a_task_without_an_end_is_given_up() -> None:
    numbers = iter(range(1000))
    client = Client(Fake(lambda _: does("press", key=f"F{next(numbers)}")), "x", page())
    for _ in range(MAX_ACTIONS):
        assert (await client.turn(verification_passed=True)).data.status == "executing"
    end = await client.turn(verification_passed=True)
    assert end.data.action == "fail()"
    assert str(MAX_ACTIONS) in (end.data.answer or "")


async def test_a_question_and_its_answer() -> None:
    question = Decision(thought="?", call=call("askUser", question="Which one?"), missing=["which"])
    brain = in_turn(question, does("finish"))
    client = Client(brain, "buy it", page())
    asked = (await client.turn()).data
    assert (asked.status, asked.user_question, asked.missing_information) == (
        "needs_user_input",
        "Which one?",
        ["which"],
    )
    assert client.last.task.actions == 0
    answered = await client.turn(query="the red one")
    assert brain.given[1].task.said == ["the red one"]
    assert (answered.said[0].role, answered.said[0].content) == ("user", "the red one")
    assert answered.task.query == "buy it"


@pytest.mark.parametrize(("name", "status"), [("finish", "completed"), ("fail", "failed")])
async def test_what_is_over_is_over(name: str, status: str) -> None:
    brain = in_turn(Decision(thought="t", call=call(name), answer="that is it"))
    client = Client(brain, "x", page())
    end = await client.turn()
    assert (end.data.action, end.data.answer, end.data.status) == (f"{name}()", "that is it", status)
    assert end.said[-1].content == "that is it"
    assert end.said[-1].status == ("success" if name == "finish" else "failure")
    with pytest.raises(TaskOverError):
        await client.turn()


async def test_the_plan_is_told_with_where_it_is() -> None:
    steps = [Step(description="a"), Step(description="b", expected_outcome={"urlContains": "x"}), Step(description="c")]
    one = Decision(thought="", call=call("click", "1"), steps=steps, current=1)
    client = Client(in_turn(one, Decision(thought="", call=call("fail"), current=2)), "x", page())
    told = (await client.turn()).data
    assert told.plan is not None
    assert [step.status for step in told.plan.steps] == ["completed", "active", "pending"]
    assert [step.id for step in told.plan.steps] == ["step_0", "step_1", "step_2"]
    assert (told.current_step, told.total_steps) == (1, 3)
    end = (await client.turn(verification_passed=True)).data
    assert end.plan is not None
    assert [step.status for step in end.plan.steps] == ["completed", "completed", "failed"]
    assert end.plan.created_at == told.plan.created_at


async def test_what_it_cost_is_summed_up() -> None:
    cost = Usage(requests=1, input_tokens=10, output_tokens=2, cost_usd=0.5)
    brain = in_turn(Decision(thought="", call=call("click", "1"), usage=cost))
    client = Client(brain, "x", page())
    await client.turn()
    told = (await client.turn(verification_passed=True)).data
    assert told.usage == Usage(requests=2, input_tokens=20, output_tokens=4, cost_usd=1.0)


def test_a_new_task_is_about_what_was_asked() -> None:
    task = new_task(request(*PAGE, query="buy it"), "s1")
    assert (task.query, task.session_id, task.over, task.status) == ("buy it", "s1", False, "planning")
