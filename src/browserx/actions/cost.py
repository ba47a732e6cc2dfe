"""What an action cost the page: the time its renderer spent, and the memory its scripts hold more.

Source: https://chromedevtools.github.io/devtools-protocol/tot/Performance/#method-getMetrics
"""

from browserx.actions.result import PerformanceDelta
from browserx.browser.attachment import Attachment
from browserx.browser.settle import unless_dialog
from browserx.cdp.protocol import MetricsReply
from browserx.errors import CdpError, OperationTimeoutError

_ASK_TIMEOUT_S = 2.0
_TIMES = ("LayoutDuration", "RecalcStyleDuration", "ScriptDuration", "TaskDuration")

Metrics = dict[str, float]


async def metrics(attachment: Attachment) -> Metrics | None:
    """The counters of the page's renderer; None when it does not tell."""
    asked = attachment.session.send("Performance.getMetrics", None, MetricsReply, timeout_s=_ASK_TIMEOUT_S)
    try:
        reply = await unless_dialog(attachment, asked, timeout_s=_ASK_TIMEOUT_S)
    except (CdpError, OperationTimeoutError):
        return None
    return None if reply is None else {metric.name: metric.value for metric in reply.metrics}


def spent(before: Metrics | None, after: Metrics | None) -> PerformanceDelta | None:
    """What was spent between two; None when they are not of one renderer."""
    if before is None or after is None:
        return None
    layout, style, script, task = (round(1000 * (after.get(name, 0.0) - before.get(name, 0.0)), 3) for name in _TIMES)
    if min(layout, style, script, task) < 0:
        return None  # another process, which counts from its own beginning
    heap = after.get("JSHeapUsedSize", 0.0) - before.get("JSHeapUsedSize", 0.0)
    return PerformanceDelta(layout, style, script, task, int(heap))
