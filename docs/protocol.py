"""Writes the tables and the conversation of ``docs/protocol.md`` anew, from the models and from a real exchange.

A generated part is a block under a comment that names it. Ids, times, ports and hashes differ from run to run; the
document has fixed ones in their place.
"""

import asyncio
import json
import re
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
from pydantic import BaseModel

from browserx import Browser, Tab
from browserx.agent.backends import HttpBackend
from browserx.agent.client import Client
from browserx.backend.app import create_app
from browserx.backend.settings import Settings
from browserx.semantic.call import legend
from browserx.semantic.conversation import Message, Session
from browserx.semantic.request import InteractRequest
from browserx.semantic.response import InteractData

DOCUMENT = Path(__file__).parent / "protocol.md"
_PART = re.compile(r"<!-- ([a-z]+) -->\n(.*?)<!-- end -->", re.DOTALL)
_TOKEN = "token-of-the-documentation"  # noqa: S105 (of a server that lives for a moment)
TASK = 'type "Ann" into Your name, click Greet me, then read the message'
PAGE = """\
<!doctype html><title>Greetings</title>
<label>Your name <input name="who"></label>
<button data-testid="greet" onclick="message.textContent = 'Hello ' + document.querySelector('input').value">Greet me</button>
<p>Message: <b id="message"></b></p>
"""


def parts(document: str) -> dict[str, str]:
    """The generated parts of the document, by name."""
    return dict(_PART.findall(document))


def renewed(document: str, made: dict[str, str]) -> str:
    """The document with these parts."""
    return _PART.sub(lambda found: f"<!-- {found[1]} -->\n{made.get(found[1], found[2])}<!-- end -->", document)


async def make(open_tab: Callable[[str], Awaitable[Tab]]) -> dict[str, str]:
    """Every part."""
    return {
        "request": _fields(InteractRequest),
        "response": _fields(InteractData),
        "session": _fields(Session),
        "message": _fields(Message),
        "calls": f"```\n{legend()}\n```\n",
        "page": f"```html\n{PAGE}```\n",
        "conversation": await _conversation(open_tab),
    }


def _fields(model: type[BaseModel]) -> str:
    """A table of the fields of a model, with those of the values in it."""
    schema = model.model_json_schema(by_alias=True)
    rows = ["| field | is | |", "|---|---|---|"]
    required = schema.get("required", ())
    for name, given in schema["properties"].items():
        rows.append(f"| `{name}` | {_kind(given, schema)} | {'required' if name in required else ''} |")
    for name, inner in schema.get("$defs", {}).items():
        told = ", ".join(
            f"`{field}`{'' if field in inner.get('required', ()) else '?'} {_kind(given, schema).partition(', at most')[0]}"
            for field, given in inner.get("properties", {}).items()
        )
        rows.append(f"| *{name}* | {told} | |")
    return "\n".join(rows) + "\n"


def _kind(given: dict[str, Any], schema: dict[str, Any]) -> str:
    if "$ref" in given:
        return f"*{given['$ref'].rpartition('/')[2]}*"
    if "anyOf" in given:
        kinds = [_kind(one, schema) for one in given["anyOf"] if one.get("type") != "null"]
        if "number" in kinds:
            kinds = [kind for kind in kinds if kind != "whole number"]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in given:
        return ", ".join(f"`{one}`" for one in given["enum"])
    if "const" in given:
        return f"`{json.dumps(given['const'])}`"
    if given.get("type") == "array":
        if "prefixItems" in given:
            return f"list of {len(given['prefixItems'])} numbers"
        return f"list of {_kind(given.get('items', {}), schema)}"
    kind = {"string": "text", "integer": "whole number", "object": "object"}.get(
        given.get("type", ""), given.get("type")
    )
    kind = "moment" if given.get("format") == "date-time" else kind or "any value"
    most = given.get("maxLength")
    return f"{kind}, at most {most:,} characters" if most else kind


async def _conversation(open_tab: Callable[[str], Awaitable[Tab]]) -> str:
    """A real exchange, as it went over the wire."""
    heard: list[tuple[dict[str, Any], dict[str, Any]]] = []

    class Listening(httpx2.ASGITransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            answer = await super().handle_async_request(request)
            await answer.aread()
            heard.append((json.loads(request.content), answer.json()))
            return answer

    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=folder, token=_TOKEN))
        async with app.router.lifespan_context(app):
            transport = Listening(app=app)
            async with HttpBackend("http://localhost", token=_TOKEN, transport=transport) as backend:
                tab = await open_tab(PAGE)
                await Client(tab, backend).run(TASK)
    settle = _Settled()
    told = []
    for number, (request, response) in enumerate(heard, 1):
        told.append(f"{number}. The client asks:\n\n```json\n{settle.text(request)}\n```\n")
        told.append(f"   and the backend answers:\n\n```json\n{settle.text(response)}\n```\n")
    return "\n".join(told)


class _Settled:
    """Puts fixed values in the place of those that differ from run to run."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def text(self, value: dict[str, Any]) -> str:
        written = json.dumps(value, indent=2, ensure_ascii=False)
        written = re.sub(r'"([0-9a-f-]{36})"', lambda found: f'"{self._name(found[1])}"', written)
        written = re.sub(r'"interactiveTreeHash": "[0-9a-f]{16}"', '"interactiveTreeHash": "0123456789abcdef"', written)
        written = re.sub(r'"tabId": \d+', '"tabId": 1', written)
        written = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "2026-11-22T10:00:00.000Z", written)
        written = re.sub(r"\[\d+s ago\]", "[0s ago]", written)
        written = re.sub(r"http://localhost:\d+/[\w/-]*", "https://greetings.example/", written)
        # Short lists of numbers in one line.
        return re.sub(r"\[\s+(-?[\d.]+),\s+(-?[\d.]+)\s+\]", r"[\1, \2]", written)

    def _name(self, identifier: str) -> str:
        return self._known.setdefault(identifier, f"{len(self._known) + 1:08d}-0000-4000-8000-000000000000")


async def _main() -> None:
    from tests.web import Site

    site = Site()
    try:
        async with Browser.launch() as browser:

            async def open_tab(page: str) -> Tab:
                return await browser.new_tab(site.page(page))

            DOCUMENT.write_text(renewed(DOCUMENT.read_text(encoding="utf-8"), await make(open_tab)), encoding="utf-8")
    finally:
        site.close()


if __name__ == "__main__":
    asyncio.run(_main())
