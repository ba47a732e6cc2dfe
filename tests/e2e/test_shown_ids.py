"""Ids shown to a person: over the page, where the controls are, and nothing of it in the page."""

import asyncio
import io
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from PIL import Image, ImageChops

from browserx import DomService, NoSnapshotError, ServiceConfig
from browserx.dom.marks import marks
from tests.conftest import OpenPage, See
from tests.e2e.test_acting import find
from tests.web import Site

PAGE = """<button style="position:absolute;left:300px;top:200px" onclick="o.textContent = 'pushed'">Push</button>
    <input aria-label=Name style="position:absolute;left:500px;top:420px"><p id=o style="padding-top:1500px"></p>
    <a href=# id=far>Far</a><script>
    window.seen = []; const note = (what) => seen.push(what);
    new MutationObserver((r) => r.forEach((x) => note(x.type))).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
    new ResizeObserver(() => note('resize')).observe(document.documentElement); addEventListener('scroll', () => note('scroll'), true);
    for (const t of ['transitionstart', 'animationstart']) addEventListener(t, () => note(t), true);</script>"""
STRICT = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; script-src 'unsafe-inline'\">"

Drawn = Callable[[Awaitable[Any]], Awaitable[Any]]


def picture(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def differs(one: Image.Image, other: Image.Image) -> tuple[int, int, int, int] | None:
    return ImageChops.difference(one, other).getbbox()


async def redrawn(dom: DomService, patch: pytest.MonkeyPatch, act: Callable[[], Awaitable[Any]]) -> Any:
    """Do something, and wait until the ids were drawn again because of it."""
    attachment = await dom.tab.attach()
    real, drawn = attachment.session.send, asyncio.Event()

    async def send(method: str, *rest: Any, **options: Any) -> Any:
        answer = await real(method, *rest, **options)
        if method == "CSS.setStyleSheetText":
            drawn.set()
        return answer

    with patch.context() as here:
        here.setattr(attachment.session, "send", send)
        result = await act()
        async with asyncio.timeout(20):
            await drawn.wait()
    return result


@pytest.mark.parametrize("head", ["", STRICT], ids=["plain", "strict"])
async def test_they_are_drawn_at_what_can_be_acted_on_and_nowhere_else(see: See, head: str) -> None:
    dom = await see(PAGE, head=head)
    await dom.observe()
    assert dom.current_snapshot is not None
    boxes = {mark.node_id: mark.box for mark in marks(dom.current_snapshot)}
    # The strict page has lost its own styles to its policy, so that more of it is in view.
    assert len(boxes) == (3 if head else 2)
    before = picture(await dom.tab.screenshot())
    await dom.show_ids()
    after = picture(await dom.tab.screenshot())
    changed = ImageChops.difference(before, after).convert("L")
    for x, y, width, height in boxes.values():
        around = (x - 20, y - 20, x + width + 20, y + height + 20)
        assert changed.crop(around).getbbox() is not None
        changed.paste(0, around)
    assert changed.getbbox() is None
    await dom.show_ids(False)
    assert differs(before, picture(await dom.tab.screenshot())) is None


async def test_neither_the_page_nor_a_look_sees_them(see: See) -> None:
    dom = await see(PAGE)
    seen = await dom.observe(force=True)
    facts = "[document.documentElement.outerHTML, document.styleSheets.length, document.adoptedStyleSheets.length," + (
        " document.documentElement.scrollHeight, document.elementFromPoint(310, 190)?.localName, document.getAnimations().length]"
    )
    await dom.tab.evaluate("seen.length = 0")
    before = await dom.tab.evaluate(facts)
    await dom.show_ids()
    assert await dom.tab.evaluate(facts) == before
    assert await dom.tab.evaluate("seen") == []
    again = await dom.observe(force=True)
    assert (again.text, again.ids) == (seen.text.replace(seen.snapshot_id, again.snapshot_id), seen.ids)
    assert (await dom.get_serialized_dom()) is not None
    await dom.click(await find(dom, "Push"))
    # What the click itself did: the words came, and the page grew by them.
    assert set(await dom.tab.evaluate("seen")) == {"childList", "resize"}


async def test_they_follow_actions_changes_and_scrolling(see: See, monkeypatch: pytest.MonkeyPatch, site: Site) -> None:
    dom = await see(PAGE)
    await dom.observe()
    await dom.show_ids()
    first = picture(await dom.tab.screenshot())

    async def moved(act: Callable[[], Awaitable[Any]]) -> Image.Image:
        await redrawn(dom, monkeypatch, act)
        return picture(await dom.tab.screenshot())

    by_page = await moved(lambda: dom.tab.evaluate("void (document.querySelector('input').style.left = '700px')"))
    assert differs(first, by_page) is not None
    labels = by_page.crop((690, 400, 720, 420))
    assert differs(labels, Image.new("RGB", labels.size, "white")) is not None

    # Nothing in the document changes when it is scrolled by hand.
    await moved(lambda: dom.tab.evaluate("scrollTo(0, 1e6)"))
    assert await dom.tab.evaluate("getComputedStyle(document.documentElement, '::after').content.includes('3')")

    there = site.page("<button style='position:absolute;left:100px;top:100px'>There</button>")
    await moved(lambda: dom.navigate(there))
    blank = await dom.tab.evaluate("getComputedStyle(document.documentElement, '::after').content")
    assert blank != "none"


async def test_for_callers_nothing_has_been_looked_at(see: See) -> None:
    dom = await see(PAGE)
    push = await find(dom, "Push")
    await dom.click(push)
    await dom.show_ids()
    assert dom.current_snapshot is None
    with pytest.raises(NoSnapshotError):
        await dom.click(push)
    seen = await dom.observe()
    snapshot = dom.current_snapshot
    await dom.show_ids()
    assert dom.current_snapshot is snapshot
    assert push in seen.ids


async def test_they_go_with_the_service(open_page: OpenPage) -> None:
    tab = await open_page(PAGE)
    dom = await DomService.for_tab(tab, ServiceConfig())
    before = picture(await tab.screenshot())
    await dom.show_ids()
    assert differs(before, picture(await tab.screenshot())) is not None
    await dom.detach()
    assert "shown ids" not in {
        task.get_name() for task in asyncio.all_tasks() if not task.cancelling() and not task.done()
    }
    assert differs(before, picture(await tab.screenshot())) is None


async def test_a_page_keeps_the_pseudo_elements_it_has(see: See) -> None:
    dom = await see(f"<style>html::after{{content:'mine'}}</style>{PAGE}")
    await dom.show_ids()
    style = "getComputedStyle(document.documentElement, '::%s').content"
    assert await dom.tab.evaluate(style % "after") == '"mine"'
    assert await dom.tab.evaluate(style % "before") != "none"
    both = await see(f"<style>html::after,html::before{{content:'mine'}}</style>{PAGE}")
    await both.show_ids()
    assert await both.tab.evaluate(style % "before") == '"mine"'
