"""Selenium 4 as a driver. Its calls block, so they run in a thread of the driver's own."""

import asyncio
import base64
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any, Protocol, TypeVar

from browserx.browser.screenshot import Clip, PictureFormat
from browserx.content.driver import Sheet
from browserx.errors import EvaluateError, NotActionableError, NotSupportedError, SnapshotError, TabClosedError
from browserx.page.picture import cropped

_CM = 2.54
_VIEW = "return [innerWidth, innerHeight]"
T = TypeVar("T")


class WebDriver(Protocol):
    """What is used of a ``selenium.webdriver.Remote``."""

    @property
    def switch_to(self) -> Any: ...  # noqa: D102
    def execute_script(self, script: str) -> Any: ...  # noqa: D102
    def get_screenshot_as_png(self) -> bytes: ...  # noqa: D102
    def print_page(self, print_options: Any) -> str: ...  # noqa: D102


class SeleniumDialog:
    """A dialog that Selenium left open (``unhandledPromptBehavior`` is ``ignore``). It does not tell of which kind."""

    kind = "alert"
    default_text = ""

    def __init__(self, driver: "SeleniumDriver", alert: Any, text: str) -> None:
        self.text = text
        self._driver = driver
        self._alert = alert

    async def accept(self, text: str | None = None) -> None:
        """Press OK, with ``text`` typed into a prompt."""
        if text is not None:
            await self._driver.run(lambda: self._alert.send_keys(text))
        await self._driver.run(self._alert.accept)

    async def dismiss(self) -> None:
        """Press Cancel."""
        await self._driver.run(self._alert.dismiss)


class SeleniumDriver:
    """A Selenium driver, by ``execute_script`` and its pictures, in the window it is switched to.

    One worker thread is owned, and ends with ``close``. A call that is given up ends with Selenium's own script
    timeout, and those after it wait until then.
    """

    def __init__(self, driver: WebDriver) -> None:
        self.driver = driver
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="browserx-selenium")
        # Whoever has a driver has the package; nobody else needs it.
        self._errors = import_module("selenium.common.exceptions")

    async def evaluate(self, script: str) -> Any:
        """As ``Driver`` has it."""
        return await self.run(lambda: self._run(script))

    async def run(self, call: Callable[[], T]) -> T:
        """Call Selenium in the thread, with its errors in our words."""
        errors = self._errors
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, call)
        except errors.UnexpectedAlertPresentException as error:
            words = f"a dialog was open and held the page: {error.alert_text or ''!r}; observe again"
            raise NotActionableError(words, node_id="", reason="dialog") from error
        except (errors.NoSuchWindowException, errors.InvalidSessionIdException) as error:
            raise TabClosedError("the window was closed; open or pick another") from error
        except errors.WebDriverException as error:
            raise EvaluateError(f"the script gave no result: {error.msg}") from error

    def _run(self, script: str) -> Any:
        value = self.driver.execute_script(f"return (\n{script}\n)")
        if value is None:
            # A script under which a dialog opened is answered with nothing; what is asked next is told of the dialog.
            self.driver.execute_script("return true")
        return value

    async def screenshot(
        self,
        *,
        full_page: bool,
        clip: Clip | None,
        format: PictureFormat,  # noqa: A002 (the protocol's word)
        quality: int | None,
    ) -> bytes:
        """As ``TakesPictures`` has it, of what the viewport shows; of the whole page where the driver can (Firefox)."""
        take = self.driver.get_screenshot_as_png
        if full_page:
            take = getattr(self.driver, "get_full_page_screenshot_as_png", None)  # type: ignore[assignment]
            if take is None:
                raise NotSupportedError(
                    "Selenium takes pictures of the viewport only here; scroll, or take another driver"
                )
        try:
            png = await self.run(take)
            width, height = await self.run(lambda: self.driver.execute_script(_VIEW))
        except EvaluateError as error:
            raise SnapshotError(f"there is no picture of it: {error.message}") from error
        if clip is None and format == "png":
            return png
        if clip is not None and not (clip[0] + clip[2] <= width and clip[1] + clip[3] <= height and min(clip[:2]) >= 0):
            raise NotSupportedError("Selenium takes pictures of the viewport only, and this element reaches out of it")
        return await asyncio.to_thread(cropped, png, clip, width, format, quality)

    async def pdf(self, sheet: Sheet) -> bytes:
        """As ``Prints`` has it."""
        options = import_module("selenium.webdriver.common.print_page_options").PrintOptions()
        options.page_width, options.page_height = sheet.width * _CM, sheet.height * _CM
        options.orientation = "landscape" if sheet.landscape else "portrait"
        options.background = sheet.background
        top, right, bottom, left = (inches * _CM for inches in sheet.margins)
        options.margin_top, options.margin_right, options.margin_bottom, options.margin_left = top, right, bottom, left
        options.scale = sheet.scale
        options.shrink_to_fit = not sheet.prefer_css_page_size
        if sheet.pages:
            options.page_ranges = [part.strip() for part in sheet.pages.split(",")]
        try:
            return base64.b64decode(await self.run(lambda: self.driver.print_page(options)))
        except EvaluateError as error:
            raise SnapshotError(f"this browser prints no such PDF: {error.message}") from error

    async def dialog(self) -> SeleniumDialog | None:
        """As ``AnswersDialogs`` has it, where Selenium was told to leave dialogs open."""

        def look() -> SeleniumDialog | None:
            try:
                alert = self.driver.switch_to.alert
            except self._errors.NoAlertPresentException:
                return None
            return SeleniumDialog(self, alert, alert.text)

        return await self.run(look)

    async def close(self) -> None:
        """End the worker thread; the browser is its maker's."""
        self._worker.shutdown(wait=False, cancel_futures=True)
