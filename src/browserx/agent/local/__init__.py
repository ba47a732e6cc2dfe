"""A brain without a model: it follows plain instructions word by word, and says what it does not understand."""

from browserx.agent.local.planner import LocalPlanner

__all__ = ["LocalPlanner"]
