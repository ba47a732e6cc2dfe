"""Browsers, tabs and frames: starting or finding them, going places, and noticing when they end.

Knows targets, tabs, frames and their lifecycle. Knows nothing of snapshots, tools or models.
"""

from browserx.browser.browser import Browser
from browserx.browser.context import BrowserContext
from browserx.browser.dialogs import Dialog
from browserx.browser.downloads import Download
from browserx.browser.emulation import Emulation
from browserx.browser.navigation import Navigation
from browserx.browser.tab import Tab

__all__ = ["Browser", "BrowserContext", "Dialog", "Download", "Emulation", "Navigation", "Tab"]
