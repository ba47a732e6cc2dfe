"""What an action of the tool is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from browserx.browser import Browser, Tab
from browserx.errors import TabClosedError
from browserx.page import DomService

Field = Literal["nodeId", "text", "key"]


class NoOptions(msgspec.Struct, forbid_unknown_fields=True):
    """An action without options."""


@dataclass(frozen=True)
class Call:
    """One validated call. ``tab`` is None only for actions that need none."""

    browser: Browser
    tab: Tab | None
    node_id: str | int | None
    text: str | None
    key: str | None
    options: Any
    #: Where files go that the call writes; nowhere else.
    output_dir: Path = Path("output")

    async def dom(self) -> DomService:
        """The service of the tab."""
        if self.tab is None:
            raise TabClosedError("No tab with id: there is no open tab; open one with new_tab")
        return await DomService.for_tab(self.tab)


@dataclass(frozen=True)
class Action:
    """One action: what it is called, what it needs, what it may be given, and what it does.

    ``run`` returns plain JSON values, or raises one of the engine's errors. To add an action, write one of these in the
    file of its family, and put it into that file's table.
    """

    name: str
    summary: str
    run: Callable[[Call], Awaitable[Any]]
    needs: tuple[Field, ...] = ()
    takes: tuple[Field, ...] = ()
    options: type[msgspec.Struct] = NoOptions
    needs_tab: bool = True
