"""Starting and ending browsers: nothing is left behind, however we end."""

import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import pytest

from browserx import (
    AttachError,
    Browser,
    BrowserNotFoundError,
    ConnectionClosedError,
    DomService,
    OperationTimeoutError,
)
from browserx.browser.process import BrowserProcess
from tests.web import Site, free_port, wait_until

pytestmark = pytest.mark.e2e


def processes_with(word: str) -> list[int]:
    """Processes whose command line mentions ``word``."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if word.encode() in line:
                found.append(int(folder.name))
    return found


def profile_of(browser: Browser) -> str:
    """The profile folder of a launched browser, from its own command line."""
    line = Path(f"/proc/{browser.process_id}/cmdline").read_bytes().decode().split("\0")
    return next(part.partition("=")[2] for part in line if part.startswith("--user-data-dir="))


async def test_after_the_end_there_is_neither_process_nor_profile() -> None:
    async with Browser.launch() as browser:
        profile = profile_of(browser)
        assert "Chrom" in browser.version
        assert Path(profile).exists()
        assert processes_with(profile)
    assert not Path(profile).exists()
    assert not processes_with(profile)
    await browser.close()


async def test_it_may_be_awaited_and_closed_by_hand() -> None:
    browser = await Browser.launch()
    tab = await browser.new_tab()
    await browser.close()
    assert tab.closed
    with pytest.raises(ConnectionClosedError):
        await browser.new_tab()


async def test_an_error_inside_still_cleans_up() -> None:
    profiles: list[str] = []

    async def fail() -> None:
        async with Browser.launch() as browser:
            profiles.append(profile_of(browser))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    (profile,) = profiles
    assert not Path(profile).exists()
    assert not processes_with(profile)


@pytest.mark.parametrize("how", ["kill", "exit", "exception"])
def test_nothing_outlives_a_program_that_ends_without_closing(how: str) -> None:
    program = textwrap.dedent("""
        import asyncio, os, sys
        from browserx import Browser
        async def main():
            browser = await Browser.launch()
            tab = await browser.new_tab("data:text/html,<p>hello")
            line = open(f"/proc/{browser.process_id}/cmdline").read().split("\\0")
            print(next(p for p in line if p.startswith("--user-data-dir=")).partition("=")[2], flush=True)
            how = sys.argv[1]
            if how == "exit":
                os._exit(0)
            if how == "exception":
                raise SystemExit("without closing")
            await asyncio.sleep(60)
        asyncio.run(main())
    """)
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", program, how],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as child:
        assert child.stdout is not None
        profile = child.stdout.readline().strip()
        assert profile
        if how == "kill":
            assert processes_with(profile)
            child.send_signal(signal.SIGKILL)
        child.wait(20)
    assert wait_until(lambda: not processes_with(profile), 15)
    assert wait_until(lambda: not Path(profile).exists(), 15)


async def test_a_browser_that_dies_is_noticed_by_everyone_who_waits() -> None:
    async with Browser.launch() as browser:
        tab = await browser.new_tab("data:text/html,<button>x")
        dom = await DomService.for_tab(tab)
        waiting = asyncio.ensure_future(tab.evaluate("new Promise(() => {})"))
        looking = asyncio.ensure_future(dom.observe())
        await asyncio.sleep(0)
        assert browser.process_id is not None
        os.killpg(browser.process_id, signal.SIGKILL)
        with pytest.raises(ConnectionClosedError):
            await asyncio.wait_for(waiting, 5)
        try:
            await asyncio.wait_for(looking, 5)  # it may have been quicker than the signal
        except ConnectionClosedError:
            pass
        with pytest.raises(ConnectionClosedError):
            await dom.observe()
        assert tab.closed


async def test_a_kept_profile_is_kept(tmp_path: Path) -> None:
    profile = tmp_path / "mine"
    async with Browser.launch(user_data_dir=profile) as browser:
        await browser.new_tab("data:text/html,<p>hello")
    assert (profile / "Default").is_dir()
    assert not processes_with(str(profile))


async def test_the_options_arrive(site: Site) -> None:
    async with Browser.launch(
        viewport=(640, 480),
        user_agent="Tester/1",
        extra_headers={"X-Test": "yes"},
        args=["--force-device-scale-factor=2"],
    ) as browser:
        tab = await browser.new_tab(site.page("<p>hello"))
        told = await tab.evaluate("[innerWidth, innerHeight, navigator.userAgent, devicePixelRatio]")
        assert told == [640, 480, "Tester/1", 2]


async def test_a_port_is_opened_on_request_only_and_others_can_connect() -> None:
    async with Browser.launch() as plain:
        assert plain.debugging_url == ""
    async with Browser.launch(debugging_port=0) as browser, Browser.connect(browser.debugging_url) as other:
        tab = await other.new_tab("data:text/html,<title>shared</title>")
        await tab.evaluate("document.title")
        assert any(t.target_id == tab.target_id for t in browser.tabs)
        assert other.process_id is None
    assert tab.closed


async def test_letting_go_of_a_browser_leaves_it_as_it_is() -> None:
    async with Browser.launch(debugging_port=0) as browser:
        mine = await browser.new_tab("data:text/html,<title>mine</title>")
        async with Browser.connect(browser.debugging_url) as other:
            assert [tab.target_id for tab in other.tabs] == [mine.target_id]
        assert await mine.evaluate("document.title") == "mine"


async def test_a_port_that_is_taken_is_said_at_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(AttachError, match="probably taken"):
            async with asyncio.timeout(20), Browser.launch(debugging_port=taken.getsockname()[1]):
                pass


async def test_what_is_no_browser_is_said(tmp_path: Path) -> None:
    with pytest.raises(BrowserNotFoundError):
        await Browser.launch(tmp_path / "missing")
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho 'libfoo.so is missing' >&2\nexit 1\n")
    broken.chmod(0o755)
    with pytest.raises(AttachError, match=r"libfoo\.so is missing"):
        await Browser.launch(broken)
    text = tmp_path / "text"
    text.write_text("no program at all")
    text.chmod(0o755)
    with pytest.raises(BrowserNotFoundError, match="cannot be started"):
        await Browser.launch(text)


async def test_nobody_to_connect_to() -> None:
    with pytest.raises(AttachError, match="nothing answers"):
        await Browser.connect(f"http://127.0.0.1:{free_port()}")


async def test_a_server_that_is_silent_is_given_up() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(OperationTimeoutError):
            await Browser.connect(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout_s=0.2)


async def test_a_start_that_is_cancelled_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Other browsers may be started on this machine meanwhile: this one's profile is where no other's is.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    starting = asyncio.ensure_future(_enter())
    await asyncio.sleep(0.1)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert wait_until(lambda: not processes_with(str(tmp_path)), 15)
    assert not list(tmp_path.glob("browserx-profile-*"))


async def _enter() -> None:
    async with Browser.launch():
        await asyncio.sleep(60)


async def test_running_as_root_is_said_once(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    from browserx.browser import browser as module

    monkeypatch.setattr(module, "_warned_of_root", False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    caplog.set_level(logging.WARNING, logger="browserx.browser")
    assert module._must_go_without_sandbox()
    assert module._must_go_without_sandbox()
    assert len(caplog.records) == 1
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert not module._must_go_without_sandbox()


@pytest.mark.parametrize("turns", range(1, 8))
async def test_cancelled_before_its_pipes_are_open_it_leaves_nothing(tmp_path: Path, turns: int) -> None:
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    profile = tmp_path / "profile"
    profile.mkdir()
    before = set(os.listdir("/proc/self/fd"))
    started: list[int] = []
    spawn = os.posix_spawn

    def noted(*arguments: Any, **options: Any) -> int:
        started.append(spawn(*arguments, **options))
        return started[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "posix_spawn", noted)
        starting = asyncio.create_task(BrowserProcess.start(program, [], profile, keep_profile=False))
        for _ in range(turns):
            await asyncio.sleep(0)
        was_open = starting.done()
        starting.cancel()
        if was_open:
            process, pipe = starting.result()
            process.kill()
            await pipe.close()
            await process.end()
        else:
            with pytest.raises(asyncio.CancelledError):
                await starting
    assert len(started) == 1
    with pytest.raises(ProcessLookupError):
        os.killpg(started[0], 0)
    assert not profile.exists()
    await asyncio.sleep(0)  # what was closed is let go of in the next turn of the loop
    assert set(os.listdir("/proc/self/fd")) <= before
