"""Commands that need no browser to say what is wrong with them."""

import logging

import pytest

from browserx.cli.session.overheard import overheard
from browserx.cli.session.session import Session
from browserx.tool.dom_tool import ACTIONS


async def test_a_command_whose_action_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(ACTIONS, "scroll")
    answer = await Session().run(["scroll"], "/", {}, None)
    assert (answer.exit, answer.out) == (1, "")
    assert answer.err.startswith("browserx: browserx scroll is not in BrowserX ")


@pytest.mark.parametrize("words", [["click", "7"], ["tabs"], ["tab", "2"], ["eval", "1"], ["storage"], ["back"]])
async def test_nothing_is_open(words: list[str]) -> None:
    answer = await Session().run(words, "/", {}, None)
    assert answer.exit == 1
    assert "begin with browserx open URL" in answer.err


@pytest.mark.parametrize("words", [["tab", "x"], ["tab", "2", "3"], ["tab", "close", "x"], ["eval"], ["batch"], ["x"]])
async def test_a_wrong_call_is_two(words: list[str]) -> None:
    assert (await Session().run(words, "/", {}, None)).exit == 2


async def test_the_caller_sets_how_long_it_may_idle() -> None:
    session = Session()
    await session.run(["tabs", "--idle-timeout", "90s"], "/", {}, None)
    assert session.idle_s == 90


def test_what_is_logged_meanwhile_is_told() -> None:
    log = logging.getLogger("browserx.anything")
    with overheard(logging.WARNING) as said:
        log.warning("%s of the sandbox", "out")
        log.info("not told")
    log.warning("afterwards")
    assert said == ["out of the sandbox"]
