"""What every request passes before anything else: whose name it is sent to, whose page sends it, and how much it is.

A page that somebody is tricked into opening can send requests to a server on the same machine; it cannot lie about its
Origin, and a name of its own that it has pointed here shows in Host.
"""

from collections.abc import Collection

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from browserx.backend.refusals import refusal


class HostAndOrigin:
    """Refuses names that are not this server's (403), and pages that are not its own or allowed (403)."""

    def __init__(self, app: ASGIApp, *, hosts: Collection[str], origins: Collection[str]) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if _name(host) not in self.hosts:
            await _refuse(scope, receive, send, "FORBIDDEN_HOST", "this server is not reached under that name")
            return
        origin = headers.get(b"origin")
        if origin is not None and not self._is_allowed(origin, host):
            await _refuse(scope, receive, send, "FORBIDDEN_ORIGIN", "pages of that origin may not call this server")
            return
        await self.app(scope, receive, send)

    def _is_allowed(self, origin: str, host: str) -> bool:
        return origin in self.origins or origin in (f"http://{host}", f"https://{host}")


def _name(host: str) -> str:
    """Of ``name:port``, ``[::1]:port``: the name."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower().rstrip(".")


async def _refuse(scope: Scope, receive: Receive, send: Send, code: str, message: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    await refusal(403, code, message)(scope, receive, send)


class BodyLimit:
    """Refuses bodies that are larger than they may be (413), before they are held."""

    def __init__(self, app: ASGIApp, *, max_bytes: int) -> None:
        self.app = app
        self.max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        told = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
        if told.isdigit() and int(told) > self.max_bytes:
            await self._too_large(scope, receive, send)
            return
        taken, begun = 0, False

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            if message["type"] == "http.request":
                taken += len(message.get("body", b""))
                if taken > self.max_bytes:
                    raise _TooLargeError
            return message

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, counted, noted)
        except _TooLargeError:
            if not begun:
                await self._too_large(scope, receive, send)

    async def _too_large(self, scope: Scope, receive: Receive, send: Send) -> None:
        message = f"a request has at most {self.max_bytes:,} bytes; send less of the page"
        await refusal(413, "TOO_LARGE", message, {"maxBytes": self.max_bytes})(scope, receive, send)


class _TooLargeError(Exception):
    pass
