"""A folder of pages whose interactive elements are known: serving it, and reading the truth of the page that is loaded.

The folder has ``pages.json`` (``{name: {"path": …, "kind": …}}``), the pages, and ``mark.js``: run in every frame before
the page's own scripts, its ``__gtMark()`` writes ``data-gt`` on each element that a person could act on and returns them.
"""

import importlib.util
import json
import sys
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from browserx import Tab
from browserx.browser.frames import Frame
from browserx.cdp.protocol import EvaluateReply

_TIMEOUT_S = 60.0


class Entry(msgspec.Struct):
    """A page of the corpus."""

    path: str
    kind: str = ""


class TrueElement(msgspec.Struct):
    """What is true of one element that can be acted on. ``frame`` is the path of its frame ("" for the top one)."""

    gt: str
    tag: str
    reason: str
    name: str = ""
    in_viewport: bool = False
    occluded: bool | None = None
    optional: bool = False
    in_shadow: str = ""
    frame: str = ""


class _Marked(msgspec.Struct):
    path: str = ""
    items: list[dict[str, Any]] = []
    frames: list[dict[str, Any]] = []


class Corpus:
    """Serves the folder with its marker at the top of every page, on two sites of loopback."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.entries: dict[str, Entry] = {
            name: msgspec.convert(entry, Entry)
            for name, entry in json.loads((folder / "pages.json").read_text()).items()
        }
        self.base = f"http://localhost:{port}"
        self._mark = (folder / "mark.js").read_text()
        self._servers = self._serve(port)

    def url(self, name: str) -> str:
        return f"{self.base}/{self.entries[name].path}"

    def close(self) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def _serve(self, port: int) -> list[ThreadingHTTPServer]:
        module = _load(self.folder / "serve.py", port)
        script = b"<script>" + self._mark.encode().replace(b"</script", b"<\\/script") + b"</script>"
        plain = module.H.out

        def out(handler: Any, code: int, body: bytes, kind: str, extra: Any = ()) -> Any:
            if "html" in kind and code == 200:
                at = _head_end(body)
                body = body[:at] + script + body[at:]
            return plain(handler, code, body, kind, extra)

        module.H.out = out
        servers: list[ThreadingHTTPServer] = module.start(port)
        return servers

    async def truth(self, tab: Tab) -> list[TrueElement]:
        """Mark the loaded page, and return what could be acted on in it. What is in frames nobody can see is left out."""
        attachment = await tab.attach()
        marked = [part for frame in attachment.frames if (part := await self._marked(frame)) is not None]
        hidden = {inner["path"] for part in marked for inner in part.frames if not inner["perceivable"]}
        return [
            msgspec.convert({k: v for k, v in item.items() if v is not None} | {"frame": part.path}, TrueElement)
            for part in marked
            if not any(part.path == path or part.path.startswith(f"{path}.") for path in hidden)
            for item in part.items
        ]

    async def _marked(self, frame: Frame) -> _Marked | None:
        if frame.main is None:
            return None
        params = {
            "expression": f"{self._mark}\n;JSON.stringify(window.__gtMark())",
            "contextId": frame.main,
            "returnByValue": True,
        }
        reply = await frame.session.send("Runtime.evaluate", params, EvaluateReply, timeout_s=_TIMEOUT_S)
        if reply.exception_details is not None:
            print(f"  no truth of {frame.url}: {reply.exception_details.describe()[:200]}", file=sys.stderr)
            return None
        return msgspec.json.decode(reply.result.value, type=_Marked)


def _load(path: Path, port: int) -> ModuleType:
    # It reads its port from the command line.
    given, sys.argv = sys.argv, [path.name, str(port)]
    try:
        spec = importlib.util.spec_from_file_location("corpus_serve", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.argv = given
    return module


def _head_end(body: bytes) -> int:
    """Where a script runs before any of the page's own."""
    low = body[:4096].lower()
    if (at := low.find(b"<head")) >= 0 or (at := low.find(b"<html")) >= 0:
        return low.find(b">", at) + 1
    return low.find(b">") + 1 if low.lstrip().startswith(b"<!doctype") else 0
