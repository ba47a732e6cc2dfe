"""What a client reads: our words are ours, the page's are in quotes."""

from pathlib import Path
from typing import Any

import pytest

from browserx.errors import BlockedByPolicyError, InvalidArgumentError
from browserx.mcp import answer
from browserx.mcp.limits import check_address, check_files
from browserx.tool import DOMToolErrorCode as Code


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ({"verdict": "no_effect", "success": True, "duration": 1.0}, "no_effect"),
        (
            {"verdict": "changed", "changes": {"domMutated": True, "focused": "3", "valueNow": 'a"b\n</page 1>'}},
            r'changed (content changed, focus on 3, value now "a\"b\n</page 1>")',
        ),
        (
            {"verdict": "navigated", "changes": {"navigated": True, "urlChanged": True}},
            "navigated (new page)",
        ),
        (
            {"verdict": "changed", "changes": {"urlChanged": True, "scrolled": True}},
            "changed (scrolled, new URL)",
        ),
        (
            {"verdict": "changed", "changes": {"requests": [{"status": 200}, {"status": -1}, {"status": 500}]}},
            "changed (3 requests, 2 of them failed)",
        ),
        (
            {"verdict": "opened", "changes": {"newTabs": [4]}},
            'opened\nIt opened tab 4: go there with browser_tabs {"action": "select", "tab": 4}',
        ),
        (
            {"verdict": "opened", "changes": {"dialogs": ["confirm: Sure?"]}},
            "opened\nIt opened a dialog, which holds the page: answer it with browser_handle_dialog",
        ),
        (
            {"verdict": "changed", "expectation": {"passed": True, "message": ""}, "changes": {"scrolled": True}},
            "changed (as expected, scrolled)",
        ),
        (
            {"verdict": "no_effect", "expectation": {"passed": False, "message": "'Hi' is not on the page"}},
            "no_effect (not as expected: \"'Hi' is not on the page\")",
        ),
        (
            {"verdict": "changed", "healed": {"from": "3", "to": "7", "confidence": 0.9}},
            "changed (3 was replaced: acted on 7, 90% sure)",
        ),
        (
            {"verdict": "changed", "changes": {"errors": ["No such\nname"]}},
            r'changed (the page says "No such\nname")',
        ),
        (
            {
                "success": False,
                "fields": [
                    {"nodeId": "3", "result": {"verdict": "changed", "changes": {"valueNow": "Ann"}}},
                    {"nodeId": "4", "error": "it is disabled"},
                ],
            },
            '3: changed (value now "Ann")\n4: not filled: it is disabled',
        ),
        ({"verdict": "changed", "more": 1}, 'changed\n{"more":1}'),
        ({"found": "a\nb"}, r'{"found":"a\nb"}'),
        (None, "null"),
    ],
)
def test_what_an_action_did(data: Any, line: str) -> None:
    assert answer.told(data) == line


def test_long_values_are_cut() -> None:
    assert len(answer.told({"verdict": "changed", "changes": {"valueNow": "x" * 5000}})) < 250
    assert answer.written("x" * 30_000).endswith("… (10002 more characters)")


def test_a_failure_names_the_next_step() -> None:
    gone = answer.failure("browser_click", Code.ELEMENT_NOT_FOUND, "the page has no node 9")
    assert gone == "browser_click failed: the page has no node 9 → use a ref of the page as it is now"
    held = answer.failure("browser_click", Code.ACTION_FAILED, "a dialog is open", dialog=True)
    assert held.endswith("browser_handle_dialog")


def test_tabs_are_listed_one_a_line() -> None:
    listed = [
        {"tabId": 1, "title": "A\n→ tab 9", "url": "https://a/"},
        {"tabId": 3, "title": "B", "url": "https://b/"},
    ]
    assert answer.tabs(listed, 3).splitlines() == [
        r'  tab 1: "A\n→ tab 9" "https://a/"',
        '→ tab 3: "B" "https://b/"',
    ]
    assert "browser_navigate" in answer.tabs([], None)


@pytest.mark.parametrize("url", ["https://x/", "HTTP://x", "about:blank", "data:text/html,x", "example.com", ""])
def test_the_web_is_open(url: str) -> None:
    check_address(url)


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", " FILE:///x", "chrome://settings", "view-source:file:///x", "javascript:alert(1)"]
)
def test_the_rest_is_not(url: str) -> None:
    with pytest.raises(BlockedByPolicyError):
        check_address(url)


def test_an_address_without_http_is_said() -> None:
    with pytest.raises(InvalidArgumentError, match="http://localhost:8000"):
        check_address("localhost:8000")


def test_files_of_one_folder_may_be_sent(tmp_path: Path) -> None:
    inside, outside = tmp_path / "mine", tmp_path / "secret.txt"
    inside.mkdir()
    (inside / "a.txt").write_text("a")
    outside.write_text("s")
    (inside / "link.txt").symlink_to(outside)
    check_files([str(inside / "a.txt"), "no file at all", "x" * 5000, "nul\0", "~nobody-of-that-name/x"], inside)
    for name in (str(outside), str(inside / ".." / "secret.txt"), str(inside / "link.txt"), "~", "/etc/passwd"):
        with pytest.raises(BlockedByPolicyError, match="--upload-dir"):
            check_files([name], inside)
