"""The tool: validation before anything is attached, error codes by type, and a schema models can follow."""

from typing import Any

import pytest

from browserx import DOMTool, DOMToolErrorCode, errors
from browserx.tool.dom_tool import ACTIONS
from browserx.tool.mapping import code_of

Code = DOMToolErrorCode


class NoBrowser:
    """A browser that must not be touched, with one tab that must not be attached to."""

    class tab_:  # noqa: N801
        id = 1

        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"the tab was touched: {name}")

    def __init__(self) -> None:
        self.tabs = [self.tab_()]

    def tab(self, tab_id: int) -> Any:
        if tab_id != 1:
            raise errors.TabClosedError(f"No tab with id {tab_id}; open tabs: 1")
        return self.tabs[0]


@pytest.mark.parametrize(
    ("params", "words"),
    [
        (None, "must be an object"),
        ("click", "must be an object"),
        ({}, "Invalid action None"),
        ({"action": "dance"}, "Invalid action 'dance'; the actions are get_dom, "),
        ({"action": 7}, "Invalid action 7"),
        ({"action": "click", "tabId": 1}, "nodeId is required for click"),
        ({"action": "click", "tabId": 1, "nodeId": "abc"}, "is no node id"),
        ({"action": "click", "tabId": 1, "nodeId": 1.5}, "is no node id"),
        ({"action": "type", "tabId": 1, "nodeId": 1}, "text is required for type"),
        ({"action": "type", "tabId": 1, "nodeId": 1, "text": 7}, "text must be a string"),
        ({"action": "keypress", "tabId": 1}, "key is required for keypress"),
        ({"action": "navigate", "tabId": 1}, "url"),
        ({"action": "navigate", "tabId": 1, "options": {"url": ""}}, "url"),
        ({"action": "click", "tabId": 1, "nodeId": 1, "options": {"button": "fourth"}}, "button"),
        ({"action": "click", "tabId": 1, "nodeId": 1, "options": {"speed": 1}}, "speed"),
        ({"action": "click", "tabId": 1, "nodeId": 1, "options": 5}, "options of click"),
        ({"action": "scroll", "tabId": 1, "options": {"amount": 0}}, "amount"),
        ({"action": "get_dom", "tabId": "one"}, "tabId must be a number"),
        ({"action": "get_dom", "tabId": True}, "tabId must be a number"),
        ({"action": "get_dom", "tabId": 1, "nodeID": 1}, "there is no parameter 'nodeID'"),
        ({"action": "get_dom", "tabId": 1, "options": {"format": "xml"}}, "format"),
    ],
)
async def test_a_bad_call_is_said_before_anything_is_attached(params: Any, words: str) -> None:
    response = await DOMTool(NoBrowser()).execute(params)  # type: ignore[arg-type]
    assert response.error is not None
    assert response.error.code is Code.VALIDATION_ERROR
    assert words in response.error.message


async def test_no_tab_is_said() -> None:
    browser = NoBrowser()
    response = await DOMTool(browser).execute({"action": "get_dom", "tabId": 5})  # type: ignore[arg-type]
    assert response.error is not None
    assert (response.error.code, response.error.details.tab_id) == (Code.TAB_NOT_FOUND, 5)
    browser.tabs.clear()
    response = await DOMTool(browser).execute({"action": "get_dom"})  # type: ignore[arg-type]
    assert response.error is not None
    assert response.error.code is Code.TAB_NOT_FOUND


