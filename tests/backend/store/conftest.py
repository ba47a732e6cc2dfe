"""The same tests on every database: SQLite always, PostgreSQL where one is given."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import make_url

from browserx.backend.store import Store

POSTGRES = os.environ.get("BROWSERX_TEST_POSTGRES", "")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test that uses a database runs on each kind there is; without a server there are none of its tests."""
    if "kind" in metafunc.fixturenames:
        kinds = [pytest.param("sqlite", id="sqlite")]
        if POSTGRES:
            kinds.append(pytest.param("postgresql", id="postgresql", marks=pytest.mark.services))
        metafunc.parametrize("kind", kinds)


@pytest.fixture
def file_url(tmp_path: Path) -> str:
    """An SQLite database that is not there yet."""
    return f"sqlite:///{tmp_path}/browserx.db"


@pytest.fixture
async def url(kind: str, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """An empty database of the test's own."""
    if kind == "sqlite":
        yield request.getfixturevalue("file_url")
    else:
        async with server_database() as made:
            yield made


@asynccontextmanager
async def server_database() -> AsyncIterator[str]:
    """A database of PostgreSQL, for as long as the block lasts."""
    name = f"browserx_{uuid4().hex}"
    async with await psycopg.AsyncConnection.connect(POSTGRES, autocommit=True) as server:
        await server.execute(f'CREATE DATABASE "{name}"'.encode())
        yield make_url(POSTGRES).set(database=name).render_as_string(hide_password=False)
        await server.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with Store.open(url) as opened:
        yield opened
