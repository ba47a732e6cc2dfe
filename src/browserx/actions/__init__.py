"""Acting: one action at a time, with real input, and the truth about what it did.

An action finds its element anew, verifies that it is fit to be acted on, acts with trusted input at the right place in
any frame, waits by event until the page has settled, and decides its verdict from what the page did.

Knows ids, elements, actionability, input, settling and what changed. Knows no schemas and no prompts.
"""

from browserx.actions.result import (
    ActionChanges,
    ActionError,
    ActionResult,
    ExpectationMet,
    Healed,
    PerformanceDelta,
    RequestMade,
    Verdict,
    VisualEffect,
)

__all__ = [
    "ActionChanges",
    "ActionError",
    "ActionResult",
    "ExpectationMet",
    "Healed",
    "PerformanceDelta",
    "RequestMade",
    "Verdict",
    "VisualEffect",
]
