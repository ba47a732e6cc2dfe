"""A line for each request, with what is secret masked."""

import logging
import re
import time
import uuid
from typing import TYPE_CHECKING, Any

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from browserx.backend.metrics import Metrics

_SECRET_KEYS = re.compile(r"token|secret|password|authorization|cookie|api[-_]?key", re.IGNORECASE)
_SECRET_TEXTS = re.compile(
    r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}|(?<=://)([^\s:/@]+):[^\s@/]+(?=@)|\b(?:sk|pk|ghp|xox[bp])[-_][\w-]{10,}"
)
_MASK = "…"
log = structlog.get_logger("browserx.backend")


def _mask(_: Any, __: str, event: Any) -> Any:
    for key, value in event.items():
        if _SECRET_KEYS.search(key):
            event[key] = _MASK
        elif isinstance(value, str):
            event[key] = _SECRET_TEXTS.sub(_masked, value)
    return event


def _masked(found: "re.Match[str]") -> str:
    return f"{found[2]}:{_MASK}" if found[2] else _MASK


def configure(*, as_json: bool, debug: bool = False) -> None:
    """Write what happens to standard error: lines for people, or JSON for programs."""
    chain: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _mask,
    ]
    structlog.configure(
        processors=[*chain, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
    render: Any = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=False)
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                _mask,
                render,
            ],
            foreign_pre_chain=chain,
        )
    )
    for name in ("browserx", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [handler] if name != "uvicorn.error" else []
        logger.propagate = name == "uvicorn.error"
        logger.setLevel(logging.DEBUG if debug else logging.INFO)


class RequestLog:
    """Says of each request what it was, how it ended and how long it took; never what was in it."""

    def __init__(self, app: ASGIApp, *, metrics: "Metrics") -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500
        request_id = uuid.uuid4().hex[:12]

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
            await send(message)

        structlog.contextvars.bind_contextvars(request=request_id)
        try:
            await self.app(scope, receive, noted)
        finally:
            took_s = time.perf_counter() - started
            route = scope.get("route")
            # Not the path that was asked: anybody can make up as many as they like.
            path = getattr(route, "path", "unknown")
            self.metrics.requests.labels(path, str(status)).inc()
            self.metrics.seconds.labels(path).observe(took_s)
            level = logging.WARNING if status >= 500 else logging.INFO
            log.log(level, "request", method=scope["method"], route=path, status=status, ms=round(took_s * 1000, 1))
            structlog.contextvars.unbind_contextvars("request")
