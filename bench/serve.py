"""``browserx serve`` as a process of its own, as people start it, and what its processes hold of memory."""

import contextlib
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import IO, NamedTuple

from browserx.backend.push.credentials import AppCredentials, credentials

_ADDRESS = re.compile(r"answers at http://localhost:(\d+)")
_END_S = 30
#: No limit that a benchmark could meet.
_RATE = "1000000/minute"
_LAST_LINES = 40


class Backend(NamedTuple):
    """A server that runs. ``said`` is the end of its log."""

    port: int
    pid: int
    token: str
    push: AppCredentials
    said: deque[str]


class Memory(NamedTuple):
    """Of the server's processes together, in MB of 10^6 bytes: resident, and what is theirs alone."""

    rss_mb: float
    uss_mb: float


@contextlib.contextmanager
def backend(*options: str, workers: int = 1) -> Iterator[Backend]:
    """Start one with a folder of its own and nothing in it; it ends with the block.

    Raises:
        RuntimeError: it did not start.
    """
    token = secrets.token_urlsafe(32)
    with tempfile.TemporaryDirectory(prefix="bxb-") as folder:
        command = (
            *(sys.executable, "-m", "browserx.cli", "serve", "--port", "0", "--data-dir", folder, "--log-json"),
            *("--rate", _RATE, "--workers", str(workers), *options),
        )
        environ = {**os.environ, "BROWSERX_TOKEN": token, "NO_COLOR": "1"}
        with subprocess.Popen(
            command, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, start_new_session=True,
        ) as process:  # fmt: skip
            assert process.stderr is not None
            said: deque[str] = deque(maxlen=_LAST_LINES)
            # It says a line for each request: somebody has to listen, or it would wait.
            listening = Thread(target=said.extend, args=(process.stderr,))
            try:
                port = _started(process.stderr, workers, said)
                listening.start()
                yield Backend(port, process.pid, token, credentials(Path(folder) / "push.json"), said)
            finally:
                _end(process)
                if listening.ident is not None:
                    listening.join()


def memory(pid: int) -> Memory | None:
    """What a process and those it has started hold; None where the system does not tell."""
    rss = uss = 0
    try:
        for one in (pid, *_children(pid)):
            for line in Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii").splitlines():
                name, _, value = line.partition(":")
                if name == "Rss":
                    rss += int(value.split()[0])
                elif name in ("Private_Clean", "Private_Dirty"):
                    uss += int(value.split()[0])
    except OSError:
        return None
    return Memory(rss * 1024 / 1e6, uss * 1024 / 1e6)


def _children(pid: int) -> Iterator[int]:
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
        yield int(child)
        yield from _children(int(child))


def _started(stderr: IO[str], workers: int, said: deque[str]) -> int:
    """The port, once all workers are there."""
    port = 0
    for line in stderr:
        said.append(line)
        found = _ADDRESS.search(line)
        port = int(found[1]) if found else port
        workers -= "Application startup complete" in line
        if port and workers <= 0:
            return port
    raise RuntimeError("the server did not start: " + "".join(said))


def _end(process: "subprocess.Popen[str]") -> None:
    """Its workers are of its group."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            pass
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
