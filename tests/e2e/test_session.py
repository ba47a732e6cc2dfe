"""The kept-alive session: real clients, a real daemon, a real Chromium."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from browserx import Browser
from browserx.cli.session.wire import MAX_REQUEST_BYTES, read_answer, request_line
from tests.web import Site, wait_until

pytestmark = pytest.mark.e2e

PAGE = """<h1>Shop</h1><input aria-label=Name><button onclick="document.querySelector('p').textContent = 'Added'">Add</button>
    <p>Empty</p><a href=/next>Go</a><button onclick="confirm('Sure?')">Ask</button><a target=_blank href=/next>Pop</a>"""


class Sessions:
    """Sessions in a folder of their own, and the commands that use them."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home / "browserx"
        self.environ = {
            **{name: value for name, value in os.environ.items() if not name.startswith("BROWSERX_")},
            "XDG_RUNTIME_DIR": str(home),
            "XDG_CONFIG_HOME": str(home),
        }

    def start(self, *words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "browserx.cli", *words],
            env=self.environ,
            cwd=self.home,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, *words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        process = self.start(*words)
        out, err = process.communicate(stdin, timeout=90)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def done(self, *words: str, stdin: str = "") -> str:
        """What a command printed that must work."""
        ended = self.run(*words, stdin=stdin)
        assert ended.returncode == 0, (words, ended.stdout, ended.stderr)
        return ended.stdout

    def refused(self, *words: str, code: int = 1, stdin: str = "") -> str:
        """Why a command did not work."""
        ended = self.run(*words, stdin=stdin)
        assert ended.returncode == code, (words, ended.stdout, ended.stderr)
        assert "Traceback" not in ended.stderr
        return ended.stderr

    def raw(self, data: bytes, name: str = "default") -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(30)
        connection.connect(str(self.folder / f"{name}.sock"))
        connection.sendall(data)
        return connection

    def ask(self, *words: str) -> socket.socket:
        return self.raw(request_line(words, {}, None))

    def daemon(self, name: str = "default") -> int:
        return int((self.folder / f"{name}.lock").read_text())

    def left(self) -> set[str]:
        return {file.name for file in self.folder.iterdir()} - {"start"} if self.folder.exists() else set()


