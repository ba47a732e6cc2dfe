"""Emulation: what a page sees of the screen, the place, the language and the network."""

import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from browserx import Browser, BrowserContext, DomService, InvalidArgumentError, NavigationError, Tab
from tests.web import Site

pytestmark = pytest.mark.e2e

READ = """({
    size: [innerWidth, innerHeight], density: devicePixelRatio, touch: navigator.maxTouchPoints,
    coarse: matchMedia("(pointer: coarse)").matches, agent: navigator.userAgent, platform: navigator.platform,
    mobile: navigator.userAgentData?.mobile, languages: navigator.languages, online: navigator.onLine,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone, locale: Intl.DateTimeFormat().resolvedOptions().locale,
    number: (1234.5).toLocaleString(), dark: matchMedia("(prefers-color-scheme: dark)").matches,
    still: matchMedia("(prefers-reduced-motion: reduce)").matches, print: matchMedia("print").matches,
})"""


async def read(tab: Tab) -> dict[str, Any]:
    return dict(await tab.evaluate(READ))


async def read_frame(tab: Tab) -> dict[str, Any]:
    """What the one frame of another site in it sees."""
    attachment = await tab.attach()
    (frame,) = (frame for frame in attachment.frames if frame.parent_id)
    assert frame.session is not attachment.session
    return dict((await attachment.call(frame, READ, timeout_s=10)).result.value)


async def test_each_setting_is_seen_and_taken_back(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("x"))
    before = await read(tab)
    await tab.emulate(viewport=(500, 400), device_scale_factor=2)
    await tab.emulate(locale="de-DE", timezone="Asia/Tokyo")
    await tab.emulate(color_scheme="dark", reduced_motion="reduce", media="print", touch=True)
    told = await tab.emulate(user_agent="Tester/1.0")
    seen = await read(tab)
    assert (seen["size"], seen["density"], seen["touch"]) == ([500, 400], 2, 5)
    assert (seen["locale"], seen["zone"], seen["number"]) == ("de-DE", "Asia/Tokyo", "1.234,5")
    assert seen["languages"] == ["de-DE", "de"]
    assert (seen["dark"], seen["still"], seen["print"]) == (True, True, True)
    assert seen["agent"] == "Tester/1.0"
    assert (told.viewport, told.locale, told.user_agent) == ((500, 400), "de-DE", "Tester/1.0")
    assert tab.emulation == told
    await tab.emulate(color_scheme="light")
    assert (await read(tab))["still"]
    back = await tab.clear_emulation()
    assert back == context.tab_settings.emulation
    assert await read(tab) == before


async def test_it_lasts_over_navigation_sites_frames_and_idleness(context: BrowserContext, site: Site) -> None:
    site.page("<p>inside</p>", path="/inner")
    tab = await context.new_tab(site.page("x"))
    await tab.emulate(locale="fr-FR", timezone="Asia/Tokyo", user_agent="Tester/1.0", color_scheme="dark")
    await tab.emulate(viewport=(500, 400), touch=True)

    def check(seen: dict[str, Any]) -> None:
        assert (seen["locale"], seen["zone"], seen["agent"]) == ("fr-FR", "Asia/Tokyo", "Tester/1.0")
        assert (seen["dark"], seen["languages"], seen["touch"]) == (True, ["fr-FR", "fr"], 5)

    await tab.goto(site.page(f"<iframe src={site.other('/inner')}></iframe>"))
    check(await read(tab))
    check(await read_frame(tab))
    await tab.goto(site.other("/inner"))
    check(await read(tab))
    await tab.detach()
    seen = await read(tab)
    check(seen)
    assert seen["size"] == [500, 400]


