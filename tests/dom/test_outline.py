"""The outline's grammar."""

from typing import Any

import pytest

from browserx.dom import SerializationOptions
from browserx.dom.captured import Cover
from browserx.dom.options import MAX_TOKENS
from browserx.dom.outline import origin, plain
from browserx.dom.text import new_nonce, outline
from browserx.dom.tokens import count
from browserx.inpage.facts import Fact, LeftOut
from tests.dom.looks import SEEN, El, button, capture, field_, link, look, page_capture, snapshot

VIEW = SerializationOptions(format="outline", viewport_only=True)


def lines(*inside: El | str, options: SerializationOptions = VIEW, **more: Any) -> list[str]:
    written = outline(snapshot(*inside, **more), options, nonce="abc")
    return written.text.splitlines()[2:-1]


def test_the_page_stands_between_two_marks_with_its_title_and_address() -> None:
    text = outline(snapshot("x"), VIEW, nonce="abc").text.splitlines()
    assert text == ["<page abc> Test", "http://test/", "x", "</page abc>"]
    assert new_nonce() != new_nonce()


@pytest.mark.parametrize(
    ("element", "line"),
    [
        (button("Save"), "1 button Save"),
        (El("", "", Fact.LISTENER, ("Buy",)), "1 clickable Buy"),
        (field_("Name", extra={"value": "Ada"}), "1 textbox Name = Ada"),
        (field_("Name", extra={"value": "a\nb"}), "1 textbox Name = a b"),
        (field_("Name", extra={"attributes": {"placeholder": "First name"}}), "1 textbox Name (First name…)"),
        (field_("Key", facts=Fact.NATIVE | Fact.PROTECTED, extra={"filled": True}), "1 textbox Key = (filled)"),
        (field_("Key", facts=Fact.NATIVE | Fact.PROTECTED, extra={"filled": False}), "1 textbox Key = (empty)"),
        (El("checkbox", "On", Fact.NATIVE, extra={"states": {"checked": True}}), "1 checkbox [x] On"),
        (El("checkbox", "On", Fact.NATIVE, extra={"states": {"checked": False}}), "1 checkbox [ ] On"),
        (El("checkbox", "On", Fact.NATIVE, extra={"states": {"checked": "mixed"}}), "1 checkbox [-] On"),
        (button("Save", extra={"states": {"disabled": True}}), "1 button Save (disabled)"),
        (button("Menu", extra={"states": {"expanded": False}}), "1 button Menu (collapsed)"),
        (button("Menu", extra={"states": {"expanded": True, "pressed": True}}), "1 button Menu (expanded, pressed)"),
        (field_("Mail", extra={"states": {"invalid": True, "required": True}}), "1 textbox Mail (required, invalid)"),
        (
            field_("Mail", extra={"states": {"invalid": True, "invalidBecause": "no @"}}),
            "1 textbox Mail (invalid: no @)",
        ),
        (
            El("slider", "Volume", Fact.NATIVE, extra={"value": "3", "states": {"min": "0", "max": "9"}}),
            "1 slider Volume = 3 (0..9)",
        ),
        (
            El(
                "combobox",
                "Size",
                Fact.NATIVE,
                tag="select",
                extra={"value": "L", "options": ["S", "L"], "option_count": 5},
            ),
            "1 combobox Size = L [S / L / +3]",
        ),
        (link("News", extra={"states": {"current": "page"}}), "1 link News (current)"),
        (button("x", facts=Fact.NATIVE | Fact.OCCLUDED), "1 button x (covered)"),
        (El("heading", inside=("Title",), extra={"states": {"level": 3}}), "### Title"),
        (El("image", "A cat"), "!image A cat"),
        (El("progressbar", "Upload", extra={"value": "40"}), "!progress Upload = 40"),
    ],
)
def test_each_kind_of_line(element: El, line: str) -> None:
    assert lines(element) == [line]


def test_what_covers_an_element_is_named_by_its_id() -> None:
    banner = El("dialog", "Cookies", inside=(button("OK"),))
    under = Fact.NATIVE | Fact.OCCLUDED
    told = lines(
        banner,
        button("a", under, extra={"covered_by": 2}),
        button("b", under, extra={"covered_by": 1}),
        button("c", under, extra={"covered_by": 99, "covered_by_text": "div.veil"}),
    )
    assert told == [
        "@dialog Cookies",
        " 1 button OK",
        "2 button a (covered by 1)",
        "3 button b (covered by dialog Cookies)",
        "4 button c (covered by div.veil)",
    ]


