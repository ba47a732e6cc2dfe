"""Where a model may go: the web. The files of this machine and the browser's own pages are not for it."""

import re

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
