"""The JSON formats."""

from typing import Any

import msgspec

from browserx.dom import SerializationOptions
from browserx.dom.nodes import PageDocument, SerializedDom
from browserx.dom.serialize import serialize
from browserx.inpage.facts import Fact
from tests.dom.looks import SEEN, El, button, capture, field_, link, look, page_capture, snapshot


def written(*inside: El | str, **options: Any) -> dict[str, Any]:
    page = options.pop("page", None)
    return serialize(snapshot(*inside, page=page), SerializationOptions(**options)).to_dict()


def test_nodes_nest_and_hold_only_what_is_not_default() -> None:
    form = El("form", "Login", inside=("Please", field_("Mail", extra={"value": "a@b"}), button("Go")), tag="form")
    dom = written(form)
    assert {key: dom[key] for key in ("url", "title", "totalInteractiveElements", "nodeCount")} == {
        "url": "http://test/",
        "title": "Test",
        "totalInteractiveElements": 2,
        "nodeCount": 4,
    }
    assert dom["timestamp"] == "1970-01-01T00:00:00.000Z"
    assert dom["nodes"] == [
        {
            "id": "1",
            "role": "form",
            "tag": "form",
            "name": "Login",
            "inViewport": True,
            "children": [
                {"role": "text", "text": "Please", "inViewport": True},
                {"id": "2", "role": "textbox", "tag": "input", "name": "Mail", "value": "a@b", "inViewport": True},
                {"id": "3", "role": "button", "tag": "button", "name": "Go", "inViewport": True},
            ],
        }
    ]


def test_states_and_attributes() -> None:
    box = El(
        "checkbox",
        "On",
        Fact.NATIVE | Fact.OCCLUDED,
        tag="input",
        extra={"states": {"checked": "mixed", "disabled": True, "expanded": False}, "attributes": {"testid": "on"}},
    )
    (node,) = written(box)["nodes"]
    assert (node["checked"], node["disabled"], node["expanded"]) == ("mixed", True, False)
    assert (node["data-testid"], node["occluded"]) == ("on", True)
    assert "required" not in node


def test_boxes_on_request() -> None:
    assert "box" not in written(button("a"))["nodes"][0]
    assert written(button("a", box=(1, 2, 3, 4)), include_layout=True)["nodes"][0]["box"] == (1, 2, 3, 4)


def framed() -> Any:
    frame = El("Iframe", "pay", tag="iframe", extra={"frame": ("", 0, (0, 0, 100, 100))})
    shadow = El("button", "In shadow", Fact.NATIVE, tag="button", seen=SEEN | Fact.IN_SHADOW)
    inner = capture(look(button("Pay", box=(0, 0, 9, 9)), viewport=(100, 100), url="http://pay/"), "F")
    return page_capture(capture(look(link("Home"), frame, shadow), frame_ids={2: "F"}), inner)


def test_frames_are_listed() -> None:
    assert written(page=framed())["frames"] == [
        {"id": "TOP", "url": "http://test/", "crossOrigin": False, "reachable": True},
        {"id": "F", "url": "http://pay/", "name": "pay", "parentId": "TOP", "crossOrigin": True, "reachable": True},
    ]


def test_the_page_format_keeps_frames_and_shadow_roots_apart() -> None:
    page = written(page=framed(), format="page")["page"]
    assert page["context"] == {
        "url": "http://test/",
        "title": "Test",
        "domain": "test",
        "viewport": {"width": 1280, "height": 800},
    }
    assert [node["name"] for node in page["body"]["children"]] == ["Home", "pay"]
    assert [node["name"] for node in page["iframe"][0]["children"]] == ["Pay"]
    assert [node["name"] for node in page["shadowDom"]] == ["In shadow"]
    assert page["meta"] == {"truncated": False, "totalNodes": 4, "version": "browserx.v1"}


def test_an_empty_document_says_so() -> None:
    page = written(page=page_capture(capture(look(body=False))), format="page")["page"]
    assert page["meta"]["error"] == "no-body"


def test_the_budget_holds_and_says_that_it_cut() -> None:
    many = [button(f"Button number {n} with a long name") for n in range(400)]
    page = written(*many, format="page", max_tokens=1000)["page"]
    assert page["meta"]["truncated"] is True
    assert page["body"]["children"][0]["role"] == "summary"


def test_what_is_written_reads_back() -> None:
    form = El("form", "F", inside=(field_("a", extra={"states": {"required": True}}), "text"))
    dom = serialize(snapshot(form), SerializationOptions())
    assert msgspec.json.decode(msgspec.json.encode(dom), type=SerializedDom) == dom
    page = serialize(snapshot(form), SerializationOptions(format="page"))
    assert msgspec.json.decode(msgspec.json.encode(page), type=PageDocument) == page
