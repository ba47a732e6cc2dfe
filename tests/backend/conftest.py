"""Fixtures of the tests of the backend.

Those that use ``served`` or ``storage`` run on SQLite, and, where a PostgreSQL and a Redis are given, on those: with two
workers in processes of their own, or in this one.
"""

import itertools
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from browserx.backend.tokens import OWNER, Tokens, add_token, read_tokens
from tests.backend.served import Served, serve
from tests.backend.store.conftest import POSTGRES, server_database
from tests.backend.workers import process

REDIS = os.environ.get("BROWSERX_TEST_REDIS", "")
_PRINCIPALS = 400


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name in ("served", "storage"):
        if name in metafunc.fixturenames:
            kinds = [pytest.param("sqlite", id="sqlite")]
            if POSTGRES and REDIS:
                kinds.append(pytest.param("services", id="services", marks=pytest.mark.services))
            metafunc.parametrize(name, kinds, indirect=True)


@pytest.fixture
def served(request: pytest.FixtureRequest) -> Served:
    """A backend that follows plain instructions, with nothing in it that a test could see."""
    if request.param == "sqlite":
        alone: Served = request.getfixturevalue("alone")
        return alone
    # Shared by all tests, each with principals of its own.
    many: _Workers = request.getfixturevalue("workers")
    return many.for_one_test()


@pytest.fixture
async def alone(tmp_path: Path) -> AsyncIterator[Served]:
    """A backend in this process, with a database of the test's own."""
    async with serve(tmp_path / "data") as running:
        yield running


@pytest.fixture
async def storage(request: pytest.FixtureRequest) -> AsyncIterator[dict[str, Any]]:
    """Settings for ``serve``: where things are kept."""
    if request.param == "sqlite":
        yield {}
    else:
        async with server_database() as database:
            yield {"database": database, "redis": REDIS}


class _Workers:
    def __init__(self, served: Served, tokens: Tokens) -> None:
        self._served = served
        self._tokens = tokens
        self._numbers = itertools.count()

    def for_one_test(self) -> Served:
        one = Served(self._served.settings, self._served.port)
        number = next(self._numbers)
        one.ann, one.ben = (self._tokens.of(f"{name}{number}") or "" for name in ("ann", "ben"))
        assert one.ann
        return one


@pytest.fixture(scope="session")
async def workers(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[_Workers]:
    """Two workers on PostgreSQL and Redis."""
    folder = tmp_path_factory.mktemp("workers")
    path = folder / "tokens"
    add_token(path, OWNER)
    made = [f"{name}{number} {'x' * 20}{name}{number}" for number in range(_PRINCIPALS) for name in ("ann", "ben")]
    path.write_text(path.read_text() + "\n".join(made) + "\n")
    async with (
        server_database() as database,
        process(folder, "--database", database, "--redis", REDIS, workers=2) as running,
    ):
        yield _Workers(running.served, read_tokens(path))
