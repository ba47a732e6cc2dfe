"""``scripts/bench speed``, really run: that everything is measured and told, never how long it took."""

import subprocess
import sys
from pathlib import Path

import pytest
from bench.result import BROWSERX, LOOKS, STARTS, find, load, save

from tests.bench.canned import run

_ROOT = Path(__file__).parents[2]


def speed(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "bench.speed", *arguments],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.mark.e2e
def test_a_small_run(tmp_path: Path) -> None:
    saved, drawn = tmp_path / "run.json", tmp_path / "run.svg"
    done = speed("--sizes", "1000", "--runs", "1", "--alone", "--json", str(saved), "--chart", str(drawn))
    assert done.returncode == 0, done.stderr
    assert "first look" in done.stdout
    made = load(saved)
    assert made.sizes == [1000]
    for what in LOOKS:
        look = made.look(1000, what)
        assert look is not None
        assert len(look.ms) == 1
        assert look.ms[0] > 0
        assert set(look.stage_ms) >= {"page", "capture", "build", "classify"}
        assert look.tokens
    assert [t.what for t in made.looks if t.tool == BROWSERX] == list(LOOKS)
    assert all((start := find(made.starts, what, BROWSERX)) is not None and start.ms[0] > 0 for what in STARTS)
    (engine,) = made.engines
    assert engine.whole_mb >= engine.viewport_mb * 0.5 > 5
    assert engine.whole_cpu_s[0] > 0
    assert min(made.presence.without_ms + made.presence.with_ms) > 0
    assert set(made.versions) == {"BrowserX", "Chromium", "Python"}
    assert drawn.read_text().startswith("<svg ")


def test_a_run_that_was_kept_is_shown_again(tmp_path: Path) -> None:
    saved, drawn = tmp_path / "run.json", tmp_path / "run.svg"
    save(run(), saved)
    done = speed("--from", str(saved), "--chart", str(drawn))
    assert done.returncode == 0, done.stderr
    assert "Playwright 1.65" in done.stdout
    assert "Some Processor" in drawn.read_text()


@pytest.mark.parametrize(
    "wrong", [("--sizes", "many"), ("--sizes", "0"), ("--runs", "0"), ("--from", "there-is-no-such-file")]
)
def test_a_wrong_option_is_told_before_anything_is_measured(wrong: tuple[str, str]) -> None:
    done = speed(*wrong)
    assert done.returncode == 2
    assert f"argument {wrong[0]}" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_there_is_is_listed() -> None:
    listed = subprocess.run(
        [_ROOT / "scripts" / "bench"], capture_output=True, text=True, timeout=20, check=True
    ).stdout
    for name in ("speed", "perception"):
        assert f"scripts/bench {name} " in listed
    unknown = subprocess.run([_ROOT / "scripts" / "bench", "nothing"], capture_output=True, text=True, check=False)
    assert unknown.returncode == 2
    assert "scripts/bench speed" in unknown.stderr
