"""Names of files that a page, or a model, suggests: made harmless, and never those of a file that is there."""

import os
import re
import unicodedata
from pathlib import Path

from browserx.errors import InvalidArgumentError

_LONGEST_BYTES = 200
_MOST_COPIES = 10_000
#: No file may have these in its name on one system or another.
_FORBIDDEN = re.compile(r'[<>:"/\\|?*]')
#: Windows takes these for devices, whatever their ending.
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.I)
#: Endings of two parts, so that a copy is "a (2).tar.gz".
_TWO_PARTS = re.compile(r"(?<=.)\.tar\.\w+$")


def clean_name(suggested: str, *, default: str = "download") -> str:
    """A plain file name made of ``suggested``: no folders, no control or direction marks, not hidden, no longer than
    200 bytes.
    """
    name = "".join("" if unicodedata.category(ch)[0] == "C" else ch for ch in unicodedata.normalize("NFC", suggested))
    name = _FORBIDDEN.sub("_", " ".join(name.split())).lstrip(". ").rstrip(". ")
    if not name.strip("_ "):
        name = default
    if _DEVICES.match(name):
        name = f"_{name}"
    stem, ending = _split(name)
    if len(ending.encode()) > _LONGEST_BYTES // 2:
        stem, ending = name, ""
    room = _LONGEST_BYTES - len(ending.encode())
    return (stem.encode()[:room].decode(errors="ignore") + ending).rstrip(". ")


def reserve(folder: Path, name: str) -> Path:
    """Make an empty file ``name`` in ``folder``, or "name (2).ext" and so on where there is one; no file is touched.

    Raises:
        InvalidArgumentError: ten thousand of that name are there, or the folder cannot be written to.
    """
    stem, ending = _split(name)
    for number in range(1, _MOST_COPIES + 1):
        path = folder / (name if number == 1 else f"{stem} ({number}){ending}")
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            continue
        except OSError as error:
            raise InvalidArgumentError(f"{path} cannot be written: {error.strerror}; choose another folder") from error
        return path
    raise InvalidArgumentError(f"{folder} has {_MOST_COPIES} files called {name!r}; empty it, or choose another")


def make_folder(path: str | os.PathLike[str]) -> Path:
    """The folder at ``path``, absolute, made if it is not there.

    Raises:
        InvalidArgumentError: it cannot be made.
    """
    folder = Path(path).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidArgumentError(f"the folder {folder} cannot be made: {error.strerror}; choose another") from error
    return folder


def _split(name: str) -> tuple[str, str]:
    """Stem and ending, its dot included."""
    if two := _TWO_PARTS.search(name):
        return name[: two.start()], two[0]
    return os.path.splitext(name)
