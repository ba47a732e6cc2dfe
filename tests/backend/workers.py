"""``browserx serve`` as a process of its own: what a test may kill, and what several workers are."""

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from browserx.backend.settings import Settings
from tests.backend.served import Served

_ADDRESS = re.compile(r"answers at http://localhost:(\d+)")
_START_S = 90


class Process:
    """A running server. ``served`` is how tests talk to it."""

    def __init__(self, process: asyncio.subprocess.Process, served: Served, lines: list[str]) -> None:
        self.process = process
        self.served = served
        #: What it has said so far.
        self.lines = lines

    async def kill(self) -> None:
        """SIGKILL: it has no time for anything."""
        self.process.kill()
        await self.process.wait()

    async def end(self) -> int:
        """SIGTERM: it finishes what it is doing."""
        self.process.send_signal(signal.SIGTERM)
        return await self.process.wait()


@contextlib.asynccontextmanager
async def process(folder: Path, *options: str, port: int = 0, workers: int = 1) -> AsyncIterator[Process]:
    """Start ``browserx serve`` and wait until all its workers are there; it is ended when the block ends."""
    started = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "browserx.cli", "serve", "--port", str(port), "--data-dir", str(folder), "--log-json"),
        *("--workers", str(workers), "--rate", "100000/minute", *options),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "NO_COLOR": "1"},
        start_new_session=True,
    )
    lines: list[str] = []
    reading: asyncio.Task[None] | None = None
    try:
        assert started.stderr is not None
        async with asyncio.timeout(_START_S):
            there = 0
            while there < workers:
                line = (await started.stderr.readline()).decode()
                assert line, "it ended: " + "".join(lines)
                lines.append(line)
                there += "Application startup complete" in line
        found = next(filter(None, map(_ADDRESS.search, lines)))
        reading = asyncio.create_task(_read_on(started.stderr, lines))
        yield Process(started, Served(Settings(data_dir=str(folder)), int(found[1])), lines)
    finally:
        if started.returncode is None:
            started.terminate()
            try:
                async with asyncio.timeout(20):
                    await started.wait()
            except TimeoutError:
                # Its workers are of its group.
                os.killpg(started.pid, signal.SIGKILL)
                await started.wait()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        if reading is not None:
            await reading


async def _read_on(stream: asyncio.StreamReader, lines: list[str]) -> None:
    while line := await stream.readline():
        lines.append(line.decode())
