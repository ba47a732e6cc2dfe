"""Where a flag's value comes from."""

import argparse
from pathlib import Path

import pytest

from browserx.cli import settings
from browserx.cli.main import main, milliseconds, tokens


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    for name in ("BROWSERX_MAX_TOKENS", "BROWSERX_HEADED", "BROWSERX_FORMAT", "BROWSERX_EXECUTABLE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def user(home: Path, text: str) -> None:
    file = home / "config" / "browserx" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def project(home: Path, text: str) -> None:
    (home / "project" / "browserx.toml").write_text(text)


def value(*argv: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--max-tokens", type=tokens, default=4000)
    parser.add_argument("--headed", action="store_true")
    parser.add_argument("--format", choices=("outline", "nodes"), default="outline")
    parser.add_argument("--executable")
    settings.apply(parser, "snapshot")
    return parser.parse_args(argv)


def test_each_source_wins_over_the_one_before(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert value().max_tokens == 4000
    user(home, "max_tokens = 1000")
    assert value().max_tokens == 1000
    project(home, "[snapshot]\nmax_tokens = 2000")
    assert value().max_tokens == 2000
    monkeypatch.setenv("BROWSERX_MAX_TOKENS", "3000")
    assert value().max_tokens == 3000
    assert value("--max-tokens", "500").max_tokens == 500


def test_a_commands_own_table_wins_over_the_general_part(home: Path) -> None:
    user(home, "max-tokens = 1000\n[snapshot]\nmax_tokens = 1500\n[demo]\nmax_tokens = 9")
    assert value().max_tokens == 1500


def test_switches(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user(home, "headed = true")
    assert value().headed is True
    monkeypatch.setenv("BROWSERX_HEADED", "no")
    assert value().headed is False


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("max_tokens = 5", "a budget is a number from 100 up"),
        ("format = 'xml'", "is not one of outline, nodes"),
        ("headed = 'maybe'", "is neither true nor false"),
        ("max_tokens =", "cannot be read"),
        ("snapshot = 5", "must be a table"),
    ],
)
def test_nonsense_is_said_with_its_place(home: Path, text: str, words: str) -> None:
    user(home, text)
    with pytest.raises(settings.SettingError, match=words) as caught:
        value()
    assert "config.toml" in str(caught.value)


@pytest.mark.parametrize("name", sorted(settings.NEVER_FROM_A_PROJECT))
def test_a_project_can_never_set_what_is_started_or_trusted(home: Path, name: str) -> None:
    project(home, f"{name} = 'x'")
    with pytest.raises(settings.SettingError, match="cannot be set by a project"):
        value()


def test_the_user_can(home: Path) -> None:
    user(home, "executable = '/opt/chromium'")
    assert value().executable == "/opt/chromium"


def test_a_bad_file_is_a_call_gone_wrong_not_a_stack(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(home, "executable = 'evil'")
    assert main(["snapshot", "http://x/"]) == 2
    assert "cannot be set by a project" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "number"), [("100", 100), ("none", None), ("4000", 4000)])
def test_budgets(text: str, number: int | None) -> None:
    assert tokens(text) == number


@pytest.mark.parametrize("text", ["99", "-5", "many", ""])
def test_no_budgets(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        tokens(text)


def test_milliseconds() -> None:
    assert milliseconds("250") == 250
    for text in ("0", "-1", "soon"):
        with pytest.raises(argparse.ArgumentTypeError):
            milliseconds(text)
