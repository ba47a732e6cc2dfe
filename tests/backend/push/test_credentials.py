"""The file that keeps what the app is known by."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from browserx.backend.push.credentials import credentials
from browserx.errors import InvalidArgumentError


def test_made_once_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "data" / "push.json"
    made = credentials(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert credentials(file) == made
    assert credentials(tmp_path / "other.json") != made
    assert [found.name for found in file.parent.iterdir()] == ["push.json"]


def test_all_who_ask_at_once_get_the_same(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        made = list(pool.map(lambda _: credentials(tmp_path / "push.json"), range(64)))
    assert len(set(map(repr, made))) == 1
    assert len({found.secret for found in made}) == 1
    assert [found.name for found in tmp_path.iterdir()] == ["push.json"]


def test_others_may_not_read_it(tmp_path: Path) -> None:
    file = tmp_path / "push.json"
    credentials(file)
    file.chmod(0o644)
    credentials(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "{}", '{"id":"1","key":"","secret":"x"}', '{"id":1,"key":"k","secret":"s"}'])
def test_something_else_in_the_file(tmp_path: Path, text: str) -> None:
    file = tmp_path / "push.json"
    file.write_text(text)
    with pytest.raises(InvalidArgumentError, match="remove it"):
        credentials(file)
    assert file.read_text() == text


def test_where_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidArgumentError, match="another file"):
        credentials(tmp_path / "file" / "push.json")
