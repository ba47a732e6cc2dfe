"""Idempotent requests: done once, answered the same every time."""

import asyncio

import pytest
from sqlalchemy import select, update

from browserx.backend.store import Answered, Begun, Fresh, InProgress, Mismatch, Store, fingerprint, schema
from browserx.errors import InvalidArgumentError, LeaseLostError

DAY_MS = 24 * 3600 * 1000


async def begin(store: Store, key: str = "k", print_: str = "f", owner: str = "w:1", lease_s: float = 20) -> Begun:
    async with store.write() as unit:
        return await unit.answers.begin("ann", key, print_, owner, lease_s)


async def age(store: Store, ms: int) -> None:
    """Make all answers older than they are."""
    async with store._writing.begin() as connection:
        answers = schema.answers
        await connection.execute(update(answers).values(created_ms=answers.c.created_ms - ms))


async def lease_until(store: Store) -> int:
    async with store._reading.connect() as connection:
        return int((await connection.execute(select(schema.answers.c.lease_until_ms))).scalar_one())


async def database_clock(store: Store) -> int:
    async with store._reading.connect() as connection:
        return int((await connection.execute(select(schema.database_ms()))).scalar_one())


async def test_a_request_is_answered_once(store: Store) -> None:
    assert await begin(store) == Fresh()
    assert await begin(store, owner="w:2") == InProgress()
    async with store.write() as unit:
        await unit.answers.finish("ann", "k", "w:1", 201, '{"a": "é"}')
    for _ in range(2):
        assert await begin(store, owner="w:3") == Answered(201, '{"a": "é"}')
    assert await begin(store, print_="another") == Mismatch()
    async with store.write() as unit:
        assert await unit.answers.begin("bob", "k", "f", "w:1") == Fresh()


async def test_one_of_many_at_once_does_it(store: Store) -> None:
    begun = await asyncio.gather(*(begin(store, owner=f"w:{number}") for number in range(12)))
    assert begun.count(Fresh()) == 1
    assert begun.count(InProgress()) == 11


async def test_another_request_with_the_key_is_a_mistake_meanwhile_too(store: Store) -> None:
    await begin(store)
    assert await begin(store, print_="another") == Mismatch()


async def test_a_key_that_was_left_unanswered_is_still_of_its_request(store: Store) -> None:
    await begin(store, owner="w:dead", lease_s=0.001)
    # Until its lease has lapsed by the database's clock.
    until = await lease_until(store)
    async with asyncio.timeout(10):
        while await database_clock(store) < until:
            pass
    assert await begin(store, print_="another", owner="w:next") == Mismatch()
    assert await begin(store, owner="w:next") == Fresh()


async def test_a_failed_request_may_be_repeated(store: Store) -> None:
    await begin(store)
    async with store.write() as unit:
        await unit.answers.forget("ann", "k", "w:other")
    assert await begin(store, owner="w:2") == InProgress()
    async with store.write() as unit:
        await unit.answers.forget("ann", "k", "w:1")
    assert await begin(store, owner="w:2") == Fresh()
    async with store.write() as unit:
        await unit.answers.finish("ann", "k", "w:2", 200, "")
        # What was answered stays so.
        await unit.answers.forget("ann", "k", "w:2")
    assert await begin(store) == Answered(200, "")


async def test_the_answer_goes_with_the_effects(store: Store) -> None:
    await begin(store)
    with pytest.raises(ZeroDivisionError):
        async with store.write() as unit:
            await unit.sessions.create("ann", "https://a/", "a", "t")
            await unit.answers.finish("ann", "k", "w:1", 200, "")
            raise ZeroDivisionError
    assert await begin(store, owner="w:2") == InProgress()
    async with store.read() as unit:
        assert await unit.sessions.latest("ann") is None


async def test_who_took_too_long_has_no_effects(store: Store) -> None:
    await begin(store, owner="w:dead", lease_s=0.001)
    async with asyncio.timeout(10):
        while await begin(store, owner="w:next") != Fresh():
            pass
    with pytest.raises(LeaseLostError):
        async with store.write() as unit:
            await unit.sessions.create("ann", "https://a/", "a", "t")
            await unit.answers.finish("ann", "k", "w:dead", 200, "late")
    async with store.write() as unit:
        assert await unit.sessions.latest("ann") is None
        with pytest.raises(LeaseLostError):
            await unit.answers.renew("ann", "k", "w:dead")
        await unit.answers.renew("ann", "k", "w:next", 60)
        await unit.answers.finish("ann", "k", "w:next", 200, "in time")
    assert await begin(store) == Answered(200, "in time")


async def test_an_answer_is_kept_for_a_day(store: Store) -> None:
    await begin(store)
    async with store.write() as unit:
        await unit.answers.finish("ann", "k", "w:1", 200, "x")
    await age(store, DAY_MS - 60_000)
    assert (await store.purge()).answers == 0
    assert await begin(store) == Answered(200, "x")
    await age(store, 120_000)
    assert await begin(store, print_="another") == Fresh()
    await age(store, DAY_MS + 60_000)
    assert (await store.purge()).answers == 1


async def test_a_server_that_is_alone_forgets_what_it_left(store: Store) -> None:
    await begin(store, "left", owner="w:1")
    await begin(store, "done", owner="w:2")
    await begin(store, "other", owner="x:1")
    async with store.write() as unit:
        await unit.answers.finish("ann", "done", "w:2", 200, "")
        assert await unit.answers.forget_all("w:") == 1
    assert await begin(store, "left") == Fresh()
    assert await begin(store, "done") == Answered(200, "")
    assert await begin(store, "other") == InProgress()


@pytest.mark.parametrize("key", ["", "x" * 256])
async def test_a_key_is_bounded(store: Store, key: str) -> None:
    with pytest.raises(InvalidArgumentError, match="Idempotency-Key"):
        await begin(store, key)


async def test_odd_keys_are_keys(store: Store) -> None:
    for key in ("\0", "\U0001f600" * 255, "'; DROP TABLE answers; --", "%"):
        assert await begin(store, key) == Fresh()
        assert await begin(store, key) == InProgress()


def test_fingerprints_tell_requests_apart() -> None:
    one = fingerprint("POST", "/a", b"{}")
    assert one == fingerprint("POST", "/a", b"{}")
    assert (
        len({one, fingerprint("PUT", "/a", b"{}"), fingerprint("POST", "/b", b"{}"), fingerprint("POST", "/a", b"")})
        == 4
    )
