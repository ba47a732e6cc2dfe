"""Files as a content script takes them: their bytes, in the words of JSON."""

import base64
import mimetypes
import os
from collections.abc import Sequence

from browserx.errors import InvalidArgumentError

#: All bytes of an upload go through one script.
MOST_BYTES = 32 * 1024 * 1024


def handed_in(paths: Sequence[str]) -> list[dict[str, str | int]]:
    """Each file with its ``name``, ``type``, ``modified`` (ms since 1970) and ``data`` (base64). Reads the disk.

    Raises:
        InvalidArgumentError: they are too large together, or one cannot be read.
    """
    try:
        if sum(os.path.getsize(path) for path in paths) > MOST_BYTES:
            raise InvalidArgumentError(
                f"the files have more than {MOST_BYTES // 1024**2} MB together, which is too much to hand in by script;"
                " give fewer, or use the CDP engine"
            )
        return [_handed_in(path) for path in paths]
    except OSError as error:
        raise InvalidArgumentError(f"{error.filename!r} cannot be read: {error.strerror}") from error


def _handed_in(path: str) -> dict[str, str | int]:
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    return {
        "name": os.path.basename(path),
        "type": mimetypes.guess_type(path)[0] or "",
        "modified": round(os.path.getmtime(path) * 1000),
        "data": base64.b64encode(data).decode("ascii"),
    }
