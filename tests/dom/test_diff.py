"""Telling what changed: whoever knows the first text and reads the diff knows the second."""

import re
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browserx.dom.diff import NO_CHANGE, Told, diff, tell
from browserx.dom.distill import Kind, distill
from browserx.dom.outline import OutlineWriter, plain
from tests.dom.looks import El, button, capture, field_, link, look, page_capture, snapshot

FILLER = [Told(f"filler#{n}", f"Line {n} of what never changes and stands at the end", 0, Kind.TEXT) for n in range(60)]


def control(key: str, name: str = "button", depth: int = 0) -> Told:
    return Told(key, f"{key} {name}", depth, Kind.CONTROL)


def text(key: str, words: str, depth: int = 0) -> Told:
    return Told(key, plain(words), depth, Kind.TEXT)


def group(key: str, line: str, depth: int = 0) -> Told:
    return Told(key, line, depth, Kind.GROUP)


def heading(key: str, words: str, level: int = 1, depth: int = 0) -> Told:
    return Told(key, f"{'#' * level} {words}", depth, Kind.HEADING, level)


def changes(before: list[Told], now: list[Told]) -> list[str]:
    written = diff([*before, *FILLER], [*now, *FILLER])
    assert written is not None
    return written.splitlines()


def test_a_page_that_did_not_change_says_so() -> None:
    page = [control("1"), text("a", "words")]
    assert diff(page, list(page)) == NO_CHANGE
    assert diff([], []) == NO_CHANGE


def test_without_a_baseline_everything_is_told() -> None:
    assert diff(None, [control("1")]) is None


def test_a_large_change_is_not_worth_a_diff() -> None:
    page = [text(f"t{n}", f"line number {n}") for n in range(10)]
    few = [text(f"t{n}", f"{'other' if n < 1 else 'line'} number {n}") for n in range(10)]
    many = [text(f"t{n}", f"{'other' if n < 4 else 'line'} number {n}") for n in range(10)]
    assert diff(page, few) is not None
    assert diff(page, many) is None


def test_a_page_that_was_put_in_another_order_is_told_anew() -> None:
    rows = [Told(f"r{n}", f"| row {n} of the table", 0, Kind.ROW) for n in range(10)]
    assert diff(rows, rows[::-1]) is None
    assert diff(rows, [*rows[1:], rows[0]]) == NO_CHANGE


def test_what_is_new_stands_in_its_group() -> None:
    before = [group("f", "@form Login"), control("1", "textbox Name", 1), group("n", "@nav"), control("2", depth=1)]
    now = [*before[:2], text("e", "Name is missing", 1), control("9", "button Retry", 1), *before[2:]]
    assert changes(before, now) == ["= @form Login", "+  Name is missing", "+  9 button Retry"]


def test_a_new_group_is_told_with_all_that_is_in_it() -> None:
    before = [control("1")]
    now = [
        control("1"),
        group("d", "@dialog Cookies"),
        text("t", "We like them", 1),
        group("l", "@list", 1),
        control("2", "button OK", 2),
        control("3", "button No", 1),
    ]
    assert changes(before, now) == [
        "+ @dialog Cookies",
        "+  We like them",
        "+  @list",
        "+   2 button OK",
        "+  3 button No",
    ]


def test_the_section_of_a_heading_is_a_place_too() -> None:
    before = [heading("h", "Cart"), text("a", "Empty"), heading("i", "Shipping"), text("b", "Free")]
    now = [heading("h", "Cart"), text("a", "Empty"), heading("i", "Shipping"), text("b", "Free"), control("4")]
    assert changes(before, now) == ["= # Shipping", "+ 4 button"]
    now = [*before[:2], control("4"), *before[2:]]
    assert changes(before, now) == ["= # Cart", "+ 4 button"]


def test_what_can_be_acted_on_goes_by_its_id() -> None:
    before = [group("n", "@nav"), control("1", depth=1), control("2", depth=1), control("3", depth=1)]
    assert changes(before, [before[0], before[2]]) == ["- 1, 3"]


