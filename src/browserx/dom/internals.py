"""What custom elements say of themselves by script (``ElementInternals``): role, name and states that no script of ours
can read. The browser's accessibility tree knows them, and is asked for these elements only: it is slow to build.
"""

import asyncio
from typing import Any

import msgspec

from browserx.browser.frames import Frame
from browserx.dom.roles import WIDGET_ROLES
from browserx.errors import CdpError, OperationTimeoutError
from browserx.inpage.facts import ElementRow, Extra, Fact, LookFacts

#: So many elements are asked about in one look, for so long; a page whose tree takes longer is not asked again.
_ASKED = 50
_TIMEOUT_S = 1.0
_DOUBTFUL = int(Fact.DOUBTFUL)
_ROLE = int(Fact.ROLE)
#: Roles that say no more than a look does.
_NOTHING = frozenset(("", "none", "generic", "GenericContainer"))
_TRISTATE: dict[object, bool | str] = {"true": True, "false": False, "mixed": "mixed"}
_STATES = ("expanded", "selected", "disabled", "required", "readonly")


class _Value(msgspec.Struct):
    value: Any = None


class _Property(msgspec.Struct):
    name: str
    value: _Value = msgspec.field(default_factory=_Value)


class _AXNode(msgspec.Struct):
    ignored: bool = False
    role: _Value = msgspec.field(default_factory=_Value)
    name: _Value = msgspec.field(default_factory=_Value)
    value: _Value = msgspec.field(default_factory=_Value)
    properties: list[_Property] = []


class _PartialTree(msgspec.Struct):
    nodes: list[_AXNode] = []


class Internals:
    """Asks about the custom elements of a tab's looks, and remembers which have nothing to say."""

    def __init__(self) -> None:
        self._silent: dict[str, set[int]] = {}
        self._slow: set[str] = set()

    def forget_all_but(self, worlds: set[str]) -> None:
        """The documents of all other worlds went away."""
        self._slow &= worlds
        for world in self._silent.keys() - worlds:
            del self._silent[world]

    async def tell(self, frame: Frame, facts: LookFacts, backend_ids: dict[int, int]) -> None:
        """Add to the rows of a look what its custom elements say of themselves."""
        world = frame.world_id
        if world in self._slow:
            return
        silent = self._silent.setdefault(world, set())
        doubtful = [
            row
            for row in facts.rows
            if type(row) is ElementRow and row.flags & _DOUBTFUL and row.key not in silent and row.key in backend_ids
        ][:_ASKED]
        if not doubtful:
            return
        asked = [
            frame.session.start(
                "Accessibility.getPartialAXTree",
                {"backendNodeId": backend_ids[row.key], "fetchRelatives": False},
                _PartialTree,
                timeout_s=_TIMEOUT_S,
            )
            for row in doubtful
        ]
        for row, answer in zip(doubtful, await asyncio.gather(*asked, return_exceptions=True), strict=True):
            if isinstance(answer, OperationTimeoutError):
                self._slow.add(world)
            elif isinstance(answer, BaseException):
                if not isinstance(answer, CdpError):
                    raise answer
            elif not answer.nodes or answer.nodes[0].ignored or answer.nodes[0].role.value in _NOTHING:
                silent.add(row.key)
            else:
                _take(facts, row, answer.nodes[0])


def _take(facts: LookFacts, row: ElementRow, told: _AXNode) -> None:
    role = str(told.role.value)
    if role not in facts.roles:
        facts.roles.append(role)
    row.role = facts.roles.index(role)
    row.name = " ".join(str(told.name.value or "").split())[:250] or row.name
    if role in WIDGET_ROLES:
        row.flags |= _ROLE
    extra = row.extra = row.extra or Extra()
    for name, value in ((p.name, p.value.value) for p in told.properties):
        if name in ("checked", "pressed") and value in _TRISTATE:
            extra.states[name] = _TRISTATE[value]
        elif name in _STATES and (value or name in ("expanded", "selected")):
            extra.states[name] = bool(value)
    if told.value.value not in (None, "") and extra.value is None:
        extra.value = str(told.value.value)
