"""What the tests let other processes do to a store: ``python -m tests.backend.store.work NAME URL …``."""

import asyncio
import sys
from collections.abc import Callable, Coroutine

from browserx.backend.store import NewMessage, Store


def tell(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


async def append(url: str, session_id: str, name: str, writers: str, each: str) -> None:
    """Many writers at once, each of which adds its numbers one after the other."""

    async def write(store: Store, writer: int) -> None:
        for number in range(int(each)):
            async with store.write() as unit:
                message = NewMessage(role="user", content=f"{name}.{writer} {number}")
                await unit.messages.append(session_id, [message])

    async with Store.open(url, wait_s=60) as store, asyncio.TaskGroup() as group:
        for writer in range(int(writers)):
            group.create_task(write(store, writer))


async def endless(url: str, session_id: str) -> None:
    """Add pairs of messages, and tell each number that is committed, until killed."""
    async with Store.open(url, wait_s=60) as store:
        while True:
            async with store.write() as unit:
                both = [NewMessage(role="user", content="one"), NewMessage(role="assistant", content="two")]
                added = await unit.messages.append(session_id, both)
            tell(added[-1].sequence_number)


async def hold(url: str) -> None:
    """Begin to write, say so, and go on until told to stop."""
    async with Store.open(url) as store, store.write() as unit:
        await unit.sessions.create("holder", "https://a/", "a", "t")
        tell("holding")
        await asyncio.to_thread(sys.stdin.readline)


async def start(url: str) -> None:
    """Open it, as a server does when it starts."""
    async with Store.open(url) as store, store.write() as unit:
        await unit.sessions.create("starter", "https://a/", "a", "t")


WORK: dict[str, Callable[..., Coroutine[None, None, None]]] = {
    "append": append,
    "endless": endless,
    "hold": hold,
    "start": start,
}

if __name__ == "__main__":
    asyncio.run(WORK[sys.argv[1]](*sys.argv[2:]))