def test_a_group_takes_its_text_along() -> None:
    before = [group("d", "@dialog Cookies"), text("t", "We like them", 1), control("2", "button OK", 1), text("u", "x")]
    assert changes(before, [before[3]]) == ["- 2", "- @dialog Cookies"]


def test_text_that_stayed_when_its_group_went_is_not_lost() -> None:
    before = [group("g", "@group Old"), text("a", "stays", 1), text("b", "goes", 1)]
    assert changes(before, [text("a", "stays")]) == ["- @group Old", "- goes"]


def test_what_was_in_a_list_item_is_told_as_the_item_has_no_name() -> None:
    item_ = Told("li", "-", 1, Kind.LISTITEM)
    before = [group("l", "@list"), item_, text("a", "Milk", 2), text("b", "Eggs", 2), text("c", "Tea", 1)]
    assert changes(before, [before[0], before[4]]) == ["= @list", "-  Milk", "-  Eggs"]


def test_text_that_is_gone_is_named_by_what_it_said() -> None:
    before = [group("m", "@main"), text("a", "Saving… " + "very slowly " * 20, 1), text("b", "1 item", 1)]
    lines = changes(before, [before[0]])
    assert lines[0] == "= @main"
    assert re.fullmatch(r"-  Saving… (very slowly )+.*…", lines[1])
    assert len(lines[1]) < 90
    # It begins with a digit, so it is marked, as an outline marks it: only ids stand bare.
    assert lines[2] == "-  '1 item"


def test_what_reads_otherwise_is_told_by_its_id_or_after_what_it_was() -> None:
    before = [control("1", "textbox Name"), text("a", "Saving")]
    now = [control("1", "textbox Name = Ada"), text("a", "Saved")]
    assert changes(before, now) == ["~ 1 textbox Name = Ada", "- Saving", "~ Saved"]


def test_text_that_only_moved_is_no_change() -> None:
    before = [text("o#0", "one"), text("o#1", "two"), text("o#2", "three")]
    now = [text("o#0", "new"), text("o#1", "one"), text("o#2", "two"), text("o#3", "three")]
    assert changes(before, now) == ["+ new"]
    assert changes(before, [before[1], before[2], before[0]]) == [NO_CHANGE]


def test_a_group_that_was_made_anew_is_the_same() -> None:
    before = [group("a", "@nav Main"), control("1", depth=1)]
    assert changes(before, [group("b", "@nav Main"), control("1", depth=1)]) == [NO_CHANGE]


def test_another_order_of_what_can_be_acted_on_is_told() -> None:
    before = [group("l", "@list Teas"), *(control(str(n), f"link Tea {n}", 1) for n in (1, 2, 3))]
    now = [group("l", "@list Teas"), *(control(str(n), f"link Tea {n}", 1) for n in (3, 4, 1, 2))]
    assert changes(before, now) == ["= @list Teas", ">  3, 4, 1, 2", "+  4 link Tea 4"]


def test_what_came_from_another_place_is_told() -> None:
    todo, done = group("t", "@list To do"), group("d", "@list Done")
    milk, eggs = control("1", "checkbox Milk", 1), control("2", "checkbox Eggs", 1)
    assert changes([todo, milk, done, eggs], [todo, done, milk, eggs]) == ["= @list Done", ">  1, 2"]


def test_the_place_of_an_order_is_always_plain() -> None:
    outer, inner = group("o", "@main"), group("i", "@list", 1)
    one, two, three, four = (control(str(n), "x", 1 if n < 3 else 2) for n in (1, 2, 3, 4))
    before = [outer, one, two, inner, three, four]
    now = [outer, two, one, control("5", "new", 1), inner, four, three]
    assert changes(before, now) == ["= @main", ">  2, 1, 5", "+  5 new", "= @list", ">  4, 3"]


def test_a_change_back_on_the_page_itself_says_so() -> None:
    before = [control("1"), group("g", "@nav"), control("2", depth=1), control("3")]
    now = [control("1"), group("g", "@nav"), control("2", "changed", 1), control("3", "changed")]
    assert changes(before, now) == ["= @nav", "~  2 changed", "= (the page)", "~ 3 changed"]


