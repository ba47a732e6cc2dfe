"""Groups of tools that are offered on request only: ``--caps files,history``. Light, as every command imports it."""

from browserx.errors import InvalidArgumentError

GROUPS = ("history", "reading", "forms", "mouse", "files", "devices", "script")
#: Only where it is named: whoever may run script in a page may do whatever the page may.
SCRIPT = "script"


def parse_groups(text: str) -> tuple[str, ...]:
    """The groups that ``text`` names, comma-separated; ``all`` is every one but script.

    Raises:
        InvalidArgumentError: there is no such group.
    """
    asked = [group for word in text.split(",") if (group := word.strip())]
    if unknown := [group for group in asked if group not in (*GROUPS, "all")]:
        raise InvalidArgumentError(f"there is no group of tools {unknown[0]!r}; they are {', '.join(GROUPS)}, all")
    groups = dict.fromkeys(group for group in asked if group != "all")
    if "all" in asked:
        groups |= dict.fromkeys(group for group in GROUPS if group != SCRIPT)
    return tuple(groups)
