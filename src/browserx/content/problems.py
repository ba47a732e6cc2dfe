"""What can go wrong with an action of the content engine, in four categories, and as errors."""

from enum import StrEnum
from typing import NamedTuple

from browserx.actions.choosing import uncheckable
from browserx.actions.files import no_file_field
from browserx.actions.target import Aimed, objection
from browserx.dom.ids import IdRegistry
from browserx.errors import (
    BlockedByPolicyError,
    BrowserXError,
    NodeNotFoundError,
    NoSnapshotError,
    NotActionableError,
    PageOptedOutError,
)
from browserx.inpage.facts import Prepared


class Category(StrEnum):
    """Why an action was not carried out."""

    NOT_FOUND = "NOT_FOUND"
    NOT_ACTIONABLE = "NOT_ACTIONABLE"
    CROSS_ORIGIN = "CROSS_ORIGIN"
    SECURITY_BLOCKED = "SECURITY_BLOCKED"


class Problem(NamedTuple):
    """``retry_suggested``: the same action may succeed after another look."""

    category: Category
    retry_suggested: bool


#: What passes by itself, or is seen right by another look.
_PASSING = frozenset(("moving", "covered", "changed", "detached", "off_screen", "dialog"))


def problem_of(error: BrowserXError) -> Problem | None:
    """The category of an error an action ended with; None for one that is not about its element."""
    if isinstance(error, NodeNotFoundError | NoSnapshotError):
        return Problem(Category.NOT_FOUND, retry_suggested=True)
    if isinstance(error, BlockedByPolicyError | PageOptedOutError):
        return Problem(Category.SECURITY_BLOCKED, retry_suggested=False)
    if not isinstance(error, NotActionableError):
        return None
    if error.reason == "cross_origin":
        return Problem(Category.CROSS_ORIGIN, retry_suggested=False)
    if error.reason == "detached":
        return Problem(Category.NOT_FOUND, retry_suggested=True)
    return Problem(Category.NOT_ACTIONABLE, retry_suggested=error.reason in _PASSING)


def error_of(target: Aimed, prepared: Prepared, ids: IdRegistry, world: str) -> BrowserXError:
    """The error for an element that the content script found unfit."""
    words = _WORDS.get(prepared.why)
    if prepared.why in ("not_checkable", "radio"):
        return uncheckable(target, prepared.why)
    if prepared.why == "no_file_field":
        return no_file_field(target)
    if prepared.why == "file":
        return BlockedByPolicyError(
            f"element {target.node_id} opens the file dialog, which only real input may; give it files with upload"
        )
    if words is not None:
        return NotActionableError(
            f"element {target.node_id} {words}", node_id=target.node_id, reason=_REASONS.get(prepared.why, prepared.why)
        )
    return objection(target, prepared, ids, world)


_WORDS = {
    "cross_origin": "is a frame of another origin, which script cannot enter; open its address instead",
    "refused": "does not take this value; see its type for what it takes",
    "unfocusable": "does not take the focus; click it first, or choose another",
}
_REASONS = {"unfocusable": "not_editable"}
