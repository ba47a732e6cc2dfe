"""One turn of a task: judge what became of the last action, think, and say what to do next.

A turn takes a task and a request and gives the task as it is then, the answer, and what belongs into the conversation.
It stores nothing and sends nothing, so the same turn runs in process and behind HTTP.
"""

import uuid
from collections.abc import Iterable

import msgspec

from browserx.agent.brain import Artifact, Brain, Decision, Step, Thinking
from browserx.agent.loops import is_looping
from browserx.agent.selector import selector_path
from browserx.agent.task import MAX_ACTIONS, MOST_LINES, Asked, Before, Done, Judged, Task
from browserx.agent.verify import verify
from browserx.agent.view import PageView, nodes_of, view_of
from browserx.errors import TaskOverError
from browserx.semantic.call import Call, call, parse
from browserx.semantic.conversation import Outcome, Role
from browserx.semantic.hashing import tree_hash
from browserx.semantic.request import InteractRequest
from browserx.semantic.response import (
    ActionDetails,
    InteractData,
    Plan,
    PlanStep,
    StepStatus,
    TaskStatus,
    Usage,
    VerificationTold,
)
from browserx.semantic.wire import now

#: A call that failed this often is not sent again.
_MOST_FAILURES = 2
#: More than this is not asked for in a row: what is there has to do.
_MOST_NEGOTIATIONS = 3

