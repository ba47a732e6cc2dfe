"""A run: what is read off its figures, and keeping it."""

from pathlib import Path

import pytest
from bench.result import BROWSERX, CHANGED, FIRST, PLAYWRIGHT, SAME, WHOLE, Timing, load, save

from tests.bench.canned import run


def test_a_saved_run_is_the_same(tmp_path: Path) -> None:
    save(run(), tmp_path / "run.json")
    assert load(tmp_path / "run.json") == run()


def test_how_far_above_the_floor() -> None:
    timing = Timing("look", BROWSERX, 1000, [6, 9, 10], {"page": [2, 3, 5]})
    assert (timing.median, timing.floor, timing.above_floor) == (9, 3, 3)


def test_what_was_answered_from_outside_the_page_has_no_ratio() -> None:
    timing = Timing("look", BROWSERX, 1000, [2, 2], {"page": [0, 0]})
    assert (timing.floor, timing.above_floor) == (0, None)
    assert Timing("look", PLAYWRIGHT, 1000, [2]).floor is None


def test_the_one_look_of_a_peer_stands_beside_each_of_ours() -> None:
    looks = [run().look(1000, what, PLAYWRIGHT) for what in (FIRST, CHANGED, WHOLE)]
    assert looks[0] is not None
    assert looks[0].what == CHANGED
    assert looks[0] == looks[1] == looks[2]
    same = run().look(1000, SAME, PLAYWRIGHT)
    assert same is not None
    assert same.what == SAME
    assert run(peer=False).look(1000, FIRST, PLAYWRIGHT) is None


def test_the_price_of_presence() -> None:
    assert run().presence.ratio == pytest.approx(1.1)
