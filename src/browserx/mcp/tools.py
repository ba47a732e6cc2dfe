"""The tools that are offered: their names are those that users of other browser servers know.

A tool is offered when ``DOMTool`` has its action, so that the list grows with the engine.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from browserx.errors import InvalidArgumentError
from browserx.mcp import arguments as takes
from browserx.mcp.arguments import Arguments
from browserx.mcp.groups import SCRIPT
from browserx.mcp.schema import input_schema
from browserx.tool.action import Action

Effect = Literal["reads", "moves", "changes"]


@dataclass(frozen=True)
class Tool:
    """A tool: its name, what is said of it, what it takes, and what it may do.

    ``effect``: it only ``reads``, it ``moves`` (changes what is shown, as going elsewhere does), or it ``changes`` what
    may matter to somebody. ``group``: it is offered only where its group is asked for; "" is always offered.
    """

    name: str
    summary: str
    takes: type[Arguments]
    effect: Effect
    group: str = ""

    def parse(self, given: Mapping[str, Any] | None) -> Arguments:
        """Check the arguments of a call.

        Raises:
            InvalidArgumentError: they make no sense; says which, and what the tool takes.
        """
        told = dict(given or {})
        # What the users of other servers are used to give: the name they call the element by, and another word for ref.
        told.pop("element", None)
        if "target" in told and "ref" not in told:
            told["ref"] = told.pop("target")
        try:
            return msgspec.convert(told, self.takes)
        except msgspec.ValidationError as error:
            names = ", ".join(field.encode_name for field in msgspec.structs.fields(self.takes)) or "nothing"
            raise InvalidArgumentError(f"{self.name}: {error}; it takes {names}") from error

    def listed(self, action: Action) -> dict[str, Any]:
        """As ``tools/list`` tells it."""
        options = frozenset(field.encode_name for field in msgspec.structs.fields(action.options))
        hints = {"readOnlyHint": True} if self.effect == "reads" else {"destructiveHint": self.effect == "changes"}
        return {
            "name": self.name,
            "description": self.summary,
            "inputSchema": input_schema(self.takes, options),
            "annotations": hints,
        }


TOOLS: tuple[Tool, ...] = (
    Tool("browser_navigate", "Open a URL and see the page", takes.Navigate, "moves"),
    Tool("browser_navigate_back", "Go back", takes.Back, "moves"),
    Tool(
        "browser_snapshot",
        "See the page: what is in the viewport unless asked otherwise. Lines that begin with a number (ref) can be "
        "acted on. Every action answers with what it changed, so look only for more",
        takes.Snapshot,
        "reads",
    ),
    Tool(
        "browser_find",
        "Find elements anywhere on the page by what they say or their role; gives refs",
        takes.Find,
        "reads",
    ),
    Tool(
        "browser_extract",
        "Get data off the whole page as JSON: in the shape of a schema (an object, or an array of objects), or its "
        "tables",
        takes.Extract,
        "reads",
    ),
    Tool("browser_click", "Click an element; says what that did, and shows what changed", takes.Click, "changes"),
    Tool("browser_type", "Type into a field, replacing what is in it", takes.Type, "changes"),
    Tool("browser_press_key", "Press a key or chord on what has the focus", takes.PressKey, "changes"),
    Tool(
        "browser_fill_form",
        "Fill in several fields of any kind, checked one by one; stops at the first that fails",
        takes.FillForm,
        "changes",
    ),
    Tool("browser_select_option", "Choose in a dropdown or list of any kind", takes.SelectOption, "changes"),
    Tool("browser_hover", "Move the pointer onto an element, as for menus", takes.Hover, "moves"),
    Tool(
        "browser_scroll",
        "Scroll the page, or the box that ref is in, by amount windows (1, down) or to an end",
        takes.Scroll,
        "moves",
    ),
    Tool("browser_wait_for", "Wait until a text is there or gone, or the URL fits", takes.WaitFor, "reads"),
    Tool("browser_tabs", "List, open, select or close tabs", takes.Tabs, "moves"),
    Tool(
        "browser_handle_dialog",
        "Answer the alert, confirm or prompt that holds the page",
        takes.HandleDialog,
        "changes",
    ),
    Tool("browser_take_screenshot", "A picture of the page, for what text cannot tell", takes.TakeScreenshot, "reads"),
    Tool("browser_navigate_forward", "Go forward", takes.Forward, "moves", "history"),
    Tool("browser_reload", "Load the page anew", takes.Reload, "moves", "history"),
    Tool("browser_read", "All the words of the page or of an element", takes.Read, "reads", "reading"),
    Tool("browser_check", "Put a box, radio or switch on", takes.Check, "changes", "forms"),
    Tool("browser_uncheck", "Put a box or switch off", takes.Uncheck, "changes", "forms"),
    Tool("browser_pick_date", "Put a date into a date field or calendar", takes.PickDate, "changes", "forms"),
    Tool("browser_drag", "Drag one element onto another", takes.Drag, "changes", "mouse"),
    Tool("browser_file_upload", "Give files to a field or button", takes.FileUpload, "changes", "files"),
    Tool("browser_pdf_save", "Save the page as PDF in the output folder", takes.SavePdf, "moves", "files"),
    Tool("browser_downloads", "List what was downloaded, with paths", takes.Downloads, "reads", "files"),
    Tool("browser_resize", "Show the page in another size, or as on a device", takes.Resize, "moves", "devices"),
    Tool("browser_evaluate", "Run script in the page; its value is the answer", takes.Evaluate, "changes", SCRIPT),
)
BY_NAME = {tool.name: tool for tool in TOOLS}


def offered(groups: Iterable[str], actions: Mapping[str, Action]) -> list[Tool]:
    """The tools of the default set and of ``groups`` whose action is among ``actions``."""
    wanted = {"", *groups}
    return [tool for tool in TOOLS if tool.group in wanted and tool.takes.action in actions]
