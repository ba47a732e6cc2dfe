"""The verdict: decided from what the page did, and from nothing else."""

from typing import NamedTuple

from browserx.actions.result import ActionError, Verdict
from browserx.inpage.facts import ActionFacts

_NOBODY, _ANOTHER = 0, 2


class Evidence(NamedTuple):
    """All that was seen while an action ran. ``facts`` is None when the document went away before it could tell."""

    facts: ActionFacts | None
    navigated: bool
    dialogs: int
    new_tabs: int
    requests: int
    #: Whether the frame the action was in went away.
    frame_gone: bool
    #: Whether the action had to reach an element with a pointer event.
    needs_reach: bool
    #: For typing: whether the field now holds what was asked for; None where nothing was asked.
    holds: bool | None = None
    #: For actions that know by themselves (scrolling): whether anything moved.
    moved: bool | None = None
    #: For actions that are to leave something in a certain state (a box checked): what is wrong with it, if anything.
    objection: str = ""
    #: How many downloads began.
    downloads: int = 0


class Judgement(NamedTuple):
    """Whether the action did what it says, what came of it, and what is wrong if something is."""

    success: bool
    verdict: Verdict
    error: ActionError | None = None


def judge(evidence: Evidence) -> Judgement:
    """Decide the verdict."""
    facts = evidence.facts
    if facts is not None and evidence.needs_reach and facts.reached == _ANOTHER:
        return Judgement(
            False,
            Verdict.WRONG_TARGET,
            ActionError(
                "NOT_ACTIONABLE",
                f"the click reached {facts.reached_text or 'another element'} instead; observe again",
                recoverable=True,
            ),
        )
    if evidence.navigated:
        return Judgement(True, Verdict.NAVIGATED)
    if evidence.objection:
        changed = facts is not None and _changed(evidence, facts)
        return Judgement(
            False,
            Verdict.CHANGED if changed else Verdict.NO_EFFECT,
            ActionError("NOT_ACTIONABLE", f"{evidence.objection}; observe again", recoverable=True),
        )
    if evidence.new_tabs or evidence.dialogs or evidence.downloads:
        return Judgement(True, Verdict.OPENED)
    if facts is None and evidence.frame_gone:
        return Judgement(True, Verdict.CHANGED)
    if facts is None:
        return Judgement(
            False,
            Verdict.UNVERIFIED,
            ActionError("CDP_ERROR", "the page did not say what happened; observe again", recoverable=True),
        )
    changed = _changed(evidence, facts)
    if evidence.holds is not None:
        return _typed(evidence.holds, facts, changed)
    if evidence.moved is not None:
        return Judgement(True, Verdict.CHANGED if evidence.moved else Verdict.NO_EFFECT)
    if changed:
        return Judgement(True, Verdict.CHANGED)
    if evidence.needs_reach and facts.reached == _NOBODY:
        return Judgement(
            False,
            Verdict.UNVERIFIED,
            ActionError(
                "NOT_ACTIONABLE",
                "no event reached the element, and nothing changed; observe again",
                recoverable=True,
            ),
        )
    return Judgement(True, Verdict.NO_EFFECT)


def _changed(evidence: Evidence, facts: ActionFacts) -> bool:
    return (
        facts.mutations > 0
        or facts.focus_moved
        or facts.active_changed
        or facts.selection_changed
        or facts.value_changed
        or facts.scrolled
        or facts.url_changed
        or evidence.requests > 0
        or not facts.alive
    )


def _typed(holds: bool, facts: ActionFacts, changed: bool) -> Judgement:
    if holds:
        return Judgement(True, Verdict.CHANGED if changed else Verdict.NO_EFFECT)
    if facts.kept:
        # The page lets no keys through; a person could not have typed either.
        return Judgement(
            False,
            Verdict.CHANGED,
            ActionError(
                "NOT_ACTIONABLE",
                "the field was not cleared: the page takes no keys in it; observe again, and use what stands beside it",
                recoverable=True,
            ),
        )
    if facts.value_changed:
        # A mask or a formatter wrote it differently; what stands there now is told.
        return Judgement(True, Verdict.CHANGED)
    return Judgement(
        False,
        Verdict.NO_EFFECT,
        ActionError("NOT_ACTIONABLE", "the field did not take the text; observe again", recoverable=True),
    )


__all__ = ["Evidence", "Judgement", "judge"]
