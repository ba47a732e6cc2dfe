"""Holding the requests of a tab, in all its processes, for as long as somebody has a say in them.

While nobody has, the browser holds nothing (``Fetch`` is off) and nothing here costs anything.
Source: https://chromedevtools.github.io/devtools-protocol/tot/Fetch/
"""

import asyncio
import base64
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import msgspec

from browserx.browser.credentials import Logins
from browserx.browser.frames import FrameTree
from browserx.browser.routes import Route, RoutedRequest
from browserx.browser.routing import HANDLER_TIMEOUT_S, Handler, Pattern, Routing
from browserx.cdp import Session
from browserx.errors import BrowserXError, InvalidArgumentError

#: Challenges that were answered are remembered, so that a wrong password is not given for ever.
_ANSWERED_KEPT = 1000
_EVERYTHING = [{"urlPattern": "*"}]
#: How to take back each command.
_UNDO: dict[str, tuple[str, dict[str, Any]]] = {
    "Fetch.enable": ("Fetch.disable", {}),
    "Network.setCacheDisabled": ("Network.setCacheDisabled", {"cacheDisabled": False}),
    "Network.setBypassServiceWorker": ("Network.setBypassServiceWorker", {"bypass": False}),
}


class _Bytes(msgspec.Struct):
    bytes: str = ""


class _Request(msgspec.Struct, rename="camel"):
    url: str
    method: str = "GET"
    headers: dict[str, str] = {}
    post_data_entries: list[_Bytes] = []


class _Paused(msgspec.Struct, rename="camel"):
    """Event Fetch.requestPaused."""

    request_id: str
    request: _Request
    frame_id: str = ""
    resource_type: str = "Other"


class _Challenge(msgspec.Struct):
    source: str = "Server"
    origin: str = ""


class _AuthRequired(msgspec.Struct, rename="camel"):
    """Event Fetch.authRequired."""

    request_id: str
    auth_challenge: _Challenge


class Rules:
    """Who has a say in the requests of a tab, or of all tabs of a context: routings, the newest first, and logins."""

    def __init__(self, changed: Callable[[], Awaitable[None]], logins: Logins | None = None) -> None:
        self.routings: list[Routing] = []
        self.logins = logins or Logins()
        self._changed = changed

    def __bool__(self) -> bool:
        return bool(self.routings) or bool(self.logins)

    async def add(self, pattern: Pattern, handler: Handler, timeout_s: float = HANDLER_TIMEOUT_S) -> Routing:
        """Let ``handler`` decide on the requests that ``pattern`` means, from now on."""
        if timeout_s <= 0:
            raise InvalidArgumentError("timeout_s must be more than 0")
        routing = Routing(pattern, handler, timeout_s, self.remove)
        self.routings.insert(0, routing)
        try:
            await self._changed()
        except BaseException:
            self.routings.remove(routing)
            with contextlib.suppress(BrowserXError):
                await self._changed()
            raise
        return routing

    async def remove(self, which: Routing | Pattern | None = None) -> None:
        """End one routing, all of a pattern, or all.

        Raises:
            RouteHandlerError: the handler of one had failed.
        """
        ended = [r for r in self.routings if which is None or r is which or r.pattern == which]
        self.routings = [r for r in self.routings if r not in ended]
        await self._changed()
        failed: BrowserXError | None = None
        for routing in ended:
            try:
                await routing.finish()
            except BrowserXError as error:
                failed = failed or error
        if failed is not None:
            raise failed


