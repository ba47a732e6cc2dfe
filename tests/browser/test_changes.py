"""Waiting for a state by event."""

import asyncio

import pytest

from browserx.browser.changes import Changes
from browserx.errors import TargetCrashedError
from tests.fakes import turns


async def test_a_state_that_holds_is_not_waited_for() -> None:
    assert await Changes().until(lambda: True, timeout_s=0) is True


async def test_a_change_wakes_those_whose_state_came_true() -> None:
    changes, state = Changes(), {"a": False, "b": False}
    a = asyncio.ensure_future(changes.until(lambda: state["a"], timeout_s=5))
    b = asyncio.ensure_future(changes.until(lambda: state["b"], timeout_s=5))
    await turns()
    state["a"] = True
    changes.notify()
    assert await a is True
    assert not b.done()
    b.cancel()


async def test_it_gives_up_in_time() -> None:
    assert await Changes().until(lambda: False, timeout_s=0.01) is False
    assert await Changes().until(lambda: False, timeout_s=0) is False


async def test_a_failure_ends_every_wait_until_it_is_over() -> None:
    changes = Changes()
    waiting = asyncio.ensure_future(changes.until(lambda: False, timeout_s=5))
    await turns()
    changes.fail(lambda: TargetCrashedError("crashed"))
    with pytest.raises(TargetCrashedError):
        await waiting
    with pytest.raises(TargetCrashedError):
        await changes.until(lambda: False, timeout_s=5)
    assert await changes.until(lambda: True, timeout_s=5) is True
    changes.recover()
    assert await changes.until(lambda: False, timeout_s=0.01) is False
