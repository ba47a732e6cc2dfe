"""A picture of a page with its controls marked, in a real browser."""

import asyncio
import io
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from browserx import DomService
from browserx.dom.marks import marks
from browserx.page.picture import annotated
from tests.conftest import See
from tests.e2e.test_cli import run
from tests.web import Site

pytestmark = pytest.mark.e2e

RED = (255, 0, 0)
PAGE = """<style>body{margin:0} button{all:unset;position:absolute;background:#f00}</style>
<button style="left:100px;top:200px;width:120px;height:40px"></button>
<div style="position:absolute;left:300px;top:100px;width:200px;height:100px;overflow:auto">
  <button style="left:0;top:60px;width:400px;height:300px"></button></div>
<iframe style="position:absolute;left:600px;top:300px;width:200px;height:100px;border:0"
  srcdoc="<body style='margin:0'><button style='all:unset;position:absolute;left:20px;top:30px;width:50px;height:20px;background:#f00'>"></iframe>
<button style="left:0;top:5000px;width:50px;height:50px"></button>"""
BOXES = {(100, 200, 120, 40), (300, 160, 200, 40), (620, 330, 50, 20)}


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


async def taken(dom: DomService) -> tuple[Image.Image, Image.Image]:
    """The page as it is, and with its marks."""
    await dom.observe()
    snapshot = dom.current_snapshot
    assert snapshot is not None
    return opened(await dom.tab.screenshot()), opened(await annotated(dom.tab, snapshot))


async def test_the_boxes_fit_what_the_browser_draws(see: See) -> None:
    dom = await see(PAGE)
    plain, marked = await taken(dom)
    snapshot = dom.current_snapshot
    assert snapshot is not None
    found = {mark.box for mark in marks(snapshot) if mark.box[2] < 1000}
    assert found >= BOXES
    for x, y, width, height in BOXES:
        # All of the red is in the box, and the line is just around it.
        assert plain.getpixel((x, y)) == plain.getpixel((x + width - 1, y + height - 1)) == RED
        assert marked.getpixel((x - 1, y + height // 2)) not in (RED, (255, 255, 255))
        assert marked.getpixel((x + width // 2, y + height)) not in (RED, (255, 255, 255))
        assert plain.getpixel((x - 1, y + height // 2)) == (255, 255, 255)


@pytest.mark.parametrize("density", [1, 2])
async def test_a_dense_screen_is_allowed_for(see: See, density: int) -> None:
    dom = await see(PAGE)
    attachment = await dom.tab.attach()
    await attachment.session.send(
        "Emulation.setDeviceMetricsOverride",
        {"width": 1000, "height": 600, "deviceScaleFactor": density, "mobile": False},
    )
    plain, marked = await taken(dom)
    assert plain.size == marked.size == (1000 * density, 600 * density)
    box = ImageChops.difference(plain, marked).crop((50 * density, 241 * density, 250 * density, 290 * density))
    changed = box.getbbox()
    assert changed is not None
    # The line below the first button: as wide as the button and the lines beside it, and a light one around.
    left, right = changed[0] / density + 50, changed[2] / density + 50
    assert (round(left), round(right)) == pytest.approx((98, 222), abs=1)


async def test_it_is_the_viewport_where_it_was_scrolled_to(see: See) -> None:
    dom = await see(PAGE)
    await dom.tab.evaluate("scrollTo(0, 4500)")
    plain, marked = await taken(dom)
    snapshot = dom.current_snapshot
    assert snapshot is not None
    (mark,) = marks(snapshot)
    x, y, width, height = mark.box
    assert y < 800
    assert plain.getpixel((x, y)) == plain.getpixel((x + width - 1, y + height - 1)) == RED
    assert marked.getpixel((x + width, y + height // 2)) not in (RED, (255, 255, 255))


async def test_the_command_saves_it(site: Site, tmp_path: Path) -> None:
    url = site.page("<button>Push</button>")
    file = tmp_path / "out.png"
    done = await asyncio.to_thread(run, "snapshot", url, "--annotate", str(file))
    assert done.returncode == 0, done.stderr
    assert "1 button Push" in done.stdout
    colors = opened(file.read_bytes()).getcolors(100_000)
    assert colors is not None
    assert (0, 116, 62) in {color for _, color in colors}


async def test_a_picture_of_a_page_in_any_format(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "out.png"
    done = await asyncio.to_thread(
        run, "snapshot", site.page("<button>Push</button>"), "--format", "nodes", "--annotate", str(file)
    )
    assert done.returncode == 0, done.stderr
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
async def test_a_picture_that_could_not_be_saved_says_so(site: Site) -> None:
    done = await asyncio.to_thread(run, "snapshot", site.page("x"), "--annotate", "/dev/full")
    assert done.returncode == 1
    assert "/dev/full cannot be written: No space left" in done.stderr
    assert "Traceback" not in done.stderr
