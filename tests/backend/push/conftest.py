"""Fixtures of the tests of push."""

import logging
from collections.abc import Iterator

import pytest

from tests.backend.push.logged import Logged


@pytest.fixture
def logged() -> Iterator[Logged]:
    handler, logger = Logged(), logging.getLogger("browserx.backend.push")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler
    logger.removeHandler(handler)
    logger.setLevel(before)
