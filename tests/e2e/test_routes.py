"""Requests held by their owner: answered, changed, let go or ended, wherever on the page they come from."""

import asyncio
import base64
import logging
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from browserx import (
    Browser,
    BrowserContext,
    InvalidArgumentError,
    NavigationError,
    Route,
    RoutedRequest,
    RouteHandlerError,
    Tab,
    TargetCrashedError,
)
from tests.conftest import OpenPage
from tests.web import Site, free_port

GET = "fetch('{url}').then(r => r.text())"


async def fetch(tab: Tab, url: str) -> Any:
    return await tab.evaluate(GET.format(url=url), timeout_s=10)


async def test_an_answer_of_our_own(open_page: OpenPage, site: Site, tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text('{"from": "file"}')
    tab = await open_page("<p>hi")
    await tab.route("**/text", lambda route: route.fulfill(body="of our own", headers={"X-Ours": "1"}, status=201))
    await tab.route("**/json", lambda route: route.fulfill(json={"n": [1, None]}))
    await tab.route("**/file", lambda route: route.fulfill(path=tmp_path / "data.json"))
    told = "fetch('/text').then(async r => [r.status, r.statusText, r.headers.get('x-ours'), await r.text()])"
    assert await tab.evaluate(told) == [201, "Created", "1", "of our own"]
    assert await tab.evaluate("fetch('/json').then(r => r.json())") == {"n": [1, None]}
    assert await tab.evaluate("fetch('/file').then(r => r.json())") == {"from": "file"}
    assert [path for _, path in site.requests if path in ("/text", "/json", "/file")] == []


async def test_a_page_of_our_own(context: BrowserContext) -> None:
    tab = await context.new_tab()
    await tab.route("https://shop.example/**", lambda route: route.fulfill(body="<title>Shop</title><h1>Ours</h1>"))
    navigation = await tab.goto("https://shop.example/tea?kind=green")
    assert (navigation.status, tab.title, tab.url) == (200, "Shop", "https://shop.example/tea?kind=green")


async def test_what_a_handler_is_told(open_page: OpenPage, site: Site) -> None:
    tab = await open_page("<p>hi")
    heard: list[RoutedRequest] = []

    async def handler(route: Route) -> None:
        heard.append(route.request)
        await route.continue_()

    await tab.route(re.compile(r"/told\?"), handler)
    await tab.evaluate("fetch('/told?x=1', {method: 'POST', body: 'grün', headers: {'X-Mine': 'yes'}})")
    (request,) = heard
    assert (request.url, request.method, request.resource_type) == (site.url("/told?x=1"), "POST", "xhr")
    assert request.post_data == "grün".encode()
    assert (request.header("x-mine"), request.header("none")) == ("yes", None)
    assert request.frame is not None
    assert request.frame.url == tab.url
    assert ("POST", "/told?x=1") in site.requests


async def test_a_request_goes_out_changed(open_page: OpenPage) -> None:
    with _Server(_echo) as (_, server):
        tab = await open_page("<p>hi")

        async def handler(route: Route) -> None:
            assert route.request.post_data is None
            await route.continue_(url=f"{server}/there", method="PUT", headers={"X-New": "1"}, post_data="sent")

        await tab.route("**/here", handler)
        told = await fetch(tab, "/here")
    assert told.splitlines()[0] == "PUT /there sent"
    assert "x-new: 1" in told


@pytest.mark.parametrize(
    ("reason", "shown"), [("failed", "net::ERR_FAILED"), ("namenotresolved", "net::ERR_NAME_NOT_RESOLVED")]
)
async def test_a_request_is_ended(context: BrowserContext, site: Site, reason: str, shown: str) -> None:
    tab = await context.new_tab()
    await tab.route("**/*", lambda route: route.abort(reason))
    with pytest.raises(NavigationError) as caught:
        await tab.goto(site.page("never"))
    assert caught.value.reason == shown
    assert site.requests == []


async def test_the_last_one_decides_and_the_tab_before_its_context(context: BrowserContext, site: Site) -> None:
    def says(word: str) -> Callable[[Route], Any]:
        return lambda route: route.fulfill(body=word)

    tab = await context.new_tab(site.page("hi"))
    await tab.route("**/said", says("tab, first"))
    last = await tab.route(lambda request: request.url.endswith("/said"), says("tab, last"))
    whole = await context.route("**/said", says("context"))
    assert await fetch(tab, "/said") == "tab, last"
    await tab.unroute(last)
    assert await fetch(tab, "/said") == "tab, first"
    await tab.unroute("**/said")
    assert await fetch(tab, "/said") == "context"
    async with whole:
        pass
    assert "Not here" in await fetch(tab, "/said")


async def test_frames_of_other_sites_and_workers(open_page: OpenPage, site: Site) -> None:
    """Those that are there when the route is set, and those that come."""
    site.publish(
        b"onmessage = async e => postMessage(await (await fetch(e.data)).text())", "text/javascript", path="/w"
    )
    script = (
        "<script>onmessage = e => fetch('/said').then(r => r.text()).then(t => parent.postMessage(t, '*'))</script>"
    )
    frame = site.page(script).replace("localhost", "127.0.0.1")
    tab = await open_page(f"<iframe id=there src='{frame}'></iframe>")
    assert tab.attachment is not None
    assert len(tab.attachment.sessions) == 2
    heard: list[str] = []

    async def handler(route: Route) -> None:
        heard.append(route.request.frame.url if route.request.frame else "")
        await route.fulfill(body="ours")

    await tab.route("**/said", handler)
    ask = (
        "new Promise(heard => { onmessage = e => heard(e.data); const frame = document.getElementById('%s');"
        "frame.contentWindow.postMessage('go', '*'); })"
    )
    assert await tab.evaluate(ask % "there", timeout_s=10) == "ours"
    await tab.evaluate(
        "new Promise(done => { const f = document.createElement('iframe'); f.id = 'new'; f.onload = done;"
        f" f.src = '{frame}?new'; document.body.append(f); }})",
        timeout_s=10,
    )
    assert await tab.evaluate(ask % "new", timeout_s=10) == "ours"
    assert heard == [frame, f"{frame}?new"]
    worker = (
        "new Promise(heard => { const worker = new Worker('/w'); worker.onmessage = e => heard(e.data);"
        " worker.postMessage('/said'); })"
    )
    assert await tab.evaluate(worker, timeout_s=10) == "ours"


@pytest.mark.parametrize("how", ["open('/popup')", "open('/popup', '_blank', 'noopener')", "link.click()"])
async def test_tabs_that_a_page_opens(context: BrowserContext, site: Site, how: str) -> None:
    await context.route("**/popup", lambda route: route.fulfill(body="<title>Ours</title>"))
    tab = await context.new_tab(site.page("<a id=link target=_blank href=/popup>x</a>"))
    opened: asyncio.Future[Tab] = asyncio.get_running_loop().create_future()
    context.browser.on_tab_opened.append(opened.set_result)
    try:
        await tab.evaluate(f"{how}; 1")
        there: Tab | None = next((t for t in context.tabs if t is not tab), None)
        popup = there if there is not None else await asyncio.wait_for(opened, 10)
        attachment = await popup.attach()
        main, lifecycle = attachment.frames.main, attachment.lifecycle
        assert await attachment.changes.until(
            lambda: main.url.endswith("/popup") and "load" in lifecycle.get(main.loader_id, ()), timeout_s=10
        )
    finally:
        context.browser.on_tab_opened.remove(opened.set_result)
    assert await popup.evaluate("document.title") == "Ours"
    assert ("GET", "/popup") not in site.requests


async def test_a_tab_that_is_attached_to_as_soon_as_it_opens(context: BrowserContext, site: Site) -> None:
    await context.route("**/popup", lambda route: route.fulfill(body="<title>Ours</title>"))
    tab = await context.new_tab(site.page("<p>hi"))
    attaching: list[asyncio.Task[Any]] = []

    def attach(opened: Tab) -> None:
        attaching.append(asyncio.get_running_loop().create_task(opened.attach()))

    context.browser.on_tab_opened.append(attach)
    try:
        await tab.evaluate("window.popup = open('/popup'); 1")
        assert await tab.evaluate(
            "new Promise(done => { const look = () => popup.document.title ? done(popup.document.title)"
            " : requestAnimationFrame(look); look(); })",
            timeout_s=20,
        ) in ("Ours", "404")
        await asyncio.gather(*attaching)
    finally:
        context.browser.on_tab_opened.remove(attach)
    assert ("GET", "/popup") not in site.requests


async def test_a_page_that_crashed_and_one_of_another_site(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("<p>hi"))
    await tab.route("**/said", lambda route: route.fulfill(body="ours"))
    await tab.goto(site.page("<p>hi").replace("localhost", "127.0.0.1"))
    assert await fetch(tab, "/said") == "ours"
    attachment = await tab.attach()
    attachment.session.post("Page.navigate", {"url": "chrome://crash"})
    with pytest.raises(TargetCrashedError):
        await attachment.changes.until(lambda: False, timeout_s=10)
    await tab.goto(site.page("<p>hi"))
    assert await fetch(tab, "/said") == "ours"


async def test_blocking(context: BrowserContext, site: Site) -> None:
    site.publish(b"document.title = 'tracked'", "text/javascript", path="/ads/track.js")
    site.publish(b"body { color: red }", "text/css", path="/red.css")
    tab = await context.new_tab()
    await tab.block(["image", "**/ads/**", re.compile(r"\.woff2?$")])
    await tab.goto(
        site.page(
            "<img id=i src=/picture.png><script src=/ads/track.js></script><link rel=stylesheet href=/red.css>",
            title="Fine",
        )
    )
    assert await tab.evaluate("document.title + getComputedStyle(document.body).color") == "Finergb(255, 0, 0)"
    assert {path for _, path in site.requests} & {"/picture.png", "/ads/track.js"} == set()


async def test_what_makes_no_sense(open_page: OpenPage) -> None:
    tab = await open_page("<p>hi")
    for what in ([], "image", ["websocket"], ["pictures"], ["**/{a"]):
        with pytest.raises(InvalidArgumentError):
            await tab.block(what)
    for pattern in ("", "{", "a}"):
        with pytest.raises(InvalidArgumentError):
            await tab.route(pattern, lambda route: route.abort())
    said: list[str] = []

    async def handler(route: Route) -> None:
        for wrong in (
            route.fulfill(body="a", json="b"),
            route.fulfill(status=42),
            route.fulfill(path="/nowhere/file"),
            route.abort("boredom"),
            route.continue_(url="file:///etc/passwd"),
        ):
            with pytest.raises(InvalidArgumentError) as caught:
                await wrong
            said.append(str(caught.value))
        await route.fulfill(body="fine")
        with pytest.raises(InvalidArgumentError, match="answer it once"):
            await route.abort()

    async with await tab.route("**/said", handler):
        assert await fetch(tab, "/said") == "fine"
    assert len(said) == 5


async def _raises(route: Route) -> None:
    raise ValueError("a mistake")


async def _waits(route: Route) -> None:
    await asyncio.Event().wait()


async def _bad_header(route: Route) -> None:
    await route.fulfill(headers={"Bad\nName": "x"})


@pytest.mark.parametrize(
    ("handler", "error"),
    [
        (_raises, ValueError),
        (_waits, TimeoutError),
        (_bad_header, InvalidArgumentError),
        (lambda route: None, InvalidArgumentError),
    ],
    ids=["raises", "never answers", "nonsense", "returns"],
)
async def test_a_handler_that_fails_does_not_hold_the_page(
    open_page: OpenPage, site: Site, caplog: pytest.LogCaptureFixture, handler: Any, error: type[Exception]
) -> None:
    site.publish(b"the server's", "text/plain", path="/said")
    tab = await open_page("<p>hi")
    with caplog.at_level(logging.ERROR, "browserx.browser"):
        routing = await tab.route("**/said", handler, timeout_s=0.3)
        assert await fetch(tab, "/said") == "the server's"
    assert [type(kept) for kept in routing.errors] == [error]
    assert "/said" in caplog.text
    with pytest.raises(RouteHandlerError) as caught:
        await tab.unroute(routing)
    assert isinstance(caught.value.errors[0], error)
    assert await fetch(tab, "/said") == "the server's"


async def test_a_predicate_that_fails(open_page: OpenPage, site: Site) -> None:
    site.publish(b"the server's", "text/plain", path="/said")
    tab = await open_page("<p>hi")
    routing = await tab.route(lambda request: bool(1 / 0), lambda route: route.abort())
    assert await fetch(tab, "/said") == "the server's"
    with pytest.raises(RouteHandlerError, match="division by zero"):
        await tab.unroute(routing)


async def test_a_request_that_its_page_gave_up_needs_no_answer(open_page: OpenPage, site: Site) -> None:
    tab = await open_page("<p>hi")
    held: asyncio.Future[Route] = asyncio.get_running_loop().create_future()
    go = asyncio.Event()

    async def handler(route: Route) -> None:
        held.set_result(route)
        await go.wait()
        await route.fulfill(body="too late")

    routing = await tab.route("**/slow", handler)
    await tab.evaluate("c = new AbortController(); fetch('/slow', {signal: c.signal}).catch(() => 1); 1")
    await asyncio.wait_for(held, 10)
    await tab.evaluate("c.abort()")
    go.set()
    await tab.unroute(routing)


async def test_a_tab_that_closes_ends_its_handlers(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("<p>hi"))
    held: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    ended = asyncio.Event()

    async def handler(route: Route) -> None:
        held.set_result(None)
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    await tab.route("**/slow", handler)
    await tab.evaluate("fetch('/slow').catch(() => 1); 1")
    await asyncio.wait_for(held, 10)
    await tab.close()
    await asyncio.wait_for(ended.wait(), 10)


async def test_requests_to_other_origins_that_are_asked_about_first(open_page: OpenPage, site: Site) -> None:
    """The browser's own question (preflight) never reaches the server of a request that is answered here."""
    tab = await open_page("<p>hi")
    await tab.route(f"{site.other('')}/**", lambda route: route.fulfill(json={"method": route.request.method}))
    put = f"fetch('{site.other('/api')}', {{method: 'PUT', headers: {{'X-A': '1'}}, body: 'x'}}).then(r => r.json())"
    assert await tab.evaluate(put, timeout_s=10) == {"method": "PUT"}
    assert not [path for _, path in site.requests if path == "/api"]


async def test_nothing_is_held_while_nothing_is_routed(open_page: OpenPage, site: Site) -> None:
    tab = await open_page("<p>hi")
    assert tab.attachment is not None
    held: list[Any] = []
    tab.attachment.session.on("Fetch.requestPaused", dict, held.append)
    await fetch(tab, "/a")
    assert held == []
    routing = await tab.route("**/nothing", lambda route: route.abort())
    await fetch(tab, "/b")
    assert len(held) == 1
    await tab.unroute(routing)
    await fetch(tab, "/c")
    assert len(held) == 1


async def test_what_the_cache_has_is_held_too(open_page: OpenPage, site: Site) -> None:
    site.publish(b"the server's", "text/plain", path="/kept", headers={"Cache-Control": "max-age=3600"})
    tab = await open_page("<p>hi")
    assert await fetch(tab, "/kept") == "the server's"
    async with await tab.route("**/kept", lambda route: route.fulfill(body="ours")):
        assert await fetch(tab, "/kept") == "ours"


async def test_a_routed_tab_is_not_let_go_of(open_page: OpenPage) -> None:
    tab = await open_page("<p>hi")
    routing = await tab.route("**/said", lambda route: route.fulfill(body="ours"))
    await tab.detach()
    assert await fetch(tab, "/said") == "ours"
    await tab.unroute(routing)
    await tab.detach()
    assert tab.attachment is None


# servers and proxies that ask who we are


class _Server:
    def __init__(self, answer: Callable[[BaseHTTPRequestHandler, str], None]) -> None:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                server.asked.append(self.headers.get("Authorization") or self.headers.get("Proxy-Authorization"))
                answer(self, body)

            do_GET = do_PUT = do_OPTIONS = do_POST = handle_any  # noqa: N815

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        server = self
        self.asked: list[str | None] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> "tuple[_Server, str]":
        self._thread.start()
        return self, f"http://localhost:{self._server.server_port}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _send(request: BaseHTTPRequestHandler, status: int, text: str, **headers: str) -> None:
    data = text.encode()
    request.send_response(status)
    request.send_header("Content-Type", "text/html")
    request.send_header("Access-Control-Allow-Origin", "*")
    for name, value in headers.items():
        request.send_header(name.replace("_", "-"), value)
    request.send_header("Content-Length", str(len(data)))
    request.end_headers()
    request.wfile.write(data)


def _echo(request: BaseHTTPRequestHandler, body: str) -> None:
    told = "\n".join(f"{name.lower()}: {value}" for name, value in request.headers.items())
    _send(request, 200, f"{request.command} {request.path} {body}\n{told}")


def _basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def _asks(request: BaseHTTPRequestHandler, body: str) -> None:
    if request.headers.get("Authorization") == _basic("ann", "s3cret"):
        _send(request, 200, "<title>Welcome</title>")
    else:
        _send(request, 401, "<title>Who are you?</title>", WWW_Authenticate='Basic realm="tea"')


def _proxies(request: BaseHTTPRequestHandler, body: str) -> None:
    if request.headers.get("Proxy-Authorization") == _basic("ann", "s3cret"):
        _send(request, 200, f"<title>Through the proxy to {request.path}</title>")
    else:
        _send(request, 407, "<title>Who are you?</title>", Proxy_Authenticate='Basic realm="proxy"')


@pytest.fixture
def asks() -> Iterator[tuple[_Server, str]]:
    with _Server(_asks) as served:
        yield served


async def test_a_server_that_asks_who_we_are(browser: Browser, asks: tuple[_Server, str]) -> None:
    _, origin = asks
    login = {"origin": origin, "username": "ann", "password": "s3cret"}
    async with await browser.new_context(http_credentials=login) as context:
        tab = await context.new_tab(origin)
        assert tab.title == "Welcome"
        assert "s3cret" not in repr(vars(context.rules))


async def test_a_wrong_password_is_given_once(browser: Browser, asks: tuple[_Server, str]) -> None:
    server, origin = asks
    login = {"origin": origin, "username": "ann", "password": "guessed"}
    async with await browser.new_context(http_credentials=[login]) as context:
        tab = await context.new_tab()
        assert (await tab.goto(f"{origin}/private")).status == 401
        assert tab.title == "Who are you?"
    assert server.asked.count(_basic("ann", "guessed")) == 1


async def test_a_password_goes_to_its_origin_only(browser: Browser, asks: tuple[_Server, str]) -> None:
    server, origin = asks
    login = {"origin": "http://elsewhere.example", "username": "ann", "password": "s3cret"}
    async with await browser.new_context(http_credentials=login) as context:
        tab = await context.new_tab()
        with pytest.raises(NavigationError, match="give http_credentials"):
            await tab.goto(origin)
        # Also where its requests are held for another reason.
        await tab.route("**/none", lambda route: route.abort())
        with pytest.raises(NavigationError, match="give http_credentials"):
            await tab.goto(f"{origin}/again")
    assert set(server.asked) == {None}


@pytest.mark.parametrize("form", ["dict", "address"])
async def test_a_proxy_that_asks_who_we_are(browser: Browser, form: str) -> None:
    with _Server(_proxies) as (_, proxy):
        given: Any = {"server": proxy, "username": "ann", "password": "s3cret", "bypass": "direct.example"}
        if form == "address":
            given = proxy.replace("://", "://ann:s3cret@")
        async with await browser.new_context(proxy=given) as context:
            tab = await context.new_tab("http://far.example/page")
            assert tab.title == "Through the proxy to http://far.example/page"


async def test_a_browser_behind_a_proxy_keeps_its_password_off_the_command_line() -> None:
    with _Server(_proxies) as (_, proxy):
        given = {"server": proxy, "username": "ann", "password": "s3cret", "bypass": "direct.example"}
        async with Browser.launch(proxy=given) as browser:
            tab = await browser.new_tab("http://far.example/page")
            assert tab.title == "Through the proxy to http://far.example/page"
            async with await browser.new_context() as context:
                assert (await context.new_tab("http://far.example/")).title.startswith("Through the proxy")
            line = Path(f"/proc/{browser.process_id}/cmdline").read_bytes()
            assert b"s3cret" not in line
            with pytest.raises(NavigationError):
                await tab.goto("http://direct.example/")


@pytest.mark.parametrize(
    "options",
    [
        {"http_credentials": {"username": "ann", "password": "s3cret"}},
        {"http_credentials": {"origin": "example.com", "username": "ann", "password": "s3cret"}},
        {"http_credentials": "ann:s3cret"},
        {"proxy": {"username": "ann", "password": "s3cret"}},
        {"proxy": {"server": "http://p:1", "user": "ann", "password": "s3cret"}},
        {"proxy": {"server": "socks5://p:1", "username": "ann", "password": "s3cret"}},
    ],
)
async def test_what_is_no_login(browser: Browser, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        await browser.new_context(**options)
    assert "s3cret" not in str(caught.value)


async def test_a_proxy_that_is_not_there(browser: Browser) -> None:
    async with await browser.new_context(proxy=f"http://127.0.0.1:{free_port()}") as context:
        tab = await context.new_tab()
        with pytest.raises(NavigationError) as caught:
            await tab.goto("http://far.example/")
    assert caught.value.reason == "net::ERR_PROXY_CONNECTION_FAILED"
