"""Tasks: one worker at a time, no longer than its lease."""

import asyncio
from typing import Any

import pytest

from browserx.backend.store import Store, Task
from browserx.errors import InvalidArgumentError, LeaseLostError, TaskBusyError

SHORTEST_S = 0.001


@pytest.fixture
async def task(store: Store) -> Task:
    async with store.write() as unit:
        session = await unit.sessions.create("ann", "https://a.example/", "a.example", "t")
        return await unit.tasks.create("ann", session.session_id, {"step": 0})


async def claim(store: Store, task: Task, owner: str, lease_s: float = 20) -> Task | None:
    async with store.write() as unit:
        return await unit.tasks.claim("ann", task.task_id, owner, lease_s)


async def lapse(store: Store, task: Task, owner: str) -> None:
    """Take the task as soon as it can be had: a lease so short is over within a statement or two."""
    async with asyncio.timeout(10):
        while True:
            try:
                await claim(store, task, owner, SHORTEST_S)
            except TaskBusyError:
                continue
            return


async def test_a_task_is_claimed_saved_and_released(store: Store, task: Task) -> None:
    assert await claim(store, task, "w:1") == task
    async with store.write() as unit:
        await unit.tasks.save(task.task_id, "w:1", {"step": 1})
        assert await unit.tasks.get("ann", task.task_id) == Task(task.task_id, task.session_id, '{"step":1}')
        await unit.tasks.release(task.task_id, "w:1")
    found = await claim(store, task, "w:2")
    assert found is not None
    assert found.state == {"step": 1}
    async with store.write() as unit:
        await unit.tasks.save(task.task_id, "w:2", [None], release=True)
    found = await claim(store, task, "w:3")
    assert found is not None
    assert found.state == [None]


async def test_a_task_that_is_worked_on_is_busy(store: Store, task: Task) -> None:
    await claim(store, task, "w:1")
    for owner in ("w:2", "w:1"):
        with pytest.raises(TaskBusyError) as raised:
            await claim(store, task, owner)
        assert (raised.value.code, raised.value.task_id) == ("TASK_BUSY", task.task_id)


async def test_one_of_many_gets_it(store: Store, task: Task) -> None:
    got = await asyncio.gather(*(claim(store, task, f"w:{number}") for number in range(12)), return_exceptions=True)
    assert sum(isinstance(result, Task) for result in got) == 1
    assert sum(isinstance(result, TaskBusyError) for result in got) == 11


async def test_unknown_tasks(store: Store, task: Task) -> None:
    async with store.write() as unit:
        assert await unit.tasks.claim("bob", task.task_id, "w:1") is None
        assert await unit.tasks.get("bob", task.task_id) is None
        for task_id in ("missing", "", "\0", "\ud800", "x" * 10_000):
            assert await unit.tasks.claim("ann", task_id, "w:1") is None


async def test_a_lease_that_lapsed_is_lost_when_another_takes_it(store: Store, task: Task) -> None:
    await claim(store, task, "w:dead", SHORTEST_S)
    await lapse(store, task, "w:next")
    async with store.write() as unit:
        with pytest.raises(LeaseLostError):
            await unit.tasks.save(task.task_id, "w:dead", {"step": "late"})
        with pytest.raises(LeaseLostError):
            await unit.tasks.renew(task.task_id, "w:dead")
        # Not theirs to release.
        await unit.tasks.release(task.task_id, "w:dead")
        # It lapsed too by now, perhaps, but nobody has taken it.
        await unit.tasks.save(task.task_id, "w:next", {"step": "kept"})
        kept = await unit.tasks.get("ann", task.task_id)
    assert kept is not None
    assert kept.state == {"step": "kept"}


async def test_a_renewed_lease_holds(store: Store, task: Task) -> None:
    await claim(store, task, "w:1", SHORTEST_S)
    async with store.write() as unit:
        await unit.tasks.renew(task.task_id, "w:1", 60)
    with pytest.raises(TaskBusyError):
        await claim(store, task, "w:2")


async def test_a_task_can_be_claimed_from_its_beginning(store: Store, task: Task) -> None:
    async with store.write() as unit:
        mine = await unit.tasks.create("ann", task.session_id, {}, owner="w:1")
        assert await unit.tasks.latest("ann", task.session_id) == mine
    with pytest.raises(TaskBusyError):
        await claim(store, mine, "w:2")
    async with store.write() as unit:
        await unit.tasks.save(mine.task_id, "w:1", {"step": 1}, release=True)


async def test_a_task_may_have_an_id_of_the_callers_but_not_twice(store: Store, task: Task) -> None:
    async with store.write() as unit:
        made = await unit.tasks.create("ann", task.session_id, {"step": 0}, task_id="mine")
    assert made.task_id == "mine"
    with pytest.raises(InvalidArgumentError, match="there already"):
        async with store.write() as unit:
            await unit.tasks.create("bob", task.session_id, {"step": 1}, task_id="mine")
    async with store.read() as unit:
        assert await unit.tasks.get("ann", "mine") == made
        assert await unit.tasks.get("bob", "mine") is None


async def test_a_server_that_is_alone_frees_what_it_left(store: Store, task: Task) -> None:
    async with store.write() as unit:
        others = [
            await unit.tasks.create("ann", task.session_id, {}, owner=owner)
            for owner in ("worker%1:a", "worker%1:b", "worker%11:c", "WORKER%1:d", "workerx1:e")
        ]
        assert await unit.tasks.release_all("worker%1:") == 2
    await claim(store, others[0], "w:new")
    await claim(store, others[1], "w:new2")
    for other in others[2:]:
        with pytest.raises(TaskBusyError):
            await claim(store, other, "w:new")


def _endless() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


_NO_JSON = {
    "key": {1: object()},
    "nan": float("nan"),
    "infinity": {"a": float("inf")},
    "set": {1, 2},
    "bytes": b"x",
    "digits": 10**5000,
    "endless": _endless(),
}


@pytest.mark.parametrize("state", _NO_JSON.values(), ids=_NO_JSON)
async def test_what_is_no_json_is_refused(store: Store, task: Task, state: Any) -> None:
    async with store.write() as unit:
        with pytest.raises(InvalidArgumentError, match="no JSON value"):
            await unit.tasks.create("ann", task.session_id, state)


async def test_big_states(store: Store, task: Task) -> None:
    await claim(store, task, "w:1")
    state = {"text": 'é\0\n"' * 700_000}
    async with store.write() as unit:
        await unit.tasks.save(task.task_id, "w:1", state)
        kept = await unit.tasks.get("ann", task.task_id)
        assert kept is not None
        assert kept.state == state
        with pytest.raises(InvalidArgumentError, match="shorten it"):
            await unit.tasks.save(task.task_id, "w:1", "x" * 32_000_000)


@pytest.mark.parametrize("lease_s", [0, -1, 3601, float("nan"), float("inf")])
async def test_a_lease_is_bounded(store: Store, task: Task, lease_s: float) -> None:
    with pytest.raises(InvalidArgumentError, match="lease"):
        await claim(store, task, "w:1", lease_s)


async def test_a_task_belongs_to_a_session(store: Store) -> None:
    with pytest.raises(InvalidArgumentError, match="session"):
        async with store.write() as unit:
            await unit.tasks.create("ann", "missing", {})
