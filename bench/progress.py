"""Telling who waits what is being measured."""

import sys


def progress(doing: str) -> None:
    """On a terminal: show ``doing`` in place of what was shown before; "" wipes it."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{doing}", end="", file=sys.stderr, flush=True)
