"""The two services have one surface: what both have takes the same arguments, and nothing of the core is missing."""

import inspect

import pytest

from browserx import ContentService, DomService

CORE = (
    "observe get_serialized_dom get_snapshot get_attributes current_snapshot invalidate_snapshot detach"
    " click type keypress scroll navigate back forward reload"
).split()


@pytest.mark.parametrize("name", CORE)
def test_the_core_is_there_with_the_same_arguments(name: str) -> None:
    ours, theirs = getattr(ContentService, name), getattr(DomService, name)
    if callable(ours):
        assert inspect.signature(ours) == inspect.signature(theirs)
