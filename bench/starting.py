"""Times the start of a program that looks at a page, and measures what it costs, in processes of their own."""

import asyncio
import sys
import time
from pathlib import Path

import msgspec

from bench.chromium import VIEWPORT
from bench.progress import progress
from bench.result import BROWSERX, CONNECT, IMPORT, LAUNCH, PLAYWRIGHT, Engine, Timing
from browserx import Browser

_ROOT = Path(__file__).parent.parent
_IMPORTS = {BROWSERX: "browserx", PLAYWRIGHT: "playwright.async_api"}
_IMPORT = "import time; started = time.perf_counter(); import {}; print((time.perf_counter() - started) * 1000)"


async def time_starts(url: str, elements: int, runs: int, *, peers: bool) -> list[Timing]:
    """Everything in ``STARTS``, with the page of so many ``elements`` at ``url``, all tools in turn in every round."""
    tools = [BROWSERX, PLAYWRIGHT] if peers else [BROWSERX]
    found = {(what, tool): Timing(what, tool, elements, []) for what in (IMPORT, CONNECT, LAUNCH) for tool in tools}
    async with Browser.launch(viewport=VIEWPORT, debugging_port=0) as running:
        # The first round fills the caches of the disk, and is not counted.
        for number in range(runs + 1):
            progress(f"start: {f'run {number} of {runs}' if number else 'warming up'}")
            for (what, tool), timing in found.items():
                if what == IMPORT:
                    spent_ms = float((await _output("-c", _IMPORT.format(_IMPORTS[tool])))[1])
                else:
                    cdp = [running.debugging_url] if what == CONNECT else []
                    spent_ms, _ = await _output("-m", "bench.alone", tool, url, "0", *cdp)
                if number:
                    timing.ms.append(spent_ms)
    return list(found.values())


async def measure_engine(url: str, elements: int, runs: int) -> Engine:
    """What looking so many times at the page of so many ``elements`` costs."""
    progress(f"{elements:,} elements: memory")
    _, printed = await _output("-m", "bench.alone", BROWSERX, url, str(runs))
    return msgspec.json.decode(printed, type=Engine)


async def _output(*arguments: str) -> tuple[float, str]:
    """Run this Python; returns the ms from its start to its first line, and its last line.

    Raises:
        RuntimeError: it failed; what it said stands on stderr.
    """
    started = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, cwd=_ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    first = await process.stdout.readline()
    spent_ms = (time.perf_counter() - started) * 1000
    rest = (await process.stdout.read()).splitlines()
    if await process.wait():
        raise RuntimeError(f"python {' '.join(arguments)} failed")
    return spent_ms, (rest[-1] if rest else first).decode()
