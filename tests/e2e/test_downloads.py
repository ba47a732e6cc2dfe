"""Downloads: where files go, what they are called, and what an action says of them."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from browserx import (
    Browser,
    BrowserContext,
    DomService,
    DownloadError,
    InvalidArgumentError,
    NavigationError,
    OperationTimeoutError,
    Tab,
)
from browserx.browser.downloads import Download
from tests.web import Site, wait_until

pytestmark = pytest.mark.e2e


def file(
    site: Site, name: str = "report.txt", data: bytes = b"hello", *, path: str = "/file", delay_s: float = 0
) -> str:
    return site.publish(
        data,
        "application/octet-stream",
        path=path,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
        delay_s=delay_s,
    )


def half(site: Site, path: str = "/half") -> str:
    """A file of which only the first part ever comes."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "application/octet-stream")
        request.send_header("Content-Length", "1000000")
        request.end_headers()
        request.wfile.write(b"x" * 300_000)
        request.wfile.flush()
        site._release.wait(60)
        request.close_connection = True

    site._special[path] = answer
    return site.url(path)


async def next_download(browser: Browser) -> Download:
    """The next download to begin."""
    begun: asyncio.Future[Download] = asyncio.get_running_loop().create_future()

    def hook(download: Download) -> None:
        if not begun.done():
            begun.set_result(download)

    browser.on_download.append(hook)
    try:
        return await asyncio.wait_for(begun, 10)
    finally:
        browser.on_download.remove(hook)


async def fetch(tab: Tab, url: str) -> Download:
    """Have the page download ``url``."""
    waiting = asyncio.ensure_future(next_download(tab.browser))
    await asyncio.sleep(0)
    await tab.evaluate(f"void Object.assign(document.createElement('a'), {{href: {url!r}, download: ''}}).click()")
    return await waiting


