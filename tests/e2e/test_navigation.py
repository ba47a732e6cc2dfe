"""Going places: back when the page is loaded and quiet, or an error that says why not."""

import asyncio

import pytest

from browserx import (
    BrowserContext,
    DomService,
    InvalidArgumentError,
    NavigationError,
    OperationTimeoutError,
    TabClosedError,
)
from browserx.browser.settle import settle
from tests.conftest import OpenPage
from tests.web import Site, free_port


async def test_a_page_is_there_when_it_returns(open_page: OpenPage) -> None:
    tab = await open_page("<h1>Hello</h1>", title="Greeting")
    assert tab.title == "Greeting"
    assert await tab.evaluate("document.readyState") == "complete"


async def test_what_a_page_fetches_is_waited_for(open_page: OpenPage, site: Site) -> None:
    site.publish(b"42", "text/plain", path="/number")
    tab = await open_page(
        "<p id=p>-</p><script>fetch('/number').then(r => r.text()).then(t => p.textContent = t)</script>"
    )
    assert await tab.evaluate("p.textContent") == "42"


async def test_what_a_page_builds_in_pieces_is_waited_for(open_page: OpenPage) -> None:
    tab = await open_page(
        "<ul id=l></ul><script>let n = 0; (function add() { l.append(document.createElement('li'));"
        " if (++n < 12) requestAnimationFrame(add); })()</script>"
    )
    assert await tab.evaluate("l.children.length") == 12


async def test_a_clock_on_the_page_does_not_keep_it_busy(open_page: OpenPage) -> None:
    tab = await open_page("<p id=p></p><script>setInterval(() => p.textContent = Date.now(), 20)</script>")
    # Kept busy, it would not have come to rest when the time is up.
    assert await settle(await tab.attach(), timeout_s=10)


@pytest.mark.parametrize(
    "onwards",
    [
        "<script>location.replace('{to}')</script>",
        "<script>addEventListener('load', () => setTimeout(() => location.href = '{to}', 20))</script>",
        "<meta http-equiv=refresh content='0;url={to}'>",
        "<form id=f method=post action='{to}'></form><script>f.submit()</script>",
    ],
    ids=["script", "later", "meta", "form"],
)
async def test_a_page_that_sends_on_is_followed(open_page: OpenPage, site: Site, onwards: str) -> None:
    """As logins and link counters do; the second page is slow to come."""
    site.page("<h1>Arrived</h1>", title="There", path="/slowly", delay_s=0.4)
    tab = await open_page(onwards.format(to="/slowly"))
    assert (tab.url, tab.title) == (site.url("/slowly"), "There")


async def test_pages_that_send_each_other_on_for_ever_end(context: BrowserContext, site: Site) -> None:
    site.page("<script>location.href = '/b'</script>", path="/a")
    site.page("<script>location.href = '/a'</script>", path="/b")
    tab = await context.new_tab()
    navigation = await tab.goto(site.url("/a"), timeout_s=2)
    assert not navigation.loaded


async def test_http_errors_are_pages_with_a_status(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab()
    assert (await tab.goto(site.page("gone", status=404))).status == 404
    assert (await tab.goto(site.page("broken", status=500))).status == 500
    assert (await tab.goto(site.page("fine"))).status == 200
    assert (await tab.goto(site.url("/nowhere"))).status == 404


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://no-such-host.invalid/", "net::ERR_NAME_NOT_RESOLVED"),
        ("http://127.0.0.1:{port}/", "net::ERR_CONNECTION_REFUSED"),
        ("http://localhost:1/", "net::ERR_UNSAFE_PORT"),
        ("gopher://localhost/", "net::ERR_ABORTED"),
    ],
)
async def test_an_address_that_does_not_answer(context: BrowserContext, url: str, reason: str) -> None:
    tab = await context.new_tab()
    with pytest.raises(NavigationError, match="did not load") as caught:
        await tab.goto(url.format(port=free_port()))
    assert caught.value.reason == reason
    assert await tab.evaluate("1 + 1") == 2


@pytest.mark.parametrize("url", ["", "  ", "not an address", "http://", "http://[::1"])
async def test_what_is_no_address(context: BrowserContext, url: str) -> None:
    tab = await context.new_tab()
    with pytest.raises((NavigationError, InvalidArgumentError)):
        await tab.goto(url)


async def test_script_addresses_are_never_opened(context: BrowserContext) -> None:
    from browserx import BlockedByPolicyError

    tab = await context.new_tab()
    with pytest.raises(BlockedByPolicyError):
        await tab.goto("javascript:alert(1)")


async def test_a_download_is_no_page(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("<h1>Before</h1>"))
    attached = {"Content-Disposition": "attachment; filename=a.zip"}
    with pytest.raises(NavigationError, match="file to download") as caught:
        await tab.goto(site.publish(b"PK", "application/zip", headers=attached))
    assert caught.value.reason == "download"
    assert await tab.evaluate("document.body.textContent") == "Before"


async def test_a_pdf_ends_somehow_in_time(context: BrowserContext, site: Site) -> None:
    pdf = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n%%EOF"
    tab = await context.new_tab()
    await asyncio.wait_for(tab.goto(site.publish(pdf, "application/pdf")), 20)
    seen = await (await DomService.for_tab(tab)).observe(deadline_ms=5000)
    assert seen.text


