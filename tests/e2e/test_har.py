"""Recording requests: an archive that others can read, without what identifies somebody."""

import base64
import json
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from browserx import BrowserContext, InvalidArgumentError
from tests.conftest import OpenPage
from tests.web import Site

# HAR 1.2 as types: what must be there is, and nothing else but what begins with an underscore.

Size = Annotated[int, Meta(ge=-1)]
Known = Annotated[float, Meta(ge=0)]
Optional = Annotated[float, Meta(ge=-1)]


class Strict(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    pass


class Named(Strict):
    name: str
    value: str


class HarCookie(Strict):
    name: str
    value: str
    path: str | msgspec.UnsetType = msgspec.UNSET
    domain: str | msgspec.UnsetType = msgspec.UNSET
    expires: datetime | msgspec.UnsetType = msgspec.UNSET
    http_only: bool | msgspec.UnsetType = msgspec.UNSET
    secure: bool | msgspec.UnsetType = msgspec.UNSET


class PostData(Strict):
    mime_type: str
    text: str
    params: list[Named]


class HarRequest(Strict):
    method: str
    url: str
    http_version: str
    cookies: list[HarCookie]
    headers: list[Named]
    query_string: list[Named]
    headers_size: Size
    body_size: Size
    post_data: PostData | msgspec.UnsetType = msgspec.UNSET


class Content(Strict):
    size: Annotated[int, Meta(ge=0)]
    mime_type: str
    text: str | msgspec.UnsetType = msgspec.UNSET
    encoding: str | msgspec.UnsetType = msgspec.UNSET


class HarResponse(Strict):
    status: int
    status_text: str
    http_version: str
    cookies: list[HarCookie]
    headers: list[Named]
    content: Content
    redirect_url: str = msgspec.field(name="redirectURL")
    headers_size: Size
    body_size: Size


class Timings(Strict):
    send: Known
    wait: Known
    receive: Known
    blocked: Optional = -1
    dns: Optional = -1
    connect: Optional = -1
    ssl: Optional = -1


class HarEntry(Strict):
    started_date_time: datetime
    time: Known
    request: HarRequest
    response: HarResponse
    cache: dict[str, Any]
    timings: Timings
    pageref: str | msgspec.UnsetType = msgspec.UNSET
    server_ip_address: str | msgspec.UnsetType = msgspec.field(default=msgspec.UNSET, name="serverIPAddress")
    connection: str | msgspec.UnsetType = msgspec.UNSET
    comment: str | msgspec.UnsetType = msgspec.UNSET


class PageTimings(Strict):
    on_content_load: Optional
    on_load: Optional


class HarPage(Strict):
    started_date_time: datetime
    id: str
    title: str
    page_timings: PageTimings


class Program(Strict):
    name: str
    version: str


class Log(Strict):
    version: Literal["1.2"]
    creator: Program
    browser: Program
    pages: list[HarPage]
    entries: list[HarEntry]


class Har(Strict):
    log: Log


def valid(archive: dict[str, Any]) -> Log:
    """The archive as types: it is a HAR 1.2, and says of itself what it should."""

    def public(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: public(inner) for name, inner in value.items() if not name.startswith("_")}
        return [public(inner) for inner in value] if isinstance(value, list) else value

    log = msgspec.convert(public(json.loads(json.dumps(archive))), Har).log
    pages = {page.id for page in log.pages}
    for entry in log.entries:
        assert entry.pageref is msgspec.UNSET or entry.pageref in pages
        assert entry.started_date_time.tzinfo is not None
        parts = msgspec.structs.astuple(entry.timings)[:6]
        assert entry.time == pytest.approx(sum(part for part in parts if part > 0))
    return log


def entry_of(log: Log, path: str) -> HarEntry:
    return next(entry for entry in log.entries if entry.request.url.endswith(path))


async def test_an_archive_of_two_pages(context: BrowserContext, site: Site, tmp_path: Path) -> None:
    site.publish(b"/* a */", "text/javascript", path="/a.js")
    site.publish(b"", "text/plain", path="/from", status=302, headers={"Location": "/second"})
    site.page("<p>second", path="/second", title="Second")
    tab = await context.new_tab()
    await tab.start_har()
    await tab.goto(site.page("<script src=/a.js></script><img src=/gone.png>", title="First"))
    await tab.goto(site.url("/from?kind=gr%C3%BCn&kind="))
    path = tmp_path / "tab.har"
    archive = await tab.har(path)
    assert json.loads(path.read_bytes()) == archive
    assert path.stat().st_mode & 0o777 == 0o600
    log = valid(archive)
    assert [page.title for page in log.pages] == ["First", "Second"]
    assert all(0 < page.page_timings.on_content_load <= page.page_timings.on_load for page in log.pages)
    assert (log.browser.name, log.creator.name) == ("Chrome", "BrowserX")
    script = entry_of(log, "/a.js")
    assert (script.response.status, script.response.status_text, script.pageref) == (200, "OK", "page_1")
    assert (script.response.content.size, script.response.body_size) == (7, 7)
    assert script.response.content.mime_type == "text/javascript"
    assert script.response.http_version == "HTTP/1.1"
    assert script.timings.wait > 0
    assert {header.name.lower() for header in script.request.headers} >= {"host", "user-agent", "referer"}
    assert entry_of(log, "/gone.png").response.status == 404
    redirect = entry_of(log, "/from?kind=gr%C3%BCn&kind=")
    assert (redirect.response.status, redirect.response.redirect_url) == (302, site.url("/second"))
    assert [(q.name, q.value) for q in redirect.request.query_string] == [("kind", "grün"), ("kind", "")]
    assert entry_of(log, "/second").pageref == redirect.pageref == "page_2"


async def test_what_identifies_somebody_is_masked(context: BrowserContext, site: Site) -> None:
    await context.add_cookies([{"name": "who", "value": "s3cret", "url": site.url("/")}])
    site.publish(b"ok", "text/plain", path="/api", headers={"Set-Cookie": "id=s3cret; Path=/; HttpOnly"})
    tab = await context.new_tab(site.page("<p>hi"))
    await tab.start_har()
    await tab.evaluate("fetch('/api', {headers: {Authorization: 'Bearer s3cret'}}).then(r => r.text())")
    archive = await tab.har()
    assert "s3cret" not in json.dumps(archive)
    entry = entry_of(valid(archive), "/api")
    headers = {header.name.lower(): header.value for header in (*entry.request.headers, *entry.response.headers)}
    assert headers["authorization"] == "Bearer ***"
    assert headers["cookie"] == "who=***"
    assert headers["set-cookie"] == "id=***; Path=/; HttpOnly"
    assert [(c.name, c.value) for c in entry.request.cookies] == [("who", "***")]
    told = entry_of(valid(await tab.har(secrets=True)), "/api")
    assert [(c.name, c.value, c.path, c.http_only) for c in told.response.cookies] == [("id", "s3cret", "/", True)]
    assert [(c.name, c.value) for c in told.request.cookies] == [("who", "s3cret")]


async def test_bodies_when_asked_for(open_page: OpenPage, site: Site) -> None:
    picture = base64.b64decode("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==")
    site.publish(picture, "image/gif", path="/dot.gif")
    site.publish("größer".encode() * 20_000, "text/plain; charset=utf-8", path="/large")
    tab = await open_page("<p>hi")
    post = "fetch('/large', {method: 'POST', body: 'sent'}).then(r => r.text()).then(t => t.length)"
    image = "new Promise(done => { const i = new Image(); i.onload = done; i.src = '/dot.gif' }).then(() => 1)"
    await tab.start_har(bodies=True)
    assert await tab.evaluate(post) == 120_000
    await tab.evaluate(image)
    log = valid(await tab.har())
    large, dot = entry_of(log, "/large"), entry_of(log, "/dot.gif")
    assert isinstance(large.request.post_data, PostData)
    assert (large.request.post_data.text, large.request.body_size) == ("sent", 4)
    assert large.response.content.text == "größer" * 20_000
    assert (dot.response.content.text, dot.response.content.encoding) == (base64.b64encode(picture).decode(), "base64")
    await tab.start_har()
    await tab.evaluate(post)
    entry = entry_of(valid(await tab.har()), "/large")
    assert entry.request.post_data is msgspec.UNSET
    assert entry.response.content.text is msgspec.UNSET
    assert len(valid(await tab.har()).entries) == 1


async def test_frames_of_other_sites_and_what_failed(open_page: OpenPage, site: Site) -> None:
    frame = site.page("<script>fetch('/inside')</script>").replace("localhost", "127.0.0.1")
    tab = await open_page("<p>hi")
    await tab.start_har()
    await tab.block(["**/blocked"])
    await tab.evaluate(
        "new Promise(done => { const f = document.createElement('iframe'); f.onload = done;"
        f" f.src = '{frame}'; document.body.append(f); }}).then(() => fetch('/blocked')).catch(() => 1)",
        timeout_s=10,
    )
    assert tab.attachment is not None
    network = tab.attachment.network
    assert await tab.attachment.changes.until(lambda: network.in_flight() == 0, timeout_s=10)
    archive = await tab.har()
    log = valid(archive)
    (document,) = (entry for entry in log.entries if entry.request.url == frame)
    assert (document.response.status, document.response.content.mime_type) == (200, "text/html")
    assert entry_of(log, "/inside").response.status == 404
    blocked = next(e for e in archive["log"]["entries"] if e["request"]["url"].endswith("/blocked"))
    assert blocked["response"]["status"] == 0
    assert blocked["_error"].startswith("net::ERR_BLOCKED_BY_CLIENT")


async def test_what_is_still_under_way_is_in_it(open_page: OpenPage, site: Site) -> None:
    tab = await open_page("<p>hi")
    await tab.start_har()
    await tab.evaluate("fetch('/never'); 1")
    assert entry_of(valid(await tab.har()), "/never").response.status == 0


async def test_nothing_is_recorded_unless_asked(open_page: OpenPage) -> None:
    tab = await open_page("<p>hi")
    with pytest.raises(InvalidArgumentError, match="start_har"):
        await tab.har()
    await tab.start_har()
    await tab.evaluate("fetch('/a')")
    await tab.stop_har()
    with pytest.raises(InvalidArgumentError, match="start_har"):
        await tab.har()


async def test_the_log_that_is_always_there(open_page: OpenPage, site: Site) -> None:
    site.publish(b"12345", "text/plain", path="/five")
    tab = await open_page("<p>hi")
    await tab.evaluate("fetch('/five').then(r => r.text()).then(() => fetch('http://localhost:1/')).catch(() => 1)")
    five, refused = tab.network_log[-2:]
    assert (five.status, five.mime_type, five.finished) == (200, "text/plain", True)
    assert five.size > 5
    assert five.duration_ms > 0
    assert (refused.status, refused.failure) == (-1, "net::ERR_UNSAFE_PORT")
