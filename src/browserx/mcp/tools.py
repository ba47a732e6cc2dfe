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
    Tool("browser_navigate", "Open a URL", takes.Navigate, "moves"),
    Tool("browser_navigate_back", "Go back", takes.Back, "moves"),
    Tool(
        "browser_snapshot",
        "See the page: the viewport unless asked otherwise. Lines that begin with a number (ref) can be acted on. "
        "Actions answer with what they changed; look only for more",
        takes.Snapshot,
        "reads",
    ),
    Tool("browser_click", "Click", takes.Click, "changes"),
    Tool("browser_type", "Type into a field", takes.Type, "changes"),
    Tool("browser_press_key", "Press a key on what has the focus", takes.PressKey, "changes"),
    Tool("browser_fill_form", "Fill in several fields", takes.FillForm, "changes"),
    Tool("browser_select_option", "Select in a dropdown", takes.SelectOption, "changes"),
    Tool("browser_hover", "Hover over an element", takes.Hover, "moves"),
    Tool("browser_scroll", "Scroll the page or a box, by amount windows or to an end", takes.Scroll, "moves"),
    Tool("browser_wait_for", "Wait for text, its end, a URL, or time", takes.WaitFor, "reads"),
    Tool("browser_tabs", "List, open, select or close tabs", takes.Tabs, "moves"),
    Tool("browser_handle_dialog", "Answer the open alert, confirm or prompt", takes.HandleDialog, "changes"),
    Tool("browser_take_screenshot", "A picture of the page, for what text cannot tell", takes.TakeScreenshot, "reads"),
    Tool("browser_navigate_forward", "Go forward", takes.Forward, "moves", "history"),
    Tool("browser_reload", "Load the page anew", takes.Reload, "moves", "history"),
    Tool("browser_check", "Check a box or radio button", takes.Check, "changes", "forms"),
    Tool("browser_uncheck", "Uncheck a box", takes.Uncheck, "changes", "forms"),
    Tool("browser_choose", "Choose in any kind of dropdown or combobox", takes.Choose, "changes", "forms"),
    Tool("browser_drag", "Drag one element to another", takes.Drag, "changes", "mouse"),
    Tool("browser_file_upload", "Put files into a file field", takes.FileUpload, "changes", "files"),
)
BY_NAME = {tool.name: tool for tool in TOOLS}


def offered(groups: Iterable[str], actions: Mapping[str, Action]) -> list[Tool]:
    """The tools of the default set and of ``groups`` whose action is among ``actions``."""
    wanted = {"", *groups}
    return [tool for tool in TOOLS if tool.group in wanted and tool.takes.action in actions]
