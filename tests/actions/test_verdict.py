"""The verdict is decided from what the page did."""

from typing import Any

import pytest

from browserx.actions.result import Verdict
from browserx.actions.verdict import Evidence, judge
from browserx.inpage.facts import ActionFacts

REACHED, ANOTHER = 1, 2


def evidence(facts: ActionFacts | None = None, **more: Any) -> Evidence:
    given: dict[str, Any] = {
        "facts": ActionFacts(reached=REACHED) if facts is None and not more.pop("silent", False) else facts,
        "navigated": False,
        "dialogs": 0,
        "new_tabs": 0,
        "requests": 0,
        "frame_gone": False,
        "needs_reach": True,
    }
    return Evidence(**{**given, **more})


@pytest.mark.parametrize(
    "facts",
    [
        {"mutations": 1},
        {"focus_moved": True},
        {"value_changed": True},
        {"scrolled": True},
        {"url_changed": True},
        {"alive": False},
    ],
)
def test_any_change_is_one(facts: dict[str, Any]) -> None:
    assert judge(evidence(ActionFacts(reached=REACHED, **facts)))[:2] == (True, Verdict.CHANGED)


def test_a_request_is_a_change() -> None:
    assert judge(evidence(requests=1)).verdict is Verdict.CHANGED


def test_nothing_is_said_to_be_nothing() -> None:
    assert judge(evidence())[:2] == (True, Verdict.NO_EFFECT)


def test_going_elsewhere_and_opening_something() -> None:
    assert judge(evidence(navigated=True, silent=True))[:2] == (True, Verdict.NAVIGATED)
    assert judge(evidence(new_tabs=1))[:2] == (True, Verdict.OPENED)
    assert judge(evidence(dialogs=1, silent=True))[:2] == (True, Verdict.OPENED)
    assert judge(evidence(downloads=1))[:2] == (True, Verdict.OPENED)


def test_reaching_another_element_is_never_a_success() -> None:
    facts = ActionFacts(reached=ANOTHER, reached_text="div.banner", mutations=5)
    judgement = judge(evidence(facts, navigated=True))
    assert judgement[:2] == (False, Verdict.WRONG_TARGET)
    assert judgement.error is not None
    assert "div.banner" in judgement.error.message


def test_an_event_nobody_saw_that_changed_nothing_is_not_claimed() -> None:
    judgement = judge(evidence(ActionFacts(reached=0)))
    assert judgement[:2] == (False, Verdict.UNVERIFIED)
    assert judge(evidence(ActionFacts(reached=0, mutations=1)))[:2] == (True, Verdict.CHANGED)
    assert judge(evidence(ActionFacts(reached=0), needs_reach=False))[:2] == (True, Verdict.NO_EFFECT)


def test_a_frame_that_closed_itself_changed_the_page() -> None:
    assert judge(evidence(silent=True, frame_gone=True))[:2] == (True, Verdict.CHANGED)
    assert judge(evidence(silent=True))[:2] == (False, Verdict.UNVERIFIED)


def test_typing_succeeds_when_the_field_holds_the_text() -> None:
    changed = ActionFacts(value_changed=True)
    assert judge(evidence(changed, holds=True))[:2] == (True, Verdict.CHANGED)
    assert judge(evidence(ActionFacts(), holds=True))[:2] == (True, Verdict.NO_EFFECT)


def test_a_mask_may_write_it_differently_but_something_must_be_written() -> None:
    assert judge(evidence(ActionFacts(value_changed=True), holds=False))[:2] == (True, Verdict.CHANGED)
    judgement = judge(evidence(ActionFacts(mutations=3), holds=False))
    assert judgement[:2] == (False, Verdict.NO_EFFECT)
    assert judgement.error is not None


def test_scrolling_knows_by_itself() -> None:
    assert judge(evidence(moved=True, needs_reach=False)).verdict is Verdict.CHANGED
    assert judge(evidence(moved=False, needs_reach=False)).verdict is Verdict.NO_EFFECT
