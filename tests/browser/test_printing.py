"""Parameters of a print, and what a browser says that cannot."""

import base64

import pytest

from browserx import InvalidArgumentError, SnapshotError
from browserx.browser.printing import print_params, print_pdf
from browserx.cdp import Connection, MethodPolicy
from tests.fakes import Answer, ScriptedTransport

DEFAULTS = {
    "paper": "letter",
    "landscape": False,
    "background": False,
    "margins": 0.4,
    "page_ranges": None,
    "scale": 1.0,
    "prefer_css_page_size": False,
}


def test_paper_and_margins() -> None:
    params = print_params(**{**DEFAULTS, "paper": "A4", "margins": (1, 2, 3, 4)})  # type: ignore[arg-type]
    assert (params["paperWidth"], params["paperHeight"]) == (8.27, 11.69)
    assert [params[f"margin{side}"] for side in ("Top", "Right", "Bottom", "Left")] == [1, 2, 3, 4]


@pytest.mark.parametrize("ranges", ["1", "1-3", "1, 4-", "-2,5"])
def test_page_ranges(ranges: str) -> None:
    assert print_params(**{**DEFAULTS, "page_ranges": ranges})["pageRanges"] == ranges  # type: ignore[arg-type]


@pytest.mark.parametrize("ranges", ["", "a", "1;2", "1--2", "1,"])
def test_no_page_ranges(ranges: str) -> None:
    with pytest.raises(InvalidArgumentError, match="is no list of pages"):
        print_params(**{**DEFAULTS, "page_ranges": ranges})  # type: ignore[arg-type]


async def printed(answer: Answer) -> bytes:
    transport = ScriptedTransport({"Page.printToPDF": answer})
    connection = Connection(transport, MethodPolicy())
    try:
        return await print_pdf(connection.browser, print_params(**DEFAULTS))  # type: ignore[arg-type]
    finally:
        await connection.close()


async def test_a_browser_with_a_window_says_what_to_do() -> None:
    with pytest.raises(SnapshotError, match="headless=True"):
        await printed(RuntimeError("PrintToPDF is not implemented"))


async def test_the_file_is_what_came() -> None:
    assert await printed({"data": base64.b64encode(b"%PDF").decode()}) == b"%PDF"
