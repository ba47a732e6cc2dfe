"""Every engine sees the same page the same way."""

import asyncio
import re
import time

import pytest

from browserx import (
    BrowserContext,
    DomService,
    Markup,
    NodeNotFoundError,
    PageOptedOutError,
    SerializationOptions,
    SerializedDom,
    ServiceConfig,
)
from browserx.content.sight import TIME_TO_LIVE_S
from tests.contract.conftest import Drive
from tests.web import Site

FORM = """
<h1>Sign up</h1>
<nav><a href="/home">Home</a> <a href="/about">About us</a></nav>
<form><label>Name <input name="n" value="Ada"></label>
<label><input type="checkbox" checked> News</label>
<select aria-label="Size"><option>Small<option selected>Large</select>
<textarea aria-label="Notes">Hello</textarea>
<button disabled>Later</button><button>Send</button></form>
<p>Some text that is read.</p>
"""
TABLE = """
<h2>Orders</h2><table><tr><th>Item<th>Price</tr><tr><td>Pen<td>2 €<td><button>Buy</button></tr>
<tr><td>Ink<td>5 €<td><button>Buy</button></tr></table>
<ul><li>One</li><li>Two <a href="#x">more</a></li></ul>
"""
HIDDEN = """
<p style="display:none">never</p><p style="visibility:hidden">nor this</p><p style="opacity:0">nor that</p>
<details><summary>More</summary><p>closed away</p></details>
<button style="position:absolute;left:-5000px">far</button><button>near</button>
<div style="height:30px;overflow:auto"><p style="height:400px">long</p></div>
<div role="tablist"><div role="tab" aria-selected="true" tabindex="0">First</div></div>
"""
SHADOW = """
<div id="host"></div><p>after</p>
<script>const root = document.getElementById("host").attachShadow({mode: "open"});
root.innerHTML = "<button>Inside</button><slot></slot>";</script>
<iframe title="Inner" srcdoc="<h2>Framed</h2><button>Press</button>" style="width:300px;height:120px"></iframe>
"""
WIDGETS = """
<div role="button" tabindex="0" aria-pressed="true">Bold</div><div role="switch" aria-checked="false" tabindex="0">Dark</div>
<div role="combobox" aria-expanded="false" tabindex="0" aria-label="Fruit">Apple</div>
<input type="range" aria-label="Volume" value="30"><input type="date" aria-label="Day" value="2026-11-22">
<input type="password" aria-label="Word" value="secret"><input type="radio" name="r" aria-label="A" checked>
<div onclick="1" style="cursor:pointer">Clickable words</div><div contenteditable aria-label="Pad">written</div>
<div id="over" style="position:fixed;left:0;bottom:0;width:100%;height:40px;background:#eee">Cookies <button>Accept</button></div>
"""
PAGES = {
    "form": (
        FORM,
        ["# Sign up", "link About us", "Name = Ada", "[x] News", "Size = Large", "Send", "Some text that is"],
    ),
    "table": (TABLE, ["Orders", "Pen", "Ink", "Buy", "One", "more"]),
    "hidden": (HIDDEN, ["More", "near", "First"]),
    "shadow": (SHADOW, ["Inside", "after", "Framed", "Press"]),
    "widgets": (WIDGETS, ["Bold", "Dark", "Fruit", "Volume", "Clickable words", "written", "Accept"]),
}
CLOSED = """
<p>before</p><div id="host"></div><fancy-box></fancy-box><p>after</p>
<script>document.getElementById("host").attachShadow({mode: "closed"}).innerHTML = "<button>Unreachable</button>";
customElements.define("fancy-box", class extends HTMLElement {
  connectedCallback() { this.attachShadow({mode: "closed"}).innerHTML = "<button>Unreachable</button>"; } });</script>
"""


def without_ids(text: str) -> str:
    """An outline without the numbers in it, and without the fence and the address around it."""
    return "\n".join(re.sub(r"(^ *(?:- )?|\|)\d+ ", r"\1N ", line) for line in text.splitlines()[2:-1])


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("viewport_only", [True, False])
async def test_a_page_has_the_same_outline_in_every_engine(
    drive: Drive, context: BrowserContext, site: Site, name: str, viewport_only: bool
) -> None:
    body, words = PAGES[name]
    url = site.page(body)
    reference = await DomService.for_tab(await context.new_tab(url))
    expected = await reference.observe(viewport_only=viewport_only)
    seen = await (await drive(url)).dom.observe(viewport_only=viewport_only)
    assert without_ids(seen.text) == without_ids(expected.text)
    assert len(seen.ids) == len(expected.ids)
    assert (seen.url, seen.title, seen.partial) == (expected.url, expected.title, False)
    for word in words:
        assert word in seen.text
    assert not re.search("never|nor this|nor that|closed away|secret", seen.text)


