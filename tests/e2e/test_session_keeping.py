"""What a session keeps: cookies, storage, files; and what it says of the console and the network."""

import json
import stat

import pytest

from browserx import Browser
from browserx.cli.session.session import Session
from tests.e2e.test_session import Sessions, cli, shop  # noqa: F401 (fixtures)
from tests.web import Site

pytestmark = pytest.mark.e2e


def test_cookies_and_the_state_of_a_session(cli: Sessions, shop: str) -> None:  # noqa: F811
    cli.done("open", shop)
    assert cli.done("cookies") == "no cookies\n"
    assert cli.done("cookies", "set", "theme", "dark") == '"theme"="dark" localhost/\n'
    cli.done("cookies", "set", "key", "k1", "--http-only")
    cli.done("cookies", "set", "far", "x", "--domain", "example.com")
    assert cli.done("eval", "document.cookie") == '"theme=dark"\n'
    assert {c["name"] for c in json.loads(cli.done("cookies", "--json"))["cookies"]} == {"theme", "key"}
    assert "example.com" in cli.done("cookies", "--all")
    assert '"key"="k1" localhost/ httpOnly' in cli.done("cookies", "list", "key")
    assert "a name and a value" in cli.refused("cookies", "set", "theme", code=2)
    cli.done("storage", "cart", "3")

    assert cli.done("state", "save", "login.json").startswith(f"{cli.home}/login.json")
    saved = cli.home / "login.json"
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    cli.done("cookies", "clear", "theme")
    assert '"theme"' not in cli.done("cookies", "--all")
    cli.done("cookies", "clear")
    cli.done("storage", "--clear")
    assert cli.done("cookies", "--all") == "no cookies\n"

    cli.done("state", "load", "login.json")
    cli.done("reload")
    assert cli.done("eval", "[document.cookie, localStorage.cart]") == '[\n  "theme=dark",\n  "3"\n]\n'
    assert "cannot be read" in cli.refused("state", "load", "missing.json")
    assert "cannot be written" in cli.refused("state", "save", "missing/login.json")


def test_what_is_downloaded_arrives_beside_where_the_session_was_begun(cli: Sessions, site: Site) -> None:  # noqa: F811
    site.publish(b"tea,3", "text/csv", path="/list", headers={"Content-Disposition": "attachment; filename=list.csv"})
    cli.done("open", site.page("<a href=/list>Export</a>"))
    path = cli.home / "downloads" / "list.csv"
    assert f'download completed "list.csv": {path}' in cli.done("click", "1").splitlines()
    assert path.read_bytes() == b"tea,3"
    assert cli.done("downloads") == f'completed "list.csv": {path}\n'
    (told,) = json.loads(cli.done("downloads", "--json", "--wait", "5"))["downloads"]
    assert (told["path"], told["state"], told["receivedBytes"]) == (str(path), "completed", 5)
    cli.done("close")
    assert path.exists()


def test_the_folder_for_downloads_can_be_named_and_an_empty_one_goes(cli: Sessions, site: Site) -> None:  # noqa: F811
    site.publish(b"tea", "text/plain", path="/list", headers={"Content-Disposition": "attachment; filename=a.txt"})
    url = site.page("<a href=/list>Export</a>")
    cli.done("open", url, "--downloads-dir", "mine")
    cli.done("click", "1")
    assert (cli.home / "mine" / "a.txt").read_bytes() == b"tea"
    cli.done("close")
    cli.done("open", url)
    cli.done("close")
    assert not (cli.home / "downloads").exists()


async def test_console_and_network_say_what_the_api_says(site: Site) -> None:
    session = Session()
    url = site.page(
        "<script>console.log('one', {a: 1}); console.error('two\\nthree'); fetch('/missing'); setTimeout(() => fail())</script>"
    )
    try:
        assert (await session.run(["open", url], "/tmp", {}, None)).exit == 0
        assert session._browser is not None
        (tab,) = session._browser.tabs

        async def asked(*words: str) -> str:
            answer = await session.run(words, "/tmp", {}, None)
            assert answer.exit == 0, answer
            return answer.out

        said = json.loads(await asked("console", "--json"))
        assert said["messages"] == [f"{m.level}: {m.describe(300)}" for m in tab.console]
        assert len(said["messages"]) >= 4
        lines = (await asked("console")).splitlines()
        assert lines[0].startswith('log "one')
        assert any(line.startswith('error "two three') for line in lines)
        assert len(lines) == len(said["messages"])
        errors = json.loads(await asked("console", "--errors", "--json"))["messages"]
        assert errors == [line for line in said["messages"] if line.startswith("error: ")]
        newest = await asked("console", "--limit", "1")
        assert newest.splitlines() == [f"… {len(lines) - 1} before these: --limit tells more", lines[-1]]

        made = json.loads(await asked("network", "--json"))["requests"]
        assert len(made) == len(tab.network_log)
        for line, request in zip(made, tab.network_log, strict=True):
            assert line == f"{request.method} {request.url} {request.status} {request.kind.lower()}"
        failed = await asked("network", "--failed")
        assert f"{site.url('/missing')} 404 fetch" in failed
        assert f"{url} 200" not in failed
    finally:
        await session.close()


async def test_ids_are_shown_on_every_page_until_the_session_ends(site: Site) -> None:
    drawn = "getComputedStyle(document.documentElement, '::after').content"
    async with Browser.launch(debugging_port=0) as browser:
        session = Session()
        try:
            page = site.page("<button>Push</button>")
            words = ["--cdp", browser.debugging_url, "--show-ids"]
            assert (await session.run(["open", page, "--new-tab", *words], "/tmp", {}, None)).exit == 0
            (tab,) = [tab for tab in browser.tabs if tab.url == page]
            assert "1" in await tab.evaluate(drawn)
            assert (await session.run(["tab", "new", page + "?2"], "/tmp", {}, None)).exit == 0
            (second,) = [tab for tab in browser.tabs if tab.url.endswith("?2")]
            assert "1" in await second.evaluate(drawn)
        finally:
            await session.close()
        assert await tab.evaluate(drawn) == "none"
        assert await second.evaluate(drawn) == "none"


def test_typing_and_expecting(cli: Sessions, shop: str) -> None:  # noqa: F811
    cli.done("open", shop)
    cli.done("focus", "1")
    assert cli.done("type", "focused", "Ada", "--expect-text", "Empty").splitlines()[0] == "changed (as expected)"
    assert cli.done("eval", "document.querySelector('input').value") == '"Ada"\n'
    assert cli.done("click", "2", "--expect-text", "Added").splitlines()[0] == "changed (as expected)"
    why = cli.refused("click", "2", "--expect-gone", "Added")
    assert "not as expected: 'Added' is still on the page" in why
    ran = cli.run("batch", "click 2 --expect-text Nothing", "press Tab")
    assert ran.returncode == 1
    assert "> press Tab" not in ran.stdout
