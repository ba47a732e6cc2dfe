"""Going somewhere, as an action with a result like any other."""

import time
from collections.abc import Awaitable, Callable

from browserx.actions.result import ActionChanges, ActionResult, Verdict
from browserx.browser import Navigation
from browserx.browser.attachment import Attachment


async def visit(attachment: Attachment, go: Callable[[], Awaitable[Navigation | None]]) -> ActionResult:
    """Carry out ``go`` and say where it led. Going nowhere (no history) has no effect."""
    started = time.perf_counter()
    frames = attachment.frames
    url, loader = frames.main.url, frames.main.loader_id
    dialogs = attachment.dialogs.count
    arrived = await go()
    moved = frames.main.loader_id != loader
    changes = ActionChanges(
        url_changed=frames.main.url != url,
        navigated=moved,
        url=frames.main.url if frames.main.url != url else None,
        dialogs=[attachment.dialogs.current.describe()] if attachment.dialogs.current is not None else [],
    )
    changed = changes.url_changed or attachment.dialogs.count > dialogs
    return ActionResult(
        success=True,
        verdict=(
            Verdict.NAVIGATED if arrived is not None and moved else Verdict.CHANGED if changed else Verdict.NO_EFFECT
        ),
        duration=(time.perf_counter() - started) * 1000,
        snapshot_invalidated=True,
        changes=changes,
    )