@pytest.mark.parametrize("form", ["nodes", "page", "v2", "v3"])
async def test_every_format_is_the_same_type(drive: Drive, context: BrowserContext, site: Site, form: str) -> None:
    url = site.page(FORM)
    reference = await DomService.for_tab(await context.new_tab(url))
    options = SerializationOptions(format=form)  # type: ignore[arg-type]
    expected = await reference.get_serialized_dom(options)
    told = await (await drive(url)).dom.get_serialized_dom(options)
    assert type(told) is type(expected)


@pytest.mark.parametrize("form", ["skeleton", "html"])
async def test_markup_is_written_without_protected_values(drive: Drive, form: str) -> None:
    page = await drive(WIDGETS)
    markup = await page.dom.get_serialized_dom(SerializationOptions(format=form))  # type: ignore[arg-type]
    assert isinstance(markup, Markup)
    assert 'type="password"' in markup.html
    assert "secret" not in markup.html


async def test_ids_stay_from_look_to_look_and_are_never_given_again(drive: Drive, site: Site) -> None:
    page = await drive(FORM)
    first = await page.dom.observe()
    again = await page.dom.observe(force=True)
    assert again.text == first.text
    await page.run("document.querySelector('h1').insertAdjacentHTML('afterend', '<button>New</button>'); 1")
    added = await page.dom.observe()
    new = set(added.ids) - set(first.ids)
    assert len(new) == 1
    assert set(first.ids) < set(added.ids)
    await page.dom.reload()
    anew = await page.dom.observe()
    assert not set(anew.ids) & set(added.ids)


async def test_attributes_are_told_live(drive: Drive) -> None:
    page = await drive('<button data-x="1">Go</button>')
    (node,) = (await page.dom.observe()).ids
    assert (await page.dom.get_attributes(node))["data-x"] == "1"
    await page.run("document.querySelector('button').dataset.x = '2'")
    assert (await page.dom.get_attributes(node))["data-x"] == "2"
    await page.run("document.querySelector('button').remove()")
    with pytest.raises(NodeNotFoundError):
        await page.dom.get_attributes(node)


async def test_a_page_that_opts_out_is_left_alone(drive: Drive) -> None:
    page = await drive("<div data-no-ai>mine</div>")
    with pytest.raises(PageOptedOutError):
        await page.dom.observe()
    page = await drive("<div data-no-ai>mine</div>", config=ServiceConfig(ignore_opt_out=True))
    assert "mine" in (await page.dom.observe()).text


async def test_a_busy_page_is_a_partial_answer_in_time(drive: Drive) -> None:
    page = await drive("<button>Go</button>")
    await page.dom.observe()
    await page.run("setTimeout(() => { const end = Date.now() + 2500; while (Date.now() < end); }, 10); 1")
    await asyncio.sleep(0.1)
    seen = await page.dom.observe(deadline_ms=300)
    assert seen.partial
    assert "did not answer within" in seen.text


async def test_a_frame_of_another_origin_is_a_placeholder_that_says_so(by_content: Drive, site: Site) -> None:
    site.page("<button>Inside</button>", path="/inner")
    page = await by_content(f'<button>Out</button><iframe title="Pay" src="{site.other("/inner")}"></iframe>')
    seen = await page.dom.observe()
    assert "Inside" not in seen.text
    assert re.search("!frame Pay.*another origin", seen.text)
    assert seen.partial
    told = await page.dom.get_serialized_dom()
    assert isinstance(told, SerializedDom)
    assert [(frame.cross_origin, frame.reachable) for frame in told.frames] == [(False, True), (True, False)]


async def test_closed_shadow_roots_are_placeholders_that_say_so(by_content: Drive, engine: str) -> None:
    page = await by_content(CLOSED)
    text = (await page.dom.observe()).text
    assert "Unreachable" not in text
    # Firefox does not tell a size that was given from one that came by itself, so that only custom elements are sure.
    assert text.count("closed shadow root") == (1 if engine == "bidi" else 2)
    assert text.index("before") < text.index("closed shadow root") < text.index("after")


async def test_what_was_given_a_size_is_no_closed_root(by_content: Drive) -> None:
    page = await by_content(
        """<style>.a::before {content: "x"}</style><div style="height:50px;background:red"></div><div class="a"></div>
        <div style="padding:20px"></div><p style="min-height:30px"></p><span>text</span>
        <div style="display:flex;height:60px"><div style="width:20px"></div></div>"""
    )
    assert "shadow" not in (await page.dom.observe()).text


async def test_a_serialized_page_is_looked_at_anew_when_it_changed_or_is_old(
    by_content: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await by_content("<button>Go</button>")
    first = await page.dom.get_snapshot()
    assert await page.dom.get_snapshot() is first
    await page.run("document.body.append('more'); 1")
    changed = await page.dom.get_snapshot()
    assert changed is not first
    assert TIME_TO_LIVE_S == 2.0
    now = time.monotonic()
    monkeypatch.setattr("browserx.content.sight.time.monotonic", lambda: now + 1.5)
    assert await page.dom.get_snapshot() is changed
    monkeypatch.setattr("browserx.content.sight.time.monotonic", lambda: now + 2.5)
    assert await page.dom.get_snapshot() is not changed
