"""``open --show-ids``: the node ids over every page that a person watches the session on."""

from contextlib import suppress

from browserx.browser import Tab
from browserx.errors import BrowserXError
from browserx.page import DomService


class IdsForPeople:
    """Shows them on the tabs that commands go to, once they are ``wanted``; takes them away at the end."""

    def __init__(self) -> None:
        self.wanted = False
        self._shown: dict[int, Tab] = {}

    async def show(self, tab: Tab) -> None:
        """Show them on a tab from now on. What cannot be drawn fails no command."""
        if self.wanted and tab.id not in self._shown:
            with suppress(BrowserXError):
                await (await DomService.for_tab(tab)).show_ids()
                self._shown[tab.id] = tab

    async def end(self) -> None:
        """Show them no more: a browser that was only connected to stays as it was."""
        shown, self._shown, self.wanted = self._shown, {}, False
        for tab in shown.values():
            if not tab.closed and not tab.browser.connection.closed:
                with suppress(BrowserXError):
                    await (await DomService.for_tab(tab)).show_ids(False)
