"""Showing a person where something is done: a ripple, a cursor, a highlight, over the page and not in it.

They are drawn by the browser's own overlay, as its developer tools draw theirs: no element is added, no script of the
page and no look can see them. Nothing waits for them, and nothing fails when they do.
"""

import asyncio
import logging
from typing import Any

from browserx.actions.result import VisualEffect
from browserx.browser.attachment import Attachment
from browserx.errors import BrowserXError

_log = logging.getLogger("browserx.actions")

_FRAMES = 6
_FRAME_S = 0.05
_STAY_S = 0.4
#: Half the width of what is drawn, in CSS px.
_RIPPLE_PX = (4, 24)
_CURSOR_PX = 6
_HIGHLIGHT_PX = 16
_INK = {"r": 66, "g": 133, "b": 244}


class Effects:
    """Draws over one attached tab; one effect at a time, the newest."""

    def __init__(self, attachment: Attachment) -> None:
        self.attachment = attachment
        self._ready = False
        self._showing: asyncio.Task[None] | None = None

    def show(self, effect: VisualEffect) -> None:
        """Draw ``effect``, and return at once."""
        if self._showing is not None:
            self._showing.cancel()
        tasks = self.attachment.session.connection.tasks
        self._showing = tasks.start(self._show(effect), name="visual effect")

    async def _show(self, effect: VisualEffect) -> None:
        try:
            await self._enable()
            if effect.type == "ripple":
                small, large = _RIPPLE_PX
                for frame in range(_FRAMES):
                    share = frame / (_FRAMES - 1)
                    await self._draw(effect, small + (large - small) * share, 0.6 * (1 - share) + 0.1)
                    await asyncio.sleep(_FRAME_S)
            else:
                await self._draw(effect, _CURSOR_PX if effect.type == "cursor" else _HIGHLIGHT_PX, 0.5)
                await asyncio.sleep(_STAY_S)
            await self.attachment.session.send("Overlay.hideHighlight")
        except BrowserXError as error:
            _log.debug("a visual effect was not drawn: %s", error)

    async def _enable(self) -> None:
        if not self._ready:
            await self.attachment.session.send("DOM.enable")
            await self.attachment.session.send("Overlay.enable")
            self._ready = True

    async def _draw(self, effect: VisualEffect, half: float, opacity: float) -> None:
        x, y = effect.coordinates.x, effect.coordinates.y
        corners = ((-half, -half), (half, -half), (half, half), (-half, half))
        params: dict[str, Any] = {
            "quad": [side for dx, dy in corners for side in (x + dx, y + dy)],
            "color": {**_INK, "a": opacity},
            "outlineColor": {**_INK, "a": min(1.0, opacity + 0.3)},
        }
        await self.attachment.session.send("Overlay.highlightQuad", params)
