"""Playwright's pages as a driver."""

from importlib import import_module
from typing import Any, Protocol

from browserx.errors import EvaluateError, TabClosedError


class PlaywrightPage(Protocol):
    """What is used of a ``playwright.async_api.Page``."""

    async def evaluate(self, expression: str) -> Any: ...  # noqa: D102
    def is_closed(self) -> bool: ...  # noqa: D102


class PlaywrightDriver:
    """A page of Playwright's async API, by ``page.evaluate`` alone. Playwright answers dialogs by itself."""

    def __init__(self, page: PlaywrightPage) -> None:
        self.page = page
        # Whoever has a page has the package; nobody else needs it.
        self._error: type[Exception] = import_module("playwright.async_api").Error

    async def evaluate(self, script: str) -> Any:
        """As ``Driver`` has it."""
        try:
            return await self.page.evaluate(script)
        except self._error as error:
            if self.page.is_closed():
                raise TabClosedError("the page was closed; open or pick another") from error
            raise EvaluateError(f"the script gave no result: {error}") from error

    async def close(self) -> None:
        """Nothing to let go of: the page is its maker's."""
