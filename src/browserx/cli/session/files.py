"""Files that a command names: they are meant where it was called, not where the session runs."""

import asyncio
import contextlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from browserx.browser.files import make_folder
from browserx.browser.storage import write_state
from browserx.cli.session.command import Params
from browserx.cli.session.printing import Told
from browserx.errors import InvalidArgumentError

#: Beside where the session was begun.
_USUAL_DOWNLOADS = "downloads"


def program(name: str | None, folder: str) -> str | None:
    """The path of a program; a bare name stays one, to be looked for on the path."""
    return os.path.join(folder, name) if name and os.sep in name else name


def make_absolute(params: Params, folder: str) -> None:
    """Rewrites the files in a call of the tool."""
    options = params.get("options", {})
    if "files" in options:
        options["files"] = [os.path.join(folder, name) for name in options["files"]]


def absolute(name: str, folder: str) -> str:
    """The path of a file named in ``folder``."""
    return os.path.join(folder, name)


async def save(content: bytes, folder: str, name: str) -> Told:
    """Write a picture or document.

    Raises:
        InvalidArgumentError: it cannot be written there.
    """
    path = absolute(name, folder)
    await _write(path, lambda: Path(path).write_bytes(content))
    return Told(0, path, {"path": path, "bytes": len(content)})


async def save_state(state: Mapping[str, Any], folder: str, name: str) -> Told:
    """Write a storage state, for its owner's eyes only.

    Raises:
        InvalidArgumentError: it cannot be written there.
    """
    path = absolute(name, folder)
    await _write(path, lambda: write_state(state, path))
    counts = {"cookies": len(state["cookies"]), "origins": len(state["origins"])}
    return Told(0, f"{path} (whoever has it is logged in as you)", {"path": path, **counts})


async def _write(path: str, write: Callable[[], object]) -> None:
    try:
        await asyncio.to_thread(write)
    except OSError as error:
        raise InvalidArgumentError(f"{path} cannot be written: {error.strerror}; name another file") from error


class DownloadsFolder:
    """Where the files go that a session downloads; one that was made for that and is empty does not stay.

    Raises:
        InvalidArgumentError: ``name`` was asked for, and cannot be made. The usual one is done without then.
    """

    def __init__(self, name: str | None, folder: str) -> None:
        path = Path(absolute(name or _USUAL_DOWNLOADS, folder))
        self._is_ours = not path.exists()
        self.path: Path | None
        try:
            self.path = make_folder(path)
        except InvalidArgumentError:
            if name is not None:
                raise
            self.path = None
        if self.path is not None and name is None and not os.access(self.path, os.W_OK):
            self.path = None

    def leave(self) -> None:
        """Remove it if nothing came, and it was not there before."""
        if self._is_ours and self.path is not None:
            with contextlib.suppress(OSError):
                self.path.rmdir()
