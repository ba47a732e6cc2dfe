"""An isolated context: tabs that share cookies, cache and storage with each other and with nobody else."""

import contextlib
from types import TracebackType
from typing import TYPE_CHECKING

from browserx.browser.attachment import TabSettings
from browserx.browser.tab import Tab
from browserx.errors import ConnectionClosedError

if TYPE_CHECKING:
    from browserx.browser.browser import Browser


class BrowserContext:
    """Made by ``Browser.new_context``; ``async with`` closes it, and its tabs with it."""

    def __init__(self, browser: "Browser", context_id: str | None, tab_settings: TabSettings) -> None:
        self.browser = browser
        #: The browser's own id; None for the context every browser has.
        self.context_id = context_id
        self.tab_settings = tab_settings

    async def __aenter__(self) -> "BrowserContext":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def tabs(self) -> list[Tab]:
        """Its open tabs, oldest first."""
        return [tab for tab in self.browser.tabs if tab.context is self]

    async def new_tab(self, url: str | None = None) -> Tab:
        """Open a tab, and ``url`` in it; returns when its page is loaded and quiet.

        Raises:
            NavigationError: ``url`` did not load; the tab is closed again.
        """
        return await self.browser.open_tab(self, url)

    async def close(self) -> None:
        """Close its tabs and forget its cookies and storage. The context every browser has stays."""
        if self.context_id is None or self.browser.connection.closed:
            return
        with contextlib.suppress(ConnectionClosedError):
            await self.browser.connection.browser.send(
                "Target.disposeBrowserContext", {"browserContextId": self.context_id}
            )
        self.browser.forget_context(self)
