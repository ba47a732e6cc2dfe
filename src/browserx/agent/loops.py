"""Noticing that a task goes round in circles."""

from collections.abc import Sequence

from browserx.agent.task import Done

#: The same action on the same page this often is a circle, and a round of up to so many actions walked twice more.
_SAME = 3
_LONGEST_ROUND = 4


def is_looping(history: Sequence[Done]) -> bool:
    """Whether the last actions lead nowhere: the same again on the same page, or the same few in turn."""
    moves = [(done.action, done.tree_hash) for done in history]
    if not moves:
        return False
    if moves.count(moves[-1]) >= _SAME:
        return True
    for length in range(2, _LONGEST_ROUND + 1):
        rounds = [moves[len(moves) - length * (i + 1) : len(moves) - length * i] for i in range(2)]
        if len(rounds[1]) == length and rounds[0] == rounds[1]:
            return True
    return False
