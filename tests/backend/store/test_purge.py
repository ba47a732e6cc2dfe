"""Retention: what is old goes, and all that belongs to it."""

import pytest
from sqlalchemy import update

from browserx.backend.store import NewMessage, Purged, Store, schema
from browserx.errors import InvalidArgumentError

DAY_US = 24 * 3600 * 1_000_000


async def _create(store: Store, days_old: int, count: int = 1) -> list[str]:
    """Sessions in which something happened so many days ago."""
    async with store.write() as unit:
        made = [(await unit.sessions.create("ann", "https://a/", "a", "t")).session_id for _ in range(count)]
        for session_id in made:
            await unit.messages.append(session_id, [NewMessage(role="user", content="x")])
            await unit.tasks.create("ann", session_id, {})
    async with store._writing.begin() as connection:
        sessions = schema.sessions
        aged = {
            "created_us": sessions.c.created_us - DAY_US * 400,
            "updated_us": sessions.c.updated_us - DAY_US * days_old,
        }
        await connection.execute(update(sessions).where(sessions.c.session_id.in_(made)).values(aged))
    return made


async def test_old_sessions_go_with_all_of_theirs(store: Store) -> None:
    old = await _create(store, 31, count=250)
    (recent,) = await _create(store, 29)
    assert await store.purge() == Purged(0, 0)
    assert await store.purge(30) == Purged(250, 0)
    assert await store.purge(30) == Purged(0, 0)
    async with store.read() as unit:
        assert [session.session_id for session in (await unit.sessions.page("ann")).sessions] == [recent]
        assert not (await unit.messages.page(old[0])).session_exists
        assert await unit.tasks.latest("ann", old[0]) is None
        assert await unit.tasks.latest("ann", recent) is not None


async def test_an_old_session_in_which_something_happens_stays(store: Store) -> None:
    (old,) = await _create(store, 31)
    async with store.write() as unit:
        await unit.messages.append(old, [NewMessage(role="user", content="still here")])
    assert await store.purge(30) == Purged(0, 0)
    assert await store.purge(0) == Purged(1, 0)


@pytest.mark.parametrize("days", [-1, float("nan")])
async def test_bad_numbers_of_days(store: Store, days: float) -> None:
    with pytest.raises(InvalidArgumentError, match="number of days"):
        await store.purge(days)


async def test_any_number_of_days(store: Store) -> None:
    await _create(store, 31)
    assert await store.purge(1e300) == Purged(0, 0)
    assert await store.purge(float("inf")) == Purged(0, 0)
