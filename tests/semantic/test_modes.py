"""What a question needs to be shown."""

import pytest

from browserx.semantic.modes import mode_hint, tells_places


@pytest.mark.parametrize(
    "query",
    [
        "click the gear icon",
        "what is the price of the red item",
        "press the button next to Save",
        "how much is it",
        "show me the charts",
        "the LAST row",
        "which one looks like a cart",
    ],
)
def test_words_about_looks_want_a_picture(query: str) -> None:
    assert mode_hint(query, 5) == "hybrid"


@pytest.mark.parametrize(
    "query", ["click Save", "type Ann into Name", "search for tea", "submit", "untoppled", "firsthand"]
)
def test_words_about_doing_want_what_can_be_acted_on(query: str) -> None:
    assert mode_hint(query, 5) == "skeleton"


def test_many_elements_want_a_picture() -> None:
    assert mode_hint("click Save", 50) == "skeleton"
    assert mode_hint("click Save", 51) == "hybrid"


@pytest.mark.parametrize(
    "query", ["click Delete in the row of Ann", "the 2nd link", "press the last one", "drag A to B"]
)
def test_words_that_say_where_something_is(query: str) -> None:
    assert tells_places(query)
    assert not tells_places("click Save, type Ann into Name")
