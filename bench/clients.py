"""Clients of the backend that play people at work: a tab each, one task after the other, requests as a page makes them.

They do as little as they can besides, so that not they are measured: a connection each, HTTP written and read by hand.
"""

import asyncio
import json
import time
import uuid
from typing import Any, NamedTuple

from bench.serve import Backend

PATH = "/api/agent/interact"
_WORDS = (
    "Open",
    "Save",
    "Edit",
    "Remove",
    "Share",
    "Search",
    "Filter",
    "Next",
    "Details",
    "Order",
    "Invoice",
    "Customer",
)
_ROLES = ("btn", "link", "inp", "chk", "txt", "sel", "tab", "menu")
#: Of every task: so many clicks.
STEPS = 5
_TIMEOUT_S = 120


class Answer(NamedTuple):
    """One request: ms until its whole answer was there, and of that what the server calls its own share."""

    whole_ms: float
    own_ms: float
    sent_bytes: int
    status: str


def tree(size: int, changed: int = 0) -> list[dict[str, Any]]:
    """An interactive tree of so many elements; ``changed`` says how far what it shows has changed."""
    nodes: list[dict[str, Any]] = []
    for number in range(size):
        word, other = _WORDS[number % len(_WORDS)], _WORDS[number // len(_WORDS) % len(_WORDS)]
        node: dict[str, Any] = {
            "i": str(number + 1),
            "r": _ROLES[number % len(_ROLES)],
            "n": f"{word} {other.lower()} {number}",
            "xy": [40 + number % 9 * 130, 30 + number // 9 * 40],
        }
        if node["r"] == "inp":
            node["v"] = f"value {number + (changed if number == 2 else 0)}"
        if node["r"] == "chk":
            node["s"] = "checked" if (number + changed) % 3 else "unchecked"
        nodes.append(node)
    return nodes


class Pages:
    """Pages of one size, as requests tell of them; made once."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.bodies = [
            json.dumps(tree(size, changed), separators=(",", ":"))[:-1].encode() + b"]" for changed in range(STEPS + 1)
        ]
        links = [node["n"] for node in tree(size) if node["r"] in ("btn", "link")]
        self.query = ", then ".join(f'click "{links[at]}"' for at in range(STEPS))


class Connection:
    """One connection that is kept; one request at a time."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: bytes = b"", more: str = "") -> tuple[int, dict[str, str], bytes]:
        """Status, headers (names in small letters) and body of the answer."""
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._backend.port)
        assert self._reader is not None
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._backend.port}\r\n"
            f"Authorization: Bearer {self._backend.token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n{more}\r\n"
        )
        self._writer.write(head.encode() + body)
        async with asyncio.timeout(_TIMEOUT_S):
            told = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in told[1:])}
            answer = await self._reader.readexactly(int(headers.get("content-length", 0)))
        return int(told[0].split()[1]), headers, answer

    async def get(self, path: str) -> Any:
        """JSON.

        Raises:
            RuntimeError: it was refused.
        """
        status, _, answer = await self.ask("GET", path)
        if status != 200:
            raise RuntimeError(f"GET {path} was answered {status}: {answer[:500]!r}")
        return json.loads(answer)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


class Person:
    """Somebody with a tab, and so a session, who has one task after the other done in it."""

    def __init__(self, backend: Backend, pages: Pages, tab: int) -> None:
        self.connection = Connection(backend)
        self.session_id: str | None = None
        self.turns = 0
        self._pages = pages
        self._tab = tab
        self._task_id: str | None = None
        self._step = 0
        # A key of one who was here before would get the answer of then.
        self._key = uuid.uuid4().hex

    async def turn(self) -> Answer:
        """Ask what to do next, with what the page shows after the last action.

        Of three pages one is as it was before: its tree is not sent again. Every request has an ``Idempotency-Key``, as
        those of our own client have.

        Raises:
            RuntimeError: it was refused, or the task went otherwise than it should.
        """
        body = self._body()
        started = time.perf_counter()
        status, headers, answer = await self.connection.ask(
            "POST", PATH, body, f"Idempotency-Key: {self._key}-{self.turns}\r\n"
        )
        whole_ms = (time.perf_counter() - started) * 1000
        if status != 200:
            raise RuntimeError(f"the backend answered {status}: {answer[:500]!r}")
        data = json.loads(answer)["data"]
        self._heard(data)
        own = headers["server-timing"].partition("own;dur=")[2]
        return Answer(whole_ms, float(own), len(body), data["status"])

    def _body(self) -> bytes:
        pages, at = self._pages, self._shown(self._step)
        told: dict[str, Any] = {
            "url": f"https://shop.example/list/{self._tab}",
            "query": pages.query,
            "tabId": self._tab,
            "domMode": "semantic",
            "viewport": {"width": 1280, "height": 800},
            "pageTitle": "Orders",
            "scrollPosition": "0%",
            "interactiveTreeHash": f"{pages.size:08x}{at:08x}",
        }
        if self._task_id is not None:
            told |= {
                "taskId": self._task_id,
                "sessionId": self.session_id,
                "previousUrl": told["url"],
                "lastActionStatus": "success",
                "lastActionResult": {"success": True, "actualState": "changed"},
                "clientObservations": {"didNetworkOccur": True, "didDomMutate": True, "didUrlChange": False},
                "recentEvents": [f"[1s ago] Added: 'row {self._step}'"],
            }
        body = json.dumps(told, separators=(",", ":")).encode()
        if self._step and at == self._shown(self._step - 1):
            return body
        return body[:-1] + b',"interactiveTree":' + pages.bodies[at] + b"}"

    @staticmethod
    def _shown(step: int) -> int:
        """Which of the pages is shown at a step."""
        return step - step // 3

    def _heard(self, data: dict[str, Any]) -> None:
        self.turns += 1
        self._step += 1
        if data["status"] == "completed":
            if self._step != STEPS + 1:
                raise RuntimeError(f"a task of {STEPS} steps ended after {self._step} requests")
            self._task_id, self._step = None, 0
            return
        if data["status"] != "executing" or data["action"] is None:
            raise RuntimeError(f"a task went otherwise than it should: {data}")
        self._task_id, self.session_id = data["taskId"], data["sessionId"]
