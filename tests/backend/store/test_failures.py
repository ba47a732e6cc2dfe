"""What goes wrong with databases: told in typed errors that name the next step, and over when it is mended."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url, text

from browserx.backend.store import NewMessage, Store, upgrade
from browserx.errors import (
    DatabaseBusyError,
    DatabaseFullError,
    DatabaseUnavailableError,
    InvalidArgumentError,
    SchemaVersionError,
)
from tests.backend.store.conftest import POSTGRES, server_database

on_postgresql = [
    pytest.mark.services,
    pytest.mark.skipif(not POSTGRES, reason="no PostgreSQL here: scripts/test-services starts one"),
]


async def begin(store: Store) -> str:
    async with store.write() as unit:
        return (await unit.sessions.create("ann", "https://a.example/", "a.example", "t")).session_id


@pytest.mark.parametrize("url", ["", "x", "mysql://a/b", "sqlite://", "sqlite:///:memory:", "postgresql://h:port/x"])
async def test_a_url_that_makes_no_sense(url: str) -> None:
    with pytest.raises(InvalidArgumentError, match="write"):
        async with Store.open(url):
            pass


async def test_a_password_is_in_no_message(tmp_path: Path) -> None:
    # Nobody listens on port 1.
    for url in (
        "postgresql://me:hush@127.0.0.1:1/x",
        "postgresql://me@127.0.0.1:1/x?password=hush&connect_timeout=2",
        "postgresql://me:hush@127.0.0.1:port/x",
        "mysql://me:hush@h/x",
    ):
        with pytest.raises((DatabaseUnavailableError, InvalidArgumentError)) as raised:
            await upgrade(url)
        assert "hush" not in str(raised.value)


async def test_a_server_that_is_not_there() -> None:
    with pytest.raises(DatabaseUnavailableError, match="see that it runs") as raised:
        await upgrade("postgresql://127.0.0.1:1/x")
    assert raised.value.database == "postgresql+psycopg://127.0.0.1:1/x"


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no database " * 1000)
    with pytest.raises(DatabaseUnavailableError, match="damaged"):
        await upgrade(f"sqlite:///{path}")
    assert path.read_text() == "no database " * 1000


async def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir(mode=0o755)
    for bad in ("file/x.db", "folder", "x" * 300):
        with pytest.raises(DatabaseUnavailableError, match="folder that is"):
            await upgrade(f"sqlite:///{tmp_path}/{bad}")
    assert (tmp_path / "folder").stat().st_mode & 0o777 == 0o755


async def test_a_file_that_is_not_there_is_not_made_by_looking(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailableError):
        async with Store.open(f"sqlite:///{tmp_path}/x/y.db", upgrade=False):
            pass
    assert list(tmp_path.iterdir()) == []


async def test_a_schema_that_is_newer(url: str) -> None:
    async with Store.open(url) as store, store._writing.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for opened in (True, False):
        with pytest.raises(SchemaVersionError, match="upgrade BrowserX") as raised:
            async with Store.open(url, upgrade=opened):
                pass
        assert raised.value.found == "9999"


async def test_a_schema_that_is_not_made(file_url: str) -> None:
    sqlite3.connect(make_url(file_url).database or "").close()
    with pytest.raises(SchemaVersionError, match="browserx db upgrade"):
        async with Store.open(file_url, upgrade=False):
            pass


async def test_a_schema_of_which_a_part_is_gone(url: str) -> None:
    async with Store.open(url) as store:
        async with store._writing.begin() as connection:
            await connection.execute(text("DROP TABLE answers"))
        if url.startswith("postgresql"):
            with pytest.raises(SchemaVersionError, match="lacks a part"):
                async with store.write() as unit:
                    await unit.answers.begin("ann", "k", "f", "w:1")


async def test_a_disk_that_is_full(file_url: str) -> None:
    async with Store.open(file_url) as store:
        session_id = await begin(store)
        async with store._writing.connect() as connection:
            pages = (await connection.execute(text("PRAGMA page_count"))).scalar_one()
            await connection.execute(text(f"PRAGMA max_page_count={pages + 10}"))
        with pytest.raises(DatabaseFullError, match="make room"):
            async with store.write() as unit:
                await unit.messages.append(session_id, [NewMessage(role="user", content="kept?")])
                await unit.tasks.create("ann", session_id, "x" * 200_000)
        # Nothing of it was kept, and what fits goes on.
        async with store.write() as unit:
            (added,) = await unit.messages.append(session_id, [NewMessage(role="user", content="fits")])
        assert added.sequence_number == 0


async def test_writers_of_one_process_queue_up_within_bounds(file_url: str) -> None:
    async with Store.open(file_url, wait_s=0.05) as store, store.write() as unit:
        with pytest.raises(DatabaseBusyError, match="try again"):
            await begin(store)
        await unit.sessions.create("ann", "https://a/", "a", "t")


async def test_who_is_cancelled_leaves_no_lock(store: Store) -> None:
    session_id = await begin(store)
    for steps in range(40):
        writing = asyncio.create_task(_append(store, session_id))
        for _ in range(steps):
            await asyncio.sleep(0)
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
    async with asyncio.timeout(20):
        await _append(store, session_id)
    async with store.read() as unit:
        page = await unit.messages.page(session_id)
    assert [message.sequence_number for message in page.messages] == list(range(page.total))


async def _append(store: Store, session_id: str) -> None:
    async with store.write() as unit:
        await unit.messages.append(session_id, [NewMessage(role="user", content="x")])


class Way:
    """The way to a PostgreSQL, which can be closed: as if it were stopped."""

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self.port = 0

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._join, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        assert self._server
        self._server.close()
        for writer in self._open:
            writer.transport.abort()
        await self._server.wait_closed()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, thither = await asyncio.open_unix_connection(self._socket)
        self._open |= {writer, thither}
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_copy(reader, thither))
                group.create_task(_copy(there, writer))
        finally:
            self._open -= {writer, thither}


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def way_to_server() -> AsyncIterator[tuple[Way, str]]:
    async with server_database() as made:
        parsed = make_url(made)
        folder = parsed.query["host"]
        way = Way(f"{folder}/.s.PGSQL.{parsed.port or 5432}")
        await way.open()
        try:
            over = parsed.set(host="127.0.0.1", port=way.port).difference_update_query(["host"])
            yield way, over.render_as_string(hide_password=False)
        finally:
            await way.close()


class TestOnPostgresql:
    """What only a server can do."""

    pytestmark = on_postgresql

    async def test_gone_and_back(self) -> None:
        async with way_to_server() as (way, url), Store.open(url) as store:
            session_id = await begin(store)
            with pytest.raises(DatabaseUnavailableError, match="see that it runs"):
                async with store.write() as unit:
                    await unit.messages.append(session_id, [NewMessage(role="user", content="lost")])
                    await way.close()
                    await unit.messages.append(session_id, [NewMessage(role="user", content="lost")])
            with pytest.raises(DatabaseUnavailableError):
                await begin(store)
            await way.open()
            async with store.write() as unit:
                (added,) = await unit.messages.append(session_id, [NewMessage(role="user", content="kept")])
            assert added.sequence_number == 0

    async def test_the_pool_notices_while_nobody_asks(self) -> None:
        async with way_to_server() as (way, url), Store.open(url) as store:
            session_id = await begin(store)
            await way.close()
            await way.open()
            async with store.read() as unit:
                assert await unit.sessions.get("ann", session_id) is not None

    async def test_a_row_that_is_held_too_long(self) -> None:
        async with server_database() as url, Store.open(url, wait_s=0.1) as store:
            session_id = await begin(store)
            async with store.write() as unit:
                await unit.sessions.follow(session_id, "https://b/", "b")
                with pytest.raises(DatabaseBusyError, match="try again"):
                    await _append(store, session_id)
            await _append(store, session_id)

    async def test_no_such_database(self) -> None:
        url = make_url(POSTGRES).set(database="missing").render_as_string(hide_password=False)
        with pytest.raises(DatabaseUnavailableError, match="missing"):
            await upgrade(url)

    async def test_each_database_is_left_without_connections(self) -> None:
        async with server_database() as url:
            async with Store.open(url) as store:
                await begin(store)
            async with await psycopg.AsyncConnection.connect(POSTGRES, autocommit=True) as server:
                # A backend of the server takes a moment to go.
                async with asyncio.timeout(10):
                    while True:
                        cursor = await server.execute(
                            "SELECT count(*) FROM pg_stat_activity WHERE datname = %s", [make_url(url).database]
                        )
                        if await cursor.fetchone() == (0,):
                            break