def test_what_is_covered_from_outside_its_frame_says_so() -> None:
    box = (0, 0, 100, 100)
    frame = El("Iframe", "ad", tag="iframe", box=box, extra={"frame": ("", 0, box)})
    inner = capture(look(button("x", box=(0, 0, 9, 9)), viewport=(100, 100), url="http://ads.test/a"), "F")
    inner.covered[1] = Cover("world of TOP", 1, "div.banner")
    page = page_capture(capture(look(button("close"), frame), frame_ids={2: "F"}), inner)
    assert lines(page=page) == ["1 button close", "!frame ad http://ads.test", " 2 button x (covered by 1)"]


def test_a_frame_that_could_not_be_read_says_why() -> None:
    frame = El("Iframe", "ad", tag="iframe", extra={"frame": ("", 0, (0, 0, 9, 9))})
    page = page_capture(capture(look(frame), frame_ids={1: "F"}), missing={"F": "crashed"})
    assert lines(page=page) == ["!frame ad (crashed)", "… not read: frame ad: crashed"]


def test_groups_indent_what_is_in_them_and_scrollers_say_how_much_more_there_is() -> None:
    box = El("list", "Mails", Fact.SCROLLER, (link("a"), link("b")), extra={"scroll": (0, 0, 100, 100, 100, 400)})
    assert lines(box) == ["@list Mails (1 scrolls, 75% below)", " 2 link a", " 3 link b"]


@pytest.mark.parametrize("first", list("0123456789#@|!…'"))
def test_no_text_can_pass_for_another_kind_of_line(first: str) -> None:
    assert plain(f"{first} button OK")[0] == "'"
    assert plain("x") == "x"


def test_counted_lines_stand_for_what_lies_outside() -> None:
    page = page_capture(
        capture(look("here", left=LeftOut(above=3, below=9, beside=1, scrolled=2), scroll=(0, 100, 1280, 2000)))
    )
    assert lines(page=page) == [
        "here",
        "… above: 3 more elements (scrolled 100 px of 1200)",
        "… below: 9 more elements (1100 px)",
        "… beside: 1 more elements",
        "… scrolled away inside boxes: 2 more elements",
    ]


def test_what_is_left_out_is_data_too() -> None:
    taken = snapshot("here", left=LeftOut(below=9, hidden=4))
    written = outline(taken, VIEW, nonce="abc")
    assert (written.omitted.offscreen, written.omitted.hidden, written.omitted.budget) == (9, 4, 0)
    assert written.continuation == ['scroll(direction="down")', "observe(viewport_only=False)"]


def test_ids_are_given_in_the_order_of_the_text_and_kept() -> None:
    taken = snapshot(button("a"), El("form", "F", inside=(field_("b"),)), link("c"))
    assert outline(taken, VIEW, nonce="x").ids == ["1", "2", "3"]
    assert outline(taken, VIEW, nonce="x").ids == ["1", "2", "3"]


def test_the_budget_holds_for_the_whole_text() -> None:
    many = [
        one for n in range(400) for one in (f"A paragraph about subject number {n}.", button(f"Act on subject {n}"))
    ]
    written = outline(snapshot(*many), VIEW, nonce="abc")
    assert count(written.text) <= MAX_TOKENS
    assert written.omitted.budget > 0
    assert "observe(max_tokens=None)" in written.continuation
    unlimited = outline(snapshot(*many), SerializationOptions(format="outline", max_tokens=None), nonce="abc")
    assert len(unlimited.ids) == 400
    assert "subject number 399" in unlimited.text


def test_boxes_on_request() -> None:
    options = SerializationOptions(format="outline", viewport_only=True, include_layout=True)
    assert lines(button("a", box=(1, 2, 30, 40)), options=options) == ["1 button a (1,2 30x40)"]


def test_the_origin_of_an_address() -> None:
    assert origin("https://a.example:8443/x?y#z") == "https://a.example:8443"
    assert origin("about:blank") == "about:blank"


def test_only_what_is_seen_is_told() -> None:
    assert lines(button("a", seen=Fact.VISIBLE), button("b", seen=SEEN)) == ["1 button b"]
