"""Long instructions: what is read of them is bounded, and grows no faster than they do. Work is counted, not time."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from browserx.agent.local import LocalPlanner, phrases
from browserx.agent.local.grammar import MAX_STEPS, understand
from browserx.agent.local.vocabulary import ENGLISH
from tests.agent.pages import Client, node

PAGE = {"interactive_tree": [node("1", "btn", "Save"), node("2", "btn", "Back")]}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int]:
    """How many characters are looked at, in all, to understand a text."""
    seen = 0
    inner = phrases.begins

    def counted(text: str, words: Any) -> str | None:
        nonlocal seen
        seen += len(text)
        return inner(text, words)

    monkeypatch.setattr(phrases, "begins", counted)

    def work(text: str) -> int:
        nonlocal seen
        seen = 0
        understand(text)
        return seen

    return work


@pytest.mark.parametrize("joint", [". ", ", then ", " and ", "\n"])
def test_twice_as_long_is_twice_the_work(read: Callable[[str], int], joint: str) -> None:
    once, twice = (read(joint.join(["click Save"] * count)) for count in (45, 90))
    assert once * 1.5 < twice < once * 2.5


def test_a_sentence_without_a_verb_after_its_commas_is_read_once(read: Callable[[str], int]) -> None:
    once, twice = (read("click " + ", ".join(["red"] * count)) for count in (500, 1000))
    assert twice < once * 2.5


@pytest.mark.parametrize("joint", [". ", ", then ", "\n"])
def test_no_more_is_read_than_a_plan_takes(read: Callable[[str], int], joint: str) -> None:
    of_900, of_200 = (read(joint.join(["click Save"] * count)) for count in (900, 200))
    assert of_900 < of_200 * 1.5
    assert len(understand(joint.join(["click Save"] * 900))) == MAX_STEPS + 1


def test_a_verb_far_from_the_joint_is_still_found() -> None:
    fillers = "please " * 5
    assert [one.kind for one in understand(f"click Save, then {fillers}scroll down")] == ["click", "scroll"]
    assert len(list(phrases.clauses("click Save and click Back", ENGLISH))) == 2


async def test_an_instruction_that_is_too_long_is_told_as_that() -> None:
    client = Client(LocalPlanner(), ". ".join(["click Save"] * 900), PAGE)
    end = await client.run()
    assert client.calls == ["fail()"]
    assert end.data.status == "failed"
    assert re.search(rf"more than {MAX_STEPS} steps.*Nothing of it was done.*in parts", end.data.answer or "")


async def test_as_many_steps_as_a_plan_takes_are_taken() -> None:
    query = ". ".join(f"click {'Save' if i % 2 else 'Back'}" for i in range(MAX_STEPS))
    assert len(understand(query)) == MAX_STEPS
