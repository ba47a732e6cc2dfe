"""Owned tasks end with their owner."""

import asyncio
from typing import Any

from browserx.cdp import TaskOwner
from browserx.errors import TabClosedError
from tests.fakes import turns


async def test_closing_cancels_and_waits() -> None:
    owner, seen = TaskOwner(), []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            seen.append("ended")

    task = owner.start(work(), name="work")
    await turns()
    await owner.close()
    assert task.cancelled()
    assert seen == ["ended"]


async def test_nothing_runs_after_the_end() -> None:
    owner = TaskOwner()
    await owner.close()
    seen: list[int] = []

    async def work() -> None:
        seen.append(1)

    task = owner.start(work(), name="late")
    await asyncio.gather(task, return_exceptions=True)
    assert seen == []


async def test_our_own_errors_end_a_task_quietly_and_others_are_told() -> None:
    told: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: told.append(context))
    owner = TaskOwner()

    async def fail(error: Exception) -> None:
        raise error

    owner.start(fail(TabClosedError("gone")), name="ours")
    owner.start(fail(ZeroDivisionError("a bug")), name="a bug")
    await turns()
    loop.set_exception_handler(None)
    assert [type(context["exception"]) for context in told] == [ZeroDivisionError]
    assert "a bug" in told[0]["message"]


async def test_a_task_may_close_its_own_owner() -> None:
    owner = TaskOwner()
    task = owner.start(owner.close(), name="closer")
    await asyncio.wait_for(task, 1)