def answer(connection: socket.socket) -> bytes:
    with connection, connection.makefile("rb") as file:
        return file.readline()


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def descendants(pid: int) -> set[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def all_gone(pids: set[int]) -> bool:
    return wait_until(lambda: not any(lives(pid) for pid in pids), 30)


@pytest.fixture
def cli() -> Iterator[Sessions]:
    # A short name: a socket's path has little room.
    home = Path(tempfile.mkdtemp(prefix="bxs-"))
    sessions = Sessions(home)
    yield sessions
    if sessions.folder.exists():
        sessions.folder.chmod(0o700)
        for lock in sessions.folder.glob("*.lock"):
            sessions.done("close", "-s", lock.stem)
        assert wait_until(lambda: not sessions.left()), sessions.left()
    shutil.rmtree(home)


@pytest.fixture
def shop(site: Site) -> str:
    site.page("<h1>Next</h1><button>End</button>", path="/next", title="Next")
    return site.page(PAGE, title="Shop")


@pytest.fixture
def gate(site: Site, cli: Sessions) -> str:
    """Open a page; running the script that is returned takes a while."""
    site.publish(b"", "text/plain", path="/gate", delay_s=1)
    cli.done("open", site.page("<script>window.log = []</script><p>Wait"))
    return "fetch('/gate').then(() => void log.push('gate'))"


def at_the_gate(site: Site) -> bool:
    return wait_until(lambda: ("GET", "/gate") in site.requests)


def test_an_errand(cli: Sessions, shop: str) -> None:
    opened = cli.done("open", shop).splitlines()
    assert opened[0] == "opened tab 1"
    assert "2 button Add" in opened
    assert cli.done("snapshot").splitlines()[2:5] == ["# Shop", "1 textbox Name", "2 button Add"]

    clicked = cli.done("click", "2").splitlines()
    assert clicked[0] == "changed"
    assert "since" in clicked[1]
    assert "~ Added" in clicked
    assert "1 textbox Name" not in clicked, "the change is printed, not the page"
    assert "~ 1 textbox Name = tea" in cli.done("type", "1", "tea").splitlines()
    assert "~ 1 textbox Name = tea time" in cli.done("type", "1", " time", "--append").splitlines()
    assert cli.done("press", "F2").splitlines()[0] == "no_effect"

    asked = cli.done("click", "4")
    assert asked.splitlines()[0] == "opened"
    assert "browserx dialog accept" in asked
    assert "a confirm dialog is open" in cli.refused("click", "2")
    assert "accepted true" in cli.done("dialog", "accept")
    nothing = cli.run("dialog", "accept")
    assert (nothing.stdout, "no dialog is open" in nothing.stderr) == ("", True), "nothing was done, nothing to look at"

    assert "new tab 2: browserx tab 2" in cli.done("click", "5")
    assert "# Next" in cli.done("tab", "2")
    assert [line[:3] for line in cli.done("tabs").splitlines()] == ["  1", "* 2"]
    cli.done("tab", "close")
    gone = cli.done("click", "3").splitlines()
    assert gone[0] == "navigated"
    assert "# Next" in gone
    assert "# Shop" in cli.done("back")
    assert cli.done("reload").splitlines()[0] == "navigated"
    assert cli.done("close") == "session 'default' is closed\n"
    assert wait_until(lambda: not cli.left())
    assert cli.done("close") == "session 'default' is not open\n"


def test_looking_inside(cli: Sessions, shop: str) -> None:
    cli.done("open", shop)
    assert cli.done("eval", "document.title") == '"Shop"\n'
    assert cli.done("eval", stdin="[1,\n2]") == "[\n  1,\n  2\n]\n"
    assert "the script threw" in cli.refused("eval", "nothing.at.all")
    cli.refused("eval", code=2)
    cli.done("storage", "theme", "dark")
    assert json.loads(cli.done("storage")) == {"theme": "dark"}
    assert json.loads(cli.done("storage", "--kind", "session")) == {}
    assert cli.done("storage", "theme") == '"dark"\n'
    assert json.loads(cli.done("storage", "--clear")) == {}
    nodes = json.loads(cli.done("snapshot", "--format", "nodes"))
    assert nodes["totalInteractiveElements"] == 5


def test_files_are_written_where_the_command_was_called(cli: Sessions, shop: str) -> None:
    cli.done("open", shop)
    assert cli.done("screenshot", "page.png") == f"{cli.home}/page.png\n"
    assert (cli.home / "page.png").read_bytes().startswith(b"\x89PNG")
    assert cli.done("pdf", "page.pdf", "--landscape") == f"{cli.home}/page.pdf\n"
    assert (cli.home / "page.pdf").read_bytes().startswith(b"%PDF")
    cli.done("screenshot", "button.png", "--id", "2")
    assert cli.done("emulate", "--viewport", "390x844").startswith("emulated ")
    assert cli.done("eval", "innerWidth") == "390\n"
    assert cli.done("downloads") == "no downloads\n"
    assert "cannot be written" in cli.refused("screenshot", "missing/page.png")


def test_as_json(cli: Sessions, shop: str) -> None:
    opened = json.loads(cli.done("--json", "open", shop))
    assert opened["look"]["ids"] == ["1", "2", "3", "4", "5"]
    clicked = json.loads(cli.done("click", "2", "--json"))
    assert clicked["verdict"] == "changed"
    assert clicked["changes"]["addedTexts"] == ["Added"]
    assert "~ Added" in clicked["look"]["text"]
    failed = cli.run("click", "99", "--json")
    assert failed.returncode == 1
    assert json.loads(failed.stdout)["error"]["code"] == "ELEMENT_NOT_FOUND"
    assert json.loads(cli.done("tabs", "--json"))["tabs"][0]["present"] is True


def test_the_change_is_told_since_the_last_look_as_it_was_asked_for(cli: Sessions, site: Site) -> None:
    lines = "".join(f"<p>Line {number}</p>" for number in range(100))
    cli.done(
        "open",
        site.page(f"<button onclick=\"document.querySelector('b').textContent='Here'\">Push</button>{lines}<b>End</b>"),
    )
    assert "Line 99" in cli.done("snapshot", "--full-page")
    clicked = cli.done("click", "1")
    assert "~ Here" in clicked
    assert "Line 50" not in clicked


def test_what_happens_out_of_sight_is_told(cli: Sessions, site: Site) -> None:
    script = "const toast = document.createElement('div'); toast.style.marginTop = '3000px'; toast.textContent = 'Saved!'; document.body.append(toast)"
    cli.done("open", site.page(f'<button onclick="{script}">Save</button>'))
    assert 'said "Saved!"' in cli.done("click", "1").splitlines()


FORM = """<form onsubmit="document.querySelector('output').textContent = 'Sent'; return false">
    <input aria-label=Name><input type=checkbox aria-label=Gift><input type=date aria-label=Day>
    <select aria-label=Country><option>Austria<option value=de>Germany</select><input type=file aria-label=Photo>
    <button onmouseover="this.textContent = 'Over'">Send</button></form><output></output>
    <input type=range aria-label=Amount max=100 value=0 style="position:absolute;left:300px;top:300px;width:200px">"""


def test_forms(cli: Sessions, site: Site) -> None:
    cli.done("open", site.page(FORM))
    (cli.home / "photo.png").write_bytes(b"x")
    filled = cli.done("fill", "1=Ada", "2=yes").splitlines()
    assert filled[:2] == ["1 changed", "2 changed"]
    assert "textbox Name = Ada" in cli.done("snapshot")
    assert "[x]" not in cli.done("uncheck", "2")
    assert "[x]" in cli.done("check", "2")
    cli.done("pick-date", "3", "2026-12-24")
    assert cli.done("eval", "document.querySelector('[type=date]').value") == '"2026-12-24"\n'
    assert "Country = Germany" in cli.done("select", "4", "Germany")
    assert "Country = Austria" in cli.done("choose", "4", "Austria")
    assert "Country = Germany" in cli.done("select", "4", "--value", "de")
    cli.done("upload", "5", "photo.png")
    assert cli.done("eval", "document.querySelector('[type=file]').files[0].name") == '"photo.png"\n'
    assert "button Over" in cli.done("hover", "6")
    assert "focus" not in cli.done("focus", "1")
    assert "Sent" in cli.done("submit", "1")
    assert cli.done("drag", "7", "--by", "100,0").startswith("changed")
    stopped = cli.run("fill", "1=Bo", "99=x")
    assert stopped.returncode == 1
    assert "99 failed:" in stopped.stdout


def test_finding_reading_extracting_waiting(cli: Sessions, site: Site) -> None:
    table = "<table><tr><th>Tea<th>Price<tr><td>Sencha<td>14</table>"
    cli.done(
        "open",
        site.page(
            f"<button onclick=\"setTimeout(() => p.textContent = 'Ready', 50)\">Brew</button><p id=p>Cold</p>{table}"
        ),
    )
    assert cli.done("find", "brew") == '1 button "Brew"\n'
    assert cli.done("find", "coffee") == "nothing was found\n"
    assert cli.done("read") == "Brew Cold Tea Price Sencha 14\n"
    assert "Sencha" in cli.done("extract")
    cli.done("click", "1")
    waited = cli.done("wait", "--text", "Ready", "--timeout", "20")
    assert waited.splitlines()[0] == "no_effect (as expected)"
    assert "browserx snapshot" in cli.refused("wait", "--text", "Never", "--timeout", "0.1")


def test_an_unknown_id(cli: Sessions, shop: str) -> None:
    cli.done("open", shop)
    why = cli.refused("click", "99")
    assert "no node 99" in why
    assert "nearest: 5 link Pop" in why
    assert "browserx snapshot" in why
    assert cli.done("click", "2").startswith("changed"), "a failure does not end the session"


def test_a_batch_stops_at_the_first_that_fails(cli: Sessions, shop: str) -> None:
    cli.done("open", shop)
    done = cli.done("batch", stdin="# first\ntype 1 tea\nclick 2\n\nclick 2 # again\n")
    assert [line for line in done.splitlines() if line.startswith("> ")] == [
        "> type 1 tea",
        "> click 2",
        "> click 2 # again",
    ]
    ended = cli.run("batch", "press Tab", "click 77", "press Tab")
    assert ended.returncode == 1
    assert ended.stdout.count("> press Tab") == 1
    assert "'click 77' failed; 2 of 3 commands ran" in ended.stderr
    kept = cli.run("batch", "click 77", "press Tab", "--keep-going", "--json")
    assert [step["exit"] for step in json.loads(kept.stdout)] == [1, 0]
    assert kept.returncode == 1
    assert "a batch cannot hold a batch" in cli.run("batch", "batch x").stdout


def test_two_sessions_side_by_side(cli: Sessions, site: Site) -> None:
    one, two = site.page("<button>One</button>"), site.page("<button>Two</button>")
    cli.done("open", one, "-s", "first")
    cli.done("-s", "second", "open", two)
    assert "1 button One" in cli.done("snapshot", "--session=first")
    assert "1 button Two" in cli.done("snapshot", "--session", "second")
    assert cli.daemon("first") != cli.daemon("second")
    cli.done("close", "-s", "first")
    assert "1 button Two" in cli.done("snapshot", "-s", "second")
    assert "nothing is open" in cli.refused("snapshot", "-s", "first")


def test_the_name_of_the_session_is_a_setting_too(cli: Sessions, shop: str) -> None:
    (cli.home / "browserx.toml").write_text('session = "mine"')
    cli.done("open", shop)
    assert "mine.sock" in cli.left()
    cli.environ["BROWSERX_SESSION"] = "other"
    assert "nothing is open in session 'other'" in cli.refused("snapshot")


def test_commands_are_carried_out_in_order(cli: Sessions, site: Site, gate: str) -> None:
    first = cli.ask("eval", gate)
    assert at_the_gate(site)
    waiting = [cli.ask("eval", f"void log.push({number})") for number in range(5)]
    for connection in (first, *waiting):
        assert read_answer(answer(connection)).exit == 0
    assert json.loads(cli.done("eval", "log")) == ["gate", 0, 1, 2, 3, 4]


def test_parallel_commands_do_not_mix(cli: Sessions, site: Site) -> None:
    cli.done("open", site.page("<script>window.log = []</script>"))
    script = "log.push('in'), new Promise(done => setTimeout(() => done(void log.push('out')), 20))"
    clients = [cli.start("eval", script) for _ in range(4)]
    for client in clients:
        client.communicate(timeout=60)
        assert client.returncode == 0
    assert json.loads(cli.done("eval", "log")) == ["in", "out"] * 4


def test_a_client_that_dies_does_no_harm(cli: Sessions, site: Site, gate: str) -> None:
    runs = cli.start("eval", gate)
    assert at_the_gate(site)
    waits = cli.ask("eval", "void log.push('waited')")
    waits.close()
    runs.kill()
    runs.communicate()
    assert json.loads(cli.done("eval", "log")) == ["gate"], "what ran is finished, what nobody waits for is not begun"


def test_a_killed_daemon_leaves_nothing_and_is_replaced(cli: Sessions, site: Site, gate: str) -> None:
    daemon = cli.daemon()
    family = descendants(daemon)
    assert len(family) > 3, "Chromium has several processes"
    runs = cli.start("eval", gate)
    assert at_the_gate(site)
    os.kill(daemon, signal.SIGKILL)
    _, why = runs.communicate(timeout=60)
    assert runs.returncode == 1
    assert "ended while it ran this" in why
    assert all_gone(family)
    assert "default.sock" in cli.left(), "nobody could remove it"
    assert "begin with browserx open" in cli.refused("snapshot")
    assert "opened tab 1" in cli.done("open", site.page("<button>Again</button>"))
    assert cli.daemon() != daemon


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_all(cli: Sessions, shop: str, number: signal.Signals) -> None:
    cli.done("open", shop)
    family = descendants(cli.daemon()) | {cli.daemon()}
    os.kill(cli.daemon(), number)
    assert all_gone(family)
    assert cli.left() == set()


def test_it_ends_when_idle(cli: Sessions, shop: str) -> None:
    cli.done("open", shop, "--idle-timeout", "300s")
    family = descendants(cli.daemon()) | {cli.daemon()}
    cli.done("tabs", "--idle-timeout", "0.2s")
    assert all_gone(family)
    assert cli.left() == set()


def test_it_ends_with_its_last_tab_and_with_its_browser(cli: Sessions, shop: str) -> None:
    cli.done("open", shop)
    family = descendants(cli.daemon()) | {cli.daemon()}
    cli.done("tab", "close")
    assert all_gone(family)
    assert cli.left() == set()
    cli.done("open", shop)
    daemon = cli.daemon()
    family = descendants(daemon)
    for pid in family:
        if b"--remote-debugging-pipe" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
            os.kill(pid, signal.SIGKILL)
    assert all_gone(family | {daemon})
    assert cli.left() == set()


def test_a_browser_that_does_not_start_leaves_nothing(cli: Sessions) -> None:
    assert "is not a program that can be run" in cli.refused("open", "about:blank", "--executable", "./missing")
    assert wait_until(lambda: not cli.left())


def test_a_page_that_does_not_come_leaves_nothing(cli: Sessions) -> None:
    assert "check the address" in cli.refused("open", "http://no-such-host.invalid/")
    assert wait_until(lambda: not cli.left())


def test_a_stale_socket_is_replaced(cli: Sessions, shop: str) -> None:
    cli.folder.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(cli.folder / "default.sock"))
    cli.done("open", shop)
    assert "2 button Add" in cli.done("snapshot")


