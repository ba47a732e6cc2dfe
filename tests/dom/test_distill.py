"""What is worth reading."""

from browserx.dom.distill import Item, Kind, distill
from browserx.inpage.facts import Fact
from tests.dom.looks import El, button, classified, link

HEADING = {"states": {"level": 2}}


def items(*inside: El | str, viewport_only: bool = True) -> list[str]:
    return [shown(item) for item in distill(classified(*inside), viewport_only=viewport_only)]


def shown(item: Item) -> str:
    level = f"/{item.level}" if item.level else ""
    return f"{'.' * item.depth}{item.kind.name.lower()}{level}:{item.text or item.role}"


def test_structure_goes_and_what_it_holds_moves_up() -> None:
    assert items(El("generic", inside=(El("", inside=("text", button("a"))),))) == ["text:text", "control:a"]


def test_groups_stay_and_hold_what_is_in_them() -> None:
    found = items(El("form", "Login", inside=(button("Go"),)), El("navigation", inside=(link("Home"),)))
    assert found == ["group:Login", ".control:Go", "group:navigation", ".control:Home"]


def test_an_empty_group_says_nothing() -> None:
    assert items(El("navigation"), El("list", inside=(El("listitem"),)), El("region")) == []


def test_a_group_that_needs_a_name_has_none_and_goes() -> None:
    assert items(El("article", inside=("a",)), El("article", "News", inside=("b",))) == [
        "text:a",
        "group:News",
        ".text:b",
    ]


def test_a_dialog_is_told_even_when_it_is_empty() -> None:
    assert items(El("dialog")) == ["group:dialog"]


def test_a_heading_is_its_text() -> None:
    assert items(El("heading", inside=("The", "title"), extra=HEADING)) == ["heading/2:The title"]


def test_a_heading_that_is_nothing_but_a_link_is_one_line() -> None:
    assert items(El("heading", inside=(link("News"),), extra=HEADING)) == ["control/2:News"]


def test_a_heading_with_a_link_in_it_is_both() -> None:
    assert items(El("heading", inside=("All", link("News")), extra=HEADING)) == ["heading/2:All", ".control:News"]


def test_a_list_item_of_one_thing_is_that_thing() -> None:
    one = El("listitem", inside=(link("a"),))
    two = El("listitem", inside=(link("b"), "more"))
    assert items(El("list", inside=(one, two))) == [
        "group:list",
        ".control:a",
        ".listitem:listitem",
        "..control:b",
        "..text:more",
    ]


def test_a_table_row_is_one_line() -> None:
    row = El(
        "row", inside=(El("cell", inside=("Tea",)), El("cell", inside=("€ 5",)), El("cell", inside=(button("Buy"),)))
    )
    head = El("row", inside=(El("columnheader", inside=("Name",)), El("columnheader", inside=("Price",))))
    assert items(El("table", inside=(head, row))) == [
        "group:table",
        ".row/1:Name | Price",
        ".row:Tea | € 5",
        "..control:Buy",
    ]


def test_controls_of_a_row_stand_side_by_side() -> None:
    cells = tuple(El("cell", inside=(El("link", name, Fact.NATIVE, ("!",), "a"),)) for name in "abc")
    assert items(El("row", inside=cells)) == ["row:row", ".control:a", ".control:b", ".control:c"]


def test_a_table_in_a_cell_is_a_table() -> None:
    inner = El("table", inside=(El("row", inside=(El("cell", inside=("x",)),)),))
    found = items(El("table", inside=(El("row", inside=(El("cell", inside=(inner,)),)),)))
    assert found == ["group:table", ".group:row", "..group:table", "...row:x"]


def test_a_name_taken_from_text_does_not_leave_the_text_too() -> None:
    card = El("", "", Fact.LISTENER | Fact.CURSOR, ("Tea", button("Add", box=(0, 0, 9, 9))), box=(0, 0, 300, 200))
    assert items(card) == ["control:Tea", ".control:Add"]


def test_separators_are_no_text() -> None:
    assert items("·", " | ", "»", "a·b", "–5") == ["text:a·b", "text:–5"]


def test_a_name_is_not_said_twice() -> None:
    assert items(El("group", "Size", inside=("Size", "Choose one"))) == ["group:Size", ".text:Choose one"]
    close = El("button", "Close dialog", Fact.NATIVE, ("×", "close"), "button")
    assert items(close) == ["control:Close dialog"]
    assert items(El("button", "Buy", Fact.NATIVE, ("€ 5.00",), "button")) == ["control:Buy", ".text:€ 5.00"]


def test_pictures_are_told_by_their_name_only() -> None:
    assert items(El("image", "A cat"), El("image"), El("Canvas")) == ["picture:A cat", "picture:Canvas"]


def test_only_what_is_in_the_viewport_is_told_when_asked_so() -> None:
    below = button("below", seen=Fact.VISIBLE)
    assert items(button("here"), below) == ["control:here"]
    assert items(button("here"), below, viewport_only=False) == ["control:here", "control:below"]


def test_a_subtree_is_told_by_itself() -> None:
    page = classified(button("a"), El("form", "F", inside=(button("b"),)), button("c"))
    assert [shown(item) for item in distill(page, viewport_only=True, start=1)] == ["group:F", ".control:b"]


def test_depth_has_a_limit() -> None:
    deep = El("form", "1", inside=(El("form", "2", inside=(El("form", "3", inside=(button("x"),)),)),))
    found = distill(classified(deep), viewport_only=True, max_depth=2)
    assert [(item.text, item.depth) for item in found] == [("1", 0), ("2", 1), ("3", 1), ("x", 1)]
    assert found[-1].kind is Kind.CONTROL


def test_a_list_that_is_all_there_is_in_a_group_is_what_the_group_holds() -> None:
    def bar(*more: El, list_name: str = "") -> list[str]:
        links = (El("listitem", inside=(link("a"),), tag="li"), El("listitem", inside=(link("b"),), tag="li"))
        return items(
            El("navigation", inside=(El("list", list_name, inside=links, tag="ul"), *more), tag="nav"), "after"
        )

    assert bar() == ["group:navigation", ".control:a", ".control:b", "text:after"]
    assert bar(button("c")) == [
        "group:navigation",
        ".group:list",
        "..control:a",
        "..control:b",
        ".control:c",
        "text:after",
    ]
    assert bar(list_name="Tea")[1] == ".group:Tea"
