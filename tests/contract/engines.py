"""The ways the same page is driven: the engine of our own, and the content engine on several drivers."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from shutil import which
from typing import Any

from browserx import BrowserContext, ContentService, DomService, ServiceConfig
from browserx.browser.executable import find_executable
from browserx.content import AnswersDialogs, BidiDriver, Driver, PlaywrightDriver, SeleniumDriver

ENGINES = ("cdp", "content", "playwright", "bidi", "selenium")
CONTENT_ENGINES = ENGINES[1:]
_START_S = 60.0

Service = DomService | ContentService


class Page:
    """A page and the service that drives it. ``run`` is the test's own look into it, beside the engine."""

    def __init__(
        self, dom: Service, run: Callable[[str], Awaitable[Any]], answer_dialog: Callable[[], Awaitable[Any]]
    ) -> None:
        self.dom = dom
        self.run = run
        self.answer_dialog = answer_dialog


class Window:
    """A browser window of one engine, used for one test after another."""

    def __init__(
        self,
        goto: Callable[[str], Awaitable[Any]],
        driver: Driver,
        answer_dialog: Callable[[], Awaitable[Any]],
    ) -> None:
        self.goto = goto
        self.driver = driver
        self.answer_dialog = answer_dialog


async def _accept(driver: AnswersDialogs) -> None:
    dialog = await driver.dialog()
    assert dialog is not None
    await dialog.accept()


@asynccontextmanager
async def playwright_window() -> AsyncIterator[Window]:
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_executable(), args=["--no-sandbox"], headless=True
        )
        page = await browser.new_page(viewport={"width": 1280, "height": 720})
        driver = PlaywrightDriver(page, leave_dialogs=True)
        yield Window(page.goto, driver, lambda: _accept(driver))
        await driver.close()
        await browser.close()


@asynccontextmanager
async def bidi_window() -> AsyncIterator[Window]:
    """Firefox, by WebDriver BiDi without geckodriver."""
    firefox = which("firefox-esr") or which("firefox")
    assert firefox is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            firefox,
            "--headless",
            "--no-remote",
            "--profile",
            profile,
            "--width=1280",
            "--height=800",
            "--remote-debugging-port=0",
            "about:blank",
            stderr=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            env=None,
        )
        assert process.stderr is not None
        drained: asyncio.Task[bytes] | None = None
        try:
            async with asyncio.timeout(_START_S):
                url = ""
                while "BiDi listening on " not in url:
                    line = await process.stderr.readline()
                    assert line, "Firefox ended while it was started"
                    url = line.decode(errors="replace")
                url = url.rpartition("BiDi listening on ")[2].strip()
                drained = asyncio.ensure_future(process.stderr.read())
                driver = await BidiDriver.connect(f"{url}/session")
            yield Window(driver.goto, driver, lambda: _accept(driver))
            await driver.close()
        finally:
            process.terminate()
            await process.wait()
            if drained is not None:
                await drained


@asynccontextmanager
async def selenium_window() -> AsyncIterator[Window]:
    """Chromium by its own driver, the classic protocol."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service as ChromeService

    options = Options()
    options.unhandled_prompt_behavior = "ignore"
    options.binary_location = str(find_executable())
    for argument in ("--headless=new", "--no-sandbox", "--window-size=1280,860"):
        options.add_argument(argument)
    chromedriver = which("chromedriver")
    assert chromedriver is not None
    made = await asyncio.to_thread(
        lambda: webdriver.Chrome(options=options, service=ChromeService(executable_path=chromedriver))
    )
    driver = SeleniumDriver(made)
    try:
        yield Window(lambda url: asyncio.to_thread(made.get, url), driver, lambda: _accept(driver))
    finally:
        await driver.close()
        await asyncio.to_thread(made.quit)


WINDOWS = {"playwright": playwright_window, "bidi": bidi_window, "selenium": selenium_window}


async def open_in_tab(context: BrowserContext, url: str, config: ServiceConfig) -> Page:
    """A page in one of our own tabs."""
    tab = await context.new_tab(url)

    async def answer_dialog() -> None:
        assert tab.dialog is not None
        await tab.dialog.accept()

    return Page(await DomService.for_tab(tab, config), tab.evaluate, answer_dialog)
