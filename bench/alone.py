"""A process that opens one page and looks at it, for what is measured from outside (its start) or in a process that does
nothing else (memory, CPU): ``python -m bench.alone TOOL URL LOOKS [CDP]``.

It prints a line as soon as it has the page's text. With ``CDP``, the address of a Chromium that runs, it connects to
that one; else it starts its own. With ``LOOKS`` above 0 it looks so many times more at the viewport, then at the whole
page, and prints a ``bench.result.Engine`` as JSON. It imports nothing that the first text does not need.
"""

import asyncio
import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from browserx import DomService


async def browserx(url: str, looks: int, cdp: str) -> None:
    import logging

    from browserx import Browser, DomService

    # Who started this process was told already that it runs as root.
    logging.getLogger("browserx.browser").setLevel(logging.ERROR)
    async with Browser.connect(cdp) if cdp else Browser.launch() as browser:
        tab = await browser.new_tab(url)
        dom = await DomService.for_tab(tab)
        print(len((await dom.observe()).text), flush=True)
        if looks:
            await look_on(dom, int(url.rpartition("/")[2]), looks)
        await tab.close()


async def playwright(url: str, cdp: str) -> None:
    from playwright.async_api import async_playwright  # type: ignore[import-not-found,unused-ignore]

    async with async_playwright() as driver:
        if cdp:
            browser = await driver.chromium.connect_over_cdp(cdp)
            page = await browser.contexts[0].new_page()
        else:
            from bench.chromium import PLAYWRIGHT_ARGS
            from browserx.browser.executable import find_executable

            browser = await driver.chromium.launch(executable_path=str(find_executable()), args=PLAYWRIGHT_ARGS)
            page = await browser.new_page()
        await page.goto(url)
        print(len(await page.aria_snapshot(mode="ai")), flush=True)
        await page.close()
        await browser.close()


async def look_on(dom: "DomService", elements: int, looks: int) -> None:
    import msgspec

    for _ in range(looks):
        await dom.observe(force=True)
    found: dict[str, object] = {"elements": elements, "viewport_mb": resident_mb()}
    spent_s = []
    for _ in range(looks):
        started_s = time.process_time()
        await dom.observe(viewport_only=False, max_tokens=None, force=True)
        spent_s.append(time.process_time() - started_s)
    found |= {"whole_mb": resident_mb(), "whole_cpu_s": spent_s}
    print(msgspec.json.encode(found).decode())


def resident_mb() -> float:
    """Memory of this process, in MB of 10^6 bytes: now, or at most so far where the system tells only that."""
    try:
        with open("/proc/self/statm", encoding="ascii") as told:
            return int(told.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6
    except OSError:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / 1e6 if sys.platform == "darwin" else most * 1024 / 1e6


def main() -> None:
    tool, url, looks, cdp = (*sys.argv[1:], "")[:4]
    asyncio.run(browserx(url, int(looks), cdp) if tool == "BrowserX" else playwright(url, cdp))


if __name__ == "__main__":
    main()
