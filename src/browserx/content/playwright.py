"""Playwright's pages as a driver."""

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, Protocol

from browserx.browser.screenshot import Clip, PictureFormat
from browserx.content.driver import Sheet
from browserx.errors import EvaluateError, SnapshotError, TabClosedError

_SCROLLED = "() => [scrollX, scrollY, innerWidth, innerHeight]"


class PlaywrightPage(Protocol):
    """What is used of a ``playwright.async_api.Page``."""

    async def evaluate(self, expression: str) -> Any: ...  # noqa: D102
    @property
    def screenshot(self) -> Callable[..., Awaitable[bytes]]: ...  # noqa: D102
    @property
    def pdf(self) -> Callable[..., Awaitable[bytes]]: ...  # noqa: D102
    def is_closed(self) -> bool: ...  # noqa: D102


class PlaywrightDriver:
    """A page of Playwright's async API, by ``page.evaluate`` and its pictures. Playwright answers dialogs by itself."""

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

    async def screenshot(
        self,
        *,
        full_page: bool,
        clip: Clip | None,
        format: PictureFormat,  # noqa: A002 (the protocol's word)
        quality: int | None,
    ) -> bytes:
        """As ``TakesPictures`` has it; WebP where Playwright has it."""
        options: dict[str, Any] = {"type": format, "full_page": full_page}
        if quality is not None:
            options["quality"] = quality
        try:
            if clip is not None:
                x, y, width, height = clip
                left, top, view_width, view_height = await self.page.evaluate(_SCROLLED)
                if not full_page and not (x >= 0 and y >= 0 and x + width <= view_width and y + height <= view_height):
                    # What reaches out of the viewport would be cut off: it is a part of the whole page then.
                    options["full_page"] = True
                    x, y = x + left, y + top
                options["clip"] = {"x": x, "y": y, "width": width, "height": height}
            return await self.page.screenshot(**options)
        except self._error as error:
            raise SnapshotError(f"there is no picture of it ({error}); ask for less of the page") from error

    async def pdf(self, sheet: Sheet) -> bytes:
        """As ``Prints`` has it; Chromium only."""
        sides = ("top", "right", "bottom", "left")
        try:
            return await self.page.pdf(
                width=f"{sheet.width}in",
                height=f"{sheet.height}in",
                landscape=sheet.landscape,
                print_background=sheet.background,
                margin={side: f"{inches}in" for side, inches in zip(sides, sheet.margins, strict=True)},
                page_ranges=sheet.pages,
                scale=sheet.scale,
                prefer_css_page_size=sheet.prefer_css_page_size,
            )
        except self._error as error:
            raise SnapshotError(f"this browser prints no such PDF ({error}); Chromium without a window does") from error

    async def close(self) -> None:
        """Nothing to let go of: the page is its maker's."""
