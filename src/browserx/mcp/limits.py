"""Where a model may go, and what it may send: the web, and the files of one folder."""

import re
from collections.abc import Iterable
from pathlib import Path

from browserx.errors import BlockedByPolicyError, InvalidArgumentError

_SCHEME = re.compile(r"\s*([a-z][a-z0-9+.-]*):(.?)", re.I)
_OPEN = frozenset(("http", "https", "about", "data", "blob"))


def check_address(url: str) -> None:
    """Let pass what leads to the web, and what is no address at all, which the browser says better.

    Raises:
        BlockedByPolicyError: it leads elsewhere.
        InvalidArgumentError: its ``http://`` is missing.
    """
    found = _SCHEME.match(url)
    if found is None or found[1].lower() in _OPEN:
        return
    if found[2].isdigit():
        raise InvalidArgumentError(f"{url!r} is no address; one looks like http://localhost:8000/")
    raise BlockedByPolicyError(f"{found[1]}: addresses are not opened for models; http: and https: are")


def check_files(names: Iterable[str], folder: Path) -> None:
    """Let pass the files of ``folder``, links resolved, and what is no file at all.

    Raises:
        BlockedByPolicyError: one is a file elsewhere.
    """
    root = folder.resolve()
    for name in names:
        try:
            path = Path(name).expanduser().resolve()
            elsewhere = path.exists() and not path.is_relative_to(root)
        except (OSError, RuntimeError, ValueError):
            continue  # Too long for a path, or no path: a text.
        if elsewhere:
            raise BlockedByPolicyError(
                f"{name!r} is not in {str(root)!r}, the folder that files may be sent from (--upload-dir)"
            )
