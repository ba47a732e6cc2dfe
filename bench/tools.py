"""The tools that are timed, each with one page open in a Chromium of its own."""

import contextlib
import importlib.metadata
import importlib.util
import inspect
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol

from bench.chromium import PLAYWRIGHT_ARGS, VIEWPORT
from bench.result import BROWSERX, CHANGED, CLICK, FIRST, PLAYWRIGHT, SAME, WHOLE
from browserx import Browser, DomService, Observation, Tab
from browserx.browser.executable import find_executable

_CHANGE = "document.getElementById('tick').textContent = Math.random(); document.documentElement.offsetHeight"
#: Playwright's own, half a minute, is little for 50,000 elements on a busy machine.
_PATIENCE_MS = 120_000
_COUNTER = re.compile(r'- button "\d+"[^\n]*? \[ref=(\w+)\]')


class Tool(Protocol):
    """One tool on one page. ``acts`` are what it can do there, by the names of ``bench.result``; each returns its text."""

    name: str
    acts: dict[str, Callable[[], Awaitable[str]]]

    async def change(self) -> object:
        """Change one text of the page that is in view, and lay the page out."""

    def stages(self) -> dict[str, float]:
        """Where the last look spent its time, in ms; empty where that is not known."""

    def partial(self) -> bool:
        """Whether the last look was told to be incomplete."""


class BrowserXPage:
    """Ours."""

    name = BROWSERX

    def __init__(self, tab: Tab, dom: DomService, counter: str) -> None:
        self._tab = tab
        self._dom = dom
        self._counter = counter
        self._seen: Observation | None = None
        self.acts: dict[str, Callable[[], Awaitable[str]]] = {
            FIRST: lambda: self._look(force=True),
            CHANGED: self._look,
            SAME: self._look,
            CLICK: self._click,
            WHOLE: lambda: self._look(viewport_only=False, max_tokens=None),
        }

    async def change(self) -> object:
        return await self._tab.evaluate(_CHANGE)

    def stages(self) -> dict[str, float]:
        snapshot = self._dom.current_snapshot
        return snapshot.stats.stage_ms if snapshot is not None else {}

    def partial(self) -> bool:
        return self._seen is not None and self._seen.partial

    async def _look(self, **how: Any) -> str:
        self._seen = await self._dom.observe(**how)
        return self._seen.text

    async def _click(self) -> str:
        result = await self._dom.click(self._counter)
        assert result.success, result
        return await self._look()


class PlaywrightPage:
    """Playwright with its snapshot for models (``mode="ai"``): always of the whole page, with references to act by."""

    name = PLAYWRIGHT

    def __init__(self, page: Any) -> None:
        self._page = page
        self._text = ""
        self.acts: dict[str, Callable[[], Awaitable[str]]] = {
            CHANGED: self._look,
            SAME: self._look,
            CLICK: self._click,
        }

    async def change(self) -> object:
        return await self._page.evaluate(_CHANGE)

    def stages(self) -> dict[str, float]:
        return {}

    def partial(self) -> bool:
        return False

    async def _look(self) -> str:
        self._text = str(await self._page.aria_snapshot(mode="ai"))
        return self._text

    async def _click(self) -> str:
        # Its references change with the names of what they are for; this one stands at the beginning of the text.
        counter = _COUNTER.search(self._text)
        assert counter is not None
        await self._page.locator(f"aria-ref={counter[1]}").click()
        return await self._look()


def playwright_version() -> str:
    """Of the package installed beside BrowserX; "" when there is none, or none with a snapshot for models."""
    if importlib.util.find_spec("playwright") is None:
        return ""
    from playwright.async_api import Page  # type: ignore[import-not-found,unused-ignore]

    snapshot = getattr(Page, "aria_snapshot", None)
    knows_models = snapshot is not None and "mode" in inspect.signature(snapshot).parameters
    return importlib.metadata.version("playwright") if knows_models else ""


@contextlib.asynccontextmanager
async def browserx_on(url: str) -> AsyncIterator[Tool]:
    """Ours, with the page at ``url`` open and looked at."""
    async with Browser.launch(viewport=VIEWPORT) as browser:
        tab = await browser.new_tab(url)
        dom = await DomService.for_tab(tab)
        seen = await dom.observe()
        counter = next(line.split()[0] for line in seen.text.splitlines() if " button 0" in line)
        yield BrowserXPage(tab, dom, counter)


@contextlib.asynccontextmanager
async def playwright_on(url: str) -> AsyncIterator[Tool]:
    """Playwright, with the page at ``url`` open."""
    from playwright.async_api import async_playwright  # type: ignore[import-not-found,unused-ignore]

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(find_executable()), args=PLAYWRIGHT_ARGS)
        page = await browser.new_page(viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]})
        page.set_default_timeout(_PATIENCE_MS)
        await page.goto(url)
        yield PlaywrightPage(page)
        await browser.close()
