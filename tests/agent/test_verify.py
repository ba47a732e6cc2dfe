"""Rules that tell whether an action did what it should: which of them decides, and how."""

from typing import Any

import pytest

from browserx.agent.task import MOST_LINES, Asked, Before
from browserx.agent.verify import verify
from browserx.agent.view import view_of
from browserx.semantic.call import parse
from browserx.semantic.hashing import tree_hash
from browserx.semantic.request import InteractRequest
from tests.agent.pages import URL, node

PAGE = [node("1", "btn", "Save"), node("2", "inp", "Name", v="Ann"), node("3", "inp", "Password", s="empty")]
OTHER = [node("9", "btn", "Next")]


def judge(
    action: str, expected: dict[str, Any] | None = None, nodes: Any = PAGE, **told: Any
) -> tuple[bool | None, str]:
    before_lines = [f"{one.i} {one.r} {one.n} {one.v or ''} {one.s or ''}" for one in PAGE]
    before = Before(url=URL, tree_hash=tree_hash(PAGE), lines=before_lines)
    asked = Asked(action=action, thought="", expected=expected, before=before)
    request = InteractRequest.model_validate({"url": URL, "query": "x", **told})
    judged = verify(asked, parse(action), request, view_of(request, nodes))
    assert judged.action == action
    return judged.passed, judged.message


ERROR = {"message": "it is gone", "code": "NODE_NOT_FOUND", "action": "click(1)"}


@pytest.mark.parametrize(
    ("action", "given", "passed", "told"),
    [
        # what the client reports goes before all else
        ("click(1)", {"lastActionError": ERROR, "verification_passed": True}, False, "NODE_NOT_FOUND: it is gone"),
        ("click(1)", {"lastActionStatus": "failure"}, False, "could not"),
        ("click(1)", {"lastActionResult": {"success": False, "actualState": "stuck"}}, False, "stuck"),
        # what was expected
        ("click(1)", {"expected": {"urlContains": "cart"}, "verification_passed": True}, True, "should"),
        ("click(1)", {"expected": {"urlContains": "pay"}, "verification_passed": True}, False, "without 'pay'"),
        ("click(1)", {"expected": {"urlContains": "https://*/cart"}, "verification_passed": True}, True, ""),
        ("click(1)", {"expected": {"urlChanges": True}}, False, "the address is still"),
        ("click(1)", {"expected": {"urlChanges": True}, "url": "https://b.example"}, True, "the page is now"),
        (
            "click(1)",
            {"expected": {"textAppears": "Saved"}, "dom": "<p>Saved</p>", "verification_passed": True},
            True,
            "",
        ),
        ("click(1)", {"expected": {"textAppears": "Saved"}, "dom": "<p>no</p>"}, False, "'Saved' is not on the page"),
        ("click(1)", {"expected": {"textAppears": "Saved"}, "verification_passed": True}, True, ""),
        ("click(1)", {"expected": {"textGone": "Save"}}, False, "still on the page"),
        (
            "wait(1)",
            {"expected": {"textGone": "Load"}, "recentEvents": ["Removed: 'Load'"], "lastActionStatus": "success"},
            True,
            "",
        ),
        ('setValue(2, "Bob")', {"expected": {"fields": {"2": "Bob"}}}, False, "2 does not hold 'Bob'"),
        ('setValue(2, "Bob")', {"expected": {"fields": {"2": "Bob"}}, "errors_detected": ["bad"]}, False, "says 'bad'"),
        ('setValue(3, "pw")', {"expected": {"fields": {"3": "pw"}}}, False, "3 does not hold what was put into it"),
        ('setValue(7, "x")', {"expected": {"fields": {"7": "x"}}, "verification_passed": True}, True, ""),
        # what the client checked
        ("click(1)", {"verification_passed": True, "verification_message": "ok"}, True, "ok"),
        ("click(1)", {"verification_passed": False}, False, "it did not"),
        ("click(1)", {"errors_detected": ["Invalid ZIP code"]}, False, "'Invalid ZIP code'"),
        ("click(1)", {"clientVerification": {"elementFound": False, "selector": "#a"}}, False, "#a was not found"),
        # what a field holds
        ('setValue(2, "ann")', {}, True, "2 holds 'Ann'"),
        ('setValue(2, "A-n n")', {}, True, ""),
        # whether anything came of it
        ("click(1)", {"url": "https://b.example/"}, True, "the page is now https://b.example/"),
        ("click(1)", {"nodes": OTHER}, True, "the page changed"),
        ("click(1)", {"clientObservations": {"didDomMutate": True}}, True, "the page changed"),
        ("click(1)", {"clientObservations": {"didUrlChange": True}}, True, ""),
        ("click(1)", {"clientObservations": {"didDomMutate": False}}, False, "nothing came of click(1)"),
        ("click(1)", {}, False, "nothing came of click(1)"),
        ("click(1)", {"lastActionStatus": "success"}, None, "nothing tells"),
        ("hover(1)", {"lastActionStatus": "success"}, True, "it was done"),
        ("hover(1)", {}, None, "nothing tells"),
        ('press("Enter")', {"clientObservations": {"didDomMutate": False}}, None, "nothing tells"),
    ],
)
def test_verdicts(action: str, given: dict[str, Any], passed: bool | None, told: str) -> None:
    got, message = judge(action, **given)
    assert (got, told in message) == (passed, True), message


@pytest.mark.parametrize(
    ("held", "wanted", "same"),
    [
        ("Ann", "ann", True),
        ("(555) 123", "555123", True),
        ("1,000.00", "1000", True),
        ("$ 5", "5.0", True),
        ("1000.5", "1000", False),
        ("Ann Le…", "Ann Lee", True),
        ("Ann Le…", "Bob", False),
        ("???", "!!!", False),
        ("!!!", "!!!", True),
        ("Bob", "Ann", False),
    ],
)
def test_what_a_field_shows_of_a_text(held: str, wanted: str, same: bool) -> None:
    expected = {"fields": {"2": wanted}}
    passed, _ = judge('setValue(2, "-")', expected, [node("2", "inp", "Name", v=held)], verification_passed=True)
    assert passed is same


NOTHING = {"didDomMutate": False, "didNetworkOccur": False, "didUrlChange": False}


@pytest.mark.parametrize(
    ("state", "passed"), [("changed", None), ("navigated; now at x", None), ("no_effect", False), (None, False)]
)
def test_what_only_the_client_saw_is_neither_success_nor_failure(state: str | None, passed: bool | None) -> None:
    """The focus, a selection, the address of a frame: the client saw that something changed, and here nothing shows."""
    told: dict[str, Any] = {"lastActionStatus": "success", "lastActionResult": {"success": True, "actualState": state}}
    assert judge("click(1)", **told, clientObservations=NOTHING)[0] is passed


def test_of_a_large_page_as_many_elements_are_compared_as_were_kept() -> None:
    large = [node(str(number), "link", f"Item {number}") for number in range(MOST_LINES + 50)]
    lines = [f"{one.i} {one.r} {one.n} {one.v or ''} {one.s or ''}" for one in large][:MOST_LINES]
    asked = Asked(action="click(1)", thought="", before=Before(url=URL, tree_hash="another", lines=lines))
    seen = {"didNetworkOccur": False, "didDomMutate": False, "didUrlChange": False}
    request = InteractRequest.model_validate({"url": URL, "query": "x", "clientObservations": seen})
    judged = verify(asked, parse("click(1)"), request, view_of(request, large))
    assert judged.passed is False
    assert "nothing came of" in judged.message
