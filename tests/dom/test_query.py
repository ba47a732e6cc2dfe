"""The parts of a page that a question is about."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browserx.dom.distill import Item, Kind, distill
from browserx.dom.outline import OutlineWriter
from browserx.dom.query import Relevant, relevant, spoken
from browserx.errors import InvalidArgumentError
from browserx.inpage.facts import Fact
from tests.dom.looks import El, button, field_, link, snapshot


def item(kind: Kind, text: str = "", depth: int = 0, role: str = "", level: int = 0) -> Item:
    return Item(-1 if kind is Kind.SUMMARY else 0, depth, kind, role or kind.name.lower(), text, level)


def control(text: str, depth: int = 0, role: str = "button") -> Item:
    return item(Kind.CONTROL, text, depth, role)


def text(words: str, depth: int = 0) -> Item:
    return item(Kind.TEXT, words, depth)


def heading(words: str, level: int = 2, depth: int = 0) -> Item:
    return item(Kind.HEADING, words, depth, level=level)


def cost(one: Item) -> tuple[float, int]:
    return len(one.text) / 4 + 1, len(one.text.encode())


def words_of(one: Item) -> str:
    return f"{one.role} {one.text}"


def ask(items: list[Item], query: str, max_tokens: int | None = 4000) -> Relevant:
    return relevant(items, words_of, query, cost, max_tokens)


def told(items: list[Item], query: str, max_tokens: int | None = 4000) -> list[str]:
    return ["." * one.depth + (one.text or one.role) for one in ask(items, query, max_tokens).items]


def sections(*names: str) -> list[Item]:
    """A page with a section for each name: a heading, 300 characters of text, a button."""
    return [
        one
        for name in names
        for one in (heading(name), text(f"about {name} " + "and so on " * 30), control(f"Open {name}"))
    ]


TEAS = ("Earl Grey", "Sencha", "Oolong", "Rooibos", "Jasmine", "Lapsang")


def test_a_section_is_kept_whole_and_the_rest_is_counted() -> None:
    items = sections(*TEAS)
    kept = ask(items, "oolong")
    assert [one.text for one in kept.items] == [
        "6 left out, 2 of them controls",
        "Oolong",
        items[7].text,
        "Open Oolong",
        "9 left out, 3 of them controls",
    ]
    assert kept.left_out == 15
    assert kept.reason == "1 of 6 parts of the page match 'oolong'"
    assert [one.count for one in kept.items if one.kind is Kind.SUMMARY] == [6, 9]


def test_plurals_and_accents_do_not_matter() -> None:
    items = sections("Crème brûlée", "Boxes", "Parties", "Fish", "Salt", "Pepper")
    for query, found in (("creme BRULEE", "Crème brûlée"), ("box", "Boxes"), ("party", "Parties"), ("fishes", "Fish")):
        assert found in told(items, query), query


def test_a_word_that_is_nowhere_finds_those_that_begin_like_it() -> None:
    assert "Delivery" in told(sections("Delivery", "Salt", "Pepper", "Sugar"), "deliver")


def test_scripts_without_blanks() -> None:
    items = sections("购物车结算", "我的订单", "个人资料", "帮助中心", "退出登录")
    assert [one.text for one in ask(items, "订单").items if one.kind is Kind.HEADING] == ["我的订单"]


def test_what_is_above_is_kept_with_it() -> None:
    items = [
        heading("Shop", 1),
        item(Kind.GROUP, "Products", 0, "region"),
        heading("Black", 2, 1),
        *(text(f"{name} {'x ' * 200}.", 1) for name in ("Assam", "Keemun")),
        heading("Green", 2, 1),
        *(text(f"{name} {'x ' * 200}.", 1) for name in ("Sencha", "Matcha")),
    ]
    kept = told(items, "matcha")
    assert kept == ["Shop", "Products", ".3 left out", ".Green", ".1 left out", f".{items[7].text}"]


def test_rows_are_kept_with_the_head_of_their_table() -> None:
    rows = [item(Kind.ROW, f"Order {n} | customer {'Ada' if n == 50 else 'Bob'} | € {n}", 1) for n in range(100)]
    items = [item(Kind.GROUP, "Orders", 0, "table"), item(Kind.ROW, "Number | Who | Total", 1, level=1), *rows]
    kept = told(items, "ada")
    assert kept[:2] == ["Orders", ".Number | Who | Total"]
    assert ".Order 50 | customer Ada | € 50" in kept
    assert 4 < len(kept) < 20


def test_a_control_is_never_parted_from_its_label_or_its_row() -> None:
    filler = [text("filler " * 20, 1) for _ in range(10)]
    form = [
        *filler,
        text("Zebra crossing", 1),
        control("", 1, "textbox"),
        *filler,
        control("Subscribe", 1, "checkbox"),
        text("Subscribe", 1),
        *filler,
        item(Kind.ROW, "Giraffe | 3", 1),
        control("Buy", 2),
        control("Drop", 2),
        *filler,
        text("Size", 1),
        item(Kind.GROUP, "", 1, "radiogroup"),
        control("Tall", 2, "radio"),
        *filler,
    ]
    items = [item(Kind.GROUP, "F", 0, "form"), *form]
    assert told(items, "zebra")[-3:-1] == [".Zebra crossing", ".textbox"]
    kept = ask(items, "subscribe").items
    assert [one.text for one in kept].count("Subscribe") == 2
    assert told(items, "giraffe")[-4:-1] == [".Giraffe | 3", "..Buy", "..Drop"]
    assert told(items, "tall")[-4:-1] == [".Size", ".radiogroup", "..Tall"]


def test_a_label_behind_a_control_does_not_tie_it_to_the_next() -> None:
    names = [f"Option {n} {'wide' * 5}" for n in range(60)]
    names[30] = "Zebra"
    items = [one for name in names for one in (control(name, role="checkbox"), text(name))]
    kept = ask(items, "zebra").items
    assert sum(one.text == "Zebra" for one in kept) == 2
    assert len(kept) < 20


def test_what_says_it_itself_is_better_than_what_stands_below_it() -> None:
    one, two, three = (text(f"{word} " + "lorem ipsum dolor " * 24) for word in ("First", "Second", "Tea"))
    items = [heading("Tea"), one, two, heading("Salt"), three, text("Pepper " + "lorem ipsum " * 40)]
    kept = ask(items, "tea", 170).items
    assert three in kept
    assert one not in kept


def test_a_small_form_is_kept_whole() -> None:
    form = [item(Kind.GROUP, "Address", 0, "form"), *(control(f"Field {n}", 1, "textbox") for n in range(20))]
    form[7] = control("Postcode", 1, "textbox")
    items = [*(text("filler " * 60) for _ in range(5)), *form]
    assert sum(one.role == "textbox" for one in ask(items, "postcode").items) == 20


def test_the_best_come_first_when_not_all_fit() -> None:
    names = [f"Tea number {n}" for n in range(12)]
    items = sections(*names, *(f"Salt {n}" for n in range(14)), "Sale of tea")
    items[-2] = text("Tea, tea and tea on sale " * 6)
    kept = ask(items, "tea sale", 200)
    assert any(one.text == "Sale of tea" for one in kept.items)
    assert " of them fit" in kept.reason
    assert sum(cost(one)[0] for one in kept.items) <= 200


def test_equal_chunks_come_in_document_order() -> None:
    items = sections(*(f"Tea {'abcdefghij'[n]}" for n in range(10)), *(f"Salt {n}" for n in range(11)))
    kept = [one.text for one in ask(items, "tea", 500).items if one.kind is Kind.HEADING]
    assert kept == [f"Tea {letter}" for letter in "abcde"]


def test_words_that_are_everywhere_tell_nothing() -> None:
    items = sections(*TEAS)
    assert ask(items, "about sencha").reason.startswith("1 of 6")
    # When there are no others, they are better than nothing.
    assert ask(items, "about").reason.startswith("6 of 6")


def test_without_a_budget_all_that_matches_is_kept() -> None:
    items = sections(*TEAS[:2], *(f"Sale {n}" for n in range(30)), *(f"Salt {n}" for n in range(40)))
    assert sum(one.text.startswith("Sale") for one in ask(items, "sale", None).items) == 30


def test_a_long_text_is_cut_to_where_it_matches() -> None:
    long = "lorem ipsum " * 300 + "the secret needle is here " + "dolor sit " * 300
    kept = ask([text("short"), text(long), *sections(*TEAS)], "needle", 400)
    passage = next(one for one in kept.items if "needle" in one.text)
    assert passage.cut
    assert len(passage.text) <= 502
    assert passage.text[0] == passage.text[-1] == "…"


@pytest.mark.parametrize("query", ["xylophone", "!!", ""])
def test_what_nothing_matches_gets_headings_and_landmarks(query: str) -> None:
    items = [item(Kind.GROUP, "", 0, "navigation"), control("Home", 1), *sections(*TEAS)]
    kept = ask(items, query)
    assert [one.text or one.role for one in kept.items if one.kind is not Kind.SUMMARY] == ["navigation", *TEAS]
    assert kept.reason.startswith(f"nothing here matches ({query!r})")
    assert kept.left_out == 13


def test_what_is_too_large_for_the_budget_says_so() -> None:
    # No text of it is long enough to be cut.
    items = [item(Kind.ROW, "needle " + "x" * 480, 0), *sections(*TEAS)]
    kept = ask(items, "needle", 100)
    assert kept.reason.startswith("none of what matches fits: allow more tokens")


def test_an_empty_page() -> None:
    assert ask([], "tea") == Relevant([], 0, ask([], "tea").reason)


def test_a_summary_holds_nothing_of_what_follows_it() -> None:
    items = [
        item(Kind.GROUP, "A", 0, "region"),
        *(text("filler " * 60, 1) for _ in range(4)),
        item(Kind.GROUP, "B", 0, "region"),
        *(text("filler " * 60, 1) for _ in range(4)),
        text("needle", 1),
    ]
    kept = ask(items, "needle").items
    assert [(one.depth, one.kind) for one in kept] == [
        (0, Kind.SUMMARY),
        (0, Kind.GROUP),
        (1, Kind.SUMMARY),
        (1, Kind.TEXT),
    ]


def real(*inside: El | str, query: str) -> list[str]:
    """What an outline says of the parts of a page."""
    taken = snapshot(*inside)
    writer = OutlineWriter(taken)
    items = distill(taken.page, viewport_only=True)
    kept = relevant(items, spoken(taken.page.tree.nodes), query, writer.cost, 300)
    return writer.text(kept.items).splitlines()


def test_roles_values_and_hints_are_words_too() -> None:
    page: list[El | str] = [
        *(f"Some text that fills the page up with very many words of no interest, {n}. " * 4 for n in range(9)),
        El("heading", inside=("Top",), extra={"states": {"level": 2}}),
        El("combobox", "Country", Fact.NATIVE, tag="select", extra={"options": ["France", "Spain"], "option_count": 2}),
        El("heading", inside=("Middle",), extra={"states": {"level": 2}}),
        field_("Q", extra={"attributes": {"placeholder": "Search teas"}}),
        El("heading", inside=("Bottom",), extra={"states": {"level": 2}}),
        field_("City", extra={"value": "Paris"}),
        link("Home"),
    ]
    for query, line in (
        ("dropdown", "1 combobox Country [France / Spain]"),
        ("spain", "1 combobox Country [France / Spain]"),
        ("search", "2 textbox Q (Search teas…)"),
        ("paris", "3 textbox City = Paris"),
    ):
        assert line in real(*page, query=query), query
    assert "4 link Home" not in real(*page, query="spain")


def test_the_lines_kept_fit_as_the_outline_counts_them() -> None:
    page = [El("form", f"Form {n}", inside=(field_("Name"), button(f"Save {n}"))) for n in range(200)]
    taken = snapshot(*page)
    writer = OutlineWriter(taken)
    items = distill(taken.page, viewport_only=True)
    kept = relevant(items, spoken(taken.page.tree.nodes), "save form 7", writer.cost, 150).items
    assert sum(writer.cost(one)[0] for one in kept) <= 150
    assert any(one.text == "Save 7" for one in kept)


def test_without_its_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(InvalidArgumentError, match="bm25s: install it"):
        ask(sections(*TEAS), "sencha")


def test_it_is_loaded_only_for_a_query_and_says_nothing() -> None:
    code = """
