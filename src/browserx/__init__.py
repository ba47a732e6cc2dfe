"""BrowserX: the browser layer for LLM agents.

    async with Browser.launch() as browser:
        tab = await browser.new_tab("https://example.com/")
        dom = await DomService.for_tab(tab)
        seen = await dom.observe()
        await dom.click(seen.ids[0])
"""

from browserx.browser import Browser, BrowserContext, Dialog, Navigation, Tab
from browserx.dom import DomSnapshot, SerializationOptions, VirtualNode
from browserx.page import DomService, Observation, ServiceConfig

__version__ = "0.1.0"
