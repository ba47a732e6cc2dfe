"""What can come of thinking about one step: an action, something to do first, a question, an answer, an end."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from browserx.agent.brain import Artifact
from browserx.agent.local.progress import Part
from browserx.semantic.call import Call
from browserx.semantic.request import TreeNode


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """Do it. ``field`` is the field that is filled by it."""

    call: Call
    expected: Mapping[str, Any] | None = None
    field: str | None = None


class First(msgspec.Struct, frozen=True):
    """Do something else to make way for it."""

    call: Call
    why: str


class Need(msgspec.Struct, frozen=True):
    """Something of the page has to be known for it; ``with_skeleton`` with all that can be acted on."""

    artifact: Artifact
    why: str
    with_skeleton: bool = False


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """Only the person knows."""

    question: str
    missing: str
    choices: Sequence[str] = ()
    part: Part = "target"


class Passed(msgspec.Struct, frozen=True):
    """Nothing has to be done for it (any more). ``answer`` is what was read."""

    answer: str | None = None


class Stuck(msgspec.Struct, frozen=True):
    """It cannot be done."""

    why: str


class At(msgspec.Struct, frozen=True):
    """The element it is to be done on."""

    node: TreeNode


Move = Act | First | Need | Ask | Passed | Stuck