class Interception:
    """Of one attached tab. ``rules`` are those of the tab and of its context; the first that mean a request win."""

    def __init__(self, frames: FrameTree, rules: tuple[Rules, ...]) -> None:
        self._frames = frames
        self._rules = rules
        self._sessions: list[Session] = []
        self._answered: dict[tuple[str, str], None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._told = self.commands()

    def follow(self, session: Session) -> None:
        """Take in one session; what has to be told to it is in ``commands``."""
        self._sessions.append(session)
        session.on("Fetch.requestPaused", _Paused, lambda event: self._paused(session, event))
        session.on("Fetch.authRequired", _AuthRequired, lambda event: self._asked_who(session, event))
        session.on_end(lambda error: self._ended(session))

    def commands(self) -> list[tuple[str, dict[str, Any]]]:
        """What a new session has to be told; nothing while nobody has a say."""
        logins = [rules.logins for rules in self._rules if rules.logins]
        routed = any(rules.routings for rules in self._rules)
        if not routed and not logins:
            return []
        patterns = _EVERYTHING
        if not routed and all(login.proxy is None for login in logins):
            patterns = [{"urlPattern": f"{origin}/*"} for login in logins for origin in login.by_origin]
        commands: list[tuple[str, dict[str, Any]]] = [
            ("Fetch.enable", {"patterns": patterns, "handleAuthRequests": bool(logins)})
        ]
        if routed:
            # What a cache or a service worker answers is never held.
            commands.append(("Network.setCacheDisabled", {"cacheDisabled": True}))
            commands.append(("Network.setBypassServiceWorker", {"bypass": True}))
        return commands

    async def update(self) -> None:
        """The rules have changed: tell the sessions there are."""
        commands, before = self.commands(), self._told
        if commands == before:
            return
        self._told = commands
        named, was = {method for method, _ in commands}, {method for method, _ in before}
        undo = [_UNDO[method] for method in was - named]
        wanted = [session.start(*command) for session in self._sessions for command in (*commands, *undo)]
        for outcome in await asyncio.gather(*wanted, return_exceptions=True):
            # A frame that went away meanwhile needs nothing any more.
            if isinstance(outcome, BaseException) and not isinstance(outcome, BrowserXError):
                raise outcome

    def _paused(self, session: Session, event: _Paused) -> None:
        request = self._read(event)
        wanted = request.header("Access-Control-Request-Method")
        preflight = request.method == "OPTIONS" and wanted
        if wanted and preflight:
            request = replace(request, method=wanted)
        routing = next((r for rules in self._rules for r in rules.routings if r.means(request)), None)
        if routing is None:
            session.post("Fetch.continueRequest", {"requestId": event.request_id})
            return
        if preflight:
            # The browser's own question before a request that is ours to answer: its server need not know of it.
            session.post("Fetch.fulfillRequest", {"requestId": event.request_id, **_preflight_answer(request)})
            return
        work = routing.handle(Route(request, session, event.request_id))
        task = session.connection.tasks.start(work, name=f"route {routing.pattern!r}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _read(self, event: _Paused) -> RoutedRequest:
        request = event.request
        data = b"".join(base64.b64decode(entry.bytes) for entry in request.post_data_entries)
        return RoutedRequest(
            url=request.url,
            method=request.method,
            headers=request.headers,
            resource_type=event.resource_type.lower(),
            frame=self._frames.get(event.frame_id),
            post_data=data if request.post_data_entries else None,
        )

    def _asked_who(self, session: Session, event: _AuthRequired) -> None:
        challenge = event.auth_challenge
        answers = (rules.logins.answer(challenge.source, challenge.origin) for rules in self._rules)
        login = next((login for login in answers if login is not None), None)
        key = (event.request_id, challenge.source)
        reply: dict[str, str] = {"response": "Default"}
        if login is not None and key in self._answered:
            reply = {"response": "CancelAuth"}
        elif login is not None:
            self._answered[key] = None
            if len(self._answered) > _ANSWERED_KEPT:
                self._answered.pop(next(iter(self._answered)))
            reply = {"response": "ProvideCredentials", "username": login.username, "password": login.password}
        session.post("Fetch.continueWithAuth", {"requestId": event.request_id, "authChallengeResponse": reply})

    def _ended(self, session: Session) -> None:
        self._sessions.remove(session)
        if not self._sessions:
            for task in self._tasks:
                task.cancel()


def _preflight_answer(request: RoutedRequest) -> dict[str, Any]:
    headers = {
        "Access-Control-Allow-Origin": request.header("Origin") or "*",
        "Access-Control-Allow-Credentials": "true",
        "Access-Control-Allow-Methods": request.header("Access-Control-Request-Method") or "*",
        "Access-Control-Allow-Headers": request.header("Access-Control-Request-Headers") or "",
    }
    return {
        "responseCode": 204,
        "responseHeaders": [{"name": name, "value": value} for name, value in headers.items() if value],
    }
