"""Playwright's pages as a driver."""

import asyncio
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, Protocol

from browserx.browser.screenshot import Clip, PictureFormat
from browserx.content.driver import Sheet
from browserx.errors import EvaluateError, NotActionableError, NotSupportedError, SnapshotError, TabClosedError

_SCROLLED = "() => [scrollX, scrollY, innerWidth, innerHeight]"


class PlaywrightPage(Protocol):
    """What is used of a ``playwright.async_api.Page``."""

    async def evaluate(self, expression: str) -> Any: ...  # noqa: D102
    @property
    def screenshot(self) -> Callable[..., Awaitable[bytes]]: ...  # noqa: D102
    @property
    def pdf(self) -> Callable[..., Awaitable[bytes]]: ...  # noqa: D102
    def is_closed(self) -> bool: ...  # noqa: D102
    @property
    def on(self) -> Callable[..., None]: ...  # noqa: D102
    @property
    def remove_listener(self) -> Callable[..., None]: ...  # noqa: D102


class PlaywrightDialog:
    """A dialog that is left open."""

    def __init__(self, driver: "PlaywrightDriver", dialog: Any) -> None:
        self.kind: str = dialog.type
        self.text: str = dialog.message
        self.default_text: str = dialog.default_value
        self._driver = driver
        self._dialog = dialog

    async def accept(self, text: str | None = None) -> None:
        """Press OK, with ``text`` typed into a prompt."""
        await self._driver.answered(self._dialog.accept(self.default_text if text is None else text))

    async def dismiss(self) -> None:
        """Press Cancel."""
        await self._driver.answered(self._dialog.dismiss())


class PlaywrightDriver:
    """A page of Playwright's async API, by ``page.evaluate`` and its pictures.

    Playwright answers dialogs by itself, and what they were is not told. With ``leave_dialogs`` they stay open until
    they are answered by ``answer_dialog``; then nobody else may listen to the page's dialogs.
    """

    def __init__(self, page: PlaywrightPage, *, leave_dialogs: bool = False) -> None:
        self.page = page
        # Whoever has a page has the package; nobody else needs it.
        self._error: type[Exception] = import_module("playwright.async_api").Error
        self._leaves_dialogs = leave_dialogs
        self._dialog: PlaywrightDialog | None = None
        #: Done when a dialog opens.
        self._opened: asyncio.Event = asyncio.Event()
        #: What a dialog holds; it is answered when that is.
        self._held: set[asyncio.Task[Any]] = set()
        if leave_dialogs:
            page.on("dialog", self._hear)

    async def evaluate(self, script: str) -> Any:
        """As ``Driver`` has it."""
        if not self._leaves_dialogs:
            return await self._evaluate(script)
        if self._dialog is None:
            asked = asyncio.create_task(self._evaluate(script))
            opened = asyncio.create_task(self._opened.wait())
            try:
                await asyncio.wait((asked, opened), return_when=asyncio.FIRST_COMPLETED)
            finally:
                opened.cancel()
                if not self._opened.is_set():
                    asked.cancel()  # unless it is done
                elif not asked.done():
                    self._hold(asked)
            if asked.done():
                return asked.result()
        text = self._dialog.text if self._dialog is not None else ""
        words = f"a dialog is open and holds the page: {text!r}; accept or dismiss it"
        raise NotActionableError(words, node_id="", reason="dialog")

    async def _evaluate(self, script: str) -> Any:
        try:
            return await self.page.evaluate(script)
        except self._error as error:
            if self.page.is_closed():
                raise TabClosedError("the page was closed; open or pick another") from error
            raise EvaluateError(f"the script gave no result: {error}") from error

    def _hold(self, asked: "asyncio.Task[Any]") -> None:
        def over(task: "asyncio.Task[Any]") -> None:
            self._held.discard(task)
            if not task.cancelled():
                task.exception()  # nobody waits for it any more

        self._held.add(asked)
        asked.add_done_callback(over)

    def _hear(self, dialog: Any) -> None:
        self._dialog = PlaywrightDialog(self, dialog)
        self._opened.set()

    async def answered(self, answering: Awaitable[None]) -> None:
        """Wait until a dialog has been answered."""
        self._dialog = None
        self._opened.clear()
        try:
            await answering
        except self._error as error:
            words = f"the dialog could not be answered ({error}); observe again"
            raise NotActionableError(words, node_id="", reason="dialog") from error

    async def dialog(self) -> PlaywrightDialog | None:
        """As ``AnswersDialogs`` has it, with ``leave_dialogs``."""
        if not self._leaves_dialogs:
            raise NotSupportedError(
                "Playwright answers dialogs by itself; to be told, take PlaywrightDriver(page, leave_dialogs=True)"
            )
        return self._dialog

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
        """Hear of no more dialogs; the page is its maker's."""
        if self._leaves_dialogs:
            self.page.remove_listener("dialog", self._hear)
        for task in tuple(self._held):
            task.cancel()
