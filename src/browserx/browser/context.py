"""An isolated context: tabs that share cookies, cache and storage with each other and with nobody else."""

from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING

from browserx.browser.attachment import TabSettings
from browserx.browser.downloads import Download, DownloadFolder
from browserx.browser.permissions import protocol_names
from browserx.browser.tab import Tab
from browserx.errors import CdpError, InvalidArgumentError

if TYPE_CHECKING:
    from browserx.browser.browser import Browser


class BrowserContext:
    """Made by ``Browser.new_context``; ``async with`` closes it, and its tabs with it."""

    def __init__(
        self,
        browser: "Browser",
        context_id: str | None,
        tab_settings: TabSettings,
        download_folder: DownloadFolder | None = None,
    ) -> None:
        self.browser = browser
        #: The browser's own id; None for the context every browser has.
        self.context_id = context_id
        self.tab_settings = tab_settings
        #: Where its downloads go; None where the browser decides that.
        self.download_folder = download_folder

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

    @property
    def downloads(self) -> list[Download]:
        """What its tabs have downloaded or are downloading, oldest first."""
        return [download for download in self.browser.downloads if download.tab and download.tab.context is self]

    async def grant_permissions(self, permissions: Iterable[str], origin: str | None = None) -> None:
        """Grant pages what they would otherwise ask a person for, by the names of the Permissions API.

        ``origin``, such as "https://example.com", says to whom; everybody, when left out. Each call replaces what was
        granted to the same origin before.

        Raises:
            InvalidArgumentError: there is no such permission, or the origin is none.
        """
        params: dict[str, object] = {"permissions": protocol_names(permissions), **self._of_it}
        if origin is not None:
            params["origin"] = origin
        try:
            await self.browser.connection.browser.send("Browser.grantPermissions", params)
        except CdpError as error:
            raise InvalidArgumentError(
                f"{', '.join(permissions)} cannot be granted to {origin or 'everybody'}: {error.message}; "
                'an origin is like "https://example.com"'
            ) from error

    async def clear_permissions(self) -> None:
        """Take back every permission; pages ask again."""
        await self.browser.connection.browser.send("Browser.resetPermissions", self._of_it)

    @property
    def _of_it(self) -> dict[str, object]:
        return {} if self.context_id is None else {"browserContextId": self.context_id}

    async def new_tab(self, url: str | None = None) -> Tab:
        """Open a tab, and ``url`` in it; returns when its page is loaded and quiet.

        Raises:
            NavigationError: ``url`` did not load; the tab is closed again.
        """
        return await self.browser.open_tab(self, url)

    async def close(self) -> None:
        """Close its tabs and forget its cookies and storage. The context every browser has stays."""
        if self.context_id is not None and not self.browser.connection.closed:
            await self.browser.dispose(self)
