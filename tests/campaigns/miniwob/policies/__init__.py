"""The policies, by task. Each reads only what a look tells, and decides by that."""

from tests.campaigns.miniwob.player import Policy
from tests.campaigns.miniwob.policies import buttons, dates, forms, mail, places, pointing, shapes, texts

_FAMILIES = (buttons, dates, forms, mail, places, pointing, shapes, texts)


def policies() -> dict[str, Policy]:
    """All policies, by the name of their task."""
    return {task: policy for family in _FAMILIES for task, policy in sorted(family.POLICIES.items())}
