"""What client and daemon say to each other: one JSON line each way.

The client asks ``{"version", "argv", "cwd", "environ", "stdin"}`` and is answered ``{"version", "exit", "out",
"err"}``, or ``{"version", "gone": true}``: nothing was done, start another daemon. A daemon of another version answers
that and ends, so these two names must never change.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from browserx import __version__

MAX_REQUEST_BYTES = 1 << 20
MAX_ANSWER_BYTES = 1 << 26
#: Settings come from these, and from files that they say the place of.
_SETTINGS = ("HOME", "XDG_CONFIG_HOME")


class Answer(NamedTuple):
    """What a command printed, and its exit code; ``gone``: it was not even begun."""

    exit: int
    out: str
    err: str
    gone: bool


def request_line(argv: Sequence[str], environ: Mapping[str, str], stdin: str | None, folder: str = "/") -> bytes:
    """A command called in ``folder``, as it goes to the daemon."""
    settings = {name: value for name, value in environ.items() if name.startswith("BROWSERX_") or name in _SETTINGS}
    return _line({"version": __version__, "argv": list(argv), "cwd": folder, "environ": settings, "stdin": stdin})


def answer_line(answer: Answer) -> bytes:
    """An answer, as it goes to the client."""
    return _line({"version": __version__, **answer._asdict()})


def read_answer(line: bytes) -> Answer:
    """The answer in ``line``.

    Raises:
        ValueError: it is none.
    """
    told = json.loads(line)
    if told.get("gone"):
        return Answer(1, "", "", True)
    return Answer(int(told["exit"]), str(told["out"]), str(told["err"]), False)


def _line(value: dict[str, Any]) -> bytes:
    # Lone surrogates, as in names of files that are no UTF-8, can only be told escaped.
    return json.dumps(value).encode() + b"\n"
