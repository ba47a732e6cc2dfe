"""Making it fit, always in the same order."""

from hypothesis import given
from hypothesis import strategies as st

from browserx.dom.budget import SIBLINGS_SHOWN, TEXT_LIMIT, first_fitting, fit
from browserx.dom.distill import Item, Kind


def item(kind: Kind, text: str = "x", depth: int = 0, role: str = "") -> Item:
    return Item(0, depth, kind, role or kind.name.lower(), text)


def cost(one: Item) -> tuple[int, int]:
    return len(one.text) // 4 + 1, len(one.text.encode())


def fitted(items: list[Item], max_tokens: int = 400) -> list[Item]:
    return fit(items, cost, max_tokens=max_tokens, max_bytes=50_000, max_nodes=1500).items


def test_what_fits_is_left_alone() -> None:
    items = [item(Kind.CONTROL), item(Kind.TEXT)]
    assert fit(items, cost, max_tokens=400, max_bytes=50_000, max_nodes=1500) == (items, 0)


def test_a_long_run_of_like_siblings_is_summarized() -> None:
    rows = [item(Kind.ROW, f"row {n} of the table") for n in range(200)]
    kept = fitted(rows)
    assert kept[0].kind is Kind.SUMMARY
    assert kept[0].text == f"200 rows; the first {SIBLINGS_SHOWN} shown"
    assert [one.text for one in kept[1:]] == [f"row {n} of the table" for n in range(SIBLINGS_SHOWN)]


def test_siblings_are_alike_with_what_is_in_them() -> None:
    items = [one for n in range(60) for one in (item(Kind.LISTITEM, "", 1), item(Kind.CONTROL, f"link {n} " * 3, 2))]
    kept = fitted([item(Kind.GROUP, "list"), *items])
    assert kept[1].text == f"60 items; the first {SIBLINGS_SHOWN} shown"
    assert sum(one.kind is Kind.CONTROL for one in kept) == SIBLINGS_SHOWN


def test_many_characters_make_a_run_long_too() -> None:
    kept = fitted([item(Kind.TEXT, "word " * 15) for _ in range(30)])
    assert kept[0].kind is Kind.SUMMARY


def test_long_text_is_cut_before_anything_goes() -> None:
    kept = fitted([item(Kind.TEXT, "a" * 1800), item(Kind.CONTROL, "b")])
    assert (len(kept[0].text), kept[0].cut, len(kept)) == (TEXT_LIMIT + 1, True, 2)


def test_text_goes_before_what_can_be_acted_on_and_the_last_first() -> None:
    items = [item(Kind.TEXT, "first " * 60), item(Kind.CONTROL, "control " * 30), item(Kind.TEXT, "last " * 70)]
    kept = fitted(items, max_tokens=200)
    assert [one.kind for one in kept] == [Kind.TEXT, Kind.CONTROL, Kind.SUMMARY]
    assert kept[-1].text == "1 more nodes left out"


def test_controls_go_only_when_nothing_else_is_left() -> None:
    items = [item(Kind.CONTROL, f"control number {n} {'x' * n}", role=str(n)) for n in range(49)]
    kept = fitted([item(Kind.TEXT, "text"), *items], max_tokens=200)
    assert not any(one.kind is Kind.TEXT for one in kept)
    assert "of them controls" in kept[-1].text


def test_the_number_of_nodes_is_limited_too() -> None:
    items = [item(Kind.CONTROL, str(n), role=str(n)) for n in range(30)]
    kept = fit(items, cost, max_tokens=4000, max_bytes=50_000, max_nodes=10).items
    assert len(kept) == 11


items_of_a_page = st.lists(
    st.builds(
        item,
        st.sampled_from([kind for kind in Kind if kind is not Kind.SUMMARY]),
        st.text(max_size=300),
        st.integers(0, 5),
    ),
    max_size=120,
)


@given(items_of_a_page, st.integers(100, 1000))
def test_whatever_comes_fits_and_the_same_comes_out_the_same(items: list[Item], max_tokens: int) -> None:
    once = fit(items, cost, max_tokens=max_tokens, max_bytes=50_000, max_nodes=1500)
    assert sum(cost(one)[0] for one in once.items) <= max_tokens
    assert once == fit(items, cost, max_tokens=max_tokens, max_bytes=50_000, max_nodes=1500)
    if not once.left_out:
        assert len(once.items) == len(items)


@given(
    st.lists(st.tuples(st.floats(0, 500), st.integers(0, 2000)), max_size=60),
    st.integers(100, 4000),
    st.integers(1000, 50_000),
    st.integers(1, 60),
)
def test_the_first_ones_fit_with_room_for_a_word_about_the_rest(
    costs: list[tuple[float, int]], max_tokens: int, max_bytes: int, max_nodes: int
) -> None:
    kept = first_fitting(costs, max_tokens=max_tokens, max_bytes=max_bytes, max_nodes=max_nodes)
    tokens, size = sum(t for t, _ in costs[:kept]), sum(b for _, b in costs[:kept])
    assert (tokens <= max_tokens and size <= max_bytes and kept <= max_nodes) or kept == 0
    if kept < len(costs):
        assert tokens <= max_tokens - 40
        assert size <= max_bytes - 160
        more_tokens, more_bytes = costs[kept]
        assert tokens + more_tokens > max_tokens - 40 or size + more_bytes > max_bytes - 160 or kept == max_nodes
