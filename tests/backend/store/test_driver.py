"""The driver under SQLAlchemy: one errand a statement, and all else as SQLite has it."""

import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from browserx.backend.store.address import parse
from browserx.backend.store.driver import Connection, connect
from browserx.backend.store.engine import for_writing, make_engine


@asynccontextmanager
async def connected() -> AsyncIterator[Connection]:
    connection = await connect(":memory:", isolation_level=None)
    assert isinstance(connection, Connection)
    try:
        yield connection
    finally:
        await connection.close()


async def test_rows_come_back_with_the_statement() -> None:
    async with connected() as connection:
        cursor = connection.cursor()
        await cursor.execute("CREATE TABLE numbers (n INTEGER, word TEXT)")
        assert (cursor.description, await cursor.fetchall()) == (None, [])
        await cursor.executemany("INSERT INTO numbers VALUES (?, ?)", [(1, "one"), (2, "two"), (3, "three")])
        assert cursor.rowcount == 3
        await cursor.execute("UPDATE numbers SET n = n + ? WHERE n > 1 RETURNING word", (10,))
        assert sorted(await cursor.fetchall()) == [("three",), ("two",)]
        assert await cursor.fetchall() == []
        await cursor.execute("SELECT n, word FROM numbers ORDER BY n")
        assert cursor.description is not None
        assert [column[0] for column in cursor.description] == ["n", "word"]
        assert await cursor.fetchall() == [(1, "one"), (12, "two"), (13, "three")]


async def test_what_sqlite_refuses_keeps_its_code() -> None:
    async with connected() as connection:
        cursor = connection.cursor()
        await cursor.execute("CREATE TABLE once (n INTEGER PRIMARY KEY)")
        await cursor.execute("INSERT INTO once VALUES (1)")
        with pytest.raises(sqlite3.IntegrityError) as refused:
            await cursor.execute("INSERT INTO once VALUES (1)")
        assert refused.value.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CONSTRAINT
        await cursor.execute("SELECT count(*) FROM once")
        assert await cursor.fetchall() == [(1,)]


async def test_a_transaction_takes_an_errand_a_statement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = make_engine(parse(f"sqlite:///{tmp_path}/x.db"), wait_s=1)
    errands: list[str] = []
    ask = Connection._execute

    async def counted(self: Connection, function: object, *given: object) -> object:
        errands.append(getattr(function, "__name__", ""))
        return await ask(self, function, *given)  # type: ignore[no-untyped-call]

    try:
        async with for_writing(engine).connect() as connection, connection.begin():
            await connection.execute(text("CREATE TABLE numbers (n INTEGER)"))
        monkeypatch.setattr(Connection, "_execute", counted)
        async with for_writing(engine).connect() as connection, connection.begin():
            await connection.execute(text("INSERT INTO numbers VALUES (1)"))
            assert (await connection.execute(text("SELECT n FROM numbers"))).scalars().all() == [1]
        # To begin, two statements, and to commit; a connection that is given back has nothing to roll back.
        assert len(errands) == 4
    finally:
        monkeypatch.undo()
        await engine.dispose()


async def test_a_transaction_that_fails_leaves_nothing_and_its_connection_serves_the_next(tmp_path: Path) -> None:
    engine = make_engine(parse(f"sqlite:///{tmp_path}/x.db"), wait_s=1)
    try:
        async with for_writing(engine).connect() as connection, connection.begin():
            await connection.execute(text("CREATE TABLE numbers (n INTEGER)"))
        with pytest.raises(RuntimeError, match="given up"):
            async with for_writing(engine).connect() as connection, connection.begin():
                await connection.execute(text("INSERT INTO numbers VALUES (1)"))
                raise RuntimeError("given up")
        # Without its end not even a transaction that was only closed leaves anything.
        async with for_writing(engine).connect() as connection:
            await connection.execute(text("INSERT INTO numbers VALUES (2)"))
        async with for_writing(engine).connect() as connection, connection.begin():
            assert (await connection.execute(text("SELECT n FROM numbers"))).scalars().all() == []
    finally:
        await engine.dispose()


async def test_a_closed_connection_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    async with connected():
        assert set(threading.enumerate()) > before
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
    assert set(threading.enumerate()) <= before
