"""When things break: a typed error or a labelled partial view, in time, and nothing hangs."""

import asyncio
import time
from collections.abc import Awaitable

import pytest

from browserx import (
    Browser,
    BrowserContext,
    ConnectionClosedError,
    DomService,
    NotAttachedError,
    OperationTimeoutError,
    SnapshotError,
    TabClosedError,
    TargetCrashedError,
)
from browserx.cdp.websocket import WebSocketTransport
from tests.conftest import See
from tests.web import Site


async def ends_with(
    kind: type[Exception] | tuple[type[Exception], ...], work: Awaitable[object], timeout_s: float = 5
) -> None:
    with pytest.raises(kind):
        await asyncio.wait_for(work, timeout_s)


async def crash(dom: DomService) -> None:
    """Kill the renderer of the tab, and wait until everybody knows."""
    attachment = dom.tab.attachment
    assert attachment is not None
    attachment.session.post("Page.navigate", {"url": "chrome://crash"})
    await attachment.changes.until(lambda: attachment.session.crashed, timeout_s=10)


async def test_a_crash_is_noticed_and_the_tab_can_be_used_again(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("<button>Before</button>"))
    dom = await DomService.for_tab(tab)
    await dom.observe()
    waiting = asyncio.ensure_future(tab.evaluate("new Promise(() => {})"))
    await asyncio.sleep(0)
    try:
        await crash(dom)
    except TargetCrashedError:
        pass
    await ends_with(TargetCrashedError, waiting)
    await ends_with(TargetCrashedError, dom.observe())
    await ends_with(TargetCrashedError, tab.evaluate("1"))
    await ends_with(TargetCrashedError, dom.keypress("a"))
    await tab.goto(site.page("<button>After</button>"))
    assert "After" in (await dom.observe()).text


async def test_a_frame_whose_process_crashed_is_a_placeholder(context: BrowserContext, site: Site) -> None:
    site.page("<button>Inside</button>", path="/inner")
    tab = await context.new_tab(site.page(f"<button>Outside</button><iframe src='{site.other('/inner')}'></iframe>"))
    dom = await DomService.for_tab(tab)
    assert "Inside" in (await dom.observe()).text
    attachment = tab.attachment
    assert attachment is not None
    frame = next(f for f in attachment.frames if f.url.endswith("/inner"))
    assert frame.session is not attachment.session
    frame.session.post("Page.navigate", {"url": "chrome://crash"})
    await attachment.changes.until(lambda: frame.crashed, timeout_s=10)
    seen = await dom.observe(deadline_ms=3000)
    assert "Outside" in seen.text
    assert seen.partial, seen.text
    assert "crashed" in seen.text