async def test_frames_that_are_there_hear_of_it(context: BrowserContext, site: Site) -> None:
    site.page("<p>inside</p>", path="/inner")
    tab = await context.new_tab(site.page(f"<iframe src={site.other('/inner')}></iframe>"))
    await tab.emulate(timezone="Asia/Tokyo", locale="de-DE", color_scheme="dark")
    seen = await read_frame(tab)
    assert (seen["zone"], seen["locale"], seen["dark"]) == ("Asia/Tokyo", "de-DE", True)
    await tab.emulate(timezone="Europe/Berlin")
    assert (await read_frame(tab))["zone"] == "Europe/Berlin"
    await tab.clear_emulation()
    seen = await read_frame(tab)
    assert seen["zone"] not in ("Asia/Tokyo", "Europe/Berlin")
    assert not seen["dark"]


async def test_servers_hear_the_same(context: BrowserContext, site: Site) -> None:
    heard: dict[str, str] = {}

    def answer(request: Any) -> None:
        heard.update(request.headers)
        request.send_response(200)
        request.send_header("Content-Length", "0")
        request.send_header("Content-Type", "text/html")
        request.end_headers()

    site._special["/heard"] = answer
    tab = await context.new_tab()
    await tab.emulate(device="Pixel 8", locale="de-DE")
    await tab.goto(site.url("/heard"))
    assert "Android" in heard["User-Agent"]
    assert heard["Accept-Language"].startswith("de-DE,de")
    assert heard["sec-ch-ua-mobile"] == "?1"
    assert heard["sec-ch-ua-platform"] == '"Android"'
    major = context.browser.version.partition("/")[2].partition(".")[0]
    assert f"Chrome/{major}." in heard["User-Agent"]


