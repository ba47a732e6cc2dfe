"""The two services have one surface: what both have takes the same arguments, and nothing of the core is missing."""

import inspect
from collections.abc import Callable

import pytest

from browserx import ContentService, DomService

CORE = [
    "observe",
    "get_serialized_dom",
    "get_snapshot",
    "get_attributes",
    "current_snapshot",
    "invalidate_snapshot",
    "detach",
    "click",
    "type",
    "keypress",
    "scroll",
    "navigate",
    "back",
    "forward",
    "reload",
    "hover",
    "focus",
    "blur",
    "check",
    "uncheck",
    "select_option",
]


@pytest.mark.parametrize("name", CORE)
def test_the_core_is_there_with_the_same_arguments(name: str) -> None:
    ours, theirs = getattr(ContentService, name), getattr(DomService, name)
    if callable(ours):
        # By names, order and defaults; what types are called differs.
        assert _shape(ours) == _shape(theirs)


def _shape(method: Callable[..., object]) -> list[tuple[str, object, object]]:
    return [(one.name, one.kind, one.default) for one in inspect.signature(method).parameters.values()]