async def test_the_socket_breaks_in_the_middle(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Browser.launch(debugging_port=0) as host:
        broken: list[WebSocketTransport] = []
        connect = WebSocketTransport.connect

        async def remember(url: str, *, timeout_s: float = 10.0) -> WebSocketTransport:
            broken.append(await connect(url, timeout_s=timeout_s))
            return broken[-1]

        monkeypatch.setattr(WebSocketTransport, "connect", remember)
        async with Browser.connect(host.debugging_url) as browser:
            tab = await browser.new_tab(site.page("<button>x</button>" * 200))
            dom = await DomService.for_tab(tab)
            await dom.observe()
            command = asyncio.ensure_future(tab.evaluate("new Promise(() => {})"))
            look = asyncio.ensure_future(dom.observe())
            await asyncio.sleep(0)
            broken[0]._abort()
            await ends_with(ConnectionClosedError, command)
            await ends_with(ConnectionClosedError, look)
            await ends_with(ConnectionClosedError, dom.click("1"))
            await ends_with(ConnectionClosedError, browser.new_tab())


async def test_a_busy_page_is_named_within_the_deadline(see: See) -> None:
    dom = await see("<button>x</button>")
    hog = asyncio.ensure_future(dom.tab.evaluate("const end = Date.now() + 1500; while (Date.now() < end); 1"))
    await asyncio.sleep(0.05)
    started = time.perf_counter()
    seen = await dom.observe(deadline_ms=300)
    assert time.perf_counter() - started < 1.2
    assert seen.partial, seen.text
    assert "busy" in seen.text
    assert seen.ids == []
    await hog
    later = await dom.observe()
    assert (later.partial, len(later.ids)) == (False, 1)


async def test_a_deadline_too_short_for_the_page_gives_what_could_be_read(see: See) -> None:
    dom = await see(
        "<script>for (let i = 0; i < 30000; i++) document.write('<p><a href=/' + i + '>link ' + i + '</a></p>')</script>"
    )
    started = time.perf_counter()
    seen = await dom.observe(viewport_only=False, deadline_ms=1500)
    assert time.perf_counter() - started < 3
    assert seen.partial, seen.text
    assert seen.ids
    assert "not read: the rest of" in seen.text
    assert dom.current_snapshot is not None
    assert dom.current_snapshot.partial


async def test_a_hung_frame_does_not_hold_the_page(context: BrowserContext, site: Site) -> None:
    site.page(
        "<button>Inside</button><script>onmessage = () => { const end = Date.now() + 4000; while (Date.now() < end); }</script>",
        path="/hog",
    )
    tab = await context.new_tab(site.page(f"<button>Outside</button><iframe id=f src='{site.other('/hog')}'></iframe>"))
    dom = await DomService.for_tab(tab)
    assert len((await dom.observe()).ids) == 2
    attachment = await tab.attach()
    (inner,) = (frame for frame in attachment.frames if frame.id != attachment.frames.main_id)
    await tab.evaluate("f.contentWindow.postMessage(1, '*')")
    with pytest.raises(OperationTimeoutError):
        while True:  # until the message has arrived
            await inner.session.send("Runtime.evaluate", {"expression": "1"}, timeout_s=0.1)
    started = time.perf_counter()
    seen = await dom.observe(deadline_ms=700)
    assert time.perf_counter() - started < 2
    assert "Outside" in seen.text
    assert seen.partial, seen.text
    assert "did not answer in time" in seen.text


async def test_a_frame_that_never_loads_says_so(see: See, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("browserx.browser.navigation.LOAD_TIMEOUT_S", 0.3)
    dom = await see(f"<button>Outside</button><iframe src='{site.other('/never')}'></iframe>")
    seen = await dom.observe(deadline_ms=3000)
    assert "Outside" in seen.text


async def test_a_dialog_in_the_middle_of_a_look(see: See) -> None:
    dom = await see("<button>x</button>")
    await dom.tab.evaluate("setTimeout(() => { alert('Now') }, 0); 1")
    seen = await dom.observe(deadline_ms=5000)
    if seen.dialog is None:  # the look was quicker
        seen = await dom.observe(deadline_ms=5000)
    assert seen.dialog is not None
    assert seen.dialog.text == "Now"
    with pytest.raises(SnapshotError, match="dialog is open"):
        await dom.get_snapshot()
    assert dom.tab.dialog is not None
    await dom.tab.dialog.dismiss()
    assert len((await dom.observe()).ids) == 1


async def test_a_document_replaced_in_the_middle_of_a_look(context: BrowserContext, site: Site) -> None:
    urls = [site.page(f"<h1>Page {n}</h1><button>x</button>") for n in range(2)]
    tab = await context.new_tab(urls[0])
    dom = await DomService.for_tab(tab)
    for n in range(6):
        going = asyncio.ensure_future(tab.goto(urls[(n + 1) % 2]))
        for _ in range(n):
            await asyncio.sleep(0)
        seen = await asyncio.wait_for(dom.observe(deadline_ms=5000), 10)
        assert "# Page" in seen.text or seen.partial
        await going


async def test_a_tab_closed_in_the_middle(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("<button onclick='setTimeout(() => 1, 100)'>x</button>"))
    dom = await DomService.for_tab(tab)
    target = (await dom.observe()).ids[0]
    acting = asyncio.ensure_future(dom.click(target))
    await asyncio.sleep(0.002)
    await tab.close()
    try:
        await asyncio.wait_for(acting, 5)
    except TabClosedError:
        pass
    await ends_with(TabClosedError, dom.observe())


async def test_six_hundred_levels_of_nesting(see: See) -> None:
    dom = await see("""<script>let at = document.body; for (let i = 0; i < 600; i++) { const d = document.createElement("div");
        at.append(d); at = d } at.innerHTML = "<button>Deep down</button>"</script>""")
    seen = await dom.observe()
    assert "button Deep down" in seen.text
    assert not seen.partial
    result = await dom.click(seen.ids[0])
    assert result.success
    depth, node = 0, (await dom.get_snapshot()).root
    while node.children:
        depth, node = depth + 1, node.children[-1]
    assert depth > 600


async def test_thousands_of_levels_are_a_labelled_partial_view(see: See) -> None:
    dom = await see("""<button>Top</button><script>let at = document.body; for (let i = 0; i < 2000; i++) {
        const d = document.createElement("div"); at.append(d); at = d } at.innerHTML = "<button>Bottom</button>"</script>""")
    seen = await dom.observe(viewport_only=False)
    assert "button Top" in seen.text
    assert seen.partial, seen.text
    assert "nested too deep" in seen.text


async def test_a_table_of_twenty_thousand_rows(see: See) -> None:
    dom = await see("""<table id=t></table><script>
        t.innerHTML = Array.from({length: 20000}, (_, i) => `<tr><td>${i}</td><td><a href=/${i}>row ${i}</a></td></tr>`).join("")
        </script>""")
    started = time.perf_counter()
    seen = await dom.observe()
    assert time.perf_counter() - started < 10
    assert seen.tokens <= 4000
    assert "row 0" in seen.text
    written = await dom.get_serialized_dom()
    assert any(node.role == "summary" for table in written.nodes for node in table.children or [])  # type: ignore[union-attr]


async def test_a_service_that_was_detached_says_so_and_a_new_one_works(see: See) -> None:
    dom = await see("<button>x</button>")
    await dom.observe()
    await dom.detach()
    assert dom.current_snapshot is None
    assert dom.tab.attachment is None
    await ends_with(NotAttachedError, dom.observe())
    await ends_with(NotAttachedError, dom.click("1"))
    again = await DomService.for_tab(dom.tab)
    assert again is not dom
    assert len((await again.observe()).ids) == 1


async def test_an_idle_tab_is_let_go_of_and_comes_back(see: See) -> None:
    from browserx import ServiceConfig

    dom = await see("<button>x</button>", config=ServiceConfig(idle_detach_s=0.2))
    await dom.observe()
    attachment = dom.tab.attachment
    assert attachment is not None
    ended = asyncio.Event()
    attachment.session.on_end(lambda error: ended.set())
    await asyncio.wait_for(ended.wait(), 5)
    assert dom.current_snapshot is None
    assert len((await dom.observe()).ids) == 1


async def test_nothing_is_left_running_after_a_browser_is_closed(site: Site) -> None:
    before = len(asyncio.all_tasks())
    async with Browser.launch() as browser:
        dom = await DomService.for_tab(await browser.new_tab(site.page("<button>x</button>")))
        await dom.click((await dom.observe()).ids[0])
    await asyncio.sleep(0)
    assert len(asyncio.all_tasks()) <= before
