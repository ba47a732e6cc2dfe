"""The reference of the protocol is what the models and the backend make of it."""

import runpy
from pathlib import Path

from browserx import Tab
from browserx.browser import BrowserContext
from tests.web import Site

DOCUMENTS = Path(__file__).parents[2] / "docs"


async def test_the_reference_is_what_the_code_says(context: BrowserContext, site: Site) -> None:
    """When it is no more: ``python docs/protocol.py`` writes it anew; read what changed."""
    makers = runpy.run_path(str(DOCUMENTS / "protocol.py"))
    document = (DOCUMENTS / "protocol.md").read_text(encoding="utf-8")

    async def open_tab(page: str) -> Tab:
        return await context.new_tab(site.page(page))

    made = await makers["make"](open_tab)
    assert set(makers["parts"](document)) == set(made)
    for name, text in made.items():
        assert makers["parts"](document)[name] == text, name
