"""What a backend answers: the next call, how far the plan is, or what else it needs to see (SPEC 9)."""

from typing import Any, Literal

from pydantic import Field, model_validator

from browserx.semantic.request import DomMode
from browserx.semantic.wire import Moment, Wire

TaskStatus = Literal[
    "planning", "executing", "verifying", "correcting", "completed", "failed", "needs_user_input", "needs_context"
]
StepStatus = Literal["pending", "active", "completed", "failed"]
ToolType = Literal["DOM", "SERVER", "MIXED"]


class PlanStep(Wire):
    """One step of a plan. ``expected_outcome`` says what should be so after it."""

    id: str
    index: int
    description: str
    status: StepStatus = "pending"
    reasoning: str | None = None
    tool_type: ToolType = "DOM"
    expected_outcome: dict[str, Any] | None = None


class Plan(Wire):
    """The steps of a task; ``current_step_index`` is the one this answer is about."""

    steps: list[PlanStep]
    current_step_index: int = 0
    created_at: Moment


class ActionDetails(Wire):
    """The call as values. ``selector_path`` finds the element when its id is gone; only if it fits exactly one."""

    name: str
    element_id: int | str | None = None
    selector_path: str | None = None
    args: dict[str, Any] = Field(default_factory=dict)


class VerificationTold(Wire):
    """What became of the action before: ``by`` says whether rules decided, or the model."""

    passed: bool | None = None
    message: str
    by: Literal["rules", "model"] = "rules"


class Usage(Wire):
    """What the model was given and gave."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None


class InteractData(Wire):
    """An answer. ``action`` is a call as text; it is missing only when ``status`` is ``needs_context``."""

    thought: str | None = None
    action: str | None = None
    action_details: ActionDetails | None = None
    answer: str | None = None
    task_id: str | None = None
    session_id: str | None = None
    plan: Plan | None = None
    current_step: int | None = None
    total_steps: int | None = None
    status: TaskStatus
    reasoning: str | None = None
    user_question: str | None = None
    missing_information: list[str] | None = None
    verification: VerificationTold | None = None
    usage: Usage | None = None
    # negotiation
    requested_dom_mode: DomMode | None = None
    needs_screenshot: bool | None = None
    needs_skeleton_dom: bool | None = None
    reason: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _as_before(cls, given: Any) -> Any:
        # What backends said before there was negotiation.
        if isinstance(given, dict) and "needs_full_dom" in (given.get("status"), given.get("action")):
            return {**given, "status": "needs_context", "requestedDomMode": "full", "action": None}
        return given


class InteractResponse(Wire):
    """``{success, data}``."""

    success: Literal[True] = True
    data: InteractData


class Problem(Wire):
    """Why a request was refused; ``message`` ends with what to do next."""

    code: str
    message: str
    details: dict[str, Any] = Field(default_factory=dict)


class Refusal(Wire):
    """``{success: false, error}``: every answer that is not 2xx."""

    success: Literal[False] = False
    error: Problem
