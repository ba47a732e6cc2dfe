"""The commands, as people run them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from browserx import Browser
from tests.web import Site, free_port

pytestmark = pytest.mark.e2e


def run(*argv: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "browserx.cli.main", *argv],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_snapshot_prints_the_outline(site: Site) -> None:
    done = run("snapshot", site.page("<h1>Hello</h1><button>Push</button>", title="T"))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].endswith("> T")
    assert lines[2:4] == ["# Hello", "1 button Push"]


def test_snapshot_as_json(site: Site) -> None:
    url = site.page("<button>Push</button>")
    seen = json.loads(run("snapshot", url, "--json").stdout)
    assert seen["ids"] == ["1"]
    assert seen["url"] == url
    nodes = json.loads(run("snapshot", url, "--format", "nodes").stdout)
    assert nodes["totalInteractiveElements"] == 1
    page = json.loads(run("snapshot", url, "--format", "page", "--layout").stdout)
    assert page["page"]["body"]["children"][0]["box"]


def test_snapshot_of_the_whole_page_without_limit(site: Site) -> None:
    many = "".join(f"<p>Paragraph {n} about something</p><button>Button {n}</button>" for n in range(600))
    url = site.page(many)
    assert "Paragraph 599" not in run("snapshot", url, "--full-page").stdout
    done = run("snapshot", url, "--full-page", "--max-tokens", "none", "--timings")
    assert "Paragraph 599" in done.stdout
    assert "in the page" in done.stderr


def test_snapshot_of_nothing_says_why() -> None:
    done = run("snapshot", f"http://127.0.0.1:{free_port()}/")
    assert done.returncode == 1
    assert "nothing listens there" in done.stderr
    assert "Traceback" not in done.stderr


def test_no_browser_says_what_to_install(tmp_path: Path) -> None:
    done = run("snapshot", "about:blank", "--executable", str(tmp_path / "missing"))
    assert done.returncode == 1
    assert "is not a program that can be run" in done.stderr


def test_a_reader_that_has_read_enough_is_no_error(site: Site) -> None:
    url = site.page("<p>words</p>" * 3000)
    command = f"{sys.executable} -m browserx.cli.main snapshot {url} --full-page --max-tokens none | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr


def test_doctor() -> None:
    done = run("doctor")
    assert done.returncode == 0, done.stdout
    assert "FAIL" not in done.stdout
    checks = json.loads(run("doctor", "--json").stdout)
    assert checks["ok"] is True
    assert {check["name"] for check in checks["checks"]} >= {"browserx", "python", "browser", "starts", "sees", "acts"}


def test_doctor_says_what_is_missing(tmp_path: Path) -> None:
    done = run("doctor", "--executable", str(tmp_path / "missing"))
    assert done.returncode == 1
    assert "FAIL browser" in done.stdout


async def test_a_browser_that_runs(site: Site) -> None:
    import asyncio

    url = site.page("<button>Push</button>")
    async with Browser.launch(debugging_port=0) as host:
        done = await asyncio.to_thread(run, "snapshot", url, "--cdp", host.debugging_url)
        assert "1 button Push" in done.stdout, done.stderr
        assert [tab.url for tab in host.tabs] == []


def test_the_demo_buys_tea(tmp_path: Path) -> None:
    done = run("demo", "--output", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Bought, in 16 steps" in done.stdout
    assert (tmp_path / "demo.png").read_bytes().startswith(b"\x89PNG")


def test_the_demo_fails_loudly(tmp_path: Path) -> None:
    code = """
import sys
from browserx.cli.demo import shop
shop.TEAS = tuple(t for t in shop.TEAS if t.slug != "earl-grey")
from browserx.cli.main import main
sys.exit(main(["demo", "--output", sys.argv[1]]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "The demo failed: the page does not say '1 teas for" in done.stderr
