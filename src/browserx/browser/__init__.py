"""Browsers, tabs and frames: starting or finding them, going places, and noticing when they end.

Knows targets, tabs, frames and their lifecycle. Knows nothing of snapshots, tools or models.
"""

from browserx.browser.browser import Browser
from browserx.browser.console import ConsoleMessage
from browserx.browser.context import BrowserContext
from browserx.browser.cookies import Cookie
from browserx.browser.dialogs import Dialog
from browserx.browser.downloads import Download
from browserx.browser.emulation import Emulation
from browserx.browser.navigation import Navigation
from browserx.browser.routes import Route, RoutedRequest
from browserx.browser.routing import Routing
from browserx.browser.tab import Tab

__all__ = [
    "Browser",
    "BrowserContext",
    "ConsoleMessage",
    "Cookie",
    "Dialog",
    "Download",
    "Emulation",
    "Navigation",
    "Route",
    "RoutedRequest",
    "Routing",
    "Tab",
]
