"""Pictures of pages and elements, and pages as PDF."""

import io
import re
import zlib
from typing import Any

import pytest
from PIL import Image

from browserx import (
    BrowserContext,
    DomService,
    InvalidArgumentError,
    NodeNotFoundError,
    NotActionableError,
    PageOptedOutError,
    SnapshotError,
    Tab,
)
from browserx.browser.screenshot import PictureFormat
from tests.conftest import OpenPage, See
from tests.web import Site

pytestmark = pytest.mark.e2e

RED, BLUE, WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)
PAGE = """<style>body{margin:0} button{all:unset;position:absolute;background:#f00}</style>
<div style="height:3000px"></div><div style="height:100px;background:#00f"></div>
<button style="left:100px;top:200px;width:120px;height:40px">One</button>
<button style="left:50px;top:2500px;width:60px;height:30px"></button>"""


def opened(picture: bytes) -> Image.Image:
    return Image.open(io.BytesIO(picture)).convert("RGB")


def only_color(image: Image.Image) -> Any:
    colors = image.getcolors(100_000)
    assert colors is not None
    return colors[0][1] if len(colors) == 1 else colors


async def test_viewport_whole_page_and_parts(open_page: OpenPage) -> None:
    tab = await open_page(PAGE)
    assert opened(await tab.screenshot()).size == (1280, 800)
    whole = opened(await tab.screenshot(full_page=True))
    assert whole.size == (1280, 3100)
    assert whole.getpixel((640, 3050)) == BLUE
    part = opened(await tab.screenshot(clip=(100, 200, 10, 40)))
    assert (part.size, part.getpixel((9, 38))) == ((10, 40), RED)
    below = opened(await tab.screenshot(full_page=True, clip=(0, 3000, 300, 100)))
    assert (below.size, only_color(below)) == ((300, 100), BLUE)
    await tab.evaluate("scrollTo(0, 2300)")
    # Without full_page a clip is one of the viewport.
    part = opened(await tab.screenshot(clip=(50, 200, 60, 30)))
    assert (part.size, only_color(part)) == ((60, 30), RED)
    assert await tab.evaluate("scrollY") == 2300


async def test_formats_and_quality(open_page: OpenPage) -> None:
    tab = await open_page(
        "<canvas id=c width=600 height=400></canvas><script>const x = c.getContext('2d');"
        "for (let i = 0; i < 4000; i++) { x.fillStyle = `hsl(${i * 37}, 80%, 50%)`;"
        "x.fillRect(i * 97 % 600, i * 31 % 400, 9, 9); }</script>"
    )
    kinds: tuple[PictureFormat, ...] = ("png", "jpeg", "webp")
    for kind in kinds:
        picture = await tab.screenshot(format=kind)
        assert Image.open(io.BytesIO(picture)).format == kind.upper()
    assert len(await tab.screenshot(format="jpeg", quality=10)) < len(await tab.screenshot(format="jpeg", quality=90))


@pytest.mark.parametrize(
    "wrong",
    [
        {"format": "gif"},
        {"quality": 50},
        {"format": "jpeg", "quality": 101},
        {"clip": (0, 0, 0, 10)},
        {"clip": (0, 0, 10)},
    ],
)
async def test_what_makes_no_sense_is_said(open_page: OpenPage, wrong: dict[str, Any]) -> None:
    tab = await open_page("x")
    with pytest.raises(InvalidArgumentError):
        await tab.screenshot(**wrong)


async def test_a_picture_that_would_be_too_large_is_said(open_page: OpenPage) -> None:
    tab = await open_page("<div style='height:3000000px'></div>")
    with pytest.raises(SnapshotError, match="ask for less"):
        await tab.screenshot(full_page=True)
    assert opened(await tab.screenshot()).size == (1280, 800)


async def test_a_dialog_holds_pictures_too(see: See) -> None:
    dom = await see("<button onclick=\"alert('Stop')\">Ask</button>")
    await dom.observe()
    await dom.click(1)
    for taking in (dom.tab.screenshot(), dom.screenshot(), dom.screenshot(annotated=True), dom.tab.pdf()):
        with pytest.raises(SnapshotError, match="'Stop'"):
            await taking
    with pytest.raises(NotActionableError, match="'Stop'"):
        await dom.tab.emulate(locale="de-DE")
    assert dom.tab.dialog is not None
    await dom.tab.dialog.accept()
    assert opened(await dom.screenshot()).size == (1280, 800)


async def test_an_element_alone(see: See) -> None:
    dom = await see(PAGE)
    seen = await dom.observe(viewport_only=False)
    one, two = seen.ids
    picture = opened(await dom.screenshot(node_id=one))
    assert picture.size == (120, 40)
    assert picture.getpixel((118, 38)) == RED
    # One further down is scrolled to.
    picture = opened(await dom.screenshot(node_id=two))
    assert (picture.size, only_color(picture)) == ((60, 30), RED)
    # A picture is no action: what was seen still holds.
    assert dom.current_snapshot is not None


async def test_an_element_larger_than_the_viewport(see: See) -> None:
    dom = await see(
        "<style>body{margin:0}button{all:unset;display:block;background:#f00;width:900px;height:2000px}</style>"
        "<button></button>"
    )
    seen = await dom.observe()
    picture = opened(await dom.screenshot(node_id=seen.ids[0]))
    assert (picture.size, only_color(picture)) == ((900, 2000), RED)


