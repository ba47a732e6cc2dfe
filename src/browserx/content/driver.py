"""What the content engine needs of a driver, and the driver of our own tabs."""

from typing import Any, Protocol

from browserx.browser import Tab
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


class TabDriver:
    """One of our own tabs, by nothing but ``Runtime.evaluate``."""

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

    async def close(self) -> None:
        """Let go of the tab."""
        await self.tab.detach()
