"""``browserx serve`` and ``browserx run``, as somebody types them."""

import asyncio
import json
import socket
import sys
from pathlib import Path

import pytest

from browserx.backend.settings import Settings
from browserx.cli.entry import main
from browserx.cli.serve import _listening
from tests.backend.workers import process
from tests.web import Site

PAGE = "<h1>Orders</h1><label>Name <input id=a></label><button onclick=\"o.textContent='Hello '+a.value\">Go</button><p id=o>"


def browserx(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_the_token_is_shown_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = browserx(capsys, "serve", "--show-token", "--data-dir", tmp_path)
    again = browserx(capsys, "serve", "--show-token", "--data-dir", tmp_path)
    assert first == again
    assert first[0] == 0
    assert len(first[1].strip()) > 30


def test_a_token_is_made_for_somebody_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, token, _ = browserx(capsys, "serve", "--add-token", "phone", "--data-dir", tmp_path)
    assert code == 0
    assert f"phone {token}" in (tmp_path / "tokens").read_text()
    code, _, error = browserx(capsys, "serve", "--add-token", "phone", "--data-dir", tmp_path)
    assert code == 1
    assert "has a token already" in error


def test_a_token_of_the_environment_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSERX_TOKEN", "a-token-that-is-long-enough")
    assert browserx(capsys, "serve", "--show-token", "--data-dir", tmp_path)[1].strip() == "a-token-that-is-long-enough"
    assert not (tmp_path / "tokens").exists()


def test_an_address_that_is_taken_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, error = browserx(capsys, "serve", "--port", port, "--data-dir", tmp_path)
    assert code == 1
    assert "choose another --port" in error


def test_workers_need_a_database_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, error = browserx(capsys, "serve", "--workers", "2", "--data-dir", tmp_path)
    assert code == 1
    assert "PostgreSQL" in error


@pytest.mark.parametrize(
    "options", [("--port", "70000"), ("--port", "x"), ("--workers", "0"), ("--retention-days", "-1"), ("--nonsense",)]
)
def test_bad_options_are_called_wrong(capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as ended:
        browserx(capsys, "serve", *options)
    assert ended.value.code == 2


def test_a_rate_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, error = browserx(capsys, "serve", "--port", "0", "--rate", "often", "--data-dir", tmp_path)
    assert code == 1
    assert "600/minute" in error


@pytest.mark.parametrize("setting", ["database", "redis", "token", "host", "allow_origin", "data_dir", "backend"])
def test_a_projects_file_cannot_open_the_door(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "browserx.toml").write_text(f'[serve]\n{setting} = "x"\n')
    code, _, error = browserx(capsys, "serve", "--show-token", "--data-dir", tmp_path)
    assert code == 2
    assert "cannot be set by a project" in error


def test_answers_go_out_at_once() -> None:
    """A small answer must not wait for another to be acknowledged."""
    with _listening(Settings(port=0)) as listener:
        assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.e2e
async def test_a_task_is_worked_here_and_with_a_backend(tmp_path: Path, site: Site) -> None:
    async def run(*options: str) -> tuple[int | None, str, str]:
        process_ = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "browserx.cli", "run", *options, "--url", site.page(PAGE)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(60):
            out, error = await process_.communicate()
        return process_.returncode, out.decode(), error.decode()

    code, _, error = await run('type "Ann" into Name, click Go')
    assert code == 0, error
    assert '[setValue(1, "Ann")]' in error
    async with process(tmp_path) as running:
        options = ("--backend", running.served.url, "--token", running.served.ann, "--json")
        code, out, error = await run("click Go, then read the heading", *options)
        assert code == 0, error
        told = json.loads(out)
        assert (told["state"], told["answer"]) == ("success", "Orders")
        assert [turn["action"] for turn in told["turns"]] == ["click(2)", "finish()"]
        code, _, error = await run("click Nothing like it", *options[:4], "--no-ask")
        assert code == 1
        assert "Nothing like it" in error
    code, _, error = await run("click Go", "--backend", running.served.url, "--token", "x" * 20)
    assert code == 1
    assert "cannot be reached" in error
