"""From what people write to what a keyboard sends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browserx.actions.keys import ALT, CTRL, META, SHIFT, Stroke, modifier_bits, stroke
from browserx.errors import InvalidArgumentError


def test_the_bits_are_the_protocols() -> None:
    assert (ALT, CTRL, META, SHIFT) == (1, 2, 4, 8)
    assert modifier_bits(["Ctrl", "shift"]) == CTRL | SHIFT
    assert modifier_bits(["Alt", "Cmd"]) == ALT | META


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("Enter", Stroke("Enter", "Enter", 13, "\r", 0)),
        ("enter", Stroke("Enter", "Enter", 13, "\r", 0)),
        ("Esc", Stroke("Escape", "Escape", 27, "", 0)),
        ("Down", Stroke("ArrowDown", "ArrowDown", 40, "", 0)),
        ("PageDown", Stroke("PageDown", "PageDown", 34, "", 0)),
        ("F5", Stroke("F5", "F5", 116, "", 0)),
        ("Space", Stroke(" ", "Space", 32, " ", 0)),
        ("a", Stroke("a", "KeyA", 65, "a", 0)),
        ("A", Stroke("A", "KeyA", 65, "A", 0)),
        ("7", Stroke("7", "Digit7", 55, "7", 0)),
        ("!", Stroke("!", "Digit1", 49, "!", SHIFT)),
        ("?", Stroke("?", "Slash", 191, "?", SHIFT)),
        ("ä", Stroke("ä", "", 0, "ä", 0)),
        ("Control+A", Stroke("a", "KeyA", 65, "a", CTRL)),
        ("Ctrl+Shift+k", Stroke("K", "KeyK", 75, "K", CTRL | SHIFT)),
        ("Shift+Tab", Stroke("Tab", "Tab", 9, "", SHIFT)),
        ("Shift+1", Stroke("!", "Digit1", 49, "!", SHIFT)),
        ("+", Stroke("+", "Equal", 187, "+", SHIFT)),
        ("Control++", Stroke("+", "Equal", 187, "+", CTRL | SHIFT)),
    ],
)
def test_keys(key: str, expected: Stroke) -> None:
    assert stroke(key) == expected


def test_modifiers_may_be_given_apart() -> None:
    assert stroke("a", ["Ctrl"]) == stroke("Control+a")


def test_down_comes_before_up_and_types_its_character() -> None:
    down, up = stroke("a").events()
    assert (down["type"], down["text"], up["type"]) == ("keyDown", "a", "keyUp")
    assert "text" not in up


def test_a_command_types_nothing() -> None:
    down, _ = stroke("Control+A").events()
    assert (down["type"], down["modifiers"], "text" in down) == ("rawKeyDown", CTRL, False)


@pytest.mark.parametrize("key", ["", "Entr", "Hyper+A", "Control+", "ab", None, 7])
def test_what_is_no_key(key: object) -> None:
    with pytest.raises(InvalidArgumentError):
        stroke(key)  # type: ignore[arg-type]


@given(st.characters(exclude_categories=["Cs"]))
def test_every_character_can_be_typed(character: str) -> None:
    assert stroke(character).text in (character, "\r", "")
