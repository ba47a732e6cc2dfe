"""The output family: ``screenshot``, ``pdf`` and ``downloads``. Files are written into the output folder only."""

import asyncio
import base64
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from browserx.browser import Download
from browserx.browser.files import clean_name, make_folder, reserve
from browserx.browser.printing import PAPERS
from browserx.errors import InvalidArgumentError
from browserx.tool.action import Action, Call

_LONGEST_WAIT_S = 300
_PAPER_NAMES = ", ".join(PAPERS)


async def _save(call: Call, data: bytes, name: str, ending: str) -> dict[str, Any]:
    """Write a new file into the output folder: never outside of it, and never over another."""
    return await asyncio.to_thread(_write, call.output_dir, data, clean_name(name, default="page"), ending)


def _write(folder: Path, data: bytes, name: str, ending: str) -> dict[str, Any]:
    # What a file is called says what it is, so that nobody opens it as something else.
    path = reserve(make_folder(folder), name if name.lower().endswith(ending) else name + ending)
    try:
        path.write_bytes(data)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise InvalidArgumentError(f"{path} cannot be written: {error.strerror}") from error
    return {"path": str(path), "bytes": len(data)}


class ScreenshotOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``screenshot``."""

    full_page: Annotated[bool, Meta(description="the whole page, not only the viewport")] = False
    annotated: Annotated[bool, Meta(description="with a box and the node id on each control")] = False
    image_format: Annotated[Literal["png", "jpeg", "webp"], Meta(description="png by default")] = "png"
    quality: Annotated[Annotated[int, Meta(ge=0, le=100)] | None, Meta(description="of jpeg and webp")] = None
    file: Annotated[str | None, Meta(description="save it under this name instead of returning it")] = None


async def screenshot(call: Call) -> Any:
    """Take a picture of the page, or of one element."""
    options: ScreenshotOptions = call.options
    dom = await call.dom()
    picture = await dom.screenshot(
        node_id=call.node_id,
        full_page=options.full_page,
        annotated=options.annotated,
        format=options.image_format,
        quality=options.quality,
    )
    mime_type = f"image/{options.image_format}"
    if options.file is not None:
        ending = ".jpg" if options.image_format == "jpeg" else f".{options.image_format}"
        return {"mimeType": mime_type, **await _save(call, picture, options.file, ending)}
    return {"mimeType": mime_type, "base64": base64.b64encode(picture).decode()}


class PdfOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``pdf``."""

    file: Annotated[str | None, Meta(description="what to call it; the page's title by default")] = None
    paper: Annotated[str, Meta(description=f"{_PAPER_NAMES}; letter by default")] = "letter"
    landscape: Annotated[bool, Meta(description="the long side at the top")] = False
    background: Annotated[bool, Meta(description="print backgrounds too")] = False
    page_ranges: Annotated[str | None, Meta(description='such as "1-3, 5"; all by default')] = None


async def pdf(call: Call) -> Any:
    """Save the page as PDF."""
    assert call.tab is not None
    options: PdfOptions = call.options
    printed = await call.tab.pdf(
        paper=options.paper,
        landscape=options.landscape,
        background=options.background,
        page_ranges=options.page_ranges,
    )
    name = options.file if options.file is not None else call.tab.title
    return {"mimeType": "application/pdf", **await _save(call, printed, name, ".pdf")}


class DownloadsOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``downloads``."""

    wait_s: Annotated[
        float, Meta(ge=0, le=_LONGEST_WAIT_S, description="wait so long, at most, for those under way")
    ] = 0
    cancel: Annotated[str | None, Meta(description="name of one under way to cancel")] = None


async def downloads(call: Call) -> Any:
    """List the downloads of all tabs."""
    options: DownloadsOptions = call.options
    if options.cancel is not None:
        under_way = [d for d in call.browser.downloads if d.state == "in_progress"]
        wanted = [d for d in under_way if d.name == options.cancel]
        if not wanted:
            names = ", ".join(d.name for d in under_way) or "none"
            raise InvalidArgumentError(f"no download {options.cancel!r} is under way; there are: {names}")
        for download in wanted:
            await download.cancel()
    if options.wait_s:
        await asyncio.gather(*(download.ended(options.wait_s) for download in call.browser.downloads))
    return {"downloads": [_told(download) for download in call.browser.downloads]}


def _told(download: Download) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": download.name,
        "path": str(download.path) if download.path is not None else None,
        "url": download.url,
        "state": download.state,
        "receivedBytes": download.received_bytes,
        "totalBytes": download.total_bytes,
        "tabId": download.tab.id if download.tab is not None else None,
    }
    if download.error:
        told["error"] = download.error
    return told


ACTIONS = (
    Action(
        "screenshot",
        "a picture of the page, or of element nodeId alone",
        screenshot,
        takes=("nodeId",),
        options=ScreenshotOptions,
    ),
    Action("pdf", "save the page as PDF in the output folder", pdf, options=PdfOptions),
    Action("downloads", "list what was downloaded, with paths", downloads, options=DownloadsOptions, needs_tab=False),
)
