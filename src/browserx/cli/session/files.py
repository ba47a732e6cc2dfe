"""Files that a command names: they are meant where it was called, not where the session runs."""

import asyncio
import os

from browserx.cli.session.command import Params
from browserx.cli.session.printing import Told
from browserx.errors import InvalidArgumentError


def program(name: str | None, folder: str) -> str | None:
    """The path of a program; a bare name stays one, to be looked for on the path."""
    return os.path.join(folder, name) if name and os.sep in name else name


def make_absolute(params: Params, folder: str) -> None:
    """Rewrites the files in a call of the tool."""
    options = params.get("options", {})
    if "files" in options:
        options["files"] = [os.path.join(folder, name) for name in options["files"]]


async def save(content: bytes, folder: str, name: str) -> Told:
    """Write a picture or document.

    Raises:
        InvalidArgumentError: it cannot be written there.
    """
    path = os.path.join(folder, name)

    def write() -> None:
        with open(path, "wb") as file:
            file.write(content)

    try:
        await asyncio.to_thread(write)
    except OSError as error:
        raise InvalidArgumentError(f"{path} cannot be written: {error.strerror}; name another file") from error
    return Told(0, path, {"path": path, "bytes": len(content)})
