"""The two services have one surface: nothing is missing, and all takes the same arguments."""

import inspect
from collections.abc import Callable

import pytest

from browserx import ContentService, DomService

#: Made of a tab: whoever has a driver makes a service of it.
ONLY_TABS = {"for_tab"}
SURFACE = sorted(name for name in dir(DomService) if not name.startswith("_") and name not in ONLY_TABS)


@pytest.mark.parametrize("name", SURFACE)
def test_all_of_it_is_there_with_the_same_arguments(name: str) -> None:
    ours, theirs = getattr(ContentService, name), getattr(DomService, name)
    if callable(ours):
        # By names, order and defaults; what types are called differs.
        assert _shape(ours) == _shape(theirs)


def _shape(method: Callable[..., object]) -> list[tuple[str, object, object]]:
    return [(one.name, one.kind, one.default) for one in inspect.signature(method).parameters.values()]
