"""Which addresses a pattern means: globs as Playwright reads them, regular expressions."""

import re
from functools import lru_cache

from browserx.errors import InvalidArgumentError

_SPECIAL = frozenset("$^+.()|[]\\?")


def url_pattern(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    """An expression that ``search`` finds in the addresses meant.

    In a glob, ``*`` is anything but a slash, ``**`` anything at all, ``{a,b}`` one of several; all else is itself. It
    must fit the whole address: ``**/*.png``, ``https://example.com/api/**``.

    Raises:
        InvalidArgumentError: the glob is empty or its braces do not match.
    """
    return _from_glob(pattern) if isinstance(pattern, str) else pattern


@lru_cache(maxsize=256)
def _from_glob(glob: str) -> re.Pattern[str]:
    if not glob.strip():
        raise InvalidArgumentError('the pattern is empty; one looks like "**/*.png"')
    parts: list[str] = []
    depth = at = 0
    while at < len(glob):
        char = glob[at]
        at += 1
        if char == "*":
            many = glob.startswith("*", at)
            while glob.startswith("*", at):
                at += 1
            if many and parts[-1:] in ([], ["/"]) and glob.startswith("/", at):
                # "**/" is any number of folders, also none.
                parts.append("(?:.*/)?")
                at += 1
            else:
                parts.append(".*" if many else "[^/]*")
        elif char == "{":
            depth += 1
            parts.append("(?:")
        elif char == "}":
            depth -= 1
            parts.append(")")
        elif char == "," and depth:
            parts.append("|")
        else:
            parts.append("\\" + char if char in _SPECIAL else char)
        if depth not in (0, 1):
            break
    if depth:
        raise InvalidArgumentError(f"the braces of the pattern {glob!r} do not match; they look like {{png,jpg}}")
    return re.compile(f"^{''.join(parts)}$", re.S)
