"""Files that nobody else may read, and the schema: made once, kept in step with the code."""

import asyncio
import os
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, make_url

from browserx.backend.store import NewMessage, Store, default_url, upgrade, versions
from browserx.backend.store.address import parse, shown
from browserx.backend.store.schema import metadata


async def test_nobody_else_may_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "deep"
    before = os.umask(0)
    try:
        async with Store.open(f"sqlite:///{folder}/browserx.db") as store:
            async with store.write() as unit:
                await unit.sessions.create("ann", "https://a/", "a", "t")
            files = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
        assert {"browserx.db", "browserx.db-wal", "browserx.db-shm"} <= set(files)
        assert set(files.values()) == {0o600}
        assert folder.stat().st_mode & 0o777 == 0o700
    finally:
        os.umask(before)


async def test_a_file_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "browserx.db"
    path.touch(mode=0o644)
    await upgrade(f"sqlite:///{path}")
    assert path.stat().st_mode & 0o777 == 0o600


async def test_two_stores_on_one_file(file_url: str) -> None:
    """Opening it again in the same process takes no lock from under the other."""
    async with Store.open(file_url, wait_s=60) as one, Store.open(file_url, wait_s=60) as two:
        async with one.write() as unit:
            session_id = (await unit.sessions.create("ann", "https://a/", "a", "t")).session_id

        async def write(store: Store) -> None:
            for _ in range(20):
                async with store.write() as unit:
                    await unit.messages.append(session_id, [NewMessage(role="user", content="x")])

        await asyncio.gather(write(one), write(two), upgrade(file_url))
        async with two.read() as unit:
            page = await unit.messages.page(session_id)
        assert [message.sequence_number for message in page.messages] == list(range(40))


@pytest.mark.parametrize(
    ("given", "full"),
    [
        ("sqlite:////a/b.db", "sqlite+aiosqlite:////a/b.db"),
        ("sqlite+aiosqlite:///b.db", "sqlite+aiosqlite:///b.db"),
        ("postgresql://h/d", "postgresql+psycopg://h/d"),
        ("postgres://u:p@h:5/d", "postgresql+psycopg://u:***@h:5/d"),
        ("postgresql+psycopg://u@/d?host=/x&password=p", "postgresql+psycopg://u@/d?host=%2Fx"),
    ],
)
def test_urls(given: str, full: str) -> None:
    assert shown(parse(given)) == full


def test_the_default_is_a_file_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", f"{tmp_path}/my data %")
    assert make_url(default_url()).database == f"{tmp_path}/my data %/browserx/browserx.db"
    asyncio.run(upgrade())
    assert (tmp_path / "my data %" / "browserx" / "browserx.db").is_file()


async def test_upgrading_twice_changes_nothing(url: str) -> None:
    await upgrade(url)
    async with Store.open(url, upgrade=False) as store, store.write() as unit:
        session_id = (await unit.sessions.create("ann", "https://a/", "a", "t")).session_id
    await upgrade(url)
    async with Store.open(url) as store, store.read() as unit:
        assert await unit.sessions.get("ann", session_id) is not None


async def test_the_migrations_make_what_the_code_works_with(store: Store) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    async with store._reading.connect() as connection:
        assert await connection.run_sync(differences) == []


def test_the_code_knows_all_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", str(versions._MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)
    assert tuple(script.revision for script in scripts.walk_revisions())[::-1] == versions.REVISIONS
