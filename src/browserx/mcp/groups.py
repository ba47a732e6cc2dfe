"""Groups of tools that are offered on request only: ``--caps files,history``. Light, as every command imports it."""

from browserx.errors import InvalidArgumentError

GROUPS = ("history", "forms", "mouse", "files")


def parse_groups(text: str) -> tuple[str, ...]:
    """The groups that ``text`` names, comma-separated; ``all`` is every one.

    Raises:
        InvalidArgumentError: there is no such group.
    """
    asked = [group for word in text.split(",") if (group := word.strip())]
    if unknown := [group for group in asked if group not in (*GROUPS, "all")]:
        raise InvalidArgumentError(f"there is no group of tools {unknown[0]!r}; they are {', '.join(GROUPS)}, all")
    return GROUPS if "all" in asked else tuple(dict.fromkeys(asked))