async def test_a_file_lands_in_the_folder_under_its_name(browser: Browser, site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    async with await browser.new_context(downloads_dir=folder) as context:
        tab = await context.new_tab(site.page(f"<a href={file(site)}>Get</a>"))
        dom = await DomService.for_tab(tab)
        await dom.observe()
        result = await dom.click(1)
        assert (result.success, result.verdict) == (True, "opened")
        assert result.changes is not None
        (told,) = result.changes.downloads
        assert (told.name, told.state, told.url) == ("report.txt", "completed", site.url("/file"))
        assert told.path == str(folder / "report.txt")
        (download,) = tab.downloads
        assert await download.finished(5) == folder / "report.txt"
        assert (folder / "report.txt").read_bytes() == b"hello"
        assert (download.received_bytes, download.total_bytes, download.error) == (5, 5, "")
        assert context.downloads == [download]
        assert download in browser.downloads
    assert [path.name for path in folder.iterdir()] == ["report.txt"]


async def test_no_file_is_overwritten(browser: Browser, site: Site, tmp_path: Path) -> None:
    (tmp_path / "report.txt").write_text("mine")
    async with await browser.new_context(downloads_dir=tmp_path) as context:
        tab = await context.new_tab(site.page("x"))
        paths = [await (await fetch(tab, file(site))).finished(5) for _ in range(2)]
    assert [path.name for path in paths] == ["report (2).txt", "report (3).txt"]
    assert (tmp_path / "report.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["../../evil.sh", "/etc/passwd", "..", ".bashrc", "a/b\\c:d.txt", "con.txt"])
async def test_no_name_leads_out_of_the_folder(browser: Browser, site: Site, tmp_path: Path, name: str) -> None:
    inside = tmp_path / "inside"
    async with await browser.new_context(downloads_dir=inside) as context:
        tab = await context.new_tab(site.page("x"))
        path = await (await fetch(tab, file(site, name))).finished(5)
        assert path.parent == inside
        assert not path.name.startswith(".")
    assert [entry.name for entry in tmp_path.iterdir()] == ["inside"]
    assert [entry.name for entry in inside.iterdir()] == [path.name]


async def test_cancelling_leaves_nothing(browser: Browser, site: Site, tmp_path: Path) -> None:
    async with await browser.new_context(downloads_dir=tmp_path) as context:
        tab = await context.new_tab(site.page("x"))
        download = await fetch(tab, half(site))
        assert download.state == "in_progress"
        with pytest.raises(OperationTimeoutError, match=r"not complete within 0\.05 s"):
            await download.finished(0.05)
        assert download.path is None
        await download.cancel()
        assert (download.state, download.error) == ("cancelled", "it was cancelled")
        with pytest.raises(DownloadError, match="was cancelled"):
            await download.finished(5)
        await download.cancel()
        assert not [path for path in tmp_path.rglob("*") if path.is_file()]


async def test_a_broken_connection_is_a_failure(browser: Browser, site: Site, tmp_path: Path) -> None:
    # The server goes away in the middle of the file.
    async with await browser.new_context(downloads_dir=tmp_path) as context:
        tab = await context.new_tab(site.page("x"))

        def broken(request: BaseHTTPRequestHandler) -> None:
            request.send_response(200)
            request.send_header("Content-Type", "application/octet-stream")
            request.send_header("Content-Length", "1000000")
            request.end_headers()
            request.wfile.write(b"x" * 1000)
            request.wfile.flush()
            request.connection.shutdown(socket.SHUT_RDWR)
            request.close_connection = True

        site._special["/broken"] = broken
        download = await fetch(tab, site.url("/broken"))
        with pytest.raises(DownloadError, match="try again"):
            await download.finished(10)
        assert download.state == "failed"
        assert not [path for path in tmp_path.rglob("*") if path.is_file()]


async def test_a_large_file_is_said_to_be_on_its_way(browser: Browser, site: Site, tmp_path: Path) -> None:
    from browserx import ServiceConfig

    async with await browser.new_context(downloads_dir=tmp_path) as context:
        tab = await context.new_tab(site.page(f"<a href={half(site)}>Get</a>"))
        dom = await DomService.for_tab(tab, ServiceConfig(settle_timeout_ms=300))
        await dom.observe()
        result = await dom.click(1)
        assert result.verdict == "opened"
        assert result.changes is not None
        assert [(d.state, d.path) for d in result.changes.downloads] == [("in_progress", None)]


async def test_a_slow_link_to_a_file_is_waited_for(browser: Browser, site: Site, tmp_path: Path) -> None:
    async with await browser.new_context(downloads_dir=tmp_path) as context:
        url = file(site, delay_s=0.7)
        tab = await context.new_tab(site.page(f"<a href={url} download><b>Get</b></a>"))
        dom = await DomService.for_tab(tab)
        await dom.observe()
        result = await dom.click(1)
        assert result.verdict == "opened"
        assert result.changes is not None
        assert [d.state for d in result.changes.downloads] == ["completed"]


@pytest.mark.parametrize(
    "script",
    [
        "location.href = '/file'",
        "window.open('/file')",
        "const a = document.createElement('a'); a.download = 'made.txt';"
        "a.href = window.URL.createObjectURL(new Blob(['hello'])); a.click()",
        "fetch('/data').then(r => r.blob()).then(b => { const a = document.createElement('a');"
        "a.href = window.URL.createObjectURL(b); a.download = 'made.txt'; a.click() })",
    ],
)
async def test_all_the_ways_to_a_file(browser: Browser, site: Site, tmp_path: Path, script: str) -> None:
    file(site)
    site.publish(b"hello", "text/plain", path="/data")
    async with await browser.new_context(downloads_dir=tmp_path) as context:
        tab = await context.new_tab(site.page(f'<button onclick="{script}">Get</button>'))
        dom = await DomService.for_tab(tab)
        await dom.observe()
        result = await dom.click(1)
        assert result.verdict == "opened"
        assert result.changes is not None
        (told,) = result.changes.downloads
        assert told.state == "completed"
        assert Path(told.path or "").read_bytes() == b"hello"
        assert [download.path for download in tab.downloads] == [Path(told.path or "")]


async def test_a_frame_of_another_site_downloads_too(browser: Browser, site: Site, tmp_path: Path) -> None:
    file(site)
    site.page(f"<a href={site.other('/file')}>Get</a>", path="/inner")
    async with await browser.new_context(downloads_dir=tmp_path) as context:
        tab = await context.new_tab(site.page(f"<iframe src={site.other('/inner')} width=400 height=200></iframe>"))
        dom = await DomService.for_tab(tab)
        seen = await dom.observe()
        link = next(line.split()[0] for line in seen.text.splitlines() if line.strip().endswith("link Get"))
        result = await dom.click(link)
        assert result.verdict == "opened"
        assert [download.name for download in tab.downloads] == ["report.txt"]


async def test_a_frame_that_loads_is_no_download(browser: Browser, site: Site, context: BrowserContext) -> None:
    site.page("<p>inside</p>", path="/inner")
    tab = await context.new_tab(site.page("<a href=/inner target=f>Show</a><iframe name=f></iframe>"))
    dom = await DomService.for_tab(tab)
    await dom.observe()
    result = await dom.click(1)
    assert result.verdict == "changed"
    assert result.changes is not None
    assert not result.changes.downloads


async def test_going_to_a_file_saves_it_and_says_so(context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("x"))
    waiting = asyncio.ensure_future(next_download(tab.browser))
    with pytest.raises(NavigationError, match=r"see tab\.downloads"):
        await tab.goto(file(site))
    path = await (await waiting).finished(5)
    assert path.read_bytes() == b"hello"


async def test_tabs_and_contexts_know_their_own(browser: Browser, site: Site, tmp_path: Path) -> None:
    async with (
        await browser.new_context(downloads_dir=tmp_path / "one") as one,
        await browser.new_context(downloads_dir=tmp_path / "two") as two,
    ):
        page = site.page("x")
        first, second, other = await one.new_tab(page), await one.new_tab(page), await two.new_tab(page)
        for tab in (first, second, other):
            await (await fetch(tab, file(site))).finished(5)
        assert [len(tab.downloads) for tab in (first, second, other)] == [1, 1, 1]
        assert [len(context.downloads) for context in (one, two)] == [2, 1]
        assert sorted(path.name for path in (tmp_path / "one").iterdir() if path.is_file()) == [
            "report (2).txt",
            "report.txt",
        ]
        unfinished = await fetch(other, half(site))
    assert unfinished.state == "failed"
    with pytest.raises(DownloadError, match="context was closed"):
        await unfinished.finished(1)
    assert [path.name for path in (tmp_path / "two").iterdir()] == ["report.txt"]


async def test_without_a_folder_files_live_as_long_as_the_browser(site: Site) -> None:
    async with Browser.launch() as browser:
        tab = await browser.new_tab(site.page("x"))
        path = await (await fetch(tab, file(site))).finished(5)
        assert path.read_bytes() == b"hello"
        assert path.parent.stat().st_mode & 0o077 == 0
        unfinished = await fetch(tab, half(site))
    assert not path.parent.exists()
    with pytest.raises(DownloadError, match="browser ended"):
        await unfinished.finished(1)


async def test_a_folder_that_was_given_stays_with_what_is_complete(site: Site, tmp_path: Path) -> None:
    async with Browser.launch(downloads_dir=tmp_path) as browser:
        tab = await browser.new_tab(site.page("x"))
        await (await fetch(tab, file(site))).finished(5)
        await fetch(tab, half(site))
        # Contexts use the browser's folder when they have none of their own.
        async with await browser.new_context() as context:
            await (await fetch(await context.new_tab(site.page("x")), file(site))).finished(5)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report (2).txt", "report.txt"]


async def test_a_folder_that_cannot_be_made_is_said(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidArgumentError, match="choose another"):
        await browser.new_context(downloads_dir=tmp_path / "file" / "folder")
    with pytest.raises(InvalidArgumentError, match="choose another"):
        await Browser.launch(downloads_dir=tmp_path / "file" / "folder")


KILLED = """
    import asyncio, sys
    from browserx import Browser

    async def main():
        browser = await Browser.launch(downloads_dir=sys.argv[2] or None)
        tab = await browser.new_tab(sys.argv[1])
        begun = asyncio.Event()
        browser.on_download.append(lambda download: begun.set())
        await tab.evaluate("document.querySelector('a').click()")
        await begun.wait()
        print(tab.context.download_folder.folder, flush=True)
        await asyncio.sleep(60)

    asyncio.run(main())
"""


@pytest.mark.parametrize("given", [True, False])
async def test_nothing_incomplete_outlives_a_killed_program(site: Site, tmp_path: Path, given: bool) -> None:
    page = site.page(f"<a href={half(site)} download>Get</a>")
    program = subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-c", textwrap.dedent(KILLED), page, str(tmp_path) if given else ""],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert program.stdout is not None
    folder = Path((await asyncio.to_thread(program.stdout.readline)).strip())
    assert folder.is_dir()
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    program.stdout.close()
    gone: Callable[[], bool] = lambda: not any(folder.iterdir()) if given else not folder.exists()  # noqa: E731
    assert await asyncio.to_thread(wait_until, gone)


async def test_a_browser_we_connected_to_saves_as_it_always_does(site: Site, tmp_path: Path) -> None:
    async with Browser.launch(debugging_port=0, downloads_dir=tmp_path / "its") as launched:
        async with Browser.connect(launched.debugging_url) as connected:
            assert connected.default_context.download_folder is None
            tab = await connected.new_tab(site.page(f"<a href={file(site)}>Get</a>"))
            dom = await DomService.for_tab(tab)
            await dom.observe()
            result = await dom.click(1)
            assert result.verdict == "opened"
            (download,) = tab.downloads
            assert await download.ended(5)
            assert (download.state, download.path) == ("completed", None)
            with pytest.raises(DownloadError, match="connect with downloads_dir"):
                await download.finished(1)
            await tab.close()
        async with Browser.connect(launched.debugging_url, downloads_dir=tmp_path / "ours") as connected:
            tab = await connected.new_tab(site.page("x"))
            path = await (await fetch(tab, file(site))).finished(5)
            assert path == tmp_path / "ours" / "report.txt"
    assert [path.name for path in (tmp_path / "its").iterdir()] == ["report.txt"]
    assert [path.name for path in (tmp_path / "ours").iterdir()] == ["report.txt"]
