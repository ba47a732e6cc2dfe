"""A task as it is kept between two requests: what was asked, how far it is, what was tried.

A ``Task`` is one JSON value, so that it can be stored and a restart in the middle loses nothing.
"""

from typing import Any, Literal

from pydantic import Field

from browserx.semantic.request import TreeNode
from browserx.semantic.response import Plan, TaskStatus, Usage
from browserx.semantic.wire import Moment, Wire

#: A task that took this many actions without an end is given up.
MAX_ACTIONS = 100
#: Of a page before an action; of one after it only as many are compared.
MOST_LINES = 400
_KEPT = 40


class Before(Wire):
    """The page as it was when an action was asked for."""

    url: str
    tree_hash: str
    lines: list[str] = Field(default_factory=list)


class Asked(Wire):
    """An action that was asked for. ``expected`` is what should be so after it, as SPEC's ``expectedOutcome``."""

    action: str
    thought: str
    step: int | None = None
    selector_path: str | None = None
    expected: dict[str, Any] | None = None
    before: Before
    message_id: str | None = None


class Done(Wire):
    """An action that was asked for, and what became of it. ``passed`` is None where nobody can tell."""

    action: str
    step: int | None = None
    passed: bool | None = None
    message: str = ""
    #: What page it was on, by the hash of its tree, for the noticing of loops.
    tree_hash: str = ""


class Judged(Wire):
    """What is known of the action before, until the next one is asked for."""

    action: str
    passed: bool | None
    message: str
    by: Literal["rules", "model"] = "rules"


class Task(Wire):
    """Everything a brain may know of its task.

    ``memory`` is the brain's own. ``pending`` is the action whose outcome the next request tells. ``failures`` counts
    the failures of each call since it last went well. ``tree`` is what the client was last known to see, so that it
    need not send what has not changed.
    """

    task_id: str
    session_id: str
    query: str
    #: All the person has said since, in order: answers to questions and new wishes.
    said: list[str] = Field(default_factory=list)
    status: TaskStatus = "planning"
    plan: Plan | None = None
    pending: Asked | None = None
    judged: Judged | None = None
    history: list[Done] = Field(default_factory=list)
    actions: int = 0
    failures: dict[str, int] = Field(default_factory=dict)
    negotiations: int = 0
    tree: list[TreeNode] | None = None
    tree_hash: str | None = None
    screenshot_hash: str | None = None
    memory: dict[str, Any] = Field(default_factory=dict)
    answer: str | None = None
    usage: Usage = Field(default_factory=Usage)
    created_at: Moment

    @property
    def over(self) -> bool:
        """Whether nothing is left to do."""
        return self.status in ("completed", "failed")

    def but(self, **changes: Any) -> "Task":
        """The same task with ``changes``."""
        return self.model_copy(update=changes)

    def remembering(self, done: Done) -> "Task":
        """With one more action behind it; the oldest are forgotten."""
        return self.but(history=[*self.history, done][-_KEPT:])
