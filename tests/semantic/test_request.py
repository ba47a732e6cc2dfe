"""What a client may tell of its page, and what is refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from browserx.semantic.request import InteractRequest

FULL: dict[str, Any] = {
    "url": "https://www.google.com/search?q=1",
    "query": "Search for SpaceX",
    "taskId": "e49abedb-f50c-45d2-bf81-62662b6a038e",
    "sessionId": "59adf5f0-cddb-42dd-a20d-658ac57278fd",
    "tabId": 7,
    "domain": "google.com",
    "title": "Google",
    "domMode": "semantic",
    "interactiveTree": [
        {"i": 5, "r": "btn", "n": "Search", "xy": [200.0, 150.0], "box": [180.0, 140.0, 40.0, 20.0]},
        {"i": 12, "r": "list", "n": "Results", "scr": {"depth": "0%", "h": True}, "occ": True, "f": 2},
        {"i": 6, "r": "inp", "n": "Search", "v": "x", "s": "disabled"},
    ],
    "interactiveTreeHash": "abc",
    "semanticNodes": [
        {
            "id": "1",
            "role": "textbox",
            "name": "Search",
            "value": "x",
            "type": "search",
            "placeholder": "Search…",
            "href": "https://a.example",
            "isInShadow": True,
            "frameId": 1,
            "bounds": {"x": 1.0, "y": 2.0, "width": 3.0, "height": 4.0},
        }
    ],
    "viewport": {"width": 1280.0, "height": 720.0},
    "pageTitle": "Google",
    "scrollPosition": "25%",
    "scrollableContainers": [{"id": "12", "depth": "0%", "hasMore": True}],
    "recentEvents": ["[3s ago] Added: 'Shipping calculated'"],
    "hasErrors": True,
    "hasSuccess": False,
    "lastActionStatus": "failure",
    "lastActionError": {"message": "gone", "code": "NODE_NOT_FOUND", "action": "click(42)", "elementId": "42"},
    "lastActionResult": {"success": False, "actualState": "as before"},
    "previousUrl": "https://www.google.com/",
    "clientObservations": {"didNetworkOccur": True, "didDomMutate": False, "didUrlChange": True},
    "clientVerification": {"elementFound": True, "selector": "#a", "urlChanged": True, "timestamp": 1738368000000.0},
    "verification_passed": False,
    "verification_message": "nothing changed",
    "errors_detected": ["Invalid ZIP code"],
    "success_messages": ["Saved"],
    "dom_filtered": True,
    "filter_reason": "6000 elements",
    "original_node_count": 6000,
    "token_reduction": 82.5,
    "dom": "<p>x</p>",
    "skeletonDom": "<button>x</button>",
    "screenshot": "aGk=",
    "screenshotHash": "ff00",
}


def test_everything_the_contract_has_goes_in_and_comes_out_as_it_was() -> None:
    read = InteractRequest.model_validate(FULL)
    told = read.to_wire()
    assert told == FULL
    assert InteractRequest.model_validate(read.to_wire()) == read


def test_every_field_of_the_contract_is_tried_here() -> None:
    names = {field.alias or name for name, field in InteractRequest.model_fields.items()}
    assert names == set(FULL)


def test_the_least_there_can_be() -> None:
    read = InteractRequest.model_validate({"url": "https://a.example", "query": "x"})
    assert read.to_wire() == {"url": "https://a.example", "query": "x"}


def test_numbers_are_ids_and_unknown_fields_are_left_alone() -> None:
    read = InteractRequest.model_validate(
        {
            **FULL,
            "accessToken": "x",
            "interactiveTree": [{"i": 5, "r": "btn", "n": "a", "z": 1}],
            "lastActionError": {"message": "m", "code": "c", "action": "a", "elementId": 42},
            "screenshot": None,
        }
    )
    assert read.interactive_tree is not None
    assert read.interactive_tree[0].i == "5"
    assert read.last_action_error is not None
    assert read.last_action_error.element_id == "42"
    assert read.screenshot is None


def test_both_ways_of_writing_a_name_are_taken() -> None:
    read = InteractRequest(url="https://a.example", query="x", task_id="t", verification_passed=True)
    assert InteractRequest.model_validate({"url": "https://a.example", "query": "x", "taskId": "t"}).task_id == "t"
    assert read.to_wire()["taskId"] == "t"
    assert read.to_wire()["verification_passed"] is True


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"url": ""}, "url"),
        ({"url": None}, "url"),
        ({"query": ""}, "query"),
        ({"query": 5}, "query"),
        ({"query": "x" * 20_001}, "query"),
        ({"taskId": "a b"}, "taskId"),
        ({"taskId": "x" * 101}, "taskId"),
        ({"tabId": "seven"}, "tabId"),
        ({"domMode": "everything"}, "domMode"),
        ({"lastActionStatus": "maybe"}, "lastActionStatus"),
        ({"interactiveTree": {}}, "interactiveTree"),
        ({"interactiveTree": [{"i": "1", "n": "x"}]}, "interactiveTree.0.r"),
        ({"interactiveTree": [{"i": True, "r": "btn"}]}, "interactiveTree.0.i"),
        ({"interactiveTree": [{"i": "x" * 65, "r": "btn"}]}, "interactiveTree.0.i"),
        ({"interactiveTree": [{"r": "btn", "xy": [1]}]}, "interactiveTree.0.xy.1"),
        ({"interactiveTree": [{"r": "btn", "xy": [1, float("nan")]}]}, "interactiveTree.0.xy.1.constrained-float"),
        ({"interactiveTree": [{"r": "btn", "f": -1}]}, "interactiveTree.0.f"),
        ({"viewport": {"width": -1, "height": 1}}, "viewport.width"),
        ({"scrollableContainers": [{"id": "1"}]}, "scrollableContainers.0.depth"),
        ({"lastActionError": {"message": "m"}}, "lastActionError.code"),
        ({"lastActionResult": {}}, "lastActionResult.success"),
        ({"clientVerification": {"elementFound": "perhaps"}}, "clientVerification.elementFound"),
        ({"verification_passed": "perhaps"}, "verification_passed"),
        ({"errors_detected": "one"}, "errors_detected"),
        ({"token_reduction": 101}, "token_reduction"),
        ({"dom": 5}, "dom"),
        ({"dom": "x" * 1_000_001}, "dom"),
    ],
)
def test_what_is_wrong_is_named(wrong: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError) as caught:
        InteractRequest.model_validate({"url": "https://a.example", "query": "x", **wrong})
    assert field in {".".join(map(str, error["loc"])) for error in caught.value.errors()}
