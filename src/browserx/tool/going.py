"""The going family: navigation, tabs and dialogs."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from browserx.browser import Tab
from browserx.errors import InvalidArgumentError
from browserx.page import DomService
from browserx.tool.action import Action, Call


class NavigateOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``navigate``."""

    url: Annotated[str, Meta(min_length=1, description="where to go")]


async def navigate(call: Call) -> Any:
    """Open an address in the tab."""
    return await (await call.dom()).navigate(call.options.url)


async def back(call: Call) -> Any:
    """Go back."""
    return await (await call.dom()).back()


async def forward(call: Call) -> Any:
    """Go forward."""
    return await (await call.dom()).forward()


async def reload(call: Call) -> Any:
    """Load the page anew."""
    return await (await call.dom()).reload()


def _told(tab: Tab) -> dict[str, Any]:
    return {"tabId": tab.id, "url": tab.url, "title": tab.title}


async def tabs(call: Call) -> Any:
    """List the tabs."""
    return {"tabs": [_told(tab) for tab in call.browser.tabs]}


class NewTabOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``new_tab``."""

    url: Annotated[str | None, Meta(description="what to open in it")] = None


async def new_tab(call: Call) -> Any:
    """Open a tab."""
    return _told(await call.browser.new_tab(call.options.url))


async def switch_tab(call: Call) -> Any:
    """Bring a tab to the front; calls without a tabId go to it from now on."""
    assert call.tab is not None
    await call.tab.bring_to_front()
    return _told(call.tab)


async def close_tab(call: Call) -> Any:
    """Close a tab."""
    assert call.tab is not None
    await call.tab.close()
    return {"closed": call.tab.id, "tabs": [_told(tab) for tab in call.browser.tabs]}


class DialogOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``dialog``."""

    accept: Annotated[bool, Meta(description="true: OK, false: Cancel")]


async def dialog(call: Call) -> Any:
    """Answer the open dialog."""
    assert call.tab is not None
    # The tab hears of dialogs only while it is attached.
    await DomService.for_tab(call.tab)
    there = call.tab.dialog
    if there is None:
        raise InvalidArgumentError("no dialog is open")
    if call.options.accept:
        await there.accept(call.text)
    else:
        await there.dismiss()
    return {"kind": there.kind, "text": there.text, "accepted": call.options.accept}


ACTIONS = (
    Action("navigate", "open options.url in the tab", navigate, options=NavigateOptions),
    Action("back", "go back", back),
    Action("forward", "go forward", forward),
    Action("reload", "load the page anew", reload),
    Action("tabs", "list the open tabs", tabs, needs_tab=False),
    Action("new_tab", "open a tab, and options.url in it", new_tab, options=NewTabOptions, needs_tab=False),
    Action("switch_tab", "bring the tab to the front", switch_tab),
    Action("close_tab", "close the tab", close_tab),
    Action(
        "dialog",
        "answer the open alert, confirm or prompt (text: what to type into a prompt)",
        dialog,
        takes=("text",),
        options=DialogOptions,
    ),
)
