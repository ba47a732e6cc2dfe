"""``scripts/bench look``: how long a look and an action take, on pages of 1k to 50k elements.

Before each look one text of the page is changed, so that nothing can be answered from memory. Compares with Playwright
when its Python package is installed beside BrowserX (``uv pip install playwright``).
"""

import argparse
import asyncio
import importlib.util
import statistics
import time
from collections.abc import Awaitable, Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from bench.pages import page
from browserx import Browser, DomService

Measure = Callable[[], Awaitable[object]]
_CHANGE = "document.getElementById('tick').textContent = Math.random(); document.documentElement.offsetHeight"


class _Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        size = self.path.strip("/")
        body = page(int(size)).encode() if size.isdigit() else b""  # the browser asks for /favicon.ico too
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


async def timed(measure: Measure, before: Measure, runs: int) -> list[float]:
    """Milliseconds of each run, after one to warm up."""
    spent = []
    for _ in range(runs + 1):
        await before()
        started = time.perf_counter()
        await measure()
        spent.append((time.perf_counter() - started) * 1000)
    return spent[1:]


async def browserx_rows(url: str, runs: int) -> dict[str, list[float]]:
    async with Browser.launch() as browser:
        tab = await browser.new_tab(url)
        dom = await DomService.for_tab(tab)

        async def change() -> object:
            return await tab.evaluate(_CHANGE)

        async def click_and_look() -> object:
            result = await dom.click(button)
            assert result.success, result
            return await dom.observe()

        seen = await dom.observe()
        button = next(line.split()[0] for line in seen.text.splitlines() if " button 0" in line)
        return {
            "viewport": await timed(dom.observe, change, runs),
            "whole page": await timed(lambda: dom.observe(viewport_only=False, max_tokens=None), change, runs),
            "click + look": await timed(click_and_look, dom.observe, runs),
        }


async def playwright_rows(url: str, runs: int) -> dict[str, list[float]]:
    from playwright.async_api import async_playwright  # type: ignore[import-not-found,unused-ignore]

    from browserx.browser.executable import find_executable

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=str(find_executable()), args=["--no-sandbox", "--disable-gpu"]
        )
        tab = await browser.new_page()
        await tab.goto(url)
        rows = {
            "playwright aria": await timed(
                lambda: tab.locator("body").aria_snapshot(), lambda: tab.evaluate(_CHANGE), runs
            )
        }
        await browser.close()
        return rows


async def run(sizes: list[int], runs: int, base: str) -> None:
    print(f"{'elements':>9}  {'what':16}{'min':>9}{'median':>9}{'max':>9}   ms, {runs} runs")
    for size in sizes:
        rows = await browserx_rows(f"{base}/{size}", runs)
        if importlib.util.find_spec("playwright"):
            rows |= await playwright_rows(f"{base}/{size}", runs)
        for what, spent in rows.items():
            print(f"{size:9}  {what:16}{min(spent):9.1f}{statistics.median(spent):9.1f}{max(spent):9.1f}")


def main() -> None:
    parser = argparse.ArgumentParser("scripts/bench look", description=__doc__)
    parser.add_argument("--sizes", default="1000,5000,10000,50000", help="elements (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=7, help="of each (default: %(default)s)")
    arguments = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    Thread(target=server.serve_forever, daemon=True).start()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    try:
        asyncio.run(run(sizes, arguments.runs, f"http://127.0.0.1:{server.server_port}"))
    finally:
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    main()
