"""The acting family: pointer and keys."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from browserx.tool.action import ActingOptions, Action, Call


class HeldKeys(msgspec.Struct, forbid_unknown_fields=True):
    """Modifier keys held down."""

    ctrl: bool = False
    shift: bool = False
    alt: bool = False
    meta: bool = False

    def names(self) -> list[str]:
        """As the engine calls them."""
        return [name.capitalize() for name in ("ctrl", "shift", "alt", "meta") if getattr(self, name)]


class ClickOptions(ActingOptions, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``click``."""

    button: Annotated[Literal["left", "right", "middle"], Meta(description="left by default")] = "left"
    click_count: Annotated[int, Meta(ge=1, le=3, description="2 for a double click")] = 1
    modifiers: Annotated[HeldKeys, Meta(description="keys held down")] = msgspec.field(default_factory=HeldKeys)


async def click(call: Call) -> Any:
    """Click an element."""
    options: ClickOptions = call.options
    dom = await call.dom()
    assert call.node_id is not None
    return await dom.click(
        call.node_id,
        button=options.button,
        click_count=options.click_count,
        modifiers=options.modifiers.names(),
        expect=options.expected,
    )


class TypeOptions(ActingOptions, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``type``."""

    clear: Annotated[bool | None, Meta(description="empty the field first; true by default with a nodeId")] = None
    char_by_char: Annotated[bool, Meta(description="a key press for each character")] = False


async def type_text(call: Call) -> Any:
    """Type into a field."""
    options: TypeOptions = call.options
    dom = await call.dom()
    assert call.text is not None
    return await dom.type(
        call.node_id,
        call.text,
        clear=options.clear,
        char_by_char=options.char_by_char,
        expect=options.expected,
    )


class KeypressOptions(ActingOptions, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``keypress``."""

    modifiers: Annotated[HeldKeys, Meta(description="keys held down")] = msgspec.field(default_factory=HeldKeys)


async def keypress(call: Call) -> Any:
    """Press a key."""
    options: KeypressOptions = call.options
    dom = await call.dom()
    assert call.key is not None
    return await dom.keypress(call.key, modifiers=options.modifiers.names(), expect=options.expected)


class ScrollOptions(ActingOptions, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``scroll``."""

    direction: Annotated[Literal["up", "down", "left", "right"], Meta(description="down by default")] = "down"
    amount: Annotated[float, Meta(gt=0, le=1000, description="in windows; 1 by default")] = 1.0
    to: Annotated[Literal["start", "end"] | None, Meta(description="all the way")] = None
    until: Annotated[Literal["end"] | None, Meta(description="to the end of a list that loads more and more")] = None


async def scroll(call: Call) -> Any:
    """Scroll the page or a box."""
    options: ScrollOptions = call.options
    dom = await call.dom()
    return await dom.scroll(
        call.node_id,
        options.direction,
        amount=options.amount,
        to=options.to,
        until=options.until,
        expect=options.expected,
    )


async def hover(call: Call) -> Any:
    """Move the pointer onto an element."""
    assert call.node_id is not None
    return await (await call.dom()).hover(call.node_id, expect=call.options.expected)


async def focus(call: Call) -> Any:
    """Give an element the focus."""
    assert call.node_id is not None
    return await (await call.dom()).focus(call.node_id, expect=call.options.expected)


class DragOptions(ActingOptions, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``drag``."""

    to: Annotated[str | int | None, Meta(description="the element to drop on")] = None
    by: Annotated[tuple[float, float] | None, Meta(description="or how far, in px: [x, y]")] = None


async def drag(call: Call) -> Any:
    """Drag an element."""
    options: DragOptions = call.options
    assert call.node_id is not None
    return await (await call.dom()).drag(call.node_id, options.to, offset=options.by, expect=options.expected)


ACTIONS = (
    Action("click", "click element nodeId", click, needs=("nodeId",), options=ClickOptions),
    Action(
        "type",
        "type text into field nodeId, or at the caret of what has the focus; a newline at its end presses Enter",
        type_text,
        needs=("text",),
        takes=("nodeId",),
        options=TypeOptions,
    ),
    Action(
        "keypress",
        'press key ("Enter", "Escape", "Tab", "ArrowDown", "a", "Control+A") on what has the focus',
        keypress,
        needs=("key",),
        options=KeypressOptions,
    ),
    Action(
        "scroll",
        "scroll the page, or the box that nodeId is in",
        scroll,
        takes=("nodeId",),
        options=ScrollOptions,
    ),
    Action("hover", "move the pointer onto nodeId", hover, needs=("nodeId",), options=ActingOptions),
    Action("focus", "give nodeId the focus without pressing it", focus, needs=("nodeId",), options=ActingOptions),
    Action("drag", "drag nodeId onto options.to, or by options.by", drag, needs=("nodeId",), options=DragOptions),
)
