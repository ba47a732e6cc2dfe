"""An isolated context: tabs that share cookies, cache and storage with each other and with nobody else."""

import contextlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from browserx.browser import cookies, storage
from browserx.browser.attachment import TabSettings
from browserx.browser.cookies import Cookie
from browserx.browser.credentials import Logins
from browserx.browser.downloads import Download, DownloadFolder
from browserx.browser.interception import Rules
from browserx.browser.permissions import protocol_names
from browserx.browser.routing import HANDLER_TIMEOUT_S, Handler, Pattern, Routing, blocker
from browserx.browser.storage import StorageState
from browserx.browser.tab import Tab
from browserx.errors import CdpError, InvalidArgumentError, TabClosedError

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
        logins: Logins | None = None,
    ) -> None:
        self.browser = browser
        #: The browser's own id; None for the context every browser has.
        self.context_id = context_id
        self.tab_settings = tab_settings
        self.rules = Rules(self._rules_changed, logins)
        self._origins: set[str] = set()
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

    async def cookies(self, urls: str | Iterable[str] | None = None) -> list[Cookie]:
        """Its cookies; with ``urls`` only those sent to one of them."""
        return await cookies.cookies(self.browser.connection.browser, self.context_id, urls)

    async def add_cookies(self, given: Iterable[Cookie | Mapping[str, Any]]) -> None:
        """Set cookies, given as ``Cookie`` or in Playwright's format; one of the same name and place is replaced.

        Raises:
            InvalidArgumentError: one is incomplete, or the browser refuses it.
        """
        await cookies.add(self.browser.connection.browser, self.context_id, given)

    async def clear_cookies(self, *, name: str | None = None, domain: str | None = None) -> None:
        """Clear all cookies, or those of ``name`` and of ``domain``."""
        await cookies.clear(self.browser.connection.browser, self.context_id, name=name, domain=domain)

    async def storage_state(
        self, path: str | os.PathLike[str] | None = None, *, origins: Iterable[str] = ()
    ) -> dict[str, Any]:
        """Cookies and localStorage in Playwright's format, also written to ``path`` (0600: it logs in whoever has it).

        The localStorage is that of the origins which tabs of this context were at since it was opened or connected
        to, whether they are open or not, of those it was restored from, and of ``origins``; a browser does not tell
        which others a profile has. Origins without a page are read through a hidden one whose requests are answered
        here. What frames of other sites keep, sessionStorage and databases are not in it.
        """
        connection = self.browser.connection
        named = [storage.check_origin(origin) for origin in origins]
        open_pages = {
            origin: tab.attachment.session
            for tab in self.tabs
            if tab.attachment is not None and tab.dialog is None and (origin := storage.origin_of(tab.url))
        }
        state = await storage.save(connection, self.context_id, seen=self._origins, named=named, open_pages=open_pages)
        if path is not None:
            storage.write_state(state, path)
        return state

    async def restore(self, given: StorageState | str | os.PathLike[str] | Mapping[str, Any]) -> None:
        """Put what ``storage_state`` gave, a dict or a file of it, into the context, beside what it has.

        Raises:
            InvalidArgumentError: it is no storage state, or the browser refuses some of it.
        """
        state = given if isinstance(given, StorageState) else storage.read_state(given)
        self._origins |= {kept.origin for kept in state.origins}
        await storage.restore(self.browser.connection, self.context_id, state)

    async def clear_storage(self, origin: str) -> None:
        """Clear what ``origin`` keeps: cookies, localStorage, databases, caches, service workers.

        Raises:
            InvalidArgumentError: it is no origin.
        """
        await storage.clear(self.browser.connection, self.context_id, origin)

    async def route(self, pattern: Pattern, handler: Handler, *, timeout_s: float = HANDLER_TIMEOUT_S) -> Routing:
        """``Tab.route`` for all tabs of the context, also those that pages open, from their first request on."""
        return await self.rules.add(pattern, handler, timeout_s)

    async def unroute(self, which: Routing | Pattern | None = None) -> None:
        """End a routing of the context, those of a pattern, or all.

        Raises:
            RouteHandlerError: a handler had failed.
        """
        await self.rules.remove(which)

    async def block(self, what: Sequence[str | re.Pattern[str]]) -> Routing:
        """``Tab.block`` for all tabs of the context."""
        return await self.rules.add(blocker(what), lambda route: route.abort("blockedbyclient"))

    async def close(self) -> None:
        """Close its tabs and forget its cookies and storage. The context every browser has stays."""
        if self.context_id is not None and not self.browser.connection.closed:
            await self.browser.dispose(self)

    # inside

    def note_address(self, url: str) -> None:
        """A tab of the context was at ``url``."""
        if origin := storage.origin_of(url):
            self._origins.add(origin)

    async def _rules_changed(self) -> None:
        if self.rules:
            await self.browser.hold_new_tabs()
        for tab in self.tabs:
            with contextlib.suppress(TabClosedError):
                await tab.rules_changed()