def test_two_that_begin_at_once_share_one_daemon(cli: Sessions, shop: str) -> None:
    clients = [cli.start("open", shop, "--new-tab") for _ in range(3)]
    for client in clients:
        _, why = client.communicate(timeout=90)
        assert client.returncode == 0, why
    assert len(cli.done("tabs").splitlines()) == 3


def test_a_folder_that_others_may_enter_is_refused(cli: Sessions, shop: str) -> None:
    cli.folder.mkdir(mode=0o755)
    cli.folder.chmod(0o755)
    assert "not a folder of yours alone" in cli.refused("open", shop)
    assert cli.left() == set()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_other_users_are_refused(cli: Sessions, shop: str) -> None:
    cli.done("open", shop)
    for path, mode in ((cli.home, 0o711), (cli.folder, 0o711), (cli.folder / "default.sock", 0o666)):
        path.chmod(mode)
    code = (
        "import socket, sys, contextlib; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n"
        # It may be refused before it has said anything.
        "with contextlib.suppress(OSError): s.sendall(sys.stdin.buffer.read())\n"
        "print(s.makefile().readline())"
    )
    line = request_line(["eval", "document.title = 'taken'"], {}, None)
    said = subprocess.run(
        ["/usr/bin/python3", "-c", code, str(cli.folder / "default.sock")],
        input=line,
        capture_output=True,
        user=65534,
        check=True,
    )
    assert b"belongs to another user" in said.stdout
    cli.folder.chmod(0o700)
    assert cli.done("eval", "document.title") == '"Shop"\n'


