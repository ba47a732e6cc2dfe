"""The policies, by task. Each reads only what a look tells, and decides by that."""

from tests.campaigns.miniwob.player import Policy
from tests.campaigns.miniwob.policies import buttons, dates, forms, mail, places, pointing, shapes, texts

_FAMILIES = (buttons, dates, forms, mail, places, pointing, shapes, texts)


#: What BrowserX does not see or do yet; these are played too, and their failing fails nothing.
_OPEN = {
    "click-menu-2": "the icon that is meant is a picture, and pictures drawn by style sheets are told nowhere",
    "click-pie": "the slice that is open at first has no pointer cursor, and is not offered",
    "click-pie-nodelay": "the slice that is open at first has no pointer cursor, and is not offered",
    "multi-layouts": "a field is called as the text before it, though its label stands behind it",
    "social-media": "an icon that shrinks for a moment when the pointer comes is missed by the press",
}


def open_ends() -> dict[str, str]:
    """Tasks that are not solved with every seed, and why."""
    return dict(_OPEN)


def policies() -> dict[str, Policy]:
    """All policies, by the name of their task."""
    return {task: policy for family in _FAMILIES for task, policy in sorted(family.POLICIES.items())}
