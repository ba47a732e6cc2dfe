"""Times looks and actions, all tools in turn in every round, so that a busy moment of the machine hits them alike."""

import asyncio
import contextlib
import gc
import time
from collections.abc import Sequence

from bench.progress import progress
from bench.result import CHANGED, FIRST, LOOKS, WHOLE, Timing
from bench.tokens import tokens
from bench.tools import Tool, browserx_on, playwright_on

#: Before these the page is changed, so that nothing can be answered from memory.
_OF_A_CHANGED_PAGE = frozenset((FIRST, CHANGED, WHOLE))
_PAUSE_S = 0.3


async def time_looks(url: str, elements: int, runs: int, *, peers: bool) -> list[Timing]:
    """Everything in ``LOOKS``, on the page of so many ``elements`` at ``url``."""
    async with contextlib.AsyncExitStack() as stack:
        tools = [await stack.enter_async_context(browserx_on(url))]
        if peers:
            tools.append(await stack.enter_async_context(playwright_on(url)))
        found: dict[tuple[str, str], Timing] = {}
        texts: dict[tuple[str, str], str] = {}
        # The first round warms everything up, and is not counted.
        for number in range(runs + 1):
            progress(f"{elements:,} elements: {f'run {number} of {runs}' if number else 'warming up'}")
            if number == 1:
                found.clear()
            texts |= await _round(tools, elements, found)
    for key, text in texts.items():
        found[key].bytes = len(text.encode())
        with contextlib.suppress(ImportError):
            found[key].tokens = tokens(text)
    return list(found.values())


async def _round(
    tools: Sequence[Tool], elements: int, found: dict[tuple[str, str], Timing]
) -> dict[tuple[str, str], str]:
    """Everything once; adds to ``found`` and returns the texts, both by what and tool."""
    texts = {}
    for tool in tools:
        # What the one before leaves to be tidied up, in this process and in its own, is not to fall to this one.
        gc.collect()
        await asyncio.sleep(_PAUSE_S)
        for what in LOOKS:
            if (act := tool.acts.get(what)) is None:
                continue
            if what in _OF_A_CHANGED_PAGE:
                await tool.change()
            started = time.perf_counter()
            texts[what, tool.name] = await act()
            spent_ms = (time.perf_counter() - started) * 1000
            timing = found.setdefault((what, tool.name), Timing(what, tool.name, elements, []))
            timing.ms.append(spent_ms)
            timing.partial += tool.partial()
            for stage, ms in tool.stages().items():
                timing.stage_ms.setdefault(stage, []).append(ms)
    return texts
