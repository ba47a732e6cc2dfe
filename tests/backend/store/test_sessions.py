"""Sessions: one active per tab, each principal's own, pages by cursor, export and delete."""

import asyncio

import pytest

from browserx.backend.store import NewMessage, Store
from browserx.errors import InvalidArgumentError
from browserx.semantic.conversation import Session

URL = "https://shop.example/"


async def _create(store: Store, principal: str = "ann", **options: str) -> Session:
    async with store.write() as unit:
        return await unit.sessions.create(
            principal,
            options.get("url", URL),
            options.get("domain", "shop.example"),
            options.get("title", "a title"),
            tab_id=options.get("tab_id"),
        )


async def test_what_was_created_is_read_back(store: Store) -> None:
    made = await _create(store, tab_id="7")
    async with store.read() as unit:
        assert await unit.sessions.get("ann", made.session_id) == made
        assert await unit.sessions.active_for_tab("ann", "7") == made
        assert await unit.sessions.latest("ann") == made
    assert made.metadata.initial_url == URL
    assert made.metadata.initial_domain == "shop.example"
    assert made.status == "active"
    assert not made.is_renamed


async def test_a_principal_has_only_its_own(store: Store) -> None:
    made = await _create(store, tab_id="7")
    async with store.write() as unit:
        assert await unit.sessions.get("bob", made.session_id) is None
        assert await unit.sessions.active_for_tab("bob", "7") is None
        assert await unit.sessions.latest("bob") is None
        assert await unit.sessions.by_domain("bob", "shop.example") is None
        assert (await unit.sessions.page("bob")).sessions == []
        assert await unit.sessions.rename("bob", made.session_id, "mine") is None
        assert await unit.sessions.export("bob", made.session_id) is None
        assert not await unit.sessions.delete("bob", made.session_id)
        assert await unit.sessions.get("ann", made.session_id) == made


async def test_a_tab_has_one_active_session(store: Store) -> None:
    first = await _create(store, tab_id="7")
    other_tab = await _create(store, tab_id="8")
    other_principal = await _create(store, "bob", tab_id="7")
    second = await _create(store, tab_id="7")
    async with store.read() as unit:
        active = await unit.sessions.active_for_tab("ann", "7")
        assert active is not None
        assert active.session_id == second.session_id
        closed = await unit.sessions.get("ann", first.session_id)
        assert closed is not None
        assert closed.status == "closed"
        for principal, kept in (("ann", other_tab), ("bob", other_principal)):
            session = await unit.sessions.get(principal, kept.session_id)
            assert session is not None
            assert session.status == "active"


async def test_also_when_many_begin_at_once(store: Store) -> None:
    made = await asyncio.gather(*(_create(store, tab_id="7") for _ in range(12)))
    async with store.read() as unit:
        found = [await unit.sessions.get("ann", session.session_id) for session in made]
    assert [session.status for session in found if session].count("active") == 1


async def test_following_a_tab_keeps_title_and_beginning(store: Store) -> None:
    made = await _create(store)
    async with store.write() as unit:
        await unit.sessions.follow(made.session_id, "https://pay.example/x", "pay.example")
    async with store.read() as unit:
        now = await unit.sessions.get("ann", made.session_id)
        assert now is not None
        assert (now.url, now.domain, now.title) == ("https://pay.example/x", "pay.example", "a title")
        assert now.metadata == made.metadata
        assert now.updated_at >= made.updated_at
        assert await unit.sessions.by_domain("ann", "pay.example") == now
        assert await unit.sessions.by_domain("ann", "shop.example") is None


async def test_a_new_title_stays(store: Store) -> None:
    made = await _create(store)
    async with store.write() as unit:
        renamed = await unit.sessions.rename("ann", made.session_id, "  Shoes ")
    assert renamed is not None
    assert (renamed.title, renamed.is_renamed) == ("Shoes", True)
    for title in ("", "  ", "x" * 201):
        with pytest.raises(InvalidArgumentError, match="1 to 200"):
            async with store.write() as unit:
                await unit.sessions.rename("ann", made.session_id, title)


async def test_the_most_recent_is_the_one_something_happened_in(store: Store) -> None:
    first = await _create(store)
    second = await _create(store)
    async with store.read() as unit:
        assert await unit.sessions.latest("ann") == second
    async with store.write() as unit:
        await unit.messages.append(first.session_id, [NewMessage(role="user", content="more")])
    async with store.read() as unit:
        latest = await unit.sessions.latest("ann")
        assert latest is not None
        assert latest.session_id == first.session_id
        assert await unit.sessions.by_domain("ann", "shop.example") == latest


