"""The reading family: what is wanted of a page and nothing else, waiting for it, and script where that is allowed."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from browserx.errors import BlockedByPolicyError
from browserx.page.expectation import State
from browserx.tool.action import Action, Call


class FindOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``find``."""

    role: Annotated[str, Meta(description="like button, link, textbox")] = ""
    limit: Annotated[int, Meta(ge=1, le=200, description="20 by default")] = 20


async def find(call: Call) -> Any:
    """Find what says something."""
    found = await (await call.dom()).find(call.text or "", role=call.options.role, limit=call.options.limit)
    return {"found": msgspec.to_builtins(found)}


async def read(call: Call) -> Any:
    """Read an element, or the page."""
    return {"text": await (await call.dom()).read(call.node_id)}


class ExtractOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``extract``."""

    schema: Annotated[dict[str, Any] | None, Meta(description="JSON schema of what is wanted; tables without")] = None


async def extract(call: Call) -> Any:
    """Get data out of the page."""
    return {"data": await (await call.dom()).extract(call.options.schema, scope=call.node_id)}


class WaitOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``wait``."""

    gone: Annotated[str | None, Meta(description="a text that goes away")] = None
    url: Annotated[str | None, Meta(description="a part of the address, or a pattern with *")] = None
    state: Annotated[State | None, Meta(description="of nodeId")] = None
    value: Annotated[str | None, Meta(description="what nodeId holds")] = None
    timeout_ms: Annotated[int, Meta(ge=1, le=120_000, description="10000 by default")] = 10_000


async def wait(call: Call) -> Any:
    """Wait for something."""
    options: WaitOptions = call.options
    return await (await call.dom()).wait_for(
        text=call.text,
        gone=options.gone,
        url=options.url,
        node_id=call.node_id,
        state=options.state,
        value=options.value,
        timeout_s=options.timeout_ms / 1000,
    )


class EvaluateOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``evaluate``."""

    script: Annotated[str, Meta(min_length=1, description="its value is the answer")]


async def evaluate(call: Call) -> Any:
    """Run script in the page."""
    if not call.may_evaluate:
        raise BlockedByPolicyError("script is not run here; read the page with get_dom, find or extract")
    assert call.tab is not None
    return {"value": await call.tab.evaluate(call.options.script)}


ACTIONS = (
    Action("find", "what on the whole page says text", find, takes=("text",), options=FindOptions),
    Action("read", "all the words of nodeId, or of the page", read, takes=("nodeId",)),
    Action(
        "extract", "data of the page or of nodeId, by a JSON schema", extract, takes=("nodeId",), options=ExtractOptions
    ),
    Action(
        "wait",
        "wait until text is there, or what the options say is so",
        wait,
        takes=("text", "nodeId"),
        options=WaitOptions,
    ),
    Action("evaluate", "run options.script in the page, where that is allowed", evaluate, options=EvaluateOptions),
)
