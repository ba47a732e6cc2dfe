"""Where a session is found, and who may not be there."""

import os
import stat
from pathlib import Path

import pytest

from browserx.cli.session.address import Address, SessionError, address_of, take_lock


def test_in_the_runtime_folder(tmp_path: Path) -> None:
    address = address_of("shop", {"XDG_RUNTIME_DIR": str(tmp_path)})
    assert address == Address(str(tmp_path / "browserx"), "shop")
    assert address.socket == str(tmp_path / "browserx" / "shop.sock")
    assert stat.S_IMODE(os.stat(address.folder).st_mode) == 0o700


@pytest.mark.parametrize("runtime", ["", "relative", "/missing/folder"])
def test_without_a_runtime_folder_in_the_cache(tmp_path: Path, runtime: str) -> None:
    there = address_of("a", {"XDG_RUNTIME_DIR": runtime, "XDG_CACHE_HOME": str(tmp_path)}).folder
    assert there == str(tmp_path / "browserx" / "sessions")
    assert address_of("a", {"HOME": str(tmp_path)}).folder.startswith(str(tmp_path))


def test_a_runtime_folder_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime, cache = tmp_path / "run", tmp_path / "cache"
    runtime.mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: os.stat(tmp_path).st_uid + 1)
    with pytest.raises(SessionError, match=r"cache/browserx/sessions is not a folder of yours alone"):
        address_of("a", {"XDG_RUNTIME_DIR": str(runtime), "XDG_CACHE_HOME": str(cache)})
    assert not list(runtime.iterdir())


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
def test_a_folder_that_others_may_enter_is_refused(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "browserx"
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(SessionError, match="set XDG_RUNTIME_DIR"):
        address_of("a", {"XDG_RUNTIME_DIR": str(tmp_path)})


def test_a_link_is_no_folder_of_ours(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "browserx").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SessionError, match="not a folder of yours alone"):
        address_of("a", {"XDG_RUNTIME_DIR": str(tmp_path)})


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SessionError, match="cannot be made"):
        address_of("a", {"XDG_CACHE_HOME": str(tmp_path / "file")})


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../x", "-x", "a b", "a" * 65, "ä", "a\n"])
def test_what_is_no_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(SessionError) as caught:
        address_of(name, {"XDG_RUNTIME_DIR": str(tmp_path)})
    assert caught.value.exit_code == 2


def test_a_path_too_long_for_a_socket(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 90)
    deep.mkdir()
    with pytest.raises(SessionError, match="take a shorter --session"):
        address_of("a" * 60, {"XDG_RUNTIME_DIR": str(deep)})


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    with open(tmp_path / "lock", "w") as first, open(tmp_path / "lock", "w") as second:
        assert take_lock(first, 1)
        assert not take_lock(second, 0.05)
        first.close()
        assert take_lock(second, 1)