async def test_a_device(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(
        site.page("x", head='<meta name="viewport" content="width=device-width, initial-scale=1">')
    )
    await tab.emulate(device="iphone 15", color_scheme="dark")
    await tab.reload()
    seen = await read(tab)
    assert (seen["size"], seen["density"], seen["touch"], seen["coarse"]) == ([393, 659], 3, 5, True)
    assert "iPhone" in seen["agent"]
    assert seen["platform"] == "iPhone"
    assert seen["dark"]
    # What is given beside a device changes it.
    await tab.emulate(device="Pixel 8", viewport=(300, 600))
    await tab.reload()
    seen = await read(tab)
    assert (seen["size"], seen["mobile"], seen["dark"]) == ([300, 600], True, True)


async def test_a_page_made_for_phones_is_laid_out_for_one(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("<div style='width:100%' id=d>x</div>"))
    await tab.emulate(device="iPhone 15")
    await tab.reload()
    # Without a viewport tag a phone lays pages out 980 px wide.
    assert (await tab.evaluate("document.documentElement.clientWidth")) == 980
    await tab.clear_emulation()
    await tab.reload()
    assert (await tab.evaluate("document.documentElement.clientWidth")) == 1280


async def test_the_eye_sees_what_changed(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(
        site.page("<style>@media (max-width: 600px) {#wide{display:none}}</style><button id=wide>Wide</button><p>x</p>")
    )
    dom = await DomService.for_tab(tab)
    assert "Wide" in (await dom.observe()).text
    await tab.emulate(viewport=(500, 400))
    assert "Wide" not in (await dom.observe()).text
    await tab.clear_emulation()
    assert "Wide" in (await dom.observe()).text


async def test_clicks_hit_on_a_phone(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab()
    await tab.emulate(device="Pixel 8")
    await tab.goto(
        site.page(
            "<div style='height:2000px'></div><button onclick=\"this.textContent='Hit'\">Push</button>",
            head='<meta name="viewport" content="width=device-width">',
        )
    )
    dom = await DomService.for_tab(tab)
    seen = await dom.observe(viewport_only=False)
    assert (await dom.click(seen.ids[0])).verdict == "changed"
    assert await tab.evaluate("document.querySelector('button').textContent") == "Hit"


WHERE = """new Promise(done => navigator.geolocation.getCurrentPosition(
    ({coords: c}) => done([c.latitude, c.longitude, c.accuracy]), error => done(error.code), {timeout: 5000}))"""


async def test_a_place_is_told_to_those_who_may_know(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("x"))
    await tab.emulate(geolocation=(52.52, 13.4, 10))
    await context.grant_permissions(["geolocation"], origin=site.url("").rstrip("/"))
    assert await tab.evaluate(WHERE) == [52.52, 13.4, 10]
    await tab.emulate(geolocation=(-33.9, 151.2))
    assert (await tab.evaluate(WHERE))[:2] == [-33.9, 151.2]
    state = "navigator.permissions.query({name: 'geolocation'}).then(status => status.state)"
    assert await tab.evaluate(state) == "granted"
    await context.clear_permissions()
    assert await tab.evaluate(state) != "granted"


async def test_permissions_are_those_of_one_origin_and_context(browser: Browser, site: Site) -> None:
    state = "Promise.all(['geolocation', 'midi'].map(async name => (await navigator.permissions.query({name})).state))"
    page = site.page("x", path="/p")
    async with await browser.new_context() as one, await browser.new_context(permissions=["midi"]) as two:
        await one.grant_permissions(["geolocation"], origin=site.url(""))
        here, elsewhere, other = await one.new_tab(page), await one.new_tab(site.other("/p")), await two.new_tab(page)
        assert (await here.evaluate(state))[0] == "granted"
        assert (await elsewhere.evaluate(state))[0] != "granted"
        geolocation, midi = await other.evaluate(state)
        assert geolocation != "granted"
        assert midi == "granted"
        with pytest.raises(InvalidArgumentError, match="there is no permission 'mind-reading'"):
            await one.grant_permissions(["mind-reading"])
        with pytest.raises(InvalidArgumentError, match="an origin is like"):
            await one.grant_permissions(["midi"], origin="no origin")
    with pytest.raises(InvalidArgumentError, match="there is no permission"):
        await browser.new_context(permissions=["mind-reading"])


async def test_offline(context: BrowserContext, site: Site) -> None:
    page = site.page("x")
    tab = await context.new_tab(page)
    await tab.emulate(offline=True)
    assert not (await read(tab))["online"]
    with pytest.raises(NavigationError, match="there is no network"):
        await tab.goto(page)
    await tab.emulate(offline=False)
    assert (await tab.goto(page)).status == 200


async def test_a_slow_computer(context: BrowserContext, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    # How slow it is then is the machine's business: a busy one is slow without being asked.
    tab = await context.new_tab(site.page("x"))
    session = (await tab.attach()).session
    real = session.start
    rates: list[float] = []

    def start(method: str, params: Any = None, *rest: Any, **options: Any) -> Any:
        if method == "Emulation.setCPUThrottlingRate":
            rates.append(params["rate"])
        return real(method, params, *rest, **options)

    monkeypatch.setattr(session, "start", start)
    await tab.emulate(cpu_throttling=20)
    assert await tab.evaluate("1 + 1") == 2
    await tab.clear_emulation()
    assert (rates[0], rates[-1]) == (20, 1)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"device": "Nokia 3310"}, "there is no device 'Nokia 3310'; there are iPhone SE"),
        ({"timezone": "Mars/Olympus"}, "time zones like"),
        ({"locale": "zzzz"}, "is no language tag"),
        ({"locale": "qqq-Zzzz-99-x"}, "is no language tag|locales are like"),
        ({"viewport": (0, 5)}, "is no (width, height)"),
        ({"device_scale_factor": 0}, "device_scale_factor"),
        ({"cpu_throttling": 0.5}, "cpu_throttling"),
        ({"color_scheme": "sepia"}, "color_scheme is one of light, dark"),
        ({"geolocation": (100, 0)}, "is no (latitude"),
        ({"user_agent": "a\nb"}, "one line"),
        ({"media": "tv"}, "media is one of"),
    ],
)
async def test_what_makes_no_sense_is_said_and_changes_nothing(
    context: BrowserContext, site: Site, wanted: dict[str, Any], words: str
) -> None:
    tab = await context.new_tab(site.page("x"))
    before = await tab.emulate(viewport=(640, 480))
    with pytest.raises(InvalidArgumentError) as caught:
        await tab.emulate(**{"color_scheme": "dark", **wanted})
    assert any(word in str(caught.value) for word in words.split("|"))
    assert tab.emulation == before
    seen = await read(tab)
    assert (seen["size"], seen["dark"]) == ([640, 480], False)


