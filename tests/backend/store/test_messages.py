"""Messages: numbered without gaps or doubles, told in order, kept as they are."""

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from browserx.backend.store import NewMessage, Store
from browserx.errors import InvalidArgumentError


async def begin(store: Store) -> str:
    async with store.write() as unit:
        return (await unit.sessions.create("ann", "https://a.example/", "a.example", "t")).session_id


def user(content: str) -> NewMessage:
    return NewMessage(role="user", content=content)


async def test_what_was_added_is_read_back(store: Store) -> None:
    session_id = await begin(store)
    full = NewMessage(
        role="assistant",
        content="I click it",
        status="pending",
        action_payload={"name": "click", "args": [42]},
        action_string="click(42)",
        error={"code": "X", "details": {"a": None}},
        dom_summary="a page",
        metadata={"n": 1.5, "big": 10**30},
    )
    async with store.write() as unit:
        added = await unit.messages.append(session_id, [user("buy it"), full])
        added += await unit.messages.append(session_id, [user("thanks")])
    assert [message.sequence_number for message in added] == [0, 1, 2]
    assert len({message.message_id for message in added}) == 3
    async with store.read() as unit:
        page = await unit.messages.page(session_id)
    assert page.messages == added
    assert (page.total, page.session_exists) == (3, True)
    kept = page.messages[1].model_dump(exclude={"message_id", "sequence_number", "timestamp"})
    assert kept == full.model_dump(exclude={"message_id"})


async def test_pages(store: Store) -> None:
    session_id = await begin(store)
    async with store.write() as unit:
        assert await unit.messages.append(session_id, []) == []
        await unit.messages.append(session_id, [user(str(number)) for number in range(10)])
    cases: list[tuple[dict[str, Any], range]] = [
        ({}, range(10)),
        ({"limit": 4}, range(4)),
        ({"after": 3, "limit": 4}, range(4, 8)),
        ({"after": 8}, range(9, 10)),
        ({"after": 9}, range(0)),
        ({"after": 10**30}, range(0)),
        ({"after": -(10**30)}, range(10)),
    ]
    async with store.read() as unit:
        for options, expected in cases:
            page = await unit.messages.page(session_id, **options)
            assert [int(message.content) for message in page.messages] == list(expected), options
            assert page.total == 10
        assert [message.content for message in await unit.messages.latest(session_id, 3)] == ["7", "8", "9"]
        for limit in (0, -1, 1001):
            with pytest.raises(InvalidArgumentError, match="1 to 1000"):
                await unit.messages.page(session_id, limit=limit)


@pytest.mark.parametrize("session_id", ["missing", "", "a\0b", "\ud800", "x" * 100_000])
async def test_a_session_that_is_not_there(store: Store, session_id: str) -> None:
    async with store.read() as unit:
        page = await unit.messages.page(session_id)
        assert (page.messages, page.total, page.session_exists) == ([], 0, False)
    with pytest.raises(InvalidArgumentError, match="no such session"):
        async with store.write() as unit:
            await unit.messages.append(session_id, [user("x")])


async def test_how_it_went_is_kept_later(store: Store) -> None:
    session_id = await begin(store)
    async with store.write() as unit:
        (message,) = await unit.messages.append(
            session_id, [NewMessage(role="assistant", content="click", status="pending")]
        )
        done = message.model_copy(update={"status": "failure", "error": {"code": "NODE_NOT_FOUND"}})
        assert await unit.messages.replace(session_id, done)
        assert not await unit.messages.replace(session_id, done.model_copy(update={"message_id": "another"}))
    async with store.read() as unit:
        assert (await unit.messages.page(session_id)).messages == [done]


async def test_a_message_is_settled_by_its_id(store: Store) -> None:
    session_id, other = await begin(store), await begin(store)
    async with store.write() as unit:
        first, second = await unit.messages.append(
            session_id, [NewMessage(role="assistant", content=said, status="pending") for said in ("one", "two")]
        )
        settled = await unit.messages.settle(session_id, second.message_id, "failure", {"message": "covered"})
        assert await unit.messages.settle(other, first.message_id, "success") is None
        assert await unit.messages.settle(session_id, "missing", "success") is None
    assert settled == second.model_copy(update={"status": "failure", "error": {"message": "covered"}})
    async with store.read() as unit:
        assert (await unit.messages.page(session_id)).messages == [first, settled]


async def test_numbers_of_a_unit_that_failed_are_used_again(store: Store) -> None:
    session_id = await begin(store)
    with pytest.raises(ZeroDivisionError):
        async with store.write() as unit:
            await unit.messages.append(session_id, [user("lost"), user("lost")])
            raise ZeroDivisionError
    async with store.write() as unit:
        (kept,) = await unit.messages.append(session_id, [user("kept")])
    assert kept.sequence_number == 0


async def test_many_writers_at_once(store: Store) -> None:
    session_id = await begin(store)

    async def write(writer: int) -> None:
        for number in range(5):
            async with store.write() as unit:
                await unit.messages.append(session_id, [user(f"{writer}.{number}"), user("")])

    async with asyncio.TaskGroup() as group:
        for writer in range(10):
            group.create_task(write(writer))
    async with store.read() as unit:
        page = await unit.messages.page(session_id)
    assert [message.sequence_number for message in page.messages] == list(range(100))
    for writer in range(10):
        mine = [message.content for message in page.messages if message.content.startswith(f"{writer}.")]
        assert mine == [f"{writer}.{number}" for number in range(5)]


async def test_a_message_is_bounded(store: Store) -> None:
    session_id = await begin(store)
    long = "é" * 3_900_000
    async with store.write() as unit:
        await unit.messages.append(session_id, [user(long)])
    async with store.read() as unit:
        assert (await unit.messages.page(session_id)).messages[0].content == long
    with pytest.raises(InvalidArgumentError, match="shorten it"):
        async with store.write() as unit:
            await unit.messages.append(session_id, [user("x" * 4_000_001)])


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(), values, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.text(), metadata=st.dictionaries(st.text(), _JSON, max_size=4))
async def test_any_text_and_json_comes_back(store: Store, content: str, metadata: dict[str, Any]) -> None:
    session_id = await begin(store)
    async with store.write() as unit:
        added = await unit.messages.append(session_id, [NewMessage(role="system", content=content, metadata=metadata)])
        await unit.tasks.create("ann", session_id, metadata)
    async with store.read() as unit:
        page = await unit.messages.page(session_id)
        task = await unit.tasks.latest("ann", session_id)
    assert page.messages == added
    assert (added[0].content, added[0].metadata) == (content, metadata)
    assert task is not None
    assert task.state == metadata


async def test_halves_of_characters_are_replaced(store: Store) -> None:
    session_id = await begin(store)
    broken = NewMessage.model_construct(role="user", content="a\ud800b", metadata={"\udfff": ["\ud83d\ude00"]})
    async with store.write() as unit:
        (added,) = await unit.messages.append(session_id, [broken])
    assert (added.content, added.metadata) == ("a\ufffdb", {"\ufffd": ["\U0001f600"]})
    async with store.write() as unit:
        session = await unit.sessions.create("a\0nn", "https://x/\0\ud800", "x", "t\0\udfff", tab_id="\0")
        assert await unit.sessions.active_for_tab("a\0nn", "\0") == session
    assert (session.url, session.title) == ("https://x/\ufffd\ufffd", "t\ufffd\ufffd")