@pytest.mark.parametrize("words", ["+ 7 button Pay", "- 1", "> 1, 2", "= @nav", "~ 1 textbox Password", "1, 2"])
def test_no_text_of_the_page_passes_for_a_change(words: str) -> None:
    before = [control("1"), control("2")]
    now = [*before, text("t", words)]
    assert read(interactive(before), changes(before, now)) == interactive(before)
    assert read(interactive(before), changes(now, before)) == interactive(before)
    assert read(interactive(before), changes(now, [*before, text("t", "x")])) == interactive(before)


def told(*inside: El | str) -> list[Told]:
    taken = snapshot(*inside)
    return tell(taken, distill(taken.page, viewport_only=True), OutlineWriter(taken).line)


def test_lines_are_told_as_the_outline_writes_them() -> None:
    form = El("form", "F", inside=("Name", field_("Name"), "More", button("Go")))
    lines = told(El("heading", inside=("Title",), extra={"states": {"level": 2}}), form)
    assert [(one.depth, one.line, one.interactive) for one in lines] == [
        (0, "## Title", False),
        (0, "@form F", False),
        (1, "Name", False),
        (1, "1 textbox Name", True),
        (1, "More", False),
        (1, "2 button Go", True),
    ]
    assert [one.key for one in lines if one.interactive] == ["1", "2"]
    assert len({one.key for one in lines}) == len(lines)
    assert lines[0].level == 2


def test_two_looks_at_one_page_name_its_lines_alike() -> None:
    page = ("a", El("list", "L", inside=("b", link("c"), "d")), "e")
    assert told(*page) == told(*page)
    assert diff(told(*page), told(*page)) == NO_CHANGE


def test_telling_gives_no_ids_to_what_cannot_be_acted_on() -> None:
    taken = snapshot(El("navigation", "N", inside=(El("heading", inside=("H",)), button("a"))))
    tell(taken, distill(taken.page, viewport_only=True), OutlineWriter(taken).line)
    assert taken.node_id(next(i for i, n in enumerate(taken.page.tree.nodes) if n.role == "navigation")) == "2"


def test_what_is_in_another_frame_is_not_the_same() -> None:
    box = (0, 0, 100, 100)

    def page(frame: str) -> list[Told]:
        owner = El("Iframe", "ad", tag="iframe", box=box, extra={"frame": ("", 0, box)})
        inner = capture(look("x", El("", inside=("text",)), viewport=(100, 100)), frame)
        taken = snapshot(page=page_capture(capture(look(owner), frame_ids={1: frame}), inner))
        return tell(taken, distill(taken.page, viewport_only=True), OutlineWriter(taken).line)

    assert page("F") == page("F")
    assert {one.key for one in page("F")} != {one.key for one in page("G")}


# Any two pages


class Node(NamedTuple):
    key: str
    kind: Kind
    words: str
    deeper: bool
    level: int


KINDS = (Kind.CONTROL, Kind.CONTROL, Kind.TEXT, Kind.GROUP, Kind.HEADING, Kind.ROW, Kind.LISTITEM, Kind.FRAME)
nodes = st.builds(
    Node,
    st.integers(1, 25).map(str),
    st.sampled_from(KINDS),
    st.sampled_from(["a", "b", "c", "+ 1 x", "- 1, 2", "7 fake", "= no change", "> 1", "long " * 30]),
    st.booleans(),
    st.integers(1, 3),
)
edits = st.lists(
    st.one_of(
        st.tuples(st.just("remove"), st.integers(0, 40), nodes),
        st.tuples(st.just("insert"), st.integers(0, 40), nodes),
        st.tuples(st.just("change"), st.integers(0, 40), nodes),
        st.tuples(st.just("move"), st.integers(0, 40), nodes),
    ),
    max_size=12,
)


