"""Patterns that component libraries draw their controls with: what a person sees is what is told, once."""

import pytest

from browserx import DomService
from tests.conftest import See

GIF = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


async def told(dom: DomService) -> list[str]:
    return (await dom.observe()).text.splitlines()[2:-1]


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        # A label of nothing is text, and names what stands beside it.
        ("<div><label>Last name</label><input></div>", ["1 textbox Last name"]),
        ("<label>Just a label</label>", ["Just a label"]),
        ("<div><input type=checkbox><label>Subscribe</label></div>", ["1 checkbox [ ] Subscribe"]),
        # Cells say what is in them, whatever they could be clicked for.
        (
            "<div role=grid><div role=row><div role=gridcell>Car</div><div role=gridcell tabindex=-1>2000</div></div></div>",
            ["@grid", " |Car|2000"],
        ),
        (
            "<table><tr><th>Tea<th>Price<th>Buy<tr><td>Sencha<td>5<td><button>Add</button> <a href=/x>more</a></table>",
            ["@table", " |Tea|Price|Buy", " |Sencha|5|1 button Add 2 link more"],
        ),
        # Nothing in a cell can pass for a control, or for another cell.
        ("<table><tr><td>7 button Pay<td>a|b<td>3 days</table>", ["@table", " |'7 button Pay|a¦b|3 days"]),
        # A drawing does not hide what is in it.
        (
            "<svg width=200 height=60><title>Seats</title><rect width=28 height=28 aria-label='1A' onclick=1 /></svg>",
            ["!image Seats", " 1 shape 1A"],
        ),
        (
            "<svg id=s width=300 height=60><g onclick=1><rect width=60 height=40></rect><text y=55>Apples</text></g>"
            "<a href=#s><text x=200 y=50>Source</text></a></svg><script>s.addEventListener('mousedown', () => 1)</script>",
            ["1 clickable Apples", "2 link Source"],
        ),
        # What can be clicked does not swallow the text around it.
        (
            "<p>Please <span style='cursor:pointer'>click here</span> to continue</p>",
            ["Please", "1 clickable click here", "to continue"],
        ),
        # One that listens for its items leaves them theirs.
        (
            "<ul id=p><li tabindex=0 aria-label='page 1'>1<li tabindex=0 aria-label='page 2'>2</ul>"
            "<script>p.addEventListener('click', () => 1)</script>",
            ["@list", " 1 clickable page 1", " 2 clickable page 2"],
        ),
        # A drawn field holds what it shows.
        (
            "<div role=combobox tabindex=0><div>Paris</div><div role=listbox style='display:none'><div role=option>Rome</div></div></div>",
            ["1 combobox = Paris"],
        ),
        # Parts of a picture.
        (
            f"<img src='{GIF}' width=200 height=80 usemap=#m alt=Store><map name=m><area shape=rect coords=0,0,99,80 href=#n alt=North>"
            "<area shape=circle coords=150,40,30 href=#s alt=South></map>",
            ["!image Store", "1 link North", "2 link South"],
        ),
        # Handlers that a framework keeps for itself.
        ("<div id=z>Count</div><script>z[Symbol('events')] = {click() {}}</script>", ["1 clickable Count"]),
        # Names from style sheets, from inside, and none from a menu below.
        ("<style>.m::after{content:'Show more'}</style><div class=m onclick=1></div>", ["1 clickable Show more"]),
        (
            "<div onclick=1 style='width:20px;height:20px'><input type=radio aria-label='1 star' style='position:absolute;opacity:0;pointer-events:none'></div>",
            ["1 clickable 1 star"],
        ),
        (
            "<ul role=menubar><li role=menuitem tabindex=0><span>Orders</span><ul role=menu><li role=menuitem tabindex=-1>All</li></ul></li></ul>",
            ["@menubar", " 1 menuitem Orders", "  2 menuitem All"],
        ),
        # Icons drawn by a font from a word.
        ("<button aria-label=Next><i style='font-family:Material Icons'>arrow_forward</i></button>", ["1 button Next"]),
        # No limit is no limit.
        ("<input type=number aria-label=N value=2 max=9007199254740991>", ["1 spinbutton N = 2"]),
        # A text too long for a name is told whole.
        (
            f"<div onclick=1><p>{'word ' * 40}</p></div>",
            [f"1 clickable {('word ' * 40)[:120].strip()}…", " " + ("word " * 40).strip()],
        ),
        # An editor holds its text, and is not called by it.
        ("<div contenteditable>some <b>rich</b> text</div>", ["1 textbox = some rich text"]),
        # A list item of several things is one.
        ("<ul><li>One<li>Two <a href=/x>more</a></ul>", ["@list", " One", " - Two", "  1 link more"]),
        ("<p>- 5 button Pay</p>", ["'- 5 button Pay"]),
    ],
)
async def test_what_is_told(see: See, html: str, lines: list[str]) -> None:
    assert await told(await see(html)) == lines


async def test_text_in_a_slot_does_not_cover_what_it_stands_in(see: See) -> None:
    dom = await see(
        "<x-l>Home</x-l><script>customElements.define('x-l', class extends HTMLElement { constructor() { super();"
        "this.attachShadow({mode: 'open'}).innerHTML = '<a href=#home><slot></slot></a>' } })</script>"
    )
    assert await told(dom) == ["1 link Home"]
    result = await dom.click("1")
    assert result.success
    assert dom.tab.url.endswith("#home")


async def test_a_part_of_a_picture_can_be_clicked(see: See) -> None:
    dom = await see(
        f"<div style='height:1500px'></div><img src='{GIF}' width=200 height=80 usemap=#m><map name=m>"
        "<area shape=circle coords=150,40,30 href=#south alt=South></map>"
    )
    (south,) = (await dom.observe(viewport_only=False)).ids
    assert (await dom.click(south)).success
    assert dom.tab.url.endswith("#south")


async def test_a_link_around_floats_is_where_they_are(see: See) -> None:
    dom = await see(
        "<a href=#card><div style='float:left;width:90px;height:40px;background:#ccc'>Card</div></a>"
        "<button style='display:contents' onclick='document.title = 1'><div style='clear:both;width:50px;height:20px'>Inner</div></button>"
    )
    seen = await dom.observe(include_layout=True)
    assert "1 link Card (8,8 90x40)" in seen.text
    assert (await dom.click("1")).success
    assert dom.tab.url.endswith("#card")
    assert "2 button Inner" in (await dom.observe()).text
    assert (await dom.click("2")).success
    assert await dom.tab.evaluate("document.title") == "1"


async def test_what_lies_under_a_backdrop_is_covered_by_its_dialog(see: See) -> None:
    dom = await see(
        "<button>Under</button><div onclick=1 style='position:fixed;inset:0'></div>"
        "<div role=dialog aria-modal=true aria-label=Login style='position:fixed;top:200px'>Sign in</div>"
    )
    assert "1 button Under (covered by dialog Login)" in (await dom.observe()).text


async def test_frames_of_a_pixel_tell_nothing(see: See) -> None:
    dom = await see("<h1>A</h1><iframe width=1 height=1 srcdoc='<button>Spy</button>'></iframe>")
    assert await told(dom) == ["# A"]
