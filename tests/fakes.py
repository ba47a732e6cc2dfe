"""Fakes for the seams where the real part would only make a unit test slower."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from browserx.cdp.transport import CloseReceiver, MessageReceiver

#: What a script may answer: a result, an exception to become a protocol error, None for never.
Answer = dict[str, Any] | Exception | None


class ScriptedTransport:
    """A browser that follows a script: ``answers`` maps a method to what it answers, or to a function that does.

    ``sent`` holds every command in order. Events are delivered with ``event``, the end with ``hang_up``.
    """

    def __init__(self, answers: dict[str, Answer | Callable[[dict[str, Any]], Answer]] | None = None) -> None:
        self.answers = answers or {}
        self.sent: list[dict[str, Any]] = []
        self.closed = False
        self._on_message: MessageReceiver | None = None
        self._on_close: CloseReceiver | None = None

    def start(self, on_message: MessageReceiver, on_close: CloseReceiver) -> None:
        self._on_message, self._on_close = on_message, on_close

    def send(self, message: bytes) -> None:
        command = json.loads(message)
        self.sent.append(command)
        answer = self.answers.get(command["method"], {})
        if callable(answer):
            answer = answer(command)
        if answer is None:
            return
        reply: dict[str, Any] = {"id": command["id"]}
        if "sessionId" in command:
            reply["sessionId"] = command["sessionId"]
        if isinstance(answer, Exception):
            reply["error"] = {"code": -32000, "message": str(answer)}
        else:
            reply["result"] = answer
        asyncio.get_running_loop().call_soon(self._deliver, reply)

    async def close(self) -> None:
        self.hang_up("closed by us")

    def methods(self) -> list[str]:
        return [command["method"] for command in self.sent]

    def event(self, method: str, params: dict[str, Any] | None = None, session: str | None = None) -> None:
        message: dict[str, Any] = {"method": method, "params": params or {}}
        if session is not None:
            message["sessionId"] = session
        self._deliver(message)

    def raw(self, message: bytes) -> None:
        assert self._on_message is not None
        self._on_message(message)

    def attach(self, session: str, target_type: str = "page", target_id: str = "T1") -> None:
        info = {"targetId": target_id, "type": target_type, "title": "", "url": ""}
        params = {"sessionId": session, "targetInfo": info, "waitingForDebugger": False}
        self.event("Target.attachedToTarget", params)

    def hang_up(self, reason: str = "the browser closed its pipe") -> None:
        if not self.closed and self._on_close is not None:
            self.closed = True
            self._on_close(reason)

    def _deliver(self, message: dict[str, Any]) -> None:
        if not self.closed:
            self.raw(json.dumps(message).encode())


async def turns(count: int = 3) -> None:
    """Let the loop turn a few times, for callbacks that were scheduled."""
    for _ in range(count):
        await asyncio.sleep(0)
