"""WebDriver BiDi as a driver, spoken directly: Firefox does so on ``--remote-debugging-port``, without geckodriver."""

import asyncio
import base64
import itertools
import json
from typing import Any

import msgspec

from browserx.browser.screenshot import Clip, PictureFormat
from browserx.cdp.transport import Transport
from browserx.cdp.websocket import WebSocketTransport
from browserx.content.driver import Sheet
from browserx.errors import (
    AttachError,
    EvaluateError,
    NotActionableError,
    NotSupportedError,
    OperationTimeoutError,
    SnapshotError,
    TabClosedError,
)

_TIMEOUT_S = 60.0
_CM = 2.54
#: What is being evaluated when a document goes away is never answered: the arrival of the next one tells.
_NEW_DOCUMENT = "script.realmCreated"
#: Nor, until it is answered itself, while a dialog is open.
_DIALOG, _DIALOG_CLOSED = "browsingContext.userPromptOpened", "browsingContext.userPromptClosed"


class _Value(msgspec.Struct):
    type: str = ""
    value: Any = None


class _Details(msgspec.Struct):
    text: str = ""


class _Evaluated(msgspec.Struct, rename="camel"):
    result: _Value = msgspec.field(default_factory=_Value)
    exception_details: _Details | None = None


class _Event(msgspec.Struct, rename="camel"):
    #: None of what no tab shows: the document that Firefox makes to print from.
    context: str | None = None
    type: str = ""
    sandbox: str = ""
    message: str = ""
    default_value: str = ""


class _Data(msgspec.Struct):
    data: str


class _Message(msgspec.Struct):
    id: int | None = None
    type: str = ""
    method: str = ""
    params: msgspec.Raw = msgspec.Raw(b"{}")
    result: msgspec.Raw = msgspec.Raw(b"{}")
    error: str = ""
    message: str = ""


class _Context(msgspec.Struct):
    context: str


class _Tree(msgspec.Struct):
    contexts: list[_Context]


