"""Writes the examples of ``docs/formats.md`` anew: what the code makes of the page that stands in the document.

An example is a block of code under a comment that names its format. Addresses, the number of the fence, the ids of
frames and the time differ from run to run; the document has fixed ones in their place.
"""

import asyncio
import json
import re
import threading
from collections.abc import Awaitable, Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from browserx import Browser, DomService, Observation, SerializationOptions, Tab
from browserx.dom.html import Markup
from browserx.dom.options import FORMATS
from browserx.dom.roles import legend

DOCUMENT = Path(__file__).parent / "formats.md"
SHOP, PAY = "https://shop.example", "https://pay.example"
_BLOCK = re.compile(r"<!-- ([a-z0-9]+) -->\n```[a-z]*\n(.*?)```", re.DOTALL)
_WIDTH = 116


def blocks(document: str) -> dict[str, str]:
    """The blocks of code in the document that are examples, by name."""
    return dict(_BLOCK.findall(document))


def renewed(document: str, examples: dict[str, str]) -> str:
    """The document with these examples."""

    def block(match: re.Match[str]) -> str:
        head = match[0][: match.start(2) - match.start()]
        return f"{head}{examples.get(match[1], match[2])}```"

    return _BLOCK.sub(block, document)


async def make(document: str, open_tab: Callable[[str], Awaitable[Tab]]) -> dict[str, str]:
    """Every example, made from the page in the document."""
    pages = blocks(document)
    with _Server(pages["source"], pages["frame"]) as server:
        dom = await DomService.for_tab(await open_tab(server.address("localhost")))
        examples = {"legend": legend() + "\n"}
        for name in FORMATS:
            written = await dom.get_serialized_dom(SerializationOptions(format=name, include_layout=name == "v3"))
            examples[name] = _settled(_text(written), server)
        hidden = SerializationOptions(format="outline", include_hidden=True)
        examples["hidden"] = _settled(_text(await dom.get_serialized_dom(hidden)), server)
        examples["query"] = _settled(_text(await dom.observe(query="how many tins")), server)
        examples["diff"] = _settled(await _difference(dom), server)
    return examples


async def _difference(dom: DomService) -> str:
    before = await dom.observe()
    await dom.tab.evaluate(
        "document.querySelector('[aria-label=Tins]').value = 3; document.querySelector('[data-testid=buy]').disabled = false;"
        "document.querySelector('li').textContent = 'Lovely!'"
    )
    return _text(await dom.observe(diff_from=before.snapshot_id))


def _text(written: Any) -> str:
    match written:
        case Observation():
            return written.text + "\n"
        case Markup():
            return written.html + "\n"
        case _:
            return _laid_out(json.loads(json.dumps(written.to_dict())), 0) + "\n"


def _laid_out(value: Any, indent: int) -> str:
    """JSON, on one line where it fits."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= _WIDTH or not isinstance(value, dict | list):
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {_laid_out(item, indent + 2)}" for key, item in value.items()]
    else:
        parts = [_laid_out(item, indent + 2) for item in value]
    first, last = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return f"{first}\n{inner}" + f",\n{inner}".join(parts) + f"\n{' ' * indent}{last}"


def _settled(text: str, server: "_Server") -> str:
    """Without what differs from run to run."""
    text = text.replace(server.address("localhost"), f"{SHOP}/").replace(server.address("127.0.0.1"), f"{PAY}/")
    text = text.replace(server.address("127.0.0.1").rstrip("/"), PAY)
    text = text.replace('"domain": "localhost"', '"domain": "shop.example"')
    text = re.sub(r"(</?page )[0-9a-f]{6}\b", r"\g<1>1309da", text)
    text = re.sub(r" since s\d+>", " since s7>", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "2026-11-22T09:30:00.000Z", text)
    frames = list(dict.fromkeys(re.findall(r"\b[0-9A-F]{32}\b", text)))
    for number, frame_id in enumerate(frames):
        text = text.replace(frame_id, f"{number:X}" * 8)
    return text


class _Server:
    """Serves the page on ``localhost`` and what is in its frame on ``127.0.0.1``: two sites for a browser."""

    def __init__(self, page: str, frame: str) -> None:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = frame if self.headers["Host"].startswith("127.") else page
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(body.replace(f"{PAY}/", outer.address("127.0.0.1")).encode())

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def address(self, host: str) -> str:
        return f"http://{host}:{self._server.server_port}/"

    def __enter__(self) -> "_Server":
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


async def main() -> None:
    """Write the document."""
    document = DOCUMENT.read_text(encoding="utf-8")
    async with Browser.launch() as browser:
        examples = await make(document, browser.new_tab)
    DOCUMENT.write_text(renewed(document, examples), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
