"""The page of the campaign: one with everything on it, served on two sites, and mutated by script of its own."""

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import NamedTuple

import msgspec

from browserx import BrowserContext, BrowserXError, DomService
from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.cdp.protocol import MetricsReply
from browserx.errors import CdpError, OperationTimeoutError
from tests.web import Site

_HERE = Path(__file__).parent
_SCRIPTS = ("kit", "content", "style", "state", "apart")
_TIMEOUT_S = 60.0
#: What a frame needs to answer when it can.
_ANSWER_S = 2.0
_HEIGHT = 800
_ARRIVED = "new Promise((done) => { const at = () => innerWidth === %d ? done() : setTimeout(at); at(); })"


class Mutation(NamedTuple):
    """One change of the page: its kind, and the seed of all that is random in it."""

    kind: str
    seed: int


class _Done(msgspec.Struct):
    told: list[str]
    frames: int
    apart: list[str]


class VariedSite(Site):
    """Serves the page and its frames; ``/held/…`` is answered when ``/release/…`` has been asked for."""

    def __init__(self) -> None:
        self._asked_for: dict[str, threading.Event] = {}
        self._asking = threading.Lock()
        super().__init__()
        scripts = "\n".join((_HERE / f"{name}.js").read_text() for name in _SCRIPTS)
        self.publish(f'(() => {{ "use strict";\n{scripts}\n}})();'.encode(), "text/javascript", path="/mutations.js")
        self.page((_HERE / "inner.html").read_text(), path="/inner")
        page = (_HERE / "varied.html").read_text().replace("OTHER", self.other("").rstrip("/"))
        self.address = self.page(page, path="/varied")

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        room, _, name = request.path.strip("/").partition("/")
        if room == "release":
            self._released(name.partition("?")[0]).set()
            self.publish(b"", "text/plain", path=request.path)
        elif room == "held":
            path, _, asked = name.partition("?")
            self._released(path).wait(_TIMEOUT_S)
            self.publish(*_late(path, asked), path=f"/held/{path}")
        super().answer(request)

    def close(self) -> None:
        for released in list(self._asked_for.values()):
            released.set()
        super().close()

    def _released(self, name: str) -> threading.Event:
        with self._asking:
            return self._asked_for.setdefault(name, threading.Event())


def _late(path: str, asked: str) -> tuple[bytes, str]:
    """What comes late: a picture of a size, or a style sheet for a class."""
    if path.endswith(".svg"):
        return f"<svg xmlns='http://www.w3.org/2000/svg' width='{asked}' height='{asked}'/>".encode(), "image/svg+xml"
    return f".k{asked} {{ text-transform: uppercase; padding-top: 9px }}".encode(), "text/css"


class VariedPage:
    """A fresh copy of the page in a tab of its own."""

    def __init__(self, dom: DomService) -> None:
        self.dom = dom
        #: Worlds of frames that were seen to answer.
        self._answering: set[str] = set()
        #: Kinds that no script can do.
        self._outside = {"window resized": self._resize, "colour scheme": self._recolour}

    @classmethod
    async def open(cls, context: BrowserContext, site: VariedSite) -> "VariedPage":
        """Open it; returns when all its frames can be looked at."""
        page = cls(await DomService.for_tab(await context.new_tab(site.address)))
        await page.mutate()
        return page

    async def close(self) -> None:
        """Close its tab."""
        await self.dom.detach()
        await self.dom.tab.close()

    async def kinds(self) -> list[str]:
        """All kinds of mutations."""
        return [*await self.dom.tab.evaluate("kindsHere()"), *self._outside]

    async def mutate(self, *mutations: Mutation) -> list[str]:
        """Change the page, and wait for what is on its way because of that. Returns in words what was done."""
        told = [await self._outside[kind](seed) for kind, seed in mutations if kind in self._outside]
        inside = [mutation for mutation in mutations if mutation.kind not in self._outside]
        try:
            answer = await self.dom.tab.evaluate(f"mutate({json.dumps(inside)})", timeout_s=_TIMEOUT_S)
        except BrowserXError as error:
            error.add_note(f"the mutations were {', '.join(f'{kind} {seed}' for kind, seed in mutations)}")
            raise
        done = msgspec.convert(answer, _Done)
        async with asyncio.timeout(_TIMEOUT_S):
            await self._until_frames_are_known(done)
        return told + done.told

    async def styled(self) -> float:
        """How often the browser has made style for the page."""
        reply = await self._attachment.session.send("Performance.getMetrics", None, MetricsReply)
        return next(metric.value for metric in reply.metrics if metric.name == "RecalcStyleCount")

    async def _resize(self, seed: int) -> str:
        width = (900, 1000, 1280, 1281)[seed % 4]
        metrics = {"width": width, "height": _HEIGHT, "deviceScaleFactor": 0, "mobile": False}
        await self._attachment.session.send("Emulation.setDeviceMetricsOverride", metrics)
        await self.dom.tab.evaluate(_ARRIVED % width)
        return f"window resized: {width} px wide"

    async def _recolour(self, seed: int) -> str:
        scheme = ("light", "dark")[seed % 2]
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        await self._attachment.session.send("Emulation.setEmulatedMedia", {"features": features})
        return f"colour scheme: {scheme}"

    @property
    def _attachment(self) -> Attachment:
        attachment = self.dom.tab.attachment
        assert attachment is not None
        return attachment

    async def _until_frames_are_known(self, done: _Done) -> None:
        """What the page did to its frames arrives by way of other processes: until it has, a look may miss some."""
        attachment = self._attachment

        def frames() -> list[Frame]:
            return list(attachment.frames)

        def are_known() -> bool:
            ready = all(frame.isolated is not None and frame.reader for frame in frames())
            return ready and len(frames()) == done.frames and {f.url for f in frames()}.issuperset(done.apart)

        known = False
        while not known:
            known = await attachment.changes.until(are_known, timeout_s=_TIMEOUT_S)
            assert known, f"{done.frames} frames, {done.apart} apart; known are {frames()}"
            for frame in frames():
                if frame.session is not attachment.session and frame.world_id not in self._answering:
                    known = known and await self._answers(attachment, frame)

    async def _answers(self, attachment: Attachment, frame: Frame) -> bool:
        try:
            answer = await attachment.call(frame, "[document.URL, typeof __browserx]", timeout_s=_ANSWER_S)
        except (CdpError, OperationTimeoutError):
            return False
        if answer.result.value != [frame.url, "object"]:
            return False
        self._answering.add(frame.world_id)
        return True