async def test_tabs_of_one_process_cannot_differ_and_it_is_said(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("x", path="/p"))
    await tab.emulate(timezone="Asia/Tokyo")
    await tab.evaluate("void window.open('/p')")
    popup = next(other for other in context.tabs if other is not tab)
    await popup.emulate(timezone="Asia/Tokyo")
    with pytest.raises(InvalidArgumentError, match="a context of its own"):
        await popup.emulate(timezone="Europe/Berlin")
    assert (await read(popup))["zone"] == "Asia/Tokyo"


async def test_contexts_are_made_with_it(browser: Browser, site: Site) -> None:
    page = site.page("x")
    async with await browser.new_context(
        device="Pixel 8", locale="de-DE", timezone="Asia/Tokyo", color_scheme="dark", geolocation=(1, 2)
    ) as context:
        tab = await context.new_tab(page)
        seen = await read(tab)
        assert (seen["locale"], seen["zone"], seen["dark"], seen["density"]) == ("de-DE", "Asia/Tokyo", True, 2.625)
        assert "Android" in seen["agent"]
        await tab.emulate(locale="fr-FR")
        await tab.clear_emulation()
        assert (await read(tab))["locale"] == "de-DE"
        assert tuple(context.tab_settings.emulation.geolocation or ()) == (1, 2)
    async with await browser.new_context(user_agent="Tester/2.0", viewport=(333, 444)) as context:
        seen = await read(await context.new_tab(page))
        assert (seen["agent"], seen["size"]) == ("Tester/2.0", [333, 444])
    async with await browser.new_context(timezone="Mars/Olympus") as context:
        with pytest.raises(InvalidArgumentError, match="time zones like"):
            await context.new_tab(page)


async def test_browsers_are_launched_with_it(site: Site) -> None:
    async with Browser.launch(
        locale="de-DE",
        timezone="Asia/Tokyo",
        color_scheme="dark",
        geolocation=(10, 20),
        permissions=["geolocation"],
        user_agent="Tester/3.0",
        viewport=(640, 480),
        extra_headers={"X-Who": "me"},
    ) as browser:
        tab = await browser.new_tab(site.page("x"))
        seen = await read(tab)
        assert (seen["locale"], seen["zone"], seen["dark"]) == ("de-DE", "Asia/Tokyo", True)
        assert (seen["agent"], seen["size"]) == ("Tester/3.0", [640, 480])
        assert (await tab.evaluate(WHERE))[:2] == [10, 20]
        async with await browser.new_context(locale="fr-FR") as context:
            seen = await read(await context.new_tab(site.page("x")))
            assert (seen["locale"], seen["zone"], seen["agent"]) == ("fr-FR", "Asia/Tokyo", "Tester/3.0")
    with pytest.raises(InvalidArgumentError, match="there is no permission"):
        await Browser.launch(permissions=["mind-reading"])
    with pytest.raises(InvalidArgumentError, match="color_scheme"):
        await Browser.launch(color_scheme="sepia")  # type: ignore[arg-type]


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[str]:
    """The address of a page whose certificate nobody trusts."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl to make a certificate with")
    made = ["-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem"), "-days", "2"]
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", *made, "-subj", "/CN=localhost"],
        check=True,
        capture_output=True,
    )

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>Secure</title>")

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    class Quiet(ThreadingHTTPServer):
        # A browser that does not trust us hangs up.
        def handle_error(self, request: Any, client_address: Any) -> None:
            pass

    server = Quiet(("127.0.0.1", 0), Page)
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trust.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    server.socket = trust.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"https://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


async def test_a_context_may_trust_any_certificate(browser: Browser, context: BrowserContext, secure: str) -> None:
    async with await browser.new_context(ignore_https_errors=True) as trusting:
        tab = await trusting.new_tab(secure)
        assert tab.title == "Secure"
    with pytest.raises(NavigationError, match="ignore_https_errors"):
        await context.new_tab(secure)
