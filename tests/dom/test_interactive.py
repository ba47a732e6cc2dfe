"""The formats v3 and v2."""

from typing import Any

import msgspec
import pytest

from browserx.dom import SerializationOptions
from browserx.dom.captured import PageCapture
from browserx.dom.interactive import InteractiveWriter, RecentEvents, SemanticV2, SemanticV3
from browserx.dom.serialize import serialize
from browserx.dom.tokens import count
from browserx.inpage.facts import Fact
from tests.dom.looks import SEEN, El, button, capture, field_, link, look, page_capture, snapshot
from tests.dom.test_nodes import framed


def written(*inside: El | str, page: PageCapture | None = None, form: str = "v3", **options: Any) -> dict[str, Any]:
    told = serialize(snapshot(*inside, page=page), SerializationOptions(format=form, **options))  # type: ignore[arg-type]
    assert isinstance(told, SemanticV3 | SemanticV2)
    return told.to_dict()


def tree(*inside: El | str, **options: Any) -> list[dict[str, Any]]:
    return written(*inside, **options)["interactiveTree"]  # type: ignore[no-any-return]


def nodes(*inside: El | str, **options: Any) -> list[dict[str, Any]]:
    return written(*inside, form="v2", **options)["semanticNodes"]  # type: ignore[no-any-return]


def test_the_page_around_the_tree() -> None:
    page = written(page=page_capture(capture(look(button("Go"), scroll=(0, 500, 1280, 2800)))))
    assert page == {
        "mode": "semantic",
        "url": "http://test/",
        "title": "Test",
        "viewport": {"width": 1280, "height": 800},
        "scrollPosition": "25%",
        "scrollableContainers": [],
        "recentEvents": [],
        "hasErrors": False,
        "hasSuccess": False,
        "interactiveTree": [{"i": 1, "r": "btn", "n": "Go", "xy": (50, 10)}],
    }


def test_only_present_values_are_written() -> None:
    box = El(
        "checkbox",
        "On",
        Fact.NATIVE | Fact.OCCLUDED,
        tag="input",
        box=(10, 20, 30, 40),
        extra={"states": {"checked": True, "disabled": True, "expanded": False}},
    )
    assert tree(box) == [
        {"i": 1, "r": "chk", "n": "On", "s": "disabled, checked, collapsed", "xy": (25, 40), "occ": True}
    ]
    assert tree(box, include_layout=True)[0]["box"] == (10, 20, 30, 40)
    assert nodes(box) == [{"id": "1", "role": "checkbox", "name": "On", "state": "disabled, checked, collapsed"}]
    bounds = nodes(box, include_layout=True)[0]["bounds"]
    assert bounds == {"x": 10, "y": 20, "width": 30, "height": 40}


def test_half_states_are_told_as_such() -> None:
    half = El("checkbox", "All", Fact.NATIVE, tag="input", extra={"states": {"checked": "mixed"}})
    assert tree(half)[0]["s"] == "half checked"
    off = El("checkbox", "Off", Fact.NATIVE, tag="input", extra={"states": {"checked": False}})
    assert "s" not in tree(off)[0]


def test_what_an_element_is_in_html() -> None:
    field = field_("Mail", extra={"value": "a", "attributes": {"type": "email", "placeholder": "you@…"}})
    shadow = link("Home", seen=SEEN | Fact.IN_SHADOW, extra={"attributes": {"href": "/"}})
    assert nodes(field, shadow) == [
        {"id": "1", "role": "textbox", "name": "Mail", "value": "a", "type": "email", "placeholder": "you@…"},
        {"id": "2", "role": "link", "name": "Home", "href": "/", "isInShadow": True},
    ]


def test_v3_has_only_the_viewport_and_v2_all() -> None:
    below = link("Below", seen=Fact.VISIBLE)
    gone = link("Gone", seen=Fact(0))
    assert [node["n"] for node in tree(link("Here"), below, gone)] == ["Here"]
    assert [node["name"] for node in nodes(link("Here"), below, gone)] == ["Here", "Below"]
    assert [node["name"] for node in nodes(link("Here"), below, gone, viewport_only=True)] == ["Here"]


def test_names_are_short_and_on_one_line() -> None:
    (node,) = tree(button("word\n" * 30))
    assert len(node["n"]) == 50
    assert node["n"].endswith("…")
    assert "\n" not in node["n"]
    assert tree(button("x" * 50))[0]["n"] == "x" * 50
    assert len(nodes(button("x" * 200))[0]["name"]) == 200


def test_the_centre_is_that_of_what_shows() -> None:
    assert tree(button("a", box=(-100, 700, 300, 300)))[0]["xy"] == (100, 750)
    assert tree(button("a", box=(0, 0, 100, 100), extra={"click_at": (5, 90)}))[0]["xy"] == (5, 90)


