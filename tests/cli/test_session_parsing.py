"""From command lines to calls of the tool."""

import argparse
import shlex
from pathlib import Path
from typing import Any

import msgspec
import pytest

from browserx.cli.session.command import CalledWronglyError
from browserx.cli.session.commands import COMMANDS
from browserx.cli.session.parsing import begins, duration, parse
from browserx.tool.dom_tool import ACTIONS


def given(line: str, **environ: str) -> argparse.Namespace:
    return parse(shlex.split(line), environ, "/")


def call(line: str) -> dict[str, Any]:
    arguments = given(line)
    made = arguments.command.params(arguments)
    assert isinstance(made, dict)
    return made


@pytest.mark.parametrize(
    ("line", "params"),
    [
        ("click 7", {"action": "click", "nodeId": "7"}),
        (
            "click 7 --button right --holding ctrl,shift",
            {
                "action": "click",
                "nodeId": "7",
                "options": {"button": "right", "modifiers": {"ctrl": True, "shift": True}},
            },
        ),
        ("dblclick 7", {"action": "click", "nodeId": "7", "options": {"clickCount": 2}}),
        ("type 5 tea", {"action": "type", "nodeId": "5", "text": "tea"}),
        ("type 5 ''", {"action": "type", "nodeId": "5", "text": ""}),
        ("type 5 -3", {"action": "type", "nodeId": "5", "text": "-3"}),
        ("type 5 -- --tea", {"action": "type", "nodeId": "5", "text": "--tea"}),
        (
            "type 5 tea --append --keys --enter",
            {"action": "type", "nodeId": "5", "text": "tea\n", "options": {"clear": False, "charByChar": True}},
        ),
        ("press Control+A", {"action": "keypress", "key": "Control+A"}),
        ("scroll", {"action": "scroll"}),
        ("scroll bottom", {"action": "scroll", "options": {"to": "end"}}),
        (
            "scroll up --inside 25 --amount 0.5",
            {"action": "scroll", "nodeId": "25", "options": {"direction": "up", "amount": 0.5}},
        ),
        ("dialog dismiss", {"action": "dialog", "options": {"accept": False}}),
        ("dialog accept yes", {"action": "dialog", "text": "yes", "options": {"accept": True}}),
        ("back", {"action": "back"}),
        ("fill 5=a=b 6=", {"action": "fill_form", "options": {"fields": {"5": "a=b", "6": ""}}}),
        ("drag 7 --by 100,-20", {"action": "drag", "nodeId": "7", "options": {"by": [100.0, -20.0]}}),
        (
            "wait --text Hi --id 3 --state enabled --timeout 0.5",
            {"action": "wait", "nodeId": "3", "text": "Hi", "options": {"state": "enabled", "timeoutMs": 500}},
        ),
        ("snapshot", {"action": "get_dom", "options": {"maxTokens": 4000}}),
        (
            "snapshot --full-page --max-tokens none --scope 3",
            {"action": "get_dom", "options": {"fullPage": True, "scope": "3", "maxTokens": None}},
        ),
        ("screenshot x.png --full-page", {"action": "screenshot", "options": {"fullPage": True}}),
    ],
)
def test_calls(line: str, params: dict[str, Any]) -> None:
    assert call(line) == params


@pytest.mark.parametrize("example", [example for command in COMMANDS.values() for example in command.examples])
def test_examples_are_understood_by_the_tool(example: str) -> None:
    arguments = given(example.removeprefix("browserx ").partition(" < ")[0])
    if arguments.command.call is None:
        return
    params = arguments.command.call(arguments)
    if (action := ACTIONS.get(params["action"])) is None:
        return
    msgspec.convert(params.get("options", {}), action.options)
    assert all(params.get(field) is not None for field in action.needs)
    assert set(params) <= {"action", "options", *action.needs, *action.takes}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "dance",
        "click",
        "click 7 8",
        "click 7 --button up",
        "click 7 --holding hyper",
        "click 7 --but left",
        "scroll sideways",
        "click abc",
        "fill abc=x",
        "snapshot --scope x",
        "drag 7 --by far",
        "extract --schema {",
        "fill 5",
        "fill =x",
        "dialog maybe",
        "snapshot --max-tokens 3",
        "snapshot --format xml",
        "tabs --idle-timeout soon",
    ],
)
def test_what_makes_no_sense(line: str) -> None:
    with pytest.raises(CalledWronglyError):
        given(line)


def test_a_wrong_call_is_told_how_it_goes() -> None:
    with pytest.raises(CalledWronglyError, match=r"required: ID\nusage: browserx click"):
        given("click")


def test_what_can_begin_a_session() -> None:
    assert [begins(given(line)) for line in ("open x", "tab new", "tabs --cdp http://127.0.0.1:1", "batch")] == [
        True
    ] * 4
    assert [begins(given(line)) for line in ("snapshot", "tab 2", "tabs", "click 1")] == [False] * 4


def test_settings_are_those_of_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSERX_MAX_TOKENS", "700")
    (tmp_path / "browserx.toml").write_text("max_tokens = 800\n[open]\nnew_tab = true\n")
    assert given("snapshot").max_tokens == 4000
    assert given("snapshot", BROWSERX_MAX_TOKENS="900").max_tokens == 900
    assert parse(["snapshot"], {"HOME": "/"}, str(tmp_path)).max_tokens == 800
    assert parse(["open", "x"], {"HOME": "/"}, str(tmp_path)).new_tab is True
    with pytest.raises(CalledWronglyError, match="BROWSERX_MAX_TOKENS"):
        given("snapshot", BROWSERX_MAX_TOKENS="few")


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("90s", 90), ("30m", 1800), ("2h", 7200), ("0.5s", 0.5)])
def test_durations(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["", "m", "0", "-1", "nan", "inf", "200h", "1d"])
def test_no_durations(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        duration(text)
