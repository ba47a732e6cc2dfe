"""Cookies and storage: read, set, saved, restored and cleared, each in its own context."""

import json
from pathlib import Path
from typing import Any

import pytest

from browserx import Browser, BrowserContext, Cookie, InvalidArgumentError, NavigationError
from tests.conftest import OpenPage
from tests.web import Site, free_port


async def test_cookies_are_those_of_the_context(browser: Browser, context: BrowserContext, site: Site) -> None:
    headers = {"Set-Cookie": "seen=yes; Path=/; HttpOnly; SameSite=Strict; Max-Age=3600"}
    await context.new_tab(site.publish(b"<p>hi", "text/html", headers=headers))
    (cookie,) = await context.cookies()
    assert (cookie.name, cookie.value, cookie.domain, cookie.path) == ("seen", "yes", "localhost", "/")
    assert (cookie.http_only, cookie.same_site) == (True, "Strict")
    assert cookie.expires > 0
    async with await browser.new_context() as other:
        assert await other.cookies() == []


async def test_cookies_are_set_sent_and_cleared(context: BrowserContext, site: Site) -> None:
    later = {"name": "b", "value": "2", "domain": "localhost", "path": "/deep", "expires": 4102444800}
    await context.add_cookies([Cookie(name="a", value="1", url=site.url("/")), later])
    tab = await context.new_tab(site.page("<p>hi", path="/deep/page"))
    assert await tab.evaluate("document.cookie") == "b=2; a=1"
    assert [c.name for c in await context.cookies(site.url("/"))] == ["a"]
    assert sorted(c.name for c in await context.cookies([site.url("/deep/er"), site.other("/")])) == ["a", "b"]
    await context.clear_cookies(name="b", domain="localhost")
    assert [c.name for c in await context.cookies()] == ["a"]
    await context.clear_cookies()
    assert await context.cookies() == []


@pytest.mark.parametrize(
    ("cookie", "why"),
    [
        ({"name": "a", "value": "secret"}, "either a url, or a domain"),
        ({"name": "a", "value": "secret", "url": "http://x/", "domain": "x"}, "either a url, or a domain"),
        ({"value": "secret", "url": "http://x/"}, "missing required field `name`"),
        ({"name": "a", "value": "secret", "url": "nonsense"}, "refuses"),
        ({"name": "__Host-a", "value": "secret", "url": "http://example.com/"}, "refuses"),
        ({"name": "a", "value": "secret", "url": "http://x/", "sameSite": "Secret"}, "sameSite"),
        ("a=secret", "this is no cookie"),
    ],
)
async def test_what_is_no_cookie(context: BrowserContext, cookie: Any, why: str) -> None:
    with pytest.raises(InvalidArgumentError, match=why) as caught:
        await context.add_cookies([cookie])
    assert "secret" not in str(caught.value)


async def test_a_state_is_saved_and_restored(
    browser: Browser, context: BrowserContext, site: Site, tmp_path: Path
) -> None:
    """Of a page that is open, one that was left, and one whose tab is closed."""
    page = site.page("<script>document.cookie = 'who=me'; localStorage.setItem('at', location.origin)</script>")
    await context.new_tab(page)
    left = await context.new_tab(page.replace("localhost", "127.0.0.1"))
    await left.evaluate("localStorage.setItem('größe', '12 \\n \"x\"')")
    await left.goto(site.page("elsewhere"))
    await left.close()
    asked = len(site.requests)
    path = tmp_path / "state.json"
    path.write_text("others can read this")
    path.chmod(0o644)
    state = await context.storage_state(path)
    assert len(site.requests) == asked
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(path.read_bytes()) == state
    assert sorted((c["name"], c["value"], c["domain"]) for c in state["cookies"]) == [
        ("who", "me", "127.0.0.1"),
        ("who", "me", "localhost"),
    ]
    assert set(state["cookies"][0]) == {"name", "value", "domain", "path", "expires", "httpOnly", "secure", "sameSite"}
    kept = {o["origin"]: {i["name"]: i["value"] for i in o["localStorage"]} for o in state["origins"]}
    assert kept == {
        site.url(""): {"at": site.url("")},
        site.other(""): {"at": site.other(""), "größe": '12 \n "x"'},
    }
    for given in (path, str(path), state):
        async with await browser.new_context(storage_state=given) as again:
            assert again.tabs == []
            assert len(site.requests) == asked
            assert await again.storage_state() == state


