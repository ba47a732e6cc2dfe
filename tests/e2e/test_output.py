"""The tool's pictures, PDFs, downloads and emulation: files go into its output folder only."""

import asyncio
import base64
import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from browserx import Browser, BrowserContext, DOMTool
from tests.e2e.test_downloads import fetch, file, half
from tests.web import Site

pytestmark = pytest.mark.e2e


async def test_pictures_are_returned_or_saved(
    browser: Browser, context: BrowserContext, site: Site, tmp_path: Path
) -> None:
    output = tmp_path / "made" / "output"
    tool = DOMTool(browser, output_dir=output)
    tab = await context.new_tab(site.page("<button style='width:200px;height:50px'>Push</button>"))
    call: dict[str, Any] = {"action": "screenshot", "tabId": tab.id}
    await tool.execute({"action": "get_dom", "tabId": tab.id})
    returned = await tool.execute({**call, "nodeId": 1, "options": {"imageFormat": "jpeg", "quality": 80}})
    assert returned.data["mimeType"] == "image/jpeg"
    assert Image.open(io.BytesIO(base64.b64decode(returned.data["base64"]))).size == (200, 50)
    assert not output.exists()
    for expected in ("shot.png", "shot (2).png"):
        saved = await tool.execute({**call, "options": {"file": "shot", "annotated": True}})
        assert saved.data["path"] == str(output / expected)
        assert saved.data["bytes"] == len((output / expected).read_bytes())
    refused = await tool.execute({**call, "options": {"annotated": True, "fullPage": True}})
    assert refused.error is not None
    assert refused.error.code == "VALIDATION_ERROR"
    gone = await tool.execute({**call, "nodeId": 4711})
    assert gone.error is not None
    assert gone.error.code == "ELEMENT_NOT_FOUND"


@pytest.mark.parametrize("name", ["../../evil", "/tmp/evil.png", "..\\evil.exe", ".hidden", ""])
async def test_nothing_is_written_elsewhere(
    browser: Browser, context: BrowserContext, site: Site, tmp_path: Path, name: str
) -> None:
    output = tmp_path / "inside"
    tool = DOMTool(browser, output_dir=output)
    tab = await context.new_tab(site.page("x", title="../../A title"))
    for action in ("screenshot", "pdf"):
        saved = await tool.execute({"action": action, "tabId": tab.id, "options": {"file": name}})
        path = Path(saved.data["path"])
        assert path.parent == output
        assert path.suffix == {"screenshot": ".png", "pdf": ".pdf"}[action]
    assert [entry.name for entry in tmp_path.iterdir()] == ["inside"]
    named = await tool.execute({"action": "pdf", "tabId": tab.id})
    assert Path(named.data["path"]).name == "_.._A title.pdf"


async def test_a_pdf_of_a_paper_there_is(browser: Browser, context: BrowserContext, site: Site, tmp_path: Path) -> None:
    tool = DOMTool(browser, output_dir=tmp_path)
    tab = await context.new_tab(site.page("<h1>Hello"))
    call: dict[str, Any] = {"action": "pdf", "tabId": tab.id}
    saved = await tool.execute({**call, "options": {"paper": "a4", "landscape": True, "file": "hello.pdf"}})
    assert saved.data["mimeType"] == "application/pdf"
    assert (tmp_path / "hello.pdf").read_bytes().startswith(b"%PDF-")
    wrong = await tool.execute({**call, "options": {"paper": "napkin"}})
    assert wrong.error is not None
    assert wrong.error.code == "VALIDATION_ERROR"
    (tmp_path / "plain").write_text("")
    nowhere = await DOMTool(browser, output_dir=tmp_path / "plain").execute(call)
    assert nowhere.error is not None
    assert "choose another" in nowhere.error.message


async def test_downloads_are_listed_waited_for_and_cancelled(browser: Browser, site: Site, tmp_path: Path) -> None:
    tool = DOMTool(browser)
    async with await browser.new_context(downloads_dir=tmp_path) as context:
        tab = await context.new_tab(site.page("x"))
        earlier = len(browser.downloads)
        waiting = asyncio.ensure_future(fetch(tab, file(site)))
        await waiting
        listed = await tool.execute({"action": "downloads", "options": {"waitS": 5}})
        (told,) = listed.data["downloads"][earlier:]
        assert told == {
            "name": "report.txt",
            "path": str(tmp_path / "report.txt"),
            "url": site.url("/file"),
            "state": "completed",
            "receivedBytes": 5,
            "totalBytes": 5,
            "tabId": tab.id,
        }
        await fetch(tab, half(site))
        unknown = await tool.execute({"action": "downloads", "options": {"cancel": "other"}})
        assert unknown.error is not None
        assert "there are: half" in unknown.error.message
        cancelled = await tool.execute({"action": "downloads", "options": {"cancel": "half"}})
        assert cancelled.data["downloads"][-1]["state"] == "cancelled"
        assert cancelled.data["downloads"][-1]["error"] == "it was cancelled"


async def test_emulating(browser: Browser, context: BrowserContext, site: Site) -> None:
    tool = DOMTool(browser)
    tab = await context.new_tab(
        site.page("<style>@media (max-width: 600px) {#wide{display:none}}</style><button id=wide>Wide</button><p>x</p>")
    )
    call: dict[str, Any] = {"action": "emulate", "tabId": tab.id}
    await tool.execute({"action": "get_dom", "tabId": tab.id})
    done = await tool.execute(
        {**call, "options": {"device": "Pixel 8", "locale": "de-DE", "geolocation": {"latitude": 1, "longitude": 2}}}
    )
    assert done.data["emulated"]["locale"] == "de-DE"
    assert list(done.data["emulated"]["geolocation"]) == [1, 2, 0]
    # What was seen before holds no more.
    stale = await tool.execute({"action": "click", "tabId": tab.id, "nodeId": 1})
    assert stale.error is not None
    assert stale.error.code == "VALIDATION_ERROR"
    sized = await tool.execute({**call, "options": {"clear": True, "width": 500, "height": 400}})
    assert "locale" not in sized.data["emulated"]
    assert await tab.evaluate("[innerWidth, innerHeight]") == [500, 400]
    seen = await tool.execute({"action": "get_dom", "tabId": tab.id})
    assert "Wide" not in seen.data["text"]
    await tool.execute({**call, "options": {"clear": True}})
    assert await tab.evaluate("innerWidth") == 1280
    for wrong in ({}, {"width": 5}, {"device": "Nokia 3310"}, {"timezone": "Mars/Olympus"}, {"colorScheme": "sepia"}):
        refused = await tool.execute({**call, "options": wrong})
        assert refused.error is not None
        assert refused.error.code == "VALIDATION_ERROR"