_ENDS: dict[str, TaskStatus] = {"finish": "completed", "fail": "failed", "askUser": "needs_user_input"}


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A line for the conversation. Its place in it is given when it is stored."""

    message_id: str
    role: Role
    content: str
    status: Outcome | None = None
    action: Call | None = None
    details: ActionDetails | None = None
    dom_summary: str | None = None


class Settled(msgspec.Struct, frozen=True):
    """What became of an action, for the line that asked for it."""

    message_id: str
    status: Outcome
    error: str | None = None


class Turn(msgspec.Struct, frozen=True):
    """What came of a turn."""

    task: Task
    data: InteractData
    said: list[Said]
    settled: Settled | None = None


def new_task(request: InteractRequest, session_id: str) -> Task:
    """A task for what the request asks."""
    return Task(task_id=str(uuid.uuid4()), session_id=session_id, query=request.query, created_at=now())


async def take_turn(brain: Brain, task: Task, request: InteractRequest) -> Turn:
    """Take a turn.

    Raises:
        TaskOverError: there is nothing left to do.
    """
    if task.over:
        raise TaskOverError(task.task_id)
    is_new = task.status == "planning" and not task.actions and not task.negotiations
    said = [_from_person(task.query)] if is_new else []
    if task.status == "needs_user_input" and request.query.strip() != task.query.strip():
        task = task.but(said=[*task.said, request.query], status="executing")
        said.append(_from_person(request.query))
    nodes = nodes_of(request)
    if nodes is None and request.interactive_tree_hash is not None and request.interactive_tree_hash == task.tree_hash:
        nodes = task.tree  # left out because it is as it was
    if nodes is None:
        why = (
            "the tree it had before is not known here"
            if request.interactive_tree_hash
            else "nothing of the page was sent"
        )
        return Turn(*_needing(task, "semantic", why), said)
    view = view_of(request, nodes)
    task = task.but(tree=nodes, tree_hash=request.interactive_tree_hash or tree_hash(nodes))
    if request.screenshot_hash:
        task = task.but(screenshot_hash=request.screenshot_hash)
    task, settled = _judge(task, request, view)
    decision = await _decide(brain, task, view)
    task = _noted(task, decision)
    if decision.needs is not None:
        return Turn(*_needing(task, decision.needs, decision.why, with_skeleton=decision.with_skeleton), said, settled)
    assert decision.call is not None
    return _answered(task, decision, decision.call, view, said, settled)


def _judge(task: Task, request: InteractRequest, view: PageView) -> tuple[Task, Settled | None]:
    """What became of the action that was asked for last."""
    asked = task.pending
    if asked is None:
        return task, None
    judged = verify(asked, parse(asked.action), request, view)
    failures = dict(task.failures)
    if judged.passed is False:
        failures[asked.action] = failures.get(asked.action, 0) + 1
    else:
        failures.pop(asked.action, None)
    done = Done(
        action=asked.action,
        step=asked.step,
        passed=judged.passed,
        message=judged.message,
        tree_hash=asked.before.tree_hash,
    )
    task = task.remembering(done).but(pending=None, judged=judged, failures=failures, negotiations=0)
    if asked.message_id is None:
        return task, None
    failed = judged.passed is False
    return task, Settled(asked.message_id, "failure" if failed else "success", judged.message if failed else None)


async def _decide(brain: Brain, task: Task, view: PageView) -> Decision:
    """What to do next: never what failed twice, and never without end."""
    if task.actions >= MAX_ACTIONS:
        return _giving_up(f"the task took {task.actions} actions without an end")
    refused = frozenset(action for action, count in task.failures.items() if count >= _MOST_FAILURES)
    thinking = Thinking(
        task=task, view=view, verification=task.judged, refused=refused, looping=is_looping(task.history)
    )
    decision = await brain.think(thinking)
    if decision.call is not None and str(decision.call) in refused:
        decision = await brain.think(msgspec.structs.replace(thinking, looping=True))
    if decision.call is not None and str(decision.call) in refused:
        last = task.judged.message if task.judged is not None else ""
        return _giving_up(f"{decision.call} failed twice and nothing else is left to try. {last}".strip())
    if decision.needs is not None and task.negotiations >= _MOST_NEGOTIATIONS:
        return _giving_up(f"the client did not send what was asked for ({decision.needs}): {decision.why}")
    return decision


def _giving_up(why: str) -> Decision:
    return Decision(thought=f"I cannot go on: {why}", call=call("fail"), answer=why)


def _noted(task: Task, decision: Decision) -> Task:
    """The task with what the brain wants kept."""
    if decision.memory is not None:
        task = task.but(memory=dict(decision.memory))
    if decision.usage is not None:
        task = task.but(usage=_sum(task.usage, decision.usage))
    if decision.steps is not None:
        steps = [_plan_step(index, step) for index, step in enumerate(decision.steps)]
        task = task.but(plan=Plan(steps=steps, created_at=task.plan.created_at if task.plan else now()))
    return task


def _plan_step(index: int, step: Step) -> PlanStep:
    return PlanStep(
        id=f"step_{index}",
        index=index,
        description=step.description,
        reasoning=step.reasoning,
        tool_type=step.tool_type,
        expected_outcome=dict(step.expected_outcome) if step.expected_outcome is not None else None,
    )


def _needing(task: Task, artifact: Artifact, why: str, *, with_skeleton: bool = False) -> tuple[Task, InteractData]:
    """Ask for something of the page that was not sent."""
    task = task.but(negotiations=task.negotiations + 1)
    return task, InteractData(
        status="needs_context",
        task_id=task.task_id,
        session_id=task.session_id,
        requested_dom_mode=artifact,
        needs_screenshot=artifact == "hybrid",
        needs_skeleton_dom=with_skeleton or artifact in ("hybrid", "skeleton"),
        reason=why,
        plan=task.plan,
    )


def _answered(
    task: Task, decision: Decision, made: Call, view: PageView, said: list[Said], settled: Settled | None
) -> Turn:
    judged = task.judged
    status: TaskStatus = _ENDS.get(made.name, "executing")
    if status == "executing" and judged is not None and judged.passed is False:
        status = "correcting"
    path = selector_path(view, made.element_id)
    details = ActionDetails(name=made.name, element_id=made.number, selector_path=path, args=made.args)
    plan = _advanced(task.plan, decision, made.name)
    line = Said(
        message_id=str(uuid.uuid4()),
        role="assistant",
        content=decision.answer if made.name in ("finish", "fail") and decision.answer else decision.thought,
        status=None if made.ends else "pending",
        action=made,
        details=details,
        dom_summary=f"{view.title or view.url}: {len(view.nodes)} elements",
    )
    if made.name in ("finish", "fail"):
        line = msgspec.structs.replace(line, status="success" if made.name == "finish" else "failure")
    pending = None
    if not made.ends:
        step = plan.current_step_index if plan is not None else None
        before = Before(url=view.url, tree_hash=view.tree_hash, lines=view.lines()[:MOST_LINES])
        expected = dict(decision.expected) if decision.expected is not None else None
        pending = Asked(
            action=str(made),
            thought=decision.thought,
            step=step,
            selector_path=path,
            expected=expected,
            before=before,
            message_id=line.message_id,
        )
    question = made.args.get("question") if made.name == "askUser" else None
    data = InteractData(
        thought=decision.thought,
        action=str(made),
        action_details=details,
        answer=decision.answer if made.name in ("finish", "fail") else None,
        task_id=task.task_id,
        session_id=task.session_id,
        plan=plan,
        current_step=plan.current_step_index if plan is not None else None,
        total_steps=len(plan.steps) if plan is not None else None,
        status=status,
        reasoning=decision.reasoning,
        user_question=question,
        missing_information=decision.missing or None if question else None,
        verification=_told(judged),
        usage=task.usage if task.usage.requests else None,
    )
    task = task.but(
        status=status,
        plan=plan,
        pending=pending,
        judged=None,
        negotiations=0,
        actions=task.actions + (0 if made.ends else 1),
        answer=data.answer,
    )
    return Turn(task, data, [*said, line], settled)


def _advanced(plan: Plan | None, decision: Decision, name: str) -> Plan | None:
    """The plan with its steps marked: those behind, the one at work, those to come.

    What the action should bring about stands with the step it is for, so that the client can check it too.
    """
    if plan is None or not plan.steps:
        return plan
    current = plan.current_step_index if decision.current is None else decision.current
    at = max(0, min(current, len(plan.steps) - 1))

    def marked(step: PlanStep) -> StepStatus:
        if name == "finish" or step.index < at:
            return "completed"
        if step.index > at:
            return "pending"
        return "failed" if name == "fail" else "active"

    steps = [step.model_copy(update={"status": marked(step)}) for step in plan.steps]
    if decision.expected is not None:
        steps[at] = steps[at].model_copy(update={"expected_outcome": dict(decision.expected)})
    return plan.model_copy(update={"steps": steps, "current_step_index": at})


def _told(judged: Judged | None) -> VerificationTold | None:
    return None if judged is None else VerificationTold(passed=judged.passed, message=judged.message, by=judged.by)


def _from_person(text: str) -> Said:
    return Said(message_id=str(uuid.uuid4()), role="user", content=text)


def _sum(*usages: Usage) -> Usage:
    def total(values: Iterable[int]) -> int:
        return sum(values)

    costs = [one.cost_usd for one in usages if one.cost_usd is not None]
    return Usage(
        requests=total(one.requests for one in usages),
        input_tokens=total(one.input_tokens for one in usages),
        output_tokens=total(one.output_tokens for one in usages),
        cost_usd=sum(costs) if costs else None,
    )
