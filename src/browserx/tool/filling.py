"""The filling family: lists, boxes, dates, files and whole forms."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from browserx.tool.action import ActingOptions, Action, Call


class SelectOptions(ActingOptions, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``select``."""

    label: Annotated[str | list[str] | None, Meta(description="as it is read")] = None
    value: Annotated[str | list[str] | None, Meta(description="as it is sent")] = None
    index: Annotated[int | list[int] | None, Meta(description="its place, from 0")] = None


async def select(call: Call) -> Any:
    """Choose in a native list."""
    options: SelectOptions = call.options
    assert call.node_id is not None
    return await (await call.dom()).select_option(
        call.node_id,
        label=options.label if call.text is None else call.text,
        value=options.value,
        index=options.index,
        expect=options.expected,
    )


async def check(call: Call) -> Any:
    """Put a box, radio or switch on."""
    assert call.node_id is not None
    return await (await call.dom()).check(call.node_id, expect=call.options.expected)


async def uncheck(call: Call) -> Any:
    """Put a box or switch off."""
    assert call.node_id is not None
    return await (await call.dom()).uncheck(call.node_id, expect=call.options.expected)


async def submit(call: Call) -> Any:
    """Send a form."""
    assert call.node_id is not None
    return await (await call.dom()).submit(call.node_id, expect=call.options.expected)


async def choose(call: Call) -> Any:
    """Choose in a list of any kind."""
    assert call.node_id is not None
    assert call.text is not None
    return await (await call.dom()).choose(call.node_id, call.text, expect=call.options.expected)


async def pick_date(call: Call) -> Any:
    """Pick a date."""
    assert call.node_id is not None
    assert call.text is not None
    return await (await call.dom()).pick_date(call.node_id, call.text, expect=call.options.expected)


class UploadOptions(ActingOptions, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``upload``."""

    files: Annotated[list[str], Meta(min_length=1, description="paths")]


async def upload(call: Call) -> Any:
    """Give files to a field."""
    assert call.node_id is not None
    return await (await call.dom()).upload(call.node_id, call.options.files, expect=call.options.expected)


class FormOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``fill_form``."""

    fields: Annotated[
        dict[str, str | bool | int | float | list[str]],
        Meta(min_length=1, description="nodeId: text, true or false, or the label of a choice"),
    ]


async def fill_form(call: Call) -> Any:
    """Fill in several fields."""
    dom = await call.dom()
    filled = await dom.fill_form({**call.options.fields})
    return filled.to_dict()


ACTIONS = (
    Action(
        "select",
        "choose in the native list nodeId (text: the label)",
        select,
        needs=("nodeId",),
        takes=("text",),
        options=SelectOptions,
    ),
    Action(
        "choose",
        "choose text in a list of any kind that nodeId is or opens",
        choose,
        needs=("nodeId", "text"),
        options=ActingOptions,
    ),
    Action("check", "put box, radio or switch nodeId on", check, needs=("nodeId",), options=ActingOptions),
    Action("uncheck", "put box or switch nodeId off", uncheck, needs=("nodeId",), options=ActingOptions),
    Action(
        "pick_date",
        "put date text (2026-11-22) into nodeId",
        pick_date,
        needs=("nodeId", "text"),
        options=ActingOptions,
    ),
    Action("upload", "give options.files to field or button nodeId", upload, needs=("nodeId",), options=UploadOptions),
    Action("fill_form", "fill in several fields; stops at the first that fails", fill_form, options=FormOptions),
    Action("submit", "send the form that nodeId is in", submit, needs=("nodeId",), options=ActingOptions),
)