def page_of(inside: list[Node]) -> list[Told]:
    lines: list[Told] = []
    seen: set[str] = set()
    for node in inside:
        key = node.key if node.kind is Kind.CONTROL else f"{node.kind.name}{node.key}"
        if key in seen:
            continue
        seen.add(key)
        above = lines[-1] if lines else None
        depth = 0 if above is None else above.depth + node.deeper if node.level < 3 else max(0, above.depth - 1)
        line = {
            Kind.CONTROL: f"{node.key} button {node.words}",
            Kind.GROUP: f"@group {node.words}",
            Kind.HEADING: f"{'#' * node.level} {node.words}",
            Kind.ROW: f"| {node.words}",
            Kind.LISTITEM: "-",
            Kind.FRAME: f"!frame {node.words}",
        }.get(node.kind, plain(node.words))
        lines.append(Told(key, line, depth, node.kind, node.level if node.kind is Kind.HEADING else 0))
    return lines


def edited(inside: list[Node], how: list[tuple[str, int, Node]]) -> list[Node]:
    result = list(inside)
    for what, where, node in how:
        at = where % (len(result) + 1)
        if what == "insert":
            result.insert(at, node)
        elif at < len(result):
            one = result.pop(at)
            if what == "change":
                result.insert(at, one._replace(words=node.words, deeper=node.deeper))
            elif what == "move":
                result.insert(int(node.key) % (len(result) + 1), one)
    return result


def interactive(page: list[Told]) -> dict[str, str]:
    return {one.key: one.line for one in page if one.interactive}


def read(known: dict[str, str], lines: list[str]) -> dict[str, str]:
    """What a reader who knew ``known`` knows after reading the diff, by its grammar alone."""
    known = dict(known)
    for line in lines:
        sign, blank, rest = line[0], line[1:2], line[2:].lstrip(" ")
        assert sign in "=+-~>"
        assert blank == " "
        if sign == "-" and re.fullmatch(r"\d+(, \d+)*", rest):
            for node_id in rest.split(", "):
                del known[node_id]
        elif sign in "+~" and rest[0].isdigit():
            node_id = rest.split()[0]
            assert (node_id in known) == (sign == "~")
            known[node_id] = rest
    return known


@given(st.lists(nodes, max_size=40), edits)
def test_the_first_text_and_the_diff_give_the_second(inside: list[Node], how: list[tuple[str, int, Node]]) -> None:
    before, now = page_of(inside), page_of(edited(inside, how))
    filler = FILLER * 3
    written = diff([*before, *filler], [*now, *filler])
    assert written is not None
    lines = written.splitlines()
    assert read(interactive(before), lines) == interactive(now)
    assert (lines == [NO_CHANGE]) >= (before == now)


@given(st.lists(nodes, max_size=40), edits)
def test_the_order_of_what_can_be_acted_on_is_known(inside: list[Node], how: list[tuple[str, int, Node]]) -> None:
    before, now = page_of(inside), page_of(edited(inside, how))
    filler = FILLER * 3
    lines = (diff([*before, *filler], [*now, *filler]) or "").splitlines()
    orders = [line[2:].strip().split(", ") for line in lines if line.startswith("> ")]
    there = [one.key for one in now if one.interactive]
    for order in orders:
        assert order == [key for key in there if key in order]
    flat = all(one.kind in (Kind.CONTROL, Kind.TEXT) and one.depth == 0 for one in [*before, *now])
    if not orders and flat:
        # All that a reader knows of the order is the old one, and it must hold.
        stayed = [one.key for one in before if one.interactive and one.key in there]
        assert stayed == [key for key in there if key in stayed]


@given(st.lists(nodes, max_size=40), st.lists(nodes, max_size=40))
def test_whatever_comes_the_diff_is_short_or_there_is_none(one: list[Node], other: list[Node]) -> None:
    before, now = page_of(one), page_of(other)
    written = diff(before, now)
    full = sum(line.depth + len(line.line) + 1 for line in now)
    assert written is None or written == NO_CHANGE or len(written) <= full / 2
    if written is not None:
        assert read(interactive(before), written.splitlines()) == interactive(now)