class _RefusedError(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class BidiDialog:
    """A dialog that is open."""

    def __init__(self, driver: "BidiDriver", kind: str, text: str, default_text: str) -> None:
        self.kind = kind
        self.text = text
        self.default_text = default_text
        self._driver = driver

    async def accept(self, text: str | None = None) -> None:
        """Press OK, with ``text`` typed into a prompt."""
        await self._answer({"accept": True} | ({} if text is None else {"userText": text}))

    async def dismiss(self) -> None:
        """Press Cancel."""
        await self._answer({"accept": False})

    async def _answer(self, how: dict[str, Any]) -> None:
        try:
            await self._driver.send("browsingContext.handleUserPrompt", {"context": self._driver.context, **how}, dict)
        except _RefusedError as error:
            words = f"the dialog could not be answered ({error}); observe again"
            raise NotActionableError(words, node_id="", reason="dialog") from error


class BidiDriver:
    """One top-level browsing context of a BiDi session. ``BidiDriver.connect(url)`` makes it."""

    def __init__(self, transport: Transport) -> None:
        self.context = ""
        self._transport = transport
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[msgspec.Raw]] = {}
        self._evaluations: set[int] = set()
        self._dialog: BidiDialog | None = None
        self._ended = ""
        transport.start(self._received, self._end)

    @classmethod
    async def connect(cls, url: str) -> "BidiDriver":
        """Begin a session at ``ws://127.0.0.1:PORT/session``, and take its first tab.

        Raises:
            AttachError: nothing listens there, it does not speak BiDi, or it has a session already.
        """
        driver = cls(await WebSocketTransport.connect(url))
        try:
            # Dialogs are left open: whoever acts is to hear of them.
            wanted = {"alwaysMatch": {"unhandledPromptBehavior": {"default": "ignore"}}}
            await driver.send("session.new", {"capabilities": wanted}, dict)
            tree = await driver.send("browsingContext.getTree", {"maxDepth": 0}, _Tree)
            driver.context = tree.contexts[0].context
            await driver.send("session.subscribe", {"events": [_NEW_DOCUMENT, _DIALOG, _DIALOG_CLOSED]}, dict)
        except (_RefusedError, OperationTimeoutError, TabClosedError, IndexError) as error:
            await driver.close()
            raise AttachError(f"no BiDi session at {url}: {error}; is another one open?") from error
        return driver

    async def goto(self, url: str) -> None:
        """Open ``url``; returns when it is loaded.

        Raises:
            EvaluateError: it did not load.
        """
        try:
            await self.send("browsingContext.navigate", {"context": self.context, "url": url, "wait": "complete"}, dict)
        except _RefusedError as error:
            raise EvaluateError(f"{url} did not load: {error}") from error

    async def evaluate(self, script: str) -> Any:
        """As ``Driver`` has it."""
        if self._dialog is not None:
            raise _held(self._dialog.text)
        params = {"expression": script, "target": {"context": self.context}, "awaitPromise": True}
        try:
            answer = await self.send("script.evaluate", params, _Evaluated)
        except _RefusedError as error:
            if error.code == "unexpected alert open":
                raise _held(self._dialog.text if self._dialog is not None else "") from error
            if error.code == "no such frame" and not await self._is_there():
                raise TabClosedError("the tab was closed; open or pick another") from error
            raise EvaluateError(f"the script gave no result: {error}") from error
        if answer.exception_details is not None:
            raise EvaluateError(f"the script threw: {answer.exception_details.text}")
        return answer.result.value

    async def screenshot(
        self,
        *,
        full_page: bool,
        clip: Clip | None,
        format: PictureFormat,  # noqa: A002 (the protocol's word)
        quality: int | None,
    ) -> bytes:
        """As ``TakesPictures`` has it."""
        params: dict[str, Any] = {"context": self.context, "format": {"type": f"image/{format}"}}
        if quality is not None:
            params["format"]["quality"] = quality / 100
        if clip is not None:
            x, y, width, height = clip
            if not full_page:
                # What reaches out of the viewport would be cut off.
                left, top = json.loads(await self.evaluate("JSON.stringify([scrollX, scrollY])"))
                x, y = x + left, y + top
            params["clip"] = {"type": "box", "x": x, "y": y, "width": width, "height": height}
        params["origin"] = "document" if full_page or clip is not None else "viewport"
        return await self._file("browsingContext.captureScreenshot", params, "there is no picture of it")

    async def pdf(self, sheet: Sheet) -> bytes:
        """As ``Prints`` has it."""
        sides = ("top", "right", "bottom", "left")
        params: dict[str, Any] = {
            "context": self.context,
            "background": sheet.background,
            "orientation": "landscape" if sheet.landscape else "portrait",
            "page": {"width": sheet.width * _CM, "height": sheet.height * _CM},
            "margin": {side: inches * _CM for side, inches in zip(sides, sheet.margins, strict=True)},
            "scale": sheet.scale,
            "shrinkToFit": not sheet.prefer_css_page_size,
        }
        if sheet.pages:
            params["pageRanges"] = [part.strip() for part in sheet.pages.split(",")]
        return await self._file("browsingContext.print", params, "this browser prints no such PDF")

    async def _file(self, method: str, params: dict[str, Any], failure: str) -> bytes:
        try:
            told = await self.send(method, params, _Data)
        except _RefusedError as error:
            if error.code == "unsupported operation":
                raise NotSupportedError(f"{failure}: {error}; take another format or driver") from error
            raise SnapshotError(f"{failure} ({error}); ask for less of the page") from error
        return base64.b64decode(told.data)

    async def dialog(self) -> BidiDialog | None:
        """As ``AnswersDialogs`` has it."""
        return self._dialog

    async def send(self, method: str, params: dict[str, Any], type_: type[Any]) -> Any:
        """Send one command and return its result as ``type_``."""
        if self._ended:
            raise TabClosedError(f"the browser is gone: {self._ended}")
        number = next(self._numbers)
        future: asyncio.Future[msgspec.Raw] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        if method == "script.evaluate":
            self._evaluations.add(number)
        self._transport.send(msgspec.json.encode({"id": number, "method": method, "params": params}))
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                return msgspec.json.decode(await future, type=type_)
        except TimeoutError as error:
            raise OperationTimeoutError(f"{method} was not answered in time", timeout_s=_TIMEOUT_S) from error
        finally:
            del self._waiting[number]
            self._evaluations.discard(number)

    async def close(self) -> None:
        """End the connection. The session ends with it; the browser stays."""
        await self._transport.close()

    async def _is_there(self) -> bool:
        try:
            await self.send("browsingContext.getTree", {"root": self.context, "maxDepth": 0}, _Tree)
        except _RefusedError:
            return False
        return True

    def _received(self, data: bytes) -> None:
        message = msgspec.json.decode(data, type=_Message)
        if message.method:
            event = msgspec.json.decode(message.params, type=_Event)
            if event.context == self.context:
                self._heard(message.method, event)
            return
        future = self._waiting.get(message.id) if message.id is not None else None
        if future is None or future.done():
            return
        if message.type == "error":
            future.set_exception(_RefusedError(message.error, message.message))
        else:
            future.set_result(message.result)

    def _heard(self, method: str, event: _Event) -> None:
        if method == _DIALOG:
            self._dialog = BidiDialog(self, event.type, event.message, event.default_value)
            self._give_up("unexpected alert open", event.message)
        elif method == _DIALOG_CLOSED:
            self._dialog = None
        elif event.type == "window" and not event.sandbox:
            self._give_up("no such realm", "the document was replaced")

    def _give_up(self, code: str, why: str) -> None:
        """Nothing that is being evaluated will be answered."""
        for number in self._evaluations:
            future = self._waiting[number]
            if not future.done():
                future.set_exception(_RefusedError(code, why))

    def _end(self, why: str) -> None:
        self._ended = why or "the connection was closed"
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(TabClosedError(f"the browser is gone: {self._ended}"))


def _held(text: str) -> NotActionableError:
    words = f"a dialog is open and holds the page: {text!r}; accept or dismiss it"
    return NotActionableError(words, node_id="", reason="dialog")