ENGINE_ERRORS: list[tuple[BaseException, Code]] = [
    (errors.NodeNotFoundError("x", node_id="1"), Code.ELEMENT_NOT_FOUND),
    (errors.NoSnapshotError("x"), Code.VALIDATION_ERROR),
    (errors.InvalidArgumentError("x"), Code.VALIDATION_ERROR),
    (errors.TabClosedError("x"), Code.TAB_NOT_FOUND),
    (errors.NotAttachedError("x"), Code.TAB_NOT_FOUND),
    (errors.AttachError("x"), Code.PERMISSION_DENIED),
    (errors.AlreadyAttachedError("x"), Code.PERMISSION_DENIED),
    (errors.ContentScriptError("x"), Code.CONTENT_SCRIPT_NOT_LOADED),
    (errors.BlockedByPolicyError("x"), Code.PERMISSION_DENIED),
    (errors.PageOptedOutError("x"), Code.PERMISSION_DENIED),
    (errors.OperationTimeoutError("x", timeout_s=1), Code.TIMEOUT),
    (errors.NotActionableError("x", node_id="1", reason="covered"), Code.ACTION_FAILED),
    (errors.NavigationError("x", url="", reason=""), Code.ACTION_FAILED),
    (errors.SnapshotError("x"), Code.ACTION_FAILED),
    (errors.DownloadError("x", url=""), Code.ACTION_FAILED),
    (errors.TargetCrashedError("x"), Code.ACTION_FAILED),
    (errors.BrowserNotFoundError("x"), Code.ACTION_FAILED),
    (errors.RouteHandlerError("x", errors=()), Code.ACTION_FAILED),
    (errors.EvaluateError("x"), Code.ACTION_FAILED),
    (errors.CdpError("x"), Code.ACTION_FAILED),
    (errors.ConnectionClosedError("x"), Code.ACTION_FAILED),
    (errors.MissingExtraError("x", extra="y"), Code.ACTION_FAILED),
    (errors.NotSupportedError("x"), Code.ACTION_FAILED),
]


@pytest.mark.parametrize(("error", "code"), ENGINE_ERRORS)
def test_engine_errors_are_mapped_by_type(error: BaseException, code: Code) -> None:
    assert code_of(error) is code


def test_every_engine_error_is_mapped() -> None:
    mapped = {type(error).__name__ for error, _ in ENGINE_ERRORS}
    # What a backend and its clients say to each other is no matter of a tab.
    of_backends = (
        *(errors.StoreError, errors.TaskBusyError, errors.TaskNotFoundError, errors.TaskOverError),
        *(errors.SessionNotFoundError, errors.BackendError),
    )
    ours = {name for name in errors.__all__ if not issubclass(getattr(errors, name), of_backends)}
    assert mapped == ours - {"BrowserXError"}


def test_what_an_engine_error_says_does_not_matter() -> None:
    assert code_of(errors.NavigationError("Element not found", url="", reason="")) is Code.ACTION_FAILED


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("No tab with id 5", Code.TAB_NOT_FOUND),
        ("Tab not found", Code.TAB_NOT_FOUND),
        ("Could not establish connection. Receiving end does not exist.", Code.CONTENT_SCRIPT_NOT_LOADED),
        ("Element 7 was not found", Code.ELEMENT_NOT_FOUND),
        ("The action failed", Code.ACTION_FAILED),
        ("Timeout of 30 s", Code.TIMEOUT),
        ("request timed out", Code.TIMEOUT),
        ("Permission denied", Code.PERMISSION_DENIED),
        ("Invalid action", Code.VALIDATION_ERROR),
        ("text is required", Code.VALIDATION_ERROR),
        ("something else", Code.UNKNOWN_ERROR),
    ],
)
def test_foreign_errors_are_mapped_by_message(message: str, code: Code) -> None:
    assert code_of(RuntimeError(message)) is code


async def test_it_never_raises_and_tells_a_stack_only_when_debugging(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(call: Any) -> Any:
        raise ZeroDivisionError("a bug")

    tabs = ACTIONS["tabs"]
    monkeypatch.setitem(ACTIONS, "tabs", type(tabs)("tabs", "", broken, needs_tab=False))
    for debug in (False, True):
        response = await DOMTool(NoBrowser(), debug=debug).execute({"action": "tabs"})  # type: ignore[arg-type]
        assert response.error is not None
        assert (response.error.code, response.error.message) == (Code.UNKNOWN_ERROR, "a bug")
        assert (response.error.details.stack is not None) is debug


def test_the_schema_lists_every_action_and_option() -> None:
    schema = DOMTool.schema()
    properties = schema["parameters"]["properties"]
    assert properties["action"]["enum"] == list(ACTIONS)
    assert set(properties) == {"action", "tabId", "nodeId", "text", "key", "options"}
    assert "navigate: where to go" in properties["options"]["properties"]["url"]["description"]
    for action in ACTIONS.values():
        assert f"- {action.name}: " in schema["description"]


def test_the_schema_has_no_references_and_no_surprises() -> None:
    def walk(value: Any) -> None:
        if isinstance(value, dict):
            assert "$ref" not in value
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(DOMTool.schema())