@pytest.mark.parametrize("density", [1, 2])
@pytest.mark.parametrize("where", ["same", "other"])
async def test_an_element_in_a_frame(context: BrowserContext, site: Site, where: str, density: int) -> None:
    site.page(
        "<style>body{margin:0}button{all:unset;position:absolute;left:30px;top:1500px;width:50px;height:20px;"
        "background:#f00}</style><button></button>",
        path="/inner",
    )
    url = site.url("/inner") if where == "same" else site.other("/inner")
    tab = await context.new_tab(
        site.page(
            f"<div style='height:1200px'></div>"
            f"<iframe src={url} style='border:7px solid;width:300px;height:200px;margin-left:40px'></iframe>"
        )
    )
    await tab.emulate(device_scale_factor=density)
    dom = await DomService.for_tab(tab)
    seen = await dom.observe(viewport_only=False)
    button = seen.ids[-1]
    picture = opened(await dom.screenshot(node_id=button))
    width, height = picture.size
    assert (width, height) == (50 * density, 20 * density)
    # Where a frame is drawn between two px its edges are blended.
    assert only_color(picture.crop((2, 2, width - 2, height - 2))) == RED


async def test_what_cannot_be_pictured_is_said(see: See) -> None:
    dom = await see("<button id=a>A</button><button id=b>B</button><button>C</button>")
    a, b, _ = (await dom.observe()).ids
    await dom.tab.evaluate("void (a.remove(), b.style.display = 'none')")
    with pytest.raises(NodeNotFoundError):
        await dom.screenshot(node_id=a)
    with pytest.raises(NotActionableError, match="is hidden"):
        await dom.screenshot(node_id=b)
    with pytest.raises(NodeNotFoundError):
        await dom.screenshot(node_id=4711)
    with pytest.raises(InvalidArgumentError):
        await dom.screenshot(node_id=b, full_page=True)
    with pytest.raises(InvalidArgumentError):
        await dom.screenshot(annotated=True, format="jpeg")


async def test_a_page_that_opted_out_shows_no_element(see: See) -> None:
    dom = await see("<button>A</button>")
    (a,) = (await dom.observe()).ids
    await dom.tab.evaluate("document.body.setAttribute('data-no-ai', '')")
    with pytest.raises(PageOptedOutError):
        await dom.screenshot(node_id=a)
    with pytest.raises(PageOptedOutError):
        await dom.screenshot(annotated=True)


async def test_annotated(see: See) -> None:
    dom = await see(PAGE)
    plain, marked = opened(await dom.screenshot()), opened(await dom.screenshot(annotated=True))
    assert plain.size == marked.size
    assert plain.getpixel((99, 220)) == WHITE
    assert marked.getpixel((99, 220)) not in (WHITE, RED)


# PDF


def pages_of(pdf: bytes) -> list[tuple[float, float]]:
    """Width and height of each page in inches."""
    assert pdf.startswith(b"%PDF-")
    boxes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", _unpacked(pdf))
    return [(round(float(width) / 72, 2), round(float(height) / 72, 2)) for width, height in boxes]


def _unpacked(pdf: bytes) -> bytes:
    """With its compressed streams opened: objects may be inside."""
    parts = [pdf]
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.S):
        try:
            parts.append(zlib.decompress(stream))
        except zlib.error:
            continue
    return b"\n".join(parts)


async def three_pages(open_page: OpenPage) -> Tab:
    return await open_page("".join(f"<h1 style='break-after:page;background:#f00'>{n}</h1>" for n in "abc") + "<p>end")


async def test_a_pdf(open_page: OpenPage) -> None:
    tab = await three_pages(open_page)
    assert pages_of(await tab.pdf()) == [(8.5, 11)] * 4
    a4 = pages_of(await tab.pdf(paper="A4", page_ranges="1-2, 4"))
    assert len(a4) == 3
    assert a4[0] == pytest.approx((8.27, 11.69), abs=0.02)
    assert pages_of(await tab.pdf(paper="a5", landscape=True, page_ranges="2")) == [
        pytest.approx((8.27, 5.83), abs=0.02)
    ]
    assert pages_of(await tab.pdf(paper=(4, 6), margins=(0, 0.1, 0, 0.1), page_ranges="1")) == [(4, 6)]


async def test_backgrounds_are_printed_when_asked_for(open_page: OpenPage) -> None:
    tab = await three_pages(open_page)
    red = re.compile(rb"\b1 0 0 (rg|sc|scn)\b")
    assert not red.search(_unpacked(await tab.pdf()))
    assert red.search(_unpacked(await tab.pdf(background=True)))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"paper": "napkin"}, "there is no paper"),
        ({"paper": (0, 5)}, "in inches"),
        ({"margins": -1}, "are inches"),
        ({"margins": 9}, "smaller ones"),
        ({"page_ranges": "one"}, "is no list of pages"),
        ({"page_ranges": "70-80"}, "there are no pages '70-80'"),
        ({"scale": 3}, "scale"),
    ],
)
async def test_a_pdf_that_makes_no_sense_is_said(open_page: OpenPage, wrong: dict[str, Any], words: str) -> None:
    tab = await open_page("x")
    with pytest.raises(InvalidArgumentError, match=re.escape(words)):
        await tab.pdf(**wrong)
