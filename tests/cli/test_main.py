"""The entry point: help that teaches, and exit codes."""

import subprocess
import sys
from pathlib import Path

import pytest

from browserx import __version__
from browserx.cli.main import main
from browserx.cli.opening import full_address


def test_without_a_command_it_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    said = capsys.readouterr().out
    for word in ("snapshot", "doctor", "demo", "BROWSERX_NAME"):
        assert word in said


@pytest.mark.parametrize("command", ["snapshot", "doctor", "demo"])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert "--headed" in capsys.readouterr().out


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == __version__


@pytest.mark.parametrize(
    "argv",
    [
        ["dance"],
        ["snapshot"],
        ["snapshot", "x", "--format", "xml"],
        ["snapshot", "x", "--max-tokens", "1"],
        ["snapshot", "x", "--max-chars", "1"],
    ],
)
def test_a_bad_call_is_two(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(argv)
    assert ended.value.code == 2
    assert "browserx" in capsys.readouterr().err


def test_a_picture_that_cannot_be_saved_is_a_bad_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for given, why in ((tmp_path / "missing" / "out.png", "there is no folder"), (tmp_path, "cannot be written")):
        with pytest.raises(SystemExit) as ended:
            main(["snapshot", "x", "--annotate", str(given)])
        assert ended.value.code == 2
        assert why in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "full"),
    [
        ("example.com", "https://example.com"),
        ("example.com/a?b#c", "https://example.com/a?b#c"),
        ("localhost:8000/x", "http://localhost:8000/x"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://x/", "http://x/"),
        ("about:blank", "about:blank"),
        ("data:text/html,x", "data:text/html,x"),
        ("javascript:alert(1)", "javascript:alert(1)"),
    ],
)
def test_addresses_may_be_short(given: str, full: str) -> None:
    assert full_address(given) == full


def test_the_package_is_light() -> None:
    heavy = ("pydantic", "typer", "rich", "numpy", "bm25s", "PIL", "websockets", "httpx2", "fastapi")
    code = f"import sys, browserx; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
