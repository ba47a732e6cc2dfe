"""The public list is what the modules really have, and everything in it is typed."""

import importlib
import pkgutil

import pytest

import browserx
from browserx import errors


def test_the_list_is_sorted_and_true() -> None:
    assert browserx.__all__ == sorted(browserx.__all__)
    for name in browserx.__all__:
        assert hasattr(browserx, name)


def test_every_error_is_public() -> None:
    assert set(errors.__all__) <= set(browserx.__all__)


def test_every_error_is_in_the_drawn_tree_and_has_a_code() -> None:
    drawn = errors.__doc__ or ""
    for name in errors.__all__:
        kind = getattr(errors, name)
        assert issubclass(kind, errors.BrowserXError)
        assert name in drawn
        assert kind.code.isupper()


def _modules() -> list[str]:
    return [info.name for info in pkgutil.walk_packages(browserx.__path__, "browserx.")]


@pytest.mark.parametrize("name", [n for n in _modules() if not n.endswith("reaper")])
def test_every_module_says_what_it_is_and_means_its_list(name: str) -> None:
    module = importlib.import_module(name)
    assert (module.__doc__ or "").strip()
    for listed in getattr(module, "__all__", ()):
        assert hasattr(module, listed)