async def test_pages_tell_each_once(store: Store) -> None:
    made = [(await _create(store, title=str(number))).session_id for number in range(7)]
    told: list[str] = []
    cursor = None
    sizes = []
    async with store.read() as unit:
        while True:
            page = await unit.sessions.page("ann", limit=3, before=cursor)
            told += [session.session_id for session in page.sessions]
            sizes.append(len(page.sessions))
            cursor = page.cursor
            if cursor is None:
                break
    assert told == made[::-1]
    assert sizes == [3, 3, 1]


@pytest.mark.parametrize("cursor", ["", "x", "é", "LTEuYQ==", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OS5h", "a" * 5000])
async def test_a_cursor_of_somebody_else_is_refused(store: Store, cursor: str) -> None:
    async with store.read() as unit:
        with pytest.raises(InvalidArgumentError, match="no cursor"):
            await unit.sessions.page("ann", before=cursor)


@pytest.mark.parametrize("limit", [0, -1, 201, 10**30])
async def test_a_page_is_bounded(store: Store, limit: int) -> None:
    async with store.read() as unit:
        with pytest.raises(InvalidArgumentError, match="1 to 200"):
            await unit.sessions.page("ann", limit=limit)


async def test_all_of_a_session_is_exported_and_deleted(store: Store) -> None:
    made = await _create(store)
    other = await _create(store)
    async with store.write() as unit:
        for session in (made, other):
            await unit.messages.append(session.session_id, [NewMessage(role="user", content="hello")])
            task = await unit.tasks.create("ann", session.session_id, {"of": session.session_id})
            await unit.answers.begin("ann", session.session_id, "f", "w:1")
            await unit.answers.finish("ann", session.session_id, "w:1", 200, "{}", session_id=session.session_id)
    async with store.read() as unit:
        exported = await unit.sessions.export("ann", made.session_id)
    assert exported is not None
    assert exported["session"]["sessionId"] == made.session_id
    assert [message["content"] for message in exported["messages"]] == ["hello"]
    assert [task["state"] for task in exported["tasks"]] == [{"of": made.session_id}]
    async with store.write() as unit:
        assert await unit.sessions.delete("ann", made.session_id)
    async with store.write() as unit:
        assert not await unit.sessions.delete("ann", made.session_id)
        assert not (await unit.messages.page(made.session_id)).session_exists
        assert await unit.tasks.latest("ann", made.session_id) is None
        # The key is free again, the other session's is not.
        assert type(await unit.answers.begin("ann", made.session_id, "f", "w:2")).__name__ == "Fresh"
        assert type(await unit.answers.begin("ann", other.session_id, "f", "w:2")).__name__ == "Answered"
        assert (await unit.messages.page(other.session_id)).total == 1
        assert await unit.tasks.get("ann", task.task_id) is not None


@pytest.mark.parametrize("field", ["principal", "domain", "tab_id"])
async def test_a_name_is_bounded(store: Store, field: str) -> None:
    for bad in ("", "x" * 256):
        with pytest.raises(InvalidArgumentError, match="1 to 255"):
            await _create(store, **{field: bad})
    await _create(store, **{field: "\U0001f600" * 255})


async def test_a_unit_that_fails_changes_nothing(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        async with store.write() as unit:
            made = await unit.sessions.create("ann", URL, "shop.example", "t")
            await unit.messages.append(made.session_id, [NewMessage(role="user", content="hello")])
            raise ZeroDivisionError
    async with store.read() as unit:
        assert await unit.sessions.latest("ann") is None


async def test_a_reading_unit_changes_nothing(store: Store) -> None:
    async with store.read() as unit:
        with pytest.raises(RuntimeError, match=r"store\.write"):
            await unit.sessions.create("ann", URL, "shop.example", "t")


async def test_a_reading_unit_sees_one_moment(store: Store) -> None:
    made = await _create(store)
    async with store.read() as unit:
        before = await unit.sessions.get("ann", made.session_id)
        async with store.write() as other:
            await other.sessions.rename("ann", made.session_id, "another")
        assert await unit.sessions.get("ann", made.session_id) == before
