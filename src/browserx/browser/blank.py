"""A hidden page that can be at any origin without its server hearing of it: every request it makes is answered here."""

import base64
import contextlib
from types import TracebackType

import msgspec

from browserx.cdp import Connection, Session
from browserx.cdp.protocol import AttachReply, CreateTargetReply, NavigateReply
from browserx.errors import BrowserXError, InvalidArgumentError

#: Where it starts. Browsers that know no hidden targets announce it like any other; by this it is told apart.
BLANK_URL = "about:blank#browserx-hidden"
#: Not in any window; browsers that do not know the word make it a tab in the background.
_HIDDEN: dict[str, object] = {"hidden": True}
_TIMEOUT_S = 10.0
_ANSWER = {
    "responseCode": 200,
    "responseHeaders": [{"name": "Content-Type", "value": "text/html"}],
    "body": base64.b64encode(b"<!doctype html>").decode(),
}


class _Paused(msgspec.Struct, rename="camel"):
    """Event Fetch.requestPaused."""

    request_id: str


class BlankPage:
    """``async with BlankPage(connection, context_id) as page``: lives for one piece of work, then is closed."""

    def __init__(self, connection: Connection, context_id: str | None) -> None:
        self._browser = connection.browser
        self._context_id = context_id
        self._target_id = ""
        self.session: Session = self._browser

    async def __aenter__(self) -> "BlankPage":
        params: dict[str, object] = {"url": BLANK_URL, "background": True, **_HIDDEN}
        if self._context_id is not None:
            params["browserContextId"] = self._context_id
        reply = await self._browser.send("Target.createTarget", params, CreateTargetReply)
        self._target_id = reply.target_id
        try:
            attached = await self._browser.send(
                "Target.attachToTarget", {"targetId": reply.target_id, "flatten": True}, AttachReply
            )
            self.session = self._browser.connection.session(attached.session_id)
            self.session.on("Fetch.requestPaused", _Paused, self._answer)
            # Else a service worker of the origin would be asked, and started.
            await self.session.send("Network.setBypassServiceWorker", {"bypass": True})
            await self.session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def visit(self, origin: str) -> None:
        """Be a page of ``origin`` from now on.

        Raises:
            InvalidArgumentError: there can be no page of it.
        """
        reply = await self.session.send("Page.navigate", {"url": f"{origin}/"}, NavigateReply, timeout_s=_TIMEOUT_S)
        if reply.error_text:
            raise InvalidArgumentError(f"there is no page at {origin} ({reply.error_text}); correct the origin")

    def _answer(self, event: _Paused) -> None:
        self.session.post("Fetch.fulfillRequest", {"requestId": event.request_id, **_ANSWER})

    async def _close(self) -> None:
        with contextlib.suppress(BrowserXError):
            await self._browser.send("Target.closeTarget", {"targetId": self._target_id}, timeout_s=_TIMEOUT_S)
