"""What the content engine needs of a driver, and the driver of our own tabs."""

from typing import Any, NamedTuple, Protocol, runtime_checkable

from browserx.browser import Tab
from browserx.browser.dialogs import Dialog
from browserx.browser.screenshot import Clip, PictureFormat
from browserx.browser.settle import unless_dialog
from browserx.cdp.protocol import EvaluateReply
from browserx.errors import CdpError, EvaluateError, NotActionableError

_TIMEOUT_S = 60.0


class Driver(Protocol):
    """Evaluates script in the page's own world, in the top document. Used by one caller at a time."""

    async def evaluate(self, script: str) -> Any:
        """Evaluate the expression ``script``, await what it promises, and return its value: a string or a truth value.

        Raises:
            EvaluateError: it threw, or the document went away under it.
            TabClosedError: there is no page any more.
            NotActionableError: a dialog is open (reason ``dialog``) and nothing is evaluated before it is answered.
        """

    async def close(self) -> None:
        """Let go of what the driver itself made; the page and the browser stay."""


@runtime_checkable
class TakesPictures(Protocol):
    """A driver that can take pictures of its page."""

    async def screenshot(
        self,
        *,
        full_page: bool,
        clip: Clip | None,
        format: PictureFormat,  # noqa: A002 (the protocol's word)
        quality: int | None,
    ) -> bytes:
        """A picture of the viewport, of the whole page, or of ``clip``: x, y, width and height in the viewport.

        Raises:
            NotSupportedError: not such ones.
            SnapshotError: there is no picture of it.
        """


class Sheet(NamedTuple):
    """How to print: in inches, margins from the top clockwise, ``pages`` such as "1-3, 5" or "" for all."""

    width: float
    height: float
    landscape: bool
    background: bool
    margins: tuple[float, float, float, float]
    pages: str
    scale: float
    prefer_css_page_size: bool


@runtime_checkable
class Prints(Protocol):
    """A driver that can print its page."""

    async def pdf(self, sheet: Sheet) -> bytes:
        """The page as PDF.

        Raises:
            NotSupportedError: this browser does not print.
            SnapshotError: it cannot be printed so.
        """


class OpenDialog(Protocol):
    """A dialog that holds the page; ``kind`` is ``alert``, ``confirm``, ``prompt`` or ``beforeunload``."""

    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def default_text(self) -> str: ...  # noqa: D102
    async def accept(self, text: str | None = None) -> None: ...  # noqa: D102
    async def dismiss(self) -> None: ...  # noqa: D102


@runtime_checkable
class AnswersDialogs(Protocol):
    """A driver that leaves dialogs open, and can tell of them."""

    async def dialog(self) -> OpenDialog | None:
        """The dialog that is open, if one is."""


class TabDriver:
    """One of our own tabs: by nothing but ``Runtime.evaluate``, pictures and dialogs excepted."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab

    async def evaluate(self, script: str) -> Any:
        """As ``Driver`` has it."""
        attachment = await self.tab.attach()
        if attachment.dialogs.current is None:
            params = {"expression": script, "returnByValue": True, "awaitPromise": True, "userGesture": True}
            asked = attachment.session.send("Runtime.evaluate", params, EvaluateReply, timeout_s=_TIMEOUT_S)
            try:
                answer = await unless_dialog(attachment, asked, timeout_s=_TIMEOUT_S)
            except CdpError as error:
                raise EvaluateError(f"the script gave no result: {error.message}") from error
            if answer is not None:
                if answer.exception_details is not None:
                    raise EvaluateError(f"the script threw: {answer.exception_details.describe()}")
                return answer.result.value
        dialog = attachment.dialogs.current
        raise NotActionableError(
            dialog.describe() if dialog is not None else "a dialog opened and closed; observe again",
            node_id="",
            reason="dialog",
        )

    async def screenshot(
        self,
        *,
        full_page: bool,
        clip: Clip | None,
        format: PictureFormat,  # noqa: A002 (the protocol's word)
        quality: int | None,
    ) -> bytes:
        """As ``TakesPictures`` has it."""
        return await self.tab.screenshot(full_page=full_page, clip=clip, format=format, quality=quality)

    async def pdf(self, sheet: Sheet) -> bytes:
        """As ``Prints`` has it."""
        return await self.tab.pdf(
            paper=(sheet.width, sheet.height),
            landscape=sheet.landscape,
            background=sheet.background,
            margins=sheet.margins,
            page_ranges=sheet.pages or None,
            scale=sheet.scale,
            prefer_css_page_size=sheet.prefer_css_page_size,
        )

    async def dialog(self) -> Dialog | None:
        """As ``AnswersDialogs`` has it."""
        return self.tab.dialog

    async def close(self) -> None:
        """Let go of the tab."""
        await self.tab.detach()
