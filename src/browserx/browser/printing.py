"""A page as PDF.

Source: https://chromedevtools.github.io/devtools-protocol/tot/Page/#method-printToPDF
"""

import base64
import re
from typing import Any

from browserx.cdp import Session
from browserx.cdp.protocol import PdfReply
from browserx.errors import CdpError, InvalidArgumentError, SnapshotError

#: Width and height in inches.
PAPERS = {
    "letter": (8.5, 11.0),
    "legal": (8.5, 14.0),
    "tabloid": (11.0, 17.0),
    "ledger": (17.0, 11.0),
    "a0": (33.11, 46.81),
    "a1": (23.39, 33.11),
    "a2": (16.54, 23.39),
    "a3": (11.69, 16.54),
    "a4": (8.27, 11.69),
    "a5": (5.83, 8.27),
    "a6": (4.13, 5.83),
}
Paper = str | tuple[float, float]
Margins = float | tuple[float, float, float, float]
_RANGES = re.compile(r"\s*(\d+|\d+\s*-\s*\d*|-\s*\d+)(\s*,\s*(\d+|\d+\s*-\s*\d*|-\s*\d+))*\s*")
_TIMEOUT_S = 60.0


def print_params(
    *,
    paper: Paper,
    landscape: bool,
    background: bool,
    margins: Margins,
    page_ranges: str | None,
    scale: float,
    prefer_css_page_size: bool,
) -> dict[str, Any]:
    """The command's parameters.

    Raises:
        InvalidArgumentError: one makes no sense.
    """
    if isinstance(paper, str):
        if (size := PAPERS.get(paper.casefold())) is None:
            raise InvalidArgumentError(
                f"there is no paper {paper!r}; there are {', '.join(PAPERS)}: or give (width, height) in inches"
            )
    else:
        size = paper
    if len(size) != 2 or not all(0 < inches <= 200 for inches in size):
        raise InvalidArgumentError(f"paper {paper!r} is no (width, height) in inches; one is (8.27, 11.69)")
    around = (margins,) * 4 if isinstance(margins, (int, float)) else margins
    if len(around) != 4 or not all(inches >= 0 for inches in around):
        raise InvalidArgumentError(f"margins {margins!r} are inches: one for all, or (top, right, bottom, left)")
    if not 0.1 <= scale <= 2:
        raise InvalidArgumentError(f"scale {scale!r} is not between 0.1 and 2")
    if page_ranges is not None and not _RANGES.fullmatch(page_ranges):
        raise InvalidArgumentError(f'page_ranges {page_ranges!r} is no list of pages; one is "1-3, 5"')
    return {
        "paperWidth": size[0],
        "paperHeight": size[1],
        "landscape": landscape,
        "printBackground": background,
        "marginTop": around[0],
        "marginRight": around[1],
        "marginBottom": around[2],
        "marginLeft": around[3],
        "pageRanges": page_ranges or "",
        "scale": scale,
        "preferCSSPageSize": prefer_css_page_size,
    }


async def print_pdf(session: Session, params: dict[str, Any]) -> bytes:
    """Print, and return the file.

    Raises:
        InvalidArgumentError: there are no such pages, or nothing is left of the paper between its margins.
        SnapshotError: this browser cannot print.
    """
    try:
        reply = await session.send("Page.printToPDF", params, PdfReply, timeout_s=_TIMEOUT_S)
    except CdpError as error:
        words = error.message.casefold()
        if "page range" in words:
            raise InvalidArgumentError(f"there are no pages {params['pageRanges']!r} in this one") from error
        if "content area" in words:
            raise InvalidArgumentError("the margins leave nothing of the paper; give smaller ones") from error
        raise SnapshotError(f"this browser prints no PDF ({error.message}); launch one with headless=True") from error
    return base64.b64decode(reply.data)
