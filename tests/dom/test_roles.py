"""One table of short words."""

import pytest

from browserx.dom.roles import ROLE_WORDS, legend, minified
from browserx.inpage.facts import Fact
from tests.dom.looks import El, classified


def word(el: El) -> str:
    page = classified(el)
    return minified(page.tree.nodes[0], actionable=page.actionable[0])


def test_every_word_and_every_role_is_there_once() -> None:
    words = [entry.word for entry in ROLE_WORDS]
    roles = [role for entry in ROLE_WORDS for role in entry.roles]
    assert len(words) == len(set(words))
    assert len(roles) == len(set(roles))
    assert {"btn", "inp", "link", "chk", "rad", "sel", "opt", "txt", "tab", "menu", "img", "sld", "swt"} <= set(words)


def test_the_legend_tells_every_word() -> None:
    roles = legend().splitlines()[-1]
    for entry in ROLE_WORDS:
        assert f"{entry.word} {entry.meaning}" in roles


@pytest.mark.parametrize(
    ("el", "expected"),
    [
        (El("button", "a", Fact.NATIVE, tag="button"), "btn"),
        (El("searchbox", "a", Fact.NATIVE, tag="input"), "inp"),
        (El("textbox", "a", Fact.NATIVE, tag="textarea"), "txt"),
        (El("textbox", "a", Fact.EDITABLE), "txt"),
        (El("combobox", "a", Fact.NATIVE, tag="select"), "sel"),
        (El("combobox", "a", Fact.NATIVE, tag="input"), "cmb"),
        (El("", "a", Fact.LISTENER), "el"),
        (El("", "a", Fact.SCROLLER), "box"),
        (El("list", "a", Fact.SCROLLER), "list"),
    ],
)
def test_words(el: El, expected: str) -> None:
    assert word(el) == expected