async def test_an_endless_page_is_shown_as_far_as_it_came(
    context: BrowserContext, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("browserx.browser.navigation.LOAD_TIMEOUT_S", 0.5)
    tab = await context.new_tab()
    navigation = await tab.goto(site.url("/endless"))
    assert navigation.loaded is False
    seen = await (await DomService.for_tab(tab)).observe()
    assert "# The beginning" in seen.text
    assert "button Early" in seen.text


async def test_a_server_that_never_answers_is_given_up(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("<h1>Before</h1>"))
    with pytest.raises(OperationTimeoutError) as caught:
        await tab.goto(site.url("/never"), timeout_s=0.5)
    assert caught.value.timeout_s == 0.5
    assert await tab.evaluate("document.body.textContent") == "Before"


async def test_an_alert_on_load_does_not_hold_us(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("<script>alert('Welcome!')</script><h1>After</h1>"))
    assert tab.dialog is not None
    assert (tab.dialog.kind, tab.dialog.text) == ("alert", "Welcome!")
    dom = await DomService.for_tab(tab)
    seen = await dom.observe()
    assert seen.dialog is not None
    assert seen.dialog.text == "Welcome!"
    assert "Welcome!" in seen.text
    await tab.dialog.accept()
    assert "# After" in (await dom.observe()).text


async def test_a_page_that_wants_to_be_asked_before_it_is_left(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(
        site.page("<button>x</button><script>onbeforeunload = e => { e.preventDefault(); return ''; }</script>")
    )
    dom = await DomService.for_tab(tab)
    await dom.click((await dom.observe()).ids[0])
    with pytest.raises(NavigationError, match="beforeunload") as caught:
        await tab.goto(site.page("elsewhere"))
    assert caught.value.reason == "dialog"
    assert tab.dialog is not None
    assert tab.dialog.kind == "beforeunload"
    await tab.dialog.dismiss()
    assert await tab.evaluate("document.querySelector('button').textContent") == "x"


async def test_back_forward_and_reload(context: BrowserContext, site: Site) -> None:
    first, second = site.page("<h1>First</h1>"), site.page("<h1>Second</h1>")
    tab = await context.new_tab(first)
    await tab.goto(second)
    back = await tab.back()
    assert back is not None
    assert (back.url, tab.url) == (first, first)
    forward = await tab.forward()
    assert forward is not None
    assert forward.url == second
    assert await tab.forward() is None
    await tab.evaluate("window.mark = 1")
    await tab.reload()
    assert await tab.evaluate("typeof window.mark") == "undefined"


async def test_going_to_a_place_on_the_same_page(context: BrowserContext, site: Site) -> None:
    url = site.page("<h1 id=a>Here</h1>")
    tab = await context.new_tab(url)
    await tab.evaluate("window.mark = 1")
    await tab.goto(url + "#a")
    assert tab.url == url + "#a"
    assert await tab.evaluate("window.mark") == 1


async def test_a_page_that_goes_on_by_itself_is_followed(context: BrowserContext, site: Site) -> None:
    last = site.page("<h1>Last</h1>")
    tab = await context.new_tab(site.page(f"<script>location.replace({last!r})</script>"))
    seen = await (await DomService.for_tab(tab)).observe()
    assert "# Last" in seen.text


async def test_a_closed_tab_says_so(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("x"))
    dom = await DomService.for_tab(tab)
    await tab.close()
    await tab.close()
    for call in (tab.goto(site.url("/")), tab.evaluate("1"), dom.observe(), DomService.for_tab(tab)):
        with pytest.raises(TabClosedError):
            await call
    assert tab not in context.tabs


async def test_a_tab_that_closes_itself_ends_what_waits_for_it(context: BrowserContext, site: Site) -> None:
    opener = await context.new_tab(site.page("x"))
    before = set(context.browser.tabs)
    await opener.evaluate(f"window.w = open({site.page('<h1>Popup</h1>')!r}); 1")
    popup = next(tab for tab in context.browser.tabs if tab not in before)
    waiting = asyncio.ensure_future(popup.evaluate("new Promise(() => {})"))
    await popup.evaluate("1")
    await opener.evaluate("window.w.close()")
    with pytest.raises(TabClosedError):
        await asyncio.wait_for(waiting, 5)


async def test_a_tab_whose_page_does_not_load_is_not_left_open(context: BrowserContext) -> None:
    before = len(context.browser.tabs)
    with pytest.raises(NavigationError):
        await context.new_tab("http://no-such-host.invalid/")
    assert len(context.browser.tabs) == before


async def test_contexts_do_not_see_each_others_cookies(context: BrowserContext, site: Site) -> None:
    url = site.page("x")
    tab = await context.new_tab(url)
    await tab.evaluate("document.cookie = 'secret=1'; localStorage.x = 1")
    async with await context.browser.new_context() as other:
        elsewhere = await other.new_tab(url)
        assert await elsewhere.evaluate("[document.cookie, localStorage.length]") == ["", 0]
        assert [t.context is other for t in other.tabs] == [True]
    assert elsewhere.closed
    assert await tab.evaluate("document.cookie") == "secret=1"


async def test_workers_of_a_page_run(open_page: OpenPage, site: Site) -> None:
    site.publish(
        b"onmessage = async e => postMessage(await (await fetch(e.data)).text())", "text/javascript", path="/w"
    )
    site.publish(b"forty-two", "text/plain", path="/number")
    tab = await open_page("<p>A page with a worker</p>")
    heard = await tab.evaluate(
        "new Promise(heard => { const worker = new Worker('/w'); worker.onmessage = e => heard(e.data);"
        " worker.postMessage('/number'); })",
        timeout_s=10,
    )
    assert heard == "forty-two"