import logging, sys
logging.basicConfig(level=logging.WARNING)
import browserx.dom.query as query
from browserx.dom.distill import Item, Kind
assert "numpy" not in sys.modules and "bm25s" not in sys.modules
items = [Item(0, 0, Kind.TEXT, "text", word) for word in ("tea", "salt")]
print(query.relevant(items, lambda item: item.text, "tea", lambda item: (1, 1), None).left_out)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("0\n", "")


pages = st.lists(
    st.builds(
        item,
        st.sampled_from([kind for kind in Kind if kind is not Kind.SUMMARY]),
        st.sampled_from(["", "tea", "salt and tea", "pepper", "long " * 200, "茶", "x"]),
        st.integers(0, 5),
        st.sampled_from(["", "form", "list", "navigation"]),
        st.integers(0, 3),
    ),
    max_size=60,
)


@given(pages, st.sampled_from(["tea", "salt pepper", "茶", "nothing", ""]), st.sampled_from([100, 250, 1000, None]))
def test_whatever_comes_fits_is_in_order_and_is_the_same_again(
    items: list[Item], query: str, max_tokens: int | None
) -> None:
    numbered = [Item(n, one.depth, one.kind, one.role, one.text, one.level) for n, one in enumerate(items)]
    kept = ask(numbered, query, max_tokens)
    assert kept == ask(numbered, query, max_tokens)
    if max_tokens is not None:
        assert sum(cost(one)[0] for one in kept.items) <= max_tokens
    there = [one.node for one in kept.items if one.node >= 0]
    assert there == sorted(set(there))
    assert kept.left_out == len(items) - len(there)
    assert kept.left_out == sum(one.count for one in kept.items if one.kind is Kind.SUMMARY)
    # Whatever is kept is kept with the containers it is in.
    for one in kept.items:
        if one.node > 0:
            depth = one.depth
            for at in range(one.node - 1, -1, -1):
                if numbered[at].depth < depth:
                    depth = numbered[at].depth
                    assert at in there