def test_a_command_too_long_is_refused(cli: Sessions, shop: str) -> None:
    cli.done("open", shop)
    assert "too long" in cli.refused("batch", stdin="x" * (MAX_REQUEST_BYTES + 1), code=2)
    told = read_answer(answer(cli.raw(b"x" * (MAX_REQUEST_BYTES + 10) + b"\n")))
    assert told.exit == 2
    assert "at most" in told.err
    assert "2 button Add" in cli.done("snapshot")


@pytest.mark.parametrize("line", [b"hello\n", b"[]\n", b'{"version": 1}\n', b"[" * 100_000 + b"\n", b"\xff\n"])
def test_what_is_no_command_is_refused(cli: Sessions, shop: str, line: bytes) -> None:
    cli.done("open", shop)
    told = read_answer(answer(cli.raw(line)))
    assert told.exit == 2
    assert "this is no command" in told.err
    cli.raw(b'{"version":').close()
    assert "2 button Add" in cli.done("snapshot")


def test_a_name_that_is_no_text_arrives(cli: Sessions, shop: str) -> None:
    cli.done("open", shop)
    told = read_answer(answer(cli.ask("type", "1", "\udcff")))
    assert told.exit in (0, 1), told
    assert "2 button Add" in cli.done("snapshot")


def test_a_daemon_of_another_version_is_replaced(cli: Sessions, shop: str) -> None:
    cli.done("open", shop)
    old = cli.daemon()
    line = request_line(["tabs"], {}, None).replace(b'"version": "', b'"version": "older-')
    assert read_answer(answer(cli.raw(line))).gone
    assert all_gone({old})
    assert cli.left() == set()


