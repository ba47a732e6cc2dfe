"""Giving an element the focus, taking it away, and sending the form it is in."""

from browserx.actions.perform import Performance
from browserx.actions.result import ActionResult
from browserx.actions.target import Aimed, Target, make_ready
from browserx.errors import NotActionableError

_TIMEOUT_S = 10.0


async def focus(performance: Performance, target: Target, *, ignore_opt_out: bool = False) -> ActionResult:
    """Give an element the focus, without pressing it."""
    attachment = performance.attachment
    await make_ready(attachment, target, performance.ids, pointer=False, ignoreOptOut=ignore_opt_out)
    asked = f"__browserx.focusOn({target.key})"
    if (await attachment.call(target.frame, asked, timeout_s=_TIMEOUT_S)).result.value is not True:
        raise unfocusable(target)
    return await performance.finish()


def unfocusable(target: Aimed) -> NotActionableError:
    """It does not take the focus."""
    return NotActionableError(
        f"element {target.node_id} does not take the focus; click it, or choose another",
        node_id=target.node_id,
        reason="not_focusable",
    )


async def blur(performance: Performance, target: Target, *, ignore_opt_out: bool = False) -> ActionResult:
    """Take the focus away from an element, as leaving a field does. One that does not have it is left as it is."""
    attachment = performance.attachment
    await make_ready(attachment, target, performance.ids, pointer=False, enabled=False, ignoreOptOut=ignore_opt_out)
    await attachment.call(target.frame, f"__browserx.leave({target.key})", timeout_s=_TIMEOUT_S)
    return await performance.finish()
