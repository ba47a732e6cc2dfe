"""Names of files that come from elsewhere."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from browserx import InvalidArgumentError
from browserx.browser.files import clean_name, make_folder, reserve


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("report.pdf", "report.pdf"),
        ("Größe 1.txt", "Größe 1.txt"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("C:\\boot.ini", "C__boot.ini"),
        (".bashrc", "bashrc"),
        ("..", "download"),
        ("", "download"),
        ("///", "download"),
        ("a\x00b\nc.txt", "abc.txt"),
        # A mark that turns the direction of writing makes "exe" look like "gpj".
        ("photo\u202egpj.exe", "photogpj.exe"),
        ("con.txt", "_con.txt"),
        ("COM1", "_COM1"),
        ("console.txt", "console.txt"),
        ("trailing. . ", "trailing"),
    ],
)
def test_names_are_made_harmless(suggested: str, name: str) -> None:
    assert clean_name(suggested) == name


def test_a_long_name_keeps_its_ending() -> None:
    name = clean_name("ü" * 500 + ".tar.gz")
    assert name.endswith("ü.tar.gz")
    assert len(name.encode()) <= 200


# How long it takes says how busy the machine is.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text())
def test_whatever_is_suggested_is_a_plain_name(suggested: str) -> None:
    name = clean_name(suggested)
    assert name
    assert Path(name).name == name
    assert not name.startswith(".")
    assert len(name.encode()) <= 200
    assert name.isprintable()
    assert not name.endswith((".", " "))


def test_no_file_is_taken_twice(tmp_path: Path) -> None:
    names = [reserve(tmp_path, "a.tar.gz").name for _ in range(3)]
    assert names == ["a.tar.gz", "a (2).tar.gz", "a (3).tar.gz"]
    assert reserve(tmp_path, "plain").name == "plain"
    assert reserve(tmp_path, "plain").name == "plain (2)"


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").symlink_to(tmp_path / "elsewhere")
    assert reserve(tmp_path, "a.txt").name == "a (2).txt"
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="cannot be written"):
        reserve(tmp_path / "missing", "a")
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidArgumentError, match="cannot be made"):
        make_folder(tmp_path / "file" / "folder")
    assert make_folder(tmp_path / "a" / "b").is_dir()
