"""Fixtures: one browser a worker, a fresh context a test, and a server for its pages."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest

from browserx import Browser, BrowserContext, DomService, DOMTool, ServiceConfig, Tab
from tests.web import Site

E2E_FIXTURES = frozenset(("browser", "context", "open_page", "see"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if E2E_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.e2e)


def pytest_report_header() -> list[str]:
    """Say which tests there are none of."""
    services = {"PostgreSQL": "BROWSERX_TEST_POSTGRES", "Redis": "BROWSERX_TEST_REDIS"}
    missing = [name for name, variable in services.items() if not os.environ.get(variable)]
    return [f"services: left out are the tests on {' and '.join(missing)} (scripts/test-services)"] if missing else []


@pytest.fixture(autouse=True, scope="session")
def _quiet_root() -> None:
    """Being root is said once a process; in tests it is noise."""
    logging.getLogger("browserx.browser").setLevel(logging.ERROR)


@pytest.fixture
def site() -> Iterator[Site]:
    served = Site()
    yield served
    served.close()


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """The worker's own browser. What its loop could not tell anybody fails the test that runs then."""
    async with Browser.launch() as launched:
        yield launched


@pytest.fixture
async def no_lost_errors() -> AsyncIterator[None]:
    """Fail a test during which a background task failed and nobody heard."""
    lost: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: lost.append(context))
    yield
    loop.set_exception_handler(None)
    assert not lost


@pytest.fixture
async def context(browser: Browser, no_lost_errors: None) -> AsyncIterator[BrowserContext]:
    async with await browser.new_context() as fresh:
        yield fresh


OpenPage = Callable[..., Awaitable[Tab]]
See = Callable[..., Awaitable[DomService]]


@pytest.fixture
async def open_page(context: BrowserContext, site: Site) -> OpenPage:
    """Open a page whose body is given: ``tab = await open_page("<button>…")``."""

    async def open_(body: str, **options: Any) -> Tab:
        return await context.new_tab(site.page(body, **options))

    return open_


@pytest.fixture
async def see(open_page: OpenPage) -> See:
    """Open a page and return its service: ``dom = await see("<button>…")``."""

    async def see_(body: str, *, config: ServiceConfig | None = None, **options: Any) -> DomService:
        return await DomService.for_tab(await open_page(body, **options), config)

    return see_


@pytest.fixture
def tool(browser: Browser) -> DOMTool:
    return DOMTool(browser)
