"""Calls as text and as values."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browserx.errors import InvalidArgumentError
from browserx.semantic.call import DIRECTIONS, SHAPES, Call, call, checked, legend, parse

TEXTS = st.text(max_size=60)
IDS = st.one_of(st.integers(0, 10**9).map(str), st.sampled_from(["f1-7", "007", "1.5", "a"]))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "value": TEXTS,
    "option": TEXTS,
    "date": TEXTS,
    "targetId": st.integers(0, 10**6),
    "files": st.lists(TEXTS, min_size=1, max_size=3),
    "key": TEXTS,
    "direction": st.sampled_from(DIRECTIONS),
    "url": TEXTS,
    "for": TEXTS | st.integers(0, 100),
    "gone": st.booleans(),
    "tab": TEXTS | st.integers(0, 100),
    "answer": st.sampled_from(["accept", "dismiss"]),
    "text": TEXTS,
    "question": TEXTS,
}


@st.composite
def calls(draw: st.DrawFn) -> Call:
    name = draw(st.sampled_from([name for name in SHAPES if name not in ("finish", "fail")]))
    shape = SHAPES[name]
    count = draw(st.integers(shape.needed, len(shape.parameters)))
    given_names = shape.parameters[:count]
    element_id = draw(IDS) if "elementId" in given_names else None
    args = {one: draw(VALUES[one]) for one in given_names if one != "elementId"}
    return Call(name, element_id, args)


@settings(deadline=None)
@given(calls())
def test_a_call_is_read_as_it_was_written(made: Call) -> None:
    assert parse(str(checked(made))) == made


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (call("click", 42), "click(42)"),
        (call("click", "f1-42"), 'click("f1-42")'),
        (call("setValue", "13", value="space x"), 'setValue(13, "space x")'),
        (call("press", key="Enter"), 'press("Enter")'),
        (call("scroll", 12, direction="down"), 'scroll(12, "down")'),
        (call("scroll", direction="down"), 'scroll("down")'),
        (call("scroll"), "scroll()"),
        (call("drag", 1, targetId="2"), "drag(1, 2)"),
        (call("upload", 1, files=["/a"]), 'upload(1, ["/a"])'),
        (call("wait", for_="Loading", gone=True), 'wait("Loading", true)'),
        (call("dialog", text="x", answer="accept"), 'dialog("accept", "x")'),
        (call("back"), "back()"),
        (call("askUser", question="Which?"), 'askUser("Which?")'),
        (call("finish"), "finish()"),
        (call("finish", answer="42"), "finish()"),
        (call("fail", reason="no"), "fail()"),
    ],
)
def test_how_calls_are_written(made: Call, text: str) -> None:
    assert str(made) == text


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (" click ( 42 ) ;\n", Call("click", "42")),
        ('finish("done")', Call("finish", None, {"answer": "done"})),
        ('fail("no")', Call("fail", None, {"reason": "no"})),
        ('scroll("down")', Call("scroll", None, {"direction": "down"})),
        ('setValue("13", "a(b), \\"c\\"")', Call("setValue", "13", {"value": 'a(b), "c"'})),
        ("setValue(13, 5)", Call("setValue", "13", {"value": 5})),
    ],
)
def test_what_is_taken(text: str, made: Call) -> None:
    assert parse(text) == made


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is no call"),
        ("click", "is no call"),
        ("click(42", "is no call"),
        ("I click(42)", "is no call"),
        ("hack(1)", "there is no call 'hack'"),
        ("click()", "click takes click(elementId)"),
        ("click(1, 2)", "click takes click(elementId)"),
        ("click(true)", "node id"),
        ("click(1.5)", "node id"),
        ("click([1])", "node id"),
        ("setValue(1)", "setValue takes setValue(elementId, value)"),
        ("setValue(1, {})", "value of setValue"),
        ("setValue(1, 'x')", "JSON"),
        ("setValue(1, NaN)", "JSON"),
        ("upload(1, [])", "files of upload"),
        ("upload(1, [1])", "files of upload"),
        ('scroll(1, "sideways")', "direction of scroll"),
        ("press(7)", "key of press"),
        ("wait(true)", "for of wait"),
        ('wait("x", 1)', "gone of wait"),
        (f"setValue(1, {'[' * 5000}", "is no call"),
        (f"setValue(1, {'[' * 5000})", "JSON"),
        ("click(" + "1" * 200_000 + ")", "is no call"),
    ],
)
def test_what_is_no_call_is_told(text: str, told: str) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        parse(text)
    assert told in str(caught.value)
    assert len(str(caught.value)) < 1000


@settings(deadline=None)
@given(st.text(max_size=100))
def test_any_text_is_a_call_or_refused(text: str) -> None:
    try:
        assert parse(text).name in SHAPES
    except InvalidArgumentError:
        pass


def test_calls_that_cannot_be_are_not_made() -> None:
    for wrong in (
        Call("nothing"),
        Call("click"),
        Call("click", "1", {"value": "x"}),
        Call("wait", None, {"gone": True}),
    ):
        with pytest.raises(InvalidArgumentError):
            checked(wrong)


def test_the_legend_tells_every_call() -> None:
    lines = legend().splitlines()
    assert [line.split("(")[0] for line in lines] == list(SHAPES)
    assert "setValue(elementId, value): put" in legend()
    assert "scroll(elementId?, direction?)" in legend()
