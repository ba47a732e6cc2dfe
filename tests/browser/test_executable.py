"""Finding a browser to launch."""

from pathlib import Path

import pytest

from browserx.browser.executable import find_executable
from browserx.errors import BrowserNotFoundError


@pytest.fixture
def empty_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("BROWSERX_EXECUTABLE", raising=False)
    return tmp_path


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_none_says_what_to_install(empty_path: Path) -> None:
    with pytest.raises(BrowserNotFoundError, match=r"no Chromium, Chrome, Edge, Brave or Opera was found; .*install"):
        find_executable()


def test_chromium_comes_before_chrome(empty_path: Path) -> None:
    program(empty_path / "google-chrome")
    chromium = program(empty_path / "chromium")
    assert find_executable() == chromium


def test_the_environment_can_name_one(empty_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(empty_path / "chromium")
    mine = program(empty_path / "mine")
    monkeypatch.setenv("BROWSERX_EXECUTABLE", str(mine))
    assert find_executable() == mine
    other = program(empty_path / "other")
    assert find_executable(other) == other


def test_a_named_one_that_cannot_run_is_an_error_not_a_fallback(empty_path: Path) -> None:
    program(empty_path / "chromium")
    (empty_path / "text").write_text("not a program")
    for named in (empty_path / "missing", empty_path / "text"):
        with pytest.raises(BrowserNotFoundError, match="is not a program that can be run"):
            find_executable(named)


def test_ubuntus_snap_stub_is_passed_over(empty_path: Path) -> None:
    program(empty_path / "chromium-browser", '#!/bin/sh\nif ! [ -x /snap/bin/chromium ]; then echo "snap" >&2; fi\n')
    with pytest.raises(BrowserNotFoundError):
        find_executable()
    chrome = program(empty_path / "google-chrome")
    assert find_executable() == chrome