def test_protected_values_are_only_filled_or_empty() -> None:
    secret = field_("Password", facts=Fact.NATIVE | Fact.PROTECTED, extra={"value": "hunter2", "filled": True})
    for told in (tree(secret)[0], nodes(secret)[0]):
        assert "hunter2" not in str(told)
        assert "filled" in (told.get("s"), told.get("state"))
    empty = field_("Password", facts=Fact.NATIVE | Fact.PROTECTED, extra={"filled": False})
    assert tree(empty)[0]["s"] == "empty"


def test_frames_are_numbers_and_the_page_itself_has_none() -> None:
    by_name = {node["n"]: node.get("f") for node in tree(page=framed())}
    assert by_name == {"Home": None, "Pay": 1, "In shadow": None}
    assert {node["name"]: node.get("frameId") for node in nodes(page=framed())} == by_name


@pytest.mark.parametrize(
    ("scroll", "depth", "more"),
    [
        ((0, 0, 100, 100, 100, 500), "0%", True),
        ((0, 100, 100, 100, 100, 500), "25%", True),
        ((0, 400, 100, 100, 100, 500), "100%", False),
        ((30, 0, 100, 100, 160, 100), "50%", True),
        ((-60, 0, 100, 100, 160, 100), "100%", False),
    ],
)
def test_boxes_that_scroll(scroll: tuple[int, ...], depth: str, more: bool) -> None:
    box = El("list", "Rows", Fact.SCROLLER, inside=(link("a"),), extra={"scroll": scroll})
    page = written(box)
    assert page["interactiveTree"][0] == {
        "i": 1,
        "r": "list",
        "n": "Rows",
        "xy": (50, 10),
        "scr": {"depth": depth, "h": more},
    }
    assert page["scrollableContainers"] == [{"id": "1", "depth": depth, "hasMore": more}]
    assert [node["name"] for node in nodes(box)] == ["a"]


def test_errors_that_show() -> None:
    invalid = field_("Zip", extra={"states": {"invalid": True}})
    alert = El("alert", "", inside=("Invalid code",))
    assert written(invalid)["hasErrors"]
    assert written(alert)["hasErrors"]
    assert not written(El("alert", ""))["hasErrors"]
    assert not written(El("alert", "", inside=("x",), seen=Fact(0)))["hasErrors"]
    assert not written(button("a"))["hasErrors"]


def test_events_are_told_by_whoever_heard_them() -> None:
    events = RecentEvents(("[1s ago] Added: 'Saved'",), errors=True, successes=True)
    page = serialize(snapshot(button("a")), SerializationOptions(format="v3"), events=events).to_dict()
    assert (page["recentEvents"], page["hasErrors"], page["hasSuccess"]) == (["[1s ago] Added: 'Saved'"], True, True)


@pytest.mark.parametrize("form", ["v3", "v2"])
def test_the_budget_holds_and_says_what_it_left_out(form: str) -> None:
    many = [button(f"Button number {n} with a long name") for n in range(400)]
    key = "interactiveTree" if form == "v3" else "semanticNodes"
    page = written(*many, form=form, max_tokens=1000)
    tokens = count(msgspec.json.encode(page).decode())
    assert 800 < tokens <= 1000
    *kept, summary = page[key]
    words = f"{400 - len(kept)} more elements left out"
    assert summary == ({"r": "sum", "n": words} if form == "v3" else {"role": "summary", "name": words})
    assert len(written(*many, form=form, max_tokens=None)[key]) == 400


def test_no_more_nodes_than_configured() -> None:
    many = [button(f"b{n}") for n in range(30)]
    writer = InteractiveWriter(snapshot(*many), SerializationOptions(format="v2"), max_nodes=10)
    assert [node.name for node in writer.v2().semantic_nodes] == [
        *(f"b{n}" for n in range(10)),
        "20 more elements left out",
    ]


def test_only_the_subtree_that_was_asked_for() -> None:
    form = El("form", "F", inside=(button("In"),))
    writer = InteractiveWriter(snapshot(button("Before"), form, button("After")), SerializationOptions(), start=1)
    assert [node.n for node in writer.v3().interactive_tree] == ["In"]


def test_what_is_written_reads_back() -> None:
    page = snapshot(button("a"), El("", "", Fact.SCROLLER, extra={"scroll": (0, 0, 9, 9, 9, 99)}))
    for form, type_ in (("v3", SemanticV3), ("v2", SemanticV2)):
        told = serialize(page, SerializationOptions(format=form))  # type: ignore[arg-type]
        assert msgspec.json.decode(msgspec.json.encode(told), type=type_) == told
