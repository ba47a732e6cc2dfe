"""What can be acted on, and what only looks like it."""

import pytest

from browserx.dom.tree import Tier
from browserx.inpage.facts import Fact
from tests.dom.looks import El, actionable, button, classified, field_, link

BIG = (0, 0, 400, 300)
POINTER = Fact.CURSOR_EDGE | Fact.CURSOR


def test_native_controls_and_widget_roles_stand_by_themselves() -> None:
    found = actionable(button("a"), link("b"), field_("c"), El("tab", "d", Fact.ROLE), El("", "e", Fact.EDITABLE))
    assert found == ["button a", "link b", "textbox c", "tab d", "div e"]


@pytest.mark.parametrize("facts", [Fact.LISTENER, Fact.HANDLER, Fact.FOCUSABLE, POINTER, Fact.LISTENER | POINTER])
def test_a_clickable_div_is_one_whatever_makes_it_so(facts: Fact) -> None:
    assert actionable(El("", "", facts, ("Buy",))) == ["div Buy"]


def test_a_class_or_test_id_alone_is_no_reason() -> None:
    assert actionable(El("", "", Fact.TEST_ID, ("Buy",))) == []


def test_what_cannot_be_seen_cannot_be_acted_on() -> None:
    assert actionable(button("a", seen=Fact(0))) == []


def test_what_lets_the_pointer_through_needs_a_better_reason() -> None:
    assert actionable(El("", "", Fact.LISTENER | Fact.NO_POINTER, ("x",))) == []
    assert actionable(button("a", seen=Fact.VISIBLE | Fact.IN_VIEW | Fact.NO_POINTER)) == ["button a"]


def test_a_pointer_cursor_inside_a_control_is_the_controls() -> None:
    assert actionable(El("button", "a", Fact.NATIVE, (El("", "", POINTER, ("icon",)),), "button")) == ["button a"]
    assert actionable(El("", "", Fact.LISTENER | POINTER, (El("", "", Fact.CURSOR, ("x",)),))) == ["div x"]


def test_decoration_with_a_listener_of_its_own_is_part_of_its_button() -> None:
    thumb = El("", "", Fact.LISTENER, box=(0, 0, 90, 20))
    assert actionable(El("button", "a", Fact.NATIVE, (thumb,), "button")) == ["button a"]


def test_another_control_inside_a_link_is_its_own_thing() -> None:
    card = El("link", "card", Fact.NATIVE, (button("Add", box=(0, 0, 40, 20)),), "a", BIG)
    assert actionable(card) == ["link card", "button Add"]


def test_a_listener_around_several_controls_serves_them() -> None:
    assert actionable(El("", "", Fact.LISTENER, (button("a"), button("b")), box=BIG)) == ["button a", "button b"]


def test_a_card_that_invites_a_click_stays_beside_its_controls() -> None:
    card = El("", "", Fact.LISTENER | POINTER, ("Title", button("a", box=(0, 0, 20, 20))), box=BIG)
    assert actionable(card) == ["div Title", "button a"]


def test_what_listens_around_very_many_controls_listens_for_all_of_them() -> None:
    many = tuple(El("", f"item {n}", Fact.LISTENER | POINTER) for n in range(30))
    assert len(actionable(El("", "", Fact.LISTENER | POINTER, many, box=BIG))) == 30


def test_a_wrapper_and_the_field_in_it_are_one_thing() -> None:
    box = El("combobox", "Town", Fact.ROLE, (field_("Town", box=(0, 0, 30, 20)),))
    assert actionable(box) == ["textbox Town"]
    item = El("menuitem", "Home", Fact.ROLE, (link("Home"),))
    assert actionable(item) == ["link Home"]


def test_a_focusable_group_is_no_control() -> None:
    assert actionable(El("group", "Tools", Fact.FOCUSABLE, (button("a"),))) == ["button a"]
    assert actionable(El("tabpanel", "Panel", Fact.FOCUSABLE, ("text",))) == []


def test_keys_alone_make_nothing_clickable() -> None:
    assert actionable(El("", "", Fact.WEAK_LISTENER, ("x",))) == []
    assert actionable(El("", "", Fact.WEAK_LISTENER | Fact.FOCUSABLE, ("x",))) == ["div x"]


def test_equal_boxes_that_all_listen_are_one_thing() -> None:
    inner = El("", "", Fact.LISTENER, ("x",))
    assert actionable(El("", "", Fact.LISTENER | POINTER, (inner,))) == ["div x"]


def test_a_label_is_never_a_control() -> None:
    assert actionable(El("LabelText", "", Fact.LISTENER | POINTER, ("x",), "label")) == []


def test_an_unnamed_one_is_called_by_its_text_and_pictures_but_not_by_others() -> None:
    picture = El("image", "cart", tag="img")
    card = El("", "", Fact.LISTENER | POINTER, (picture, "Tea", button("Add", box=(0, 0, 20, 20))), box=BIG)
    assert actionable(card) == ["div cart Tea", "button Add"]


def test_the_last_resort_for_a_name_is_a_placeholder_or_test_id() -> None:
    assert actionable(
        El("textbox", "", Fact.NATIVE, tag="input", extra={"attributes": {"placeholder": "Your name"}})
    ) == ["textbox Your name"]
    assert actionable(El("", "", Fact.LISTENER, extra={"attributes": {"testid": "buy"}})) == ["div buy"]


def test_tiers() -> None:
    page = classified(
        El("heading", inside=("Title",)), El("", "", Fact.LISTENER, ("x",)), El("", "", Fact.TEST_ID), El("generic")
    )
    tiers = [page.tier(index) for index, node in enumerate(page.tree.nodes) if node.key]
    assert tiers == [Tier.SEMANTIC, Tier.NON_SEMANTIC, Tier.NON_SEMANTIC, Tier.STRUCTURAL]
