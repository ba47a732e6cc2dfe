"""The tools: what is offered, what it costs to list it, and which call of the engine each becomes."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from browserx.errors import InvalidArgumentError
from browserx.mcp.arguments import Arguments
from browserx.mcp.groups import GROUPS, parse_groups
from browserx.mcp.tools import BY_NAME, TOOLS, offered
from browserx.tool.action import Action, Call
from browserx.tool.dom_tool import ACTIONS

MOST_TOKENS = 2000

CALLS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("browser_navigate", {"url": "https://x/"}, {"action": "navigate", "options": {"url": "https://x/"}}),
    ("browser_navigate_back", {}, {"action": "back", "options": {}}),
    ("browser_navigate_forward", {}, {"action": "forward", "options": {}}),
    ("browser_reload", {}, {"action": "reload", "options": {}}),
    ("browser_snapshot", {}, {"action": "get_dom", "options": {}}),
    (
        "browser_snapshot",
        {"fullPage": True, "ref": "3", "query": "tea", "maxTokens": 500},
        {"action": "get_dom", "options": {"fullPage": True, "scope": "3", "query": "tea", "maxTokens": 500}},
    ),
    (
        "browser_click",
        {"ref": "3", "element": "the button"},
        {"action": "click", "nodeId": "3", "options": {"button": "left", "clickCount": 1}},
    ),
    (
        "browser_click",
        {"target": 3, "doubleClick": True, "button": "right", "modifiers": ["ControlOrMeta", "Shift"]},
        {
            "action": "click",
            "nodeId": 3,
            "options": {"button": "right", "clickCount": 2, "modifiers": {"ctrl": True, "shift": True}},
        },
    ),
    (
        "browser_type",
        {"ref": "3", "text": "tea", "submit": True},
        {"action": "type", "nodeId": "3", "text": "tea\n", "options": {"clear": True, "charByChar": False}},
    ),
    (
        "browser_type",
        {"ref": "3", "text": "tea\n", "submit": True, "append": True, "slowly": True},
        {"action": "type", "nodeId": "3", "text": "tea\n", "options": {"clear": False, "charByChar": True}},
    ),
    ("browser_press_key", {"key": "Control+A"}, {"action": "keypress", "key": "Control+A", "options": {}}),
    (
        "browser_press_key",
        {"key": "Enter", "expect": "Thanks"},
        {"action": "keypress", "key": "Enter", "options": {"expect": {"text": "Thanks"}}},
    ),
    (
        "browser_type",
        {"text": "tea", "expect": "3 results"},
        {"action": "type", "text": "tea", "options": {"charByChar": False, "expect": {"text": "3 results"}}},
    ),
    ("browser_scroll", {}, {"action": "scroll", "options": {}}),
    (
        "browser_scroll",
        {"ref": "3", "direction": "up", "amount": 2, "to": "start"},
        {"action": "scroll", "nodeId": "3", "options": {"direction": "up", "amount": 2.0, "to": "start"}},
    ),
    ("browser_tabs", {"action": "list"}, {"action": "tabs", "options": {}}),
    ("browser_tabs", {"action": "new"}, {"action": "new_tab", "options": {}}),
    ("browser_tabs", {"action": "new", "url": "https://x/"}, {"action": "new_tab", "options": {"url": "https://x/"}}),
    ("browser_tabs", {"action": "select", "tab": 2}, {"action": "switch_tab", "tabId": 2, "options": {}}),
    ("browser_tabs", {"action": "close"}, {"action": "close_tab", "options": {}}),
    ("browser_tabs", {"action": "close", "tab": 2}, {"action": "close_tab", "tabId": 2, "options": {}}),
    ("browser_handle_dialog", {"accept": False}, {"action": "dialog", "options": {"accept": False}}),
    (
        "browser_handle_dialog",
        {"accept": True, "promptText": "Ann"},
        {"action": "dialog", "text": "Ann", "options": {"accept": True}},
    ),
    (
        "browser_take_screenshot",
        {"ref": "3", "annotated": True},
        {"action": "screenshot", "nodeId": "3", "options": {"annotated": True}},
    ),
    ("browser_pdf_save", {"filename": "a.pdf"}, {"action": "pdf", "options": {"file": "a.pdf"}}),
    ("browser_downloads", {"wait": 2}, {"action": "downloads", "options": {"waitS": 2.0}}),
    (
        "browser_resize",
        {"width": 400, "height": 800, "device": "Pixel 7"},
        {"action": "emulate", "options": {"width": 400, "height": 800, "device": "Pixel 7"}},
    ),
    ("browser_take_screenshot", {"fullPage": True}, {"action": "screenshot", "options": {"fullPage": True}}),
    (
        "browser_select_option",
        {"ref": "3", "values": ["Green"]},
        {"action": "choose", "nodeId": "3", "text": "Green", "options": {}},
    ),
    (
        "browser_select_option",
        {"ref": "3", "values": ["Green", "Red"]},
        {"action": "select", "nodeId": "3", "options": {"label": ["Green", "Red"]}},
    ),
    ("browser_hover", {"ref": "3"}, {"action": "hover", "nodeId": "3", "options": {}}),
    ("browser_check", {"ref": "3"}, {"action": "check", "nodeId": "3", "options": {}}),
    ("browser_uncheck", {"ref": "3"}, {"action": "uncheck", "nodeId": "3", "options": {}}),
    (
        "browser_pick_date",
        {"ref": "3", "date": "2026-11-22"},
        {"action": "pick_date", "nodeId": "3", "text": "2026-11-22", "options": {}},
    ),
    ("browser_find", {"text": "tea", "role": "link"}, {"action": "find", "text": "tea", "options": {"role": "link"}}),
    ("browser_read", {"ref": "3"}, {"action": "read", "nodeId": "3", "options": {}}),
    (
        "browser_extract",
        {"ref": "3", "schema": {"type": "object"}},
        {"action": "extract", "nodeId": "3", "options": {"schema": {"type": "object"}}},
    ),
    ("browser_evaluate", {"script": "1"}, {"action": "evaluate", "options": {"script": "1"}}),
    (
        "browser_fill_form",
        {"fields": [{"ref": 3, "value": "Ann"}, {"ref": "4", "value": True}]},
        {"action": "fill_form", "options": {"fields": {"3": "Ann", "4": True}}},
    ),
    (
        "browser_drag",
        {"startRef": "3", "endRef": "4"},
        {"action": "drag", "nodeId": "3", "options": {"to": "4"}},
    ),
    (
        "browser_file_upload",
        {"ref": "3", "paths": ["/tmp/a"]},
        {"action": "upload", "nodeId": "3", "options": {"files": ["/tmp/a"]}},
    ),
    (
        "browser_wait_for",
        {"text": "Done", "textGone": "Wait", "url": "/done", "timeout": 1.5},
        {"action": "wait", "text": "Done", "options": {"gone": "Wait", "url": "/done", "timeoutMs": 1500}},
    ),
]


@pytest.mark.parametrize(("name", "given", "call"), CALLS)
def test_a_tool_call_is_a_call_of_the_engine(name: str, given: dict[str, Any], call: dict[str, Any]) -> None:
    assert BY_NAME[name].parse(given).call() == call


def test_every_tool_is_tried_above() -> None:
    assert {name for name, _, _ in CALLS} == set(BY_NAME)


@pytest.mark.parametrize("call", [call for _, _, call in CALLS if call["action"] in ACTIONS])
def test_the_engine_takes_the_call(call: dict[str, Any]) -> None:
    action = ACTIONS[call["action"]]
    assert set(call) - {"action", "options", "tabId"} <= {*action.needs, *action.takes}
    assert set(action.needs) <= set(call)
    msgspec.convert(call["options"], action.options)


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("browser_click", {}, "browser_click: Object missing required field `ref`; it takes ref, doubleClick"),
        ("browser_click", {"ref": "1", "speed": 2}, "unknown field `speed`"),
        ("browser_click", {"ref": "1", "button": "fourth"}, "'fourth'"),
        ("browser_click", {"ref": "1", "modifiers": ["Hyper"]}, "'Hyper'"),
        ("browser_navigate_back", {"far": True}, "it takes nothing"),
        ("browser_scroll", {"amount": 0}, "amount"),
        ("browser_tabs", {"action": "select"}, "select needs a tab"),
        ("browser_wait_for", {}, "say what to wait for"),
        ("browser_select_option", {"ref": "1", "values": []}, "values"),
    ],
)
def test_a_bad_call_is_said(name: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidArgumentError) as raised:
        BY_NAME[name].parse(given).call()
    assert words in raised.value.message


async def _nothing(call: Call) -> Any:
    raise AssertionError


def whole_engine() -> Mapping[str, Action]:
    """An engine that has every action and option that any tool knows of."""
    actions: dict[str, Action] = {}
    for tool in TOOLS:
        own = ACTIONS.get(tool.takes.action)
        known = {field.encode_name for field in msgspec.structs.fields(own.options)} if own else set()
        options = msgspec.defstruct("Options", sorted(known | set(tool.takes.options.values())))
        actions[tool.takes.action] = Action(tool.takes.action, "", _nothing, options=options)
    return actions


def cost(actions: Mapping[str, Action]) -> int:
    """Of the list of tools, in o200k tokens."""
    import bpe_openai

    listed = {"tools": [tool.listed(actions[tool.takes.action]) for tool in offered((), actions)]}
    return len(bpe_openai.get_encoding("o200k_base").encode_ordinary(msgspec.json.encode(listed).decode()))


def test_the_default_list_is_slim() -> None:
    assert 0 < cost(ACTIONS) <= MOST_TOKENS


def test_it_stays_slim_when_the_engine_can_do_everything() -> None:
    assert cost(ACTIONS) <= cost(whole_engine()) <= MOST_TOKENS


def test_only_what_the_engine_can_do_is_offered() -> None:
    names = {tool.name for tool in offered((), {"click": ACTIONS["click"], "get_dom": ACTIONS["get_dom"]})}
    assert names == {"browser_click", "browser_snapshot"}
    bare = Action("get_dom", "", _nothing)
    assert BY_NAME["browser_snapshot"].listed(bare)["inputSchema"] == {"type": "object", "properties": {}}


def test_groups_add_tools() -> None:
    actions = whole_engine()
    default = {tool.name for tool in offered((), actions)}
    assert "browser_file_upload" not in default
    assert {tool.name for tool in offered(parse_groups("files, history"), actions)} - default == {
        "browser_downloads",
        "browser_file_upload",
        "browser_navigate_forward",
        "browser_pdf_save",
        "browser_reload",
    }
    assert {tool.name for tool in offered(parse_groups("all"), actions)} == set(BY_NAME) - {"browser_evaluate"}
    assert {tool.name for tool in offered(parse_groups("all,script"), actions)} == set(BY_NAME)
    assert {tool.group for tool in TOOLS} == {"", *GROUPS}
    assert parse_groups("") == ()
    with pytest.raises(InvalidArgumentError, match="history, reading"):
        parse_groups("files,wheels")


def test_hints_tell_what_a_tool_may_do() -> None:
    def hints(name: str) -> Any:
        tool = BY_NAME[name]
        return tool.listed(whole_engine()[tool.takes.action])["annotations"]

    assert hints("browser_snapshot") == {"readOnlyHint": True}
    assert hints("browser_click") == {"destructiveHint": True}
    assert hints("browser_navigate") == {"destructiveHint": False}


def test_a_schema_is_plain() -> None:
    def walk(value: Any) -> None:
        if isinstance(value, dict):
            assert "$ref" not in value
            assert "default" not in value
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    for tool in TOOLS:
        listed = tool.listed(whole_engine()[tool.takes.action])
        walk(listed["inputSchema"])
        required = set(listed["inputSchema"].get("required", ()))
        assert required <= set(listed["inputSchema"]["properties"])
    click = BY_NAME["browser_click"].listed(ACTIONS["click"])["inputSchema"]
    assert click["properties"]["ref"]["type"] == "string"
    assert click["required"] == ["ref"]


def test_the_options_that_fields_need_are_those_they_become() -> None:
    """Each field whose option may be missing is one that the call leaves out when it is not given."""
    for tool in TOOLS:
        takes: type[Arguments] = tool.takes
        assert set(takes.options) <= set(takes.__struct_fields__)
