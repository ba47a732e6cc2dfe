"""Dialogs of the page (alert, confirm, prompt, beforeunload), handled out of band.

While one is open the page runs no script and answers no look; only input and the dialog's own command get through.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from browserx.browser.changes import Changes
from browserx.cdp import Session
from browserx.cdp.protocol import DialogClosed, DialogOpening


@dataclass(eq=False)
class Dialog:
    """An open dialog. ``kind`` is ``alert``, ``confirm``, ``prompt`` or ``beforeunload``."""

    kind: str
    text: str
    url: str
    default_text: str
    _session: Session = field(repr=False)
    _answered: Callable[[], Awaitable[object]] = field(repr=False)

    async def accept(self, text: str | None = None) -> None:
        """Press OK (for beforeunload: leave), with ``text`` typed into a prompt; returns when the page is quiet."""
        params: dict[str, object] = {"accept": True}
        if self.kind == "prompt":
            params["promptText"] = self.default_text if text is None else text
        await self._session.send("Page.handleJavaScriptDialog", params)
        await self._answered()

    async def dismiss(self) -> None:
        """Press Cancel (for beforeunload: stay); returns when the page is quiet."""
        await self._session.send("Page.handleJavaScriptDialog", {"accept": False})
        await self._answered()

    def describe(self) -> str:
        """One sentence for people and models."""
        return f"a {self.kind} dialog is open and holds the page: {self.text!r}; accept or dismiss it"


class Dialogs:
    """Knows the dialog that is open, if one is, and those that were."""

    def __init__(
        self,
        session: Session,
        changes: Changes,
        opened: Callable[[Dialog], None],
        answered: Callable[[], Awaitable[object]],
    ) -> None:
        self.current: Dialog | None = None
        self.count = 0
        self._session = session
        self._changes = changes
        self._opened = opened
        self._answered = answered
        session.on("Page.javascriptDialogOpening", DialogOpening, self._opening)
        session.on("Page.javascriptDialogClosed", DialogClosed, self._closed)

    def _opening(self, event: DialogOpening) -> None:
        self.current = Dialog(event.type, event.message, event.url, event.default_prompt, self._session, self._answered)
        self.count += 1
        self._opened(self.current)
        self._changes.notify()

    def _closed(self, event: DialogClosed) -> None:
        self.current = None
        self._changes.notify()
