"""Node ids can be unknown, but never mean another element."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browserx.dom.ids import IdRegistry, normalize


def test_an_element_keeps_its_id() -> None:
    ids = IdRegistry()
    assert [ids.id_of("w", 10), ids.id_of("w", 20), ids.id_of("w", 10)] == ["1", "2", "1"]
    assert ids.ref("2") == ("w", 20)


def test_worlds_have_keys_of_their_own() -> None:
    ids = IdRegistry()
    assert ids.id_of("a", 1) != ids.id_of("b", 1)


def test_an_id_is_never_given_again() -> None:
    ids = IdRegistry()
    ids.id_of("a", 1)
    ids.forget_all_but({"b"})
    assert ids.ref("1") is None
    assert ids.known("a", 1) is None
    assert ids.id_of("b", 1) == "2"
    assert ids.id_of("a", 1) == "3"


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 5)) | st.sampled_from("abc"), max_size=60))
def test_whatever_happens_no_two_elements_share_an_id(steps: list[tuple[str, int] | str]) -> None:
    ids = IdRegistry()
    lives = dict.fromkeys("abc", 0)
    meant: dict[str, tuple[str, int, int]] = {}
    for step in steps:
        if isinstance(step, str):
            ids.forget_all_but(set("abc") - {step})
            lives[step] += 1
        else:
            element = (*step, lives[step[0]])
            assert meant.setdefault(ids.id_of(*step), element) == element


@pytest.mark.parametrize(("given_", "id_"), [(7, "7"), ("7", "7"), ("node_7", "7"), (" 7 ", "7"), ("007", "7")])
def test_ids_may_be_written_in_three_ways(given_: object, id_: str) -> None:
    assert normalize(given_) == id_


@pytest.mark.parametrize("given_", ["", "abc", "-1", "7.5", 7.0, True, None, [7], "node_", "nodes_7", "7" * 20, "٧"])
def test_what_can_be_no_id(given_: object) -> None:
    assert normalize(given_) is None
