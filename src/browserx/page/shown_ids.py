"""Showing a person the node ids, live: drawn over the page and not in it.

The browser's overlay for developer tools cannot write words, so they are drawn by a style sheet as developer tools make
them: it is no element, no script finds it among the sheets, and no look or click meets it. Only a script that asks for
the style of the root's pseudo-element could tell. What a page shows in the top layer (modal dialogs) lies above.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

import msgspec

from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.dom import DomSnapshot
from browserx.dom.marks import marks
from browserx.errors import BrowserXError, CdpError
from browserx.page.id_labels import FONT, Canvas, rule

_log = logging.getLogger("browserx.page")

#: A page that changes again and again is drawn again so often at most.
_TOGETHER_S = 0.1
_ASK_TIMEOUT_S = 5.0
#: Which pseudo-element the page has left to us, and how wide a character is.
_CANVAS = """[
    ["after", "before"].find((p) => getComputedStyle(document.documentElement, "::" + p).content === "none") ?? "",
    (() => {
        const canvas = new OffscreenCanvas(1, 1).getContext("2d");
        canvas.font = %s;
        return canvas.measureText("0").width;
    })(),
]"""


class _StyleSheet(msgspec.Struct, rename="camel"):
    style_sheet_id: str


class ShownIds:
    """The ids over one attached tab, until ``close``. ``look`` takes a snapshot that nobody else hears of."""

    def __init__(self, attachment: Attachment, look: Callable[[], Awaitable[DomSnapshot | None]]) -> None:
        self.attachment = attachment
        self._look = look
        self._sheet = ""
        self._canvas: tuple[str, float] = ("", 0.0)
        self._loader_id = ""
        self._stale = asyncio.Event()
        self._drawing = asyncio.Lock()
        attachment.on_dirty.append(self.renew)
        attachment.on_document_replaced.append(self._replaced)
        self._task = attachment.session.connection.tasks.start(self._follow(), name="shown ids")
        attachment.session.on_end(self._ended)

    def renew(self) -> None:
        """The page may have changed: draw again, soon."""
        self._stale.set()

    async def draw(self) -> None:
        """Look, and draw what there is now.

        Raises:
            BrowserXError: the page cannot be seen, or not be drawn over.
        """
        async with self._drawing:
            snapshot = await self._look()
            if snapshot is None:
                return
            await self._begin()
            pseudo, character = self._canvas
            style = rule(marks(snapshot), Canvas(pseudo, snapshot.facts.viewport, character)) if pseudo else ""
            await self._set(style)
        for frame in self.attachment.frames:
            if frame.isolated is not None:
                asked = {"expression": "__browserx.tellMove()", "contextId": frame.isolated}
                frame.session.post("Runtime.evaluate", asked)

    async def close(self) -> None:
        """Draw no more, and take away what is drawn."""
        self._task.cancel()
        if self.renew in self.attachment.on_dirty:
            self.attachment.on_dirty.remove(self.renew)
            self.attachment.on_document_replaced.remove(self._replaced)
        if self._sheet and self._loader_id == self.attachment.frames.main.loader_id:
            with suppress(BrowserXError):
                await self._set("")
        self._sheet = ""

    def _ended(self, error: BrowserXError) -> None:
        self._task.cancel()

    def _replaced(self, frame: Frame) -> None:
        self.renew()

    async def _follow(self) -> None:
        while True:
            await self._stale.wait()
            # What changes together is drawn once.
            await asyncio.sleep(_TOGETHER_S)
            self._stale.clear()
            try:
                await self.draw()
            except BrowserXError as error:
                _log.debug("the ids were not drawn: %s", error)

    async def _begin(self) -> None:
        """See that there is a style sheet of ours in the document of now."""
        main, session = self.attachment.frames.main, self.attachment.session
        if self._sheet and self._loader_id == main.loader_id:
            return
        if not self._loader_id:
            await session.send("DOM.enable")
            await session.send("CSS.enable")
        asked = _CANVAS % json.dumps(FONT)
        pseudo, character = (await self.attachment.call(main, asked, timeout_s=_ASK_TIMEOUT_S)).result.value
        if not pseudo:
            _log.info("the page uses both pseudo-elements of its root: the ids cannot be drawn over it")
        made = await session.send("CSS.createStyleSheet", {"frameId": main.id}, _StyleSheet)
        self._sheet, self._loader_id, self._canvas = made.style_sheet_id, main.loader_id, (pseudo, character)

    async def _set(self, style: str) -> None:
        params = {"styleSheetId": self._sheet, "text": style}
        try:
            await self.attachment.session.send("CSS.setStyleSheetText", params)
        except CdpError:
            self._sheet = ""  # its document went away just now
            raise