async def test_a_browser_starts_with_a_state(site: Site) -> None:
    given = {
        "cookies": [{"name": "id", "value": "7", "domain": "localhost", "path": "/", "expires": -1}],
        "origins": [{"origin": site.url(""), "localStorage": [{"name": "n", "value": str(n)} for n in range(3)]}],
    }
    async with Browser.launch(storage_state=given) as browser:
        assert browser.tabs == []
        tab = await browser.new_tab(site.page("<p>hi"))
        assert await tab.evaluate("document.cookie + ' ' + localStorage.n") == "id=7 2"


async def test_what_frames_of_other_sites_keep_is_not_in_it(context: BrowserContext, site: Site) -> None:
    frame = site.page("<script>localStorage.x = 1</script>").replace("localhost", "127.0.0.1")
    await context.new_tab(site.page(f"<iframe src='{frame}'></iframe>"))
    assert (await context.storage_state(origins=[site.other("")]))["origins"] == []


async def test_a_page_that_did_not_load_is_no_hindrance(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("<script>localStorage.a = 1</script>"))
    for url in ("http://localhost:1/", f"http://127.0.0.1:{free_port()}/"):
        with pytest.raises(NavigationError):
            await tab.goto(url)
    assert [kept["origin"] for kept in (await context.storage_state())["origins"]] == [site.url("")]
    with pytest.raises(InvalidArgumentError, match="has no storage"):
        await context.storage_state(origins=["http://[::g]"])


async def test_origins_of_a_profile_are_named(site: Site, tmp_path: Path) -> None:
    async with Browser.launch(user_data_dir=tmp_path) as browser:
        await browser.new_tab(site.page("<script>localStorage.x = 1</script>"))
    async with Browser.launch(user_data_dir=tmp_path) as browser:
        assert (await browser.default_context.storage_state())["origins"] == []
        state = await browser.default_context.storage_state(origins=[site.url("")])
        assert state["origins"] == [{"origin": site.url(""), "localStorage": [{"name": "x", "value": "1"}]}]
        with pytest.raises(InvalidArgumentError, match="is no origin"):
            await browser.default_context.storage_state(origins=["localhost"])


async def test_browsers_without_hidden_pages(
    context: BrowserContext, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the page behind it is a tab, which nobody gets to see."""
    monkeypatch.setattr("browserx.browser.blank._HIDDEN", {})
    opened: list[Any] = []
    context.browser.on_tab_opened.append(opened.append)
    given = {"origins": [{"origin": site.url(""), "localStorage": [{"name": "a", "value": "1"}]}]}
    await context.restore(given)
    assert (await context.storage_state())["origins"] == given["origins"]
    context.browser.on_tab_opened.remove(opened.append)
    # The icon of a site is the browser's own wish, now and then.
    asked = [path for _, path in site.requests if path != "/favicon.ico"]
    assert (opened, context.tabs, asked) == ([], [], [])


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("/nowhere/state.json", "cannot be read: No such file"),
        ({"cookies": [{"name": "secret-name"}]}, r"missing required field `value` - at `\$.cookies\[0\]`"),
        ({"origins": [{"origin": "example.com"}]}, "is no origin"),
        ({"origins": [{"origin": "https://example.com/path"}]}, "is no origin"),
        ({"origins": [{"origin": "https://x.example", "localStorage": {"secret": "secret"}}]}, "is no storage state"),
        ([], "is no storage state"),
    ],
)
async def test_what_is_no_state(browser: Browser, given: Any, why: str) -> None:
    with pytest.raises(InvalidArgumentError, match=why) as caught:
        await browser.new_context(storage_state=given)
    assert "secret" not in str(caught.value)


async def test_a_file_that_is_no_state(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text('{"cookies": [')
    with pytest.raises(InvalidArgumentError, match=r"state\.json' is no storage state"):
        await browser.new_context(storage_state=path)


async def test_what_an_origin_keeps_is_cleared(context: BrowserContext, open_page: OpenPage, site: Site) -> None:
    tab = await open_page(
        "<script>document.cookie = 'a=1'; localStorage.a = 1; indexedDB.open('db').onsuccess = () => document.title = 'ok'</script>"
    )
    other = await context.new_tab(site.page("<script>localStorage.b = 1</script>").replace("localhost", "127.0.0.1"))
    await context.clear_storage(site.url(""))
    assert await context.cookies(site.url("/")) == []
    assert await tab.evaluate("localStorage.length") == 0
    assert await tab.evaluate("indexedDB.databases().then(all => all.length)") == 0
    assert await other.evaluate("localStorage.b") == "1"
    with pytest.raises(InvalidArgumentError, match="is no origin"):
        await context.clear_storage("localhost")


def test_a_cookie_does_not_show_its_value() -> None:
    assert "secret" not in repr(Cookie(name="a", value="secret", domain="example.com", path="/"))
