"""Several processes on one database: nothing is lost or doubled, also when one is killed."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from browserx.backend.store import NewMessage, Store
from browserx.errors import DatabaseBusyError
from browserx.semantic.conversation import Message


@asynccontextmanager
async def work(*words: str) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.backend.store.work", *words, stdin=PIPE, stdout=PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def finished(process: Process) -> int:
    async with asyncio.timeout(100):
        return await process.wait()


async def begin(store: Store) -> str:
    async with store.write() as unit:
        return (await unit.sessions.create("ann", "https://a.example/", "a.example", "t")).session_id


async def told(store: Store, session_id: str) -> list[Message]:
    messages: list[Message] = []
    async with store.read() as unit:
        total = await unit.messages.total(session_id)
        while len(messages) < (total or 0):
            page = await unit.messages.page(session_id, after=len(messages) - 1)
            assert page.messages
            messages += page.messages
    return messages


async def test_two_processes_with_many_writers_each(url: str, store: Store) -> None:
    session_id = await begin(store)
    async with (
        work("append", url, session_id, "one", "6", "12") as one,
        work("append", url, session_id, "two", "6", "12") as two,
    ):
        assert [await finished(one), await finished(two)] == [0, 0]
    messages = await told(store, session_id)
    assert [message.sequence_number for message in messages] == list(range(144))
    assert len({message.message_id for message in messages}) == 144
    of_writers: dict[str, list[int]] = {}
    for message in messages:
        writer, _, number = message.content.partition(" ")
        of_writers.setdefault(writer, []).append(int(number))
    assert len(of_writers) == 12
    assert all(numbers == list(range(12)) for numbers in of_writers.values())


async def test_what_a_killed_process_had_committed_is_there(url: str, store: Store) -> None:
    session_id = await begin(store)
    committed = -1
    for _ in range(3):
        async with work("endless", url, session_id) as process:
            assert process.stdout
            async with asyncio.timeout(60):
                for _ in range(20):
                    committed = int(await process.stdout.readline())
            # In the middle of whatever it does.
            process.kill()
            async with asyncio.timeout(60):
                for line in (await process.stdout.read()).split():
                    committed = int(line)
        messages = await told(store, session_id)
        assert len(messages) % 2 == 0
        # One transaction may have been committed, and killed before it was told.
        assert committed + 1 <= len(messages) <= committed + 3
        assert [message.sequence_number for message in messages] == list(range(len(messages)))
    async with store.write() as unit:
        (added,) = await unit.messages.append(session_id, [NewMessage(role="user", content="on")])
    assert added.sequence_number == len(messages)


async def test_many_servers_may_start_at_once(url: str) -> None:
    processes = [
        await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.backend.store.work", "start", url)
        for _ in range(4)
    ]
    assert [await finished(process) for process in processes] == [0] * 4
    async with Store.open(url, upgrade=False) as store, store.read() as unit:
        assert len((await unit.sessions.page("starter")).sessions) == 4


async def test_a_lock_of_another_process_is_waited_for_within_bounds(file_url: str) -> None:
    async with work("hold", file_url) as holder:
        assert holder.stdout
        assert holder.stdin
        async with asyncio.timeout(60):
            await holder.stdout.readline()
        async with Store.open(file_url, wait_s=0.1) as store:
            with pytest.raises(DatabaseBusyError, match="try again"):
                await begin(store)
            # Who reads waits for nobody.
            async with store.read() as unit:
                assert await unit.sessions.latest("holder") is None
        async with Store.open(file_url, wait_s=60) as store:
            waiting = asyncio.create_task(begin(store))
            holder.stdin.write(b"\n")
            assert await waiting
            assert await finished(holder) == 0
            async with store.read() as unit:
                assert await unit.sessions.latest("holder") is not None
