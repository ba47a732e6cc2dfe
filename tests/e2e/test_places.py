"""Wherever a page puts a control, it is seen there, and a click on it reaches it."""

import pytest

from tests.conftest import See
from tests.web import Site

HIT = "onclick=\"top.postMessage('hit','*')\""
BUTTON = f"<button {HIT}>Here</button>"
LISTEN = "<script>addEventListener('message', (e) => { if (e.data === 'hit') document.title = 'hit' })</script>"

PLACES = {
    "scaled": f"<div style='transform:scale(.5) translate(80px,40px)'>{BUTTON}</div>",
    "rotated": f"<div style='transform:rotate(45deg);margin:100px;width:200px'>{BUTTON}</div>",
    "zoomed": f"<div style='zoom:2.5;margin:20px'>{BUTTON}</div>",
    "body zoomed": f"<style>body{{zoom:1.7}}</style><p>x</p>{BUTTON}",
    "in perspective": f"<div style='perspective:300px;width:300px'><div style='transform:rotateY(30deg);width:300px'>{BUTTON}</div></div>",
    "right to left": f"<div dir=rtl style='width:400px;overflow:auto'><div style='width:900px'>{BUTTON}</div></div>",
    "vertical": f"<div style='writing-mode:vertical-rl;height:200px'>text {BUTTON}</div>",
    "sticky": f"<div style='height:200px;overflow:auto'><div style='position:sticky;top:0'>{BUTTON}</div><p style='height:900px'></p></div>",
    "fixed": f"<div style='position:fixed;bottom:0;right:0'>{BUTTON}</div><p style='height:3000px'></p>",
    "fixed in a transformed box": f"<div style='transform:translate(50px,60px);height:90px'><div style='position:fixed;top:5px'>{BUTTON}</div></div>",
    "in columns": f"<div style='columns:3;height:60px'><p>a<p>b<p>c<p>d<p>{BUTTON}</div>",
    "in the top layer": f"<dialog id=d>{BUTTON}</dialog><button>Under</button><script>d.showModal()</script>",
    "in a popover": f"<div id=p popover>{BUTTON}</div><script>p.showPopover()</script>",
    "in a fieldset's legend": f"<fieldset disabled><legend>{BUTTON}</legend><input></fieldset>",
    "slotted": f"<x-s>{BUTTON}</x-s><script>customElements.define('x-s', class extends HTMLElement {{ constructor() {{ super();"
    "this.attachShadow({mode:'closed'}).innerHTML = '<p>Before</p><slot></slot>' }})</script>",
    "in an svg": f"<svg width=300 height=80><foreignObject x=90 y=20 width=150 height=50>{BUTTON}</foreignObject></svg>",
    "in a table cell": f"<table><tr><td style='padding:30px'>{BUTTON}</table>",
    "scrolled away": f"<p style='height:2500px'></p>{BUTTON}<p style='height:900px'></p>",
    "scrolled away in a box": f"<div style='height:100px;overflow:auto'><p style='height:700px'></p>{BUTTON}</div>",
    "in two boxes that scroll": "<div style='height:150px;overflow:auto'><p style='height:400px'></p><div style='height:90px;overflow:auto'>"
    f"<p style='height:400px'></p>{BUTTON}</div></div>",
    "with a transparent border": f"<button {HIT} style='border:30px solid transparent;background-clip:padding-box'>Here</button>",
    "in srcdoc": f"<iframe style='margin:40px;border:7px solid' srcdoc=\"{BUTTON.replace(chr(34), '&quot;')}\"></iframe>",
}


@pytest.mark.parametrize("place", PLACES)
async def test_it_is_seen_and_can_be_clicked(see: See, place: str) -> None:
    dom = await see(PLACES[place] + LISTEN)
    seen = await dom.observe(viewport_only=False)
    line = next(line for line in seen.text.splitlines() if line.endswith("button Here"))
    result = await dom.click(line.strip(" |-").split()[0])
    assert result.success
    assert await dom.tab.evaluate("document.title") == "hit"


@pytest.mark.parametrize("outer", ["", "transform:scale(.6)", "zoom:1.4", "transform:rotate(8deg)"])
async def test_in_frames_of_other_sites_in_frames(see: See, site: Site, outer: str) -> None:
    inner = site.page(BUTTON.replace("top.", "parent.parent."))
    middle = site.page(f"<p>mid</p><iframe style='border:9px solid;padding:5px;margin:11px' src='{inner}'></iframe>")
    middle = middle.replace("localhost", "127.0.0.1")
    dom = await see(f"<div style='{outer}'><iframe width=500 height=300 src='{middle}'></iframe></div>{LISTEN}")
    seen = await dom.observe()
    line = next(line for line in seen.text.splitlines() if line.endswith("button Here"))
    assert (await dom.click(line.split()[0])).success
    assert await dom.tab.evaluate("document.title") == "hit"


async def test_a_frameset(see: See, site: Site) -> None:
    left, right = site.page("<a href=#x>Menu</a>"), site.page("<button onclick='document.title=1'>Main</button>")
    dom = await see(
        f"<!doctype html><frameset cols='30%,70%'><frame src='{left}'><frame src='{right.replace('localhost', '127.0.0.1')}'></frameset>"
    )
    seen = await dom.observe()
    assert "link Menu" in seen.text
    assert "button Main" in seen.text
    assert len(seen.ids) == 2
    assert (await dom.click(seen.ids[1])).success


async def test_a_frame_that_comes_late(see: See, site: Site) -> None:
    other = site.page("<button>Late</button>").replace("localhost", "127.0.0.1")
    dom = await see("<h1>Page</h1>")
    assert (await dom.observe()).ids == []
    await dom.tab.evaluate(
        f"new Promise((done) => {{ const f = document.createElement('iframe'); f.src = '{other}'; f.onload = () => done(1); document.body.append(f) }})"
    )
    assert "button Late" in (await dom.observe()).text
