"""``drive``: the same page, by the engine a test is run for."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from shutil import which
from typing import Any

import pytest
from msgspec.structs import replace

from browserx import BrowserContext, ContentService, ServiceConfig
from tests.contract.engines import ENGINES, WINDOWS, Page, Window, open_in_tab
from tests.web import Site

Drive = Callable[..., Awaitable[Page]]
_NEEDS = {"bidi": ("firefox-esr", "firefox"), "selenium": ("chromedriver",)}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    needed = _NEEDS.get(name)
    if needed and not any(which(program) for program in needed):
        pytest.skip(f"{needed[0]} is not installed")
    return name


@pytest.fixture
def by_content(drive: Drive, engine: str) -> Drive:
    """``drive``, for what only the content engine does."""
    if engine == "cdp":
        pytest.skip("of the content engine")
    return drive


@pytest.fixture(scope="session")
async def windows() -> AsyncIterator[Callable[[str], Awaitable[Window]]]:
    """A window of each kind, opened when first asked for."""
    opened: dict[str, Window] = {}
    async with AsyncExitStack() as stack:

        async def window(kind: str) -> Window:
            if kind not in opened:
                opened[kind] = await stack.enter_async_context(WINDOWS[kind]())
            return opened[kind]

        yield window


class _Kept:
    """A driver that lives on when the service of one test lets go of it."""

    def __init__(self, window: Window) -> None:
        self._window = window

    async def evaluate(self, script: str) -> Any:
        return await self._window.driver.evaluate(script)

    async def close(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        # What else the driver can do: pictures, prints, dialogs.
        return getattr(self._window.driver, name)


@pytest.fixture
async def drive(
    engine: str, context: BrowserContext, site: Site, windows: Callable[[str], Awaitable[Window]]
) -> AsyncIterator[Drive]:
    """Open a page whose body is given, by the engine: ``page = await drive("<button>…")``."""
    opened: list[Page] = []

    async def drive_(body: str, *, config: ServiceConfig | None = None, **options: Any) -> Page:
        config = replace(config or ServiceConfig(), engine="cdp" if engine == "cdp" else "content")
        url = body if body.startswith("http://") else site.page(body, **options)
        if engine in ("cdp", "content"):
            page = await open_in_tab(context, url, config)
        else:
            window = await windows(engine)
            await window.goto(url)
            driver = _Kept(window)
            service = ContentService(driver, config)
            page = Page(service, lambda script: driver.evaluate(f"eval({json.dumps(script)})"), window.answer_dialog)
        opened.append(page)
        return page

    yield drive_
    for page in opened:
        await page.dom.detach()
