"""What the engine logs while a command runs, for whoever called it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def overheard(level: int) -> Iterator[list[str]]:
    """Lines logged from here on, from ``level`` up."""
    lines: list[str] = []
    handler = _Lines(lines)
    logger = logging.getLogger("browserx")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(level)
    try:
        yield lines
    finally:
        logger.setLevel(before)
        logger.removeHandler(handler)


class _Lines(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(record.getMessage())
