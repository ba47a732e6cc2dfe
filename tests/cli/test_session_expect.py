"""What is expected of an action, on the command line."""

import shlex

import pytest

from browserx.cli.session.commands import COMMANDS
from browserx.cli.session.parsing import help_of, parse
from browserx.cli.session.printing import told_change
from browserx.tool.action import ActingOptions
from browserx.tool.dom_tool import ACTIONS

LINES = {
    name: f"{name} {rest}".strip()
    for name, rest in {
        "click": "1",
        "dblclick": "1",
        "type": "1 tea",
        "press": "Enter",
        "select": "1 Austria",
        "choose": "1 Austria",
        "check": "1",
        "uncheck": "1",
        "submit": "1",
        "pick-date": "1 2026-12-24",
        "hover": "1",
        "focus": "1",
        "drag": "1 2",
        "upload": "1 a.txt",
        "scroll": "",
    }.items()
}


def test_it_can_be_said_with_every_action_whose_tool_takes_it() -> None:
    assert {name for name, command in COMMANDS.items() if command.expects} == LINES.keys()
    for line in LINES.values():
        given = parse(shlex.split(line), {}, "/")
        action = ACTIONS[given.command.params(given)["action"]]
        assert issubclass(action.options, ActingOptions), line


@pytest.mark.parametrize("line", LINES.values())
def test_it_goes_to_the_tool(line: str) -> None:
    said = "--expect-text Thanks --expect-gone Wait --expect-url /done --expect-value x --expect-state enabled"
    given = parse(shlex.split(f"{line} {said}"), {}, "/")
    wanted = {"text": "Thanks", "gone": "Wait", "url": "/done", "value": "x", "state": "enabled"}
    assert given.command.params(given)["options"]["expect"] == wanted
    given = parse(shlex.split(line), {}, "/")
    assert "expect" not in given.command.params(given).get("options", {})


def test_the_help_says_so() -> None:
    assert "--expect-text" in help_of("click")
    assert "--expect-text" not in help_of("find")


def test_what_did_not_come_true_fails_the_command() -> None:
    done = {"success": True, "verdict": "changed", "expectation": {"passed": True, "message": "it is as expected"}}
    assert told_change(done, None).exit == 0
    failed = told_change({**done, "expectation": {"passed": False, "message": "'Hi' is not on the page"}}, None)
    assert failed.exit == 1
    assert "'Hi' is not on the page" in failed.error
    assert failed.text.startswith("changed")
