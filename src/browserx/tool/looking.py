"""The looking family: ``get_dom``."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from browserx.dom import SerializationOptions
from browserx.dom.options import MAX_CHARS, MAX_TOKENS, MOST_CHARS, Format
from browserx.tool.action import Action, Call


class LookOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``get_dom``."""

    format: Annotated[
        Format,
        Meta(description="outline: text (default); nodes, page, v3, v2: JSON; skeleton: controls as HTML; html: all"),
    ] = "outline"
    full_page: Annotated[bool, Meta(description="the whole page, not only the viewport")] = False
    max_tokens: Annotated[int | None, Meta(description="budget; null for no limit")] = MAX_TOKENS
    scope: Annotated[str | int | None, Meta(description="a node id: only its subtree")] = None
    query: Annotated[str | None, Meta(description="what to look for on the whole page: only the parts about it")] = None
    diff_from: Annotated[
        str | None, Meta(description="snapshotId of an earlier look: only what changed since (outline)")
    ] = None
    include_hidden: Annotated[bool, Meta(description="what nobody can see too (outline, nodes, page)")] = False
    include_layout: Annotated[bool, Meta(description="boxes too")] = False
    max_chars: Annotated[int, Meta(description=f"of html; at most {MOST_CHARS}")] = MAX_CHARS


async def get_dom(call: Call) -> Any:
    """Look at the page."""
    options: LookOptions = call.options
    dom = await call.dom()
    if options.format == "outline" and not options.include_hidden:
        seen = await dom.observe(
            viewport_only=not options.full_page,
            max_tokens=options.max_tokens,
            scope=options.scope,
            query=options.query,
            diff_from=options.diff_from,
            include_layout=options.include_layout,
        )
        return seen.to_dict()
    written = await dom.get_serialized_dom(
        SerializationOptions(
            format=options.format,
            max_tokens=options.max_tokens,
            scope=None if options.scope is None else str(options.scope),
            query=options.query,
            diff_from=options.diff_from,
            include_hidden=options.include_hidden,
            include_layout=options.include_layout,
            max_chars=options.max_chars,
        )
    )
    return written.to_dict()


ACTIONS = (Action("get_dom", "look at the page; do it first and after every action", get_dom, options=LookOptions),)
