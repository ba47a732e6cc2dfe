"""Going round in circles is noticed; going on is not."""

import pytest

from browserx.agent.loops import is_looping
from browserx.agent.task import Done


def history(*moves: str) -> list[Done]:
    """Each move is an action and the page it was on: "a1"."""
    return [Done(action=move[0], tree_hash=move[1:]) for move in moves]


@pytest.mark.parametrize(
    ("moves", "looping"),
    [
        ("", False),
        ("a1", False),
        ("a1 a1", False),
        ("a1 a1 a1", True),
        ("a1 b1 a1 c1 a1", True),
        ("a1 a2 a3", False),
        ("a1 b2 a1 b2", True),
        ("a1 b2 a1 b3", False),
        ("a1 b2 c3 a1 b2 c3", True),
        ("a1 b2 c3 d4 a1 b2 c3 d4", True),
        ("a1 b2 c3 d4 e5 a1 b2 c3 d4 e5", False),
        ("x0 a1 b2 a1 b2", True),
        ("a1 b2 a1 b2 c3", False),
    ],
)
def test_circles(moves: str, looping: bool) -> None:
    assert is_looping(history(*moves.split())) is looping
