"""What an action of the tool is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from browserx.browser import Browser, Tab
from browserx.errors import TabClosedError
from browserx.page import DomService
from browserx.page.expectation import Expectation, State

Field = Literal["nodeId", "text", "key"]


class NoOptions(msgspec.Struct, forbid_unknown_fields=True):
    """An action without options."""


class Expected(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """What should be so after an action."""

    text: str | None = None
    gone: str | None = None
    url: str | None = None
    value: str | None = None
    state: State | None = None
    node_id: str | int | None = None

    def expectation(self) -> Expectation:
        """As the engine takes it."""
        return msgspec.convert(msgspec.structs.asdict(self), Expectation)


class ActingOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of every action on the page."""

    expect: Annotated[
        Expected | None,
        Meta(description="what should be so afterwards (text on the page, gone from it, url, value, state): checked"),
    ] = None

    @property
    def expected(self) -> Expectation | None:
        """What is expected, as the engine takes it."""
        return None if self.expect is None else self.expect.expectation()


@dataclass(frozen=True)
class Call:
    """One validated call. ``tab`` is None only for actions that need none."""

    browser: Browser
    tab: Tab | None
    node_id: str | int | None
    text: str | None
    key: str | None
    options: Any
    #: Whether script may be run in the page.
    may_evaluate: bool = False
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
