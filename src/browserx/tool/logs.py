"""The reading family of logs: ``console`` and ``network``, a line each, the newest last."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from browserx.browser.network import Request
from browserx.tool.action import Action, Call

_LINE_LIMIT = 300
_MOST = 200


class ConsoleOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``console``."""

    errors_only: Annotated[bool, Meta(description="errors only")] = False
    limit: Annotated[int, Meta(ge=1, le=_MOST, description="the newest only; 30 by default")] = 30


async def console(call: Call) -> Any:
    """What the page said in its console."""
    options: ConsoleOptions = call.options
    await call.dom()  # it is heard only while we are attached
    assert call.tab is not None
    messages = [m for m in call.tab.console if m.level == "error" or not options.errors_only]
    lines = [f"{message.level}: {message.describe(_LINE_LIMIT)}" for message in messages[-options.limit :]]
    return {"messages": lines, "omitted": len(messages) - len(lines)}


class NetworkOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``network``."""

    failed_only: Annotated[bool, Meta(description="failures only (no answer, or a status from 400)")] = False
    limit: Annotated[int, Meta(ge=1, le=_MOST, description="the newest only; 30 by default")] = 30


async def network(call: Call) -> Any:
    """The requests of the page."""
    options: NetworkOptions = call.options
    await call.dom()
    assert call.tab is not None
    requests = [r for r in call.tab.network_log if _failed(r) or not options.failed_only]
    lines = [_line(request) for request in requests[-options.limit :]]
    return {"requests": lines, "omitted": len(requests) - len(lines)}


def _failed(request: Request) -> bool:
    return request.status < 0 or request.status >= 400


def _line(request: Request) -> str:
    url = request.url if len(request.url) <= _LINE_LIMIT else request.url[: _LINE_LIMIT - 1] + "…"
    outcome = request.failure or "failed" if request.status < 0 else str(request.status or "pending")
    return f"{request.method} {url} {outcome} {request.kind.lower()}"


ACTIONS = (
    Action("console", "what the page said in its console, and its script errors", console, options=ConsoleOptions),
    Action("network", "the requests of the page, with their status", network, options=NetworkOptions),
)
