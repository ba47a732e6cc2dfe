"""Fixtures of the tests of the backend."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.backend.served import Served, serve


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A backend that follows plain instructions, with a fresh database."""
    async with serve(tmp_path / "data") as running:
        yield running
