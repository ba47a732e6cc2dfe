"""What thinks: given a task and the page, decides what to do next. One interface, for rules and for models."""

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from browserx.agent.task import Judged, Task
from browserx.agent.view import PageView
from browserx.semantic.call import Call
from browserx.semantic.response import Usage

Artifact = Literal["semantic", "hybrid", "skeleton", "full"]


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a plan, as a brain puts it. ``tool_type`` is ``SERVER`` where nothing is done on the page."""

    description: str
    tool_type: Literal["DOM", "SERVER", "MIXED"] = "DOM"
    reasoning: str | None = None
    expected_outcome: Mapping[str, Any] | None = None


class Thinking(msgspec.Struct, frozen=True, kw_only=True):
    """What a brain decides from.

    Attributes:
        task: what was asked, the plan, what was done; ``task.memory`` is the brain's own.
        view: the page now.
        verification: what became of the action before; None when there was none.
        refused: calls that failed twice on this page and are not sent again.
        looping: the last actions led back to where they began; something else has to be tried.
    """

    task: Task
    view: PageView
    verification: Judged | None = None
    refused: frozenset[str] = frozenset()
    looping: bool = False


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What a brain decided: exactly one of ``call`` and ``needs``.

    Attributes:
        thought: why, for the person.
        call: what to do next; ``askUser``, ``finish`` and ``fail`` are calls too.
        needs: something of the page that was not sent; ``why`` says what for.
        with_skeleton: with ``needs``, the skeleton too.
        steps: the plan, when it is new or was changed.
        current: the step of the plan ``call`` is for; steps before it are done.
        expected: what should be so afterwards, as SPEC's ``expectedOutcome``: ``urlChanges``, ``urlContains``,
            ``textAppears``, ``textGone``, ``valueOf`` and ``value``, ``changes``.
        answer: with ``finish`` and ``fail``.
        missing: with ``askUser``, what is not known.
        memory: the brain's own, to be kept with the task.
        usage: what it cost.
    """

    thought: str
    call: Call | None = None
    needs: Artifact | None = None
    with_skeleton: bool = False
    why: str = ""
    reasoning: str | None = None
    steps: list[Step] | None = None
    current: int | None = None
    expected: Mapping[str, Any] | None = None
    answer: str | None = None
    missing: list[str] = []
    memory: Mapping[str, Any] | None = None
    usage: Usage | None = None


class Brain(Protocol):
    """Decides. It keeps nothing itself: what it has to remember goes into ``Decision.memory``."""

    async def think(self, thinking: Thinking) -> Decision:
        """What to do next."""
        ...