async def test_a_browser_that_runs(cli: Sessions, shop: str) -> None:
    import asyncio

    async with Browser.launch(debugging_port=0) as host:
        theirs = await host.new_tab(shop)
        cdp = ("--cdp", host.debugging_url)
        refused = await asyncio.to_thread(cli.refused, "click", "2", *cdp)
        assert "look first" in refused
        assert "2 button Add" in await asyncio.to_thread(cli.done, "snapshot")
        assert "~ Added" in await asyncio.to_thread(cli.done, "click", "2")
        other = await asyncio.to_thread(cli.refused, "tabs", "--cdp", "http://127.0.0.1:1")
        assert "browserx close" in other
        assert "browserx close" in await asyncio.to_thread(cli.refused, "open", shop, "--headed")
        await asyncio.to_thread(cli.done, "close", "--headed")
        assert await theirs.evaluate("document.querySelector('p').textContent") == "Added"
    assert "nothing answers" in (await asyncio.to_thread(cli.refused, "open", shop, *cdp)).lower()


def test_called_wrongly_nothing_is_started(cli: Sessions) -> None:
    assert "required: URL" in cli.refused("open", code=2)
    assert "is no name of a session" in cli.refused("open", "x", "-s", "../x", code=2)
    assert "browserx snapshot" in cli.done("snapshot", "--help")
    assert cli.left() == set()
