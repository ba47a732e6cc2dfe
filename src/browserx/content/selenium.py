"""Selenium 4 as a driver. Its calls block, so they run in a thread of the driver's own."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any, Protocol

from browserx.errors import EvaluateError, NotActionableError, TabClosedError


class WebDriver(Protocol):
    """What is used of a ``selenium.webdriver.Remote``."""

    def execute_script(self, script: str) -> Any: ...  # noqa: D102


class SeleniumDriver:
    """A Selenium driver, by ``execute_script`` alone, in the window it is switched to.

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
        loop = asyncio.get_running_loop()
        errors = self._errors
        try:
            return await loop.run_in_executor(self._worker, self._run, script)
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

    async def close(self) -> None:
        """End the worker thread; the browser is its maker's."""
        self._worker.shutdown(wait=False, cancel_futures=True)
