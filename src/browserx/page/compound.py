"""Actions of several steps that are one to whoever asks for them: each step is looked at before the next is taken.

What is chosen or filled in is verified; a step whose precondition does not hold ends it, and what ran is told.
"""

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from browserx.actions import ActionError, ActionResult, Verdict
from browserx.dom import DomSnapshot
from browserx.dom.ids import normalize
from browserx.errors import BrowserXError, InvalidArgumentError, NodeNotFoundError, NotActionableError
from browserx.inpage.facts import Fact

_CHOICES = frozenset(("option", "menuitem", "menuitemradio", "menuitemcheckbox", "treeitem", "radio", "gridcell"))
_TAKES_TEXT = frozenset(("textbox", "searchbox", "combobox", "spinbutton"))
_CHECKED = frozenset(("checkbox", "switch", "menuitemcheckbox"))
_NAMED = 12
_SPACE = re.compile(r"\s+")


class Stepping(Protocol):
    """What the steps are taken with: a service of either engine."""

    @property
    def current_snapshot(self) -> DomSnapshot | None: ...  # noqa: D102
    def invalidate_snapshot(self) -> None: ...  # noqa: D102
    async def get_snapshot(self, force: bool = False) -> DomSnapshot: ...  # noqa: D102
    async def click(self, node_id: str | int) -> ActionResult: ...  # noqa: D102
    async def type(self, node_id: str | int, text: str) -> ActionResult: ...  # noqa: D102
    async def keypress(self, key: str) -> ActionResult: ...  # noqa: D102
    async def blur(self, node_id: str | int) -> ActionResult: ...  # noqa: D102
    async def check(self, node_id: str | int) -> ActionResult: ...  # noqa: D102
    async def uncheck(self, node_id: str | int) -> ActionResult: ...  # noqa: D102
    async def choose(self, node_id: str | int, text: str) -> ActionResult: ...  # noqa: D102
    async def select_option(self, node_id: str | int, *, label: str | Sequence[str]) -> ActionResult: ...  # noqa: D102
    async def upload(  # noqa: D102
        self, node_id: str | int, files: Sequence[str | os.PathLike[str]]
    ) -> ActionResult: ...


class FilledField(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """What became of one field."""

    node_id: str
    result: ActionResult | None = None
    error: str = ""


class FormFilled(msgspec.Struct, frozen=True, rename="camel"):
    """What became of a form: of each field in turn, up to the first that did not take its value."""

    success: bool
    fields: list[FilledField]

    def to_dict(self) -> dict[str, Any]:
        """As it goes over the wire."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]


async def choose(dom: Stepping, node_id: str | int, text: str) -> ActionResult:
    """Choose ``text`` in a list of any kind: native, or opened by a click, or narrowed down by typing.

    Raises:
        InvalidArgumentError: it offers no such choice; names what it offers.
        NotActionableError: nothing opens.
    """
    wanted = _plain(text)
    if not wanted:
        raise InvalidArgumentError("what to choose is empty")
    before = dom.current_snapshot
    chosen = normalize(node_id)
    if before is None or chosen is None or (node := before.node(chosen)) is None:
        return await dom.click(node_id)  # says what is wrong with the id
    if node.tag in ("select", "option"):
        return await dom.select_option(node_id, label=text)
    if before.scope != "page":
        # What opens is told from what was there: all that was there has to be known.
        before = await dom.get_snapshot()
    there = set(_shown(before))
    offered = _choices_of(before, chosen)
    result = None
    if not offered:
        result = await dom.click(chosen)
        opened = await dom.get_snapshot(force=True)
        offered = {i: said for i, said in _shown(opened).items() if i not in there}
        if wanted not in map(_plain, offered.values()) and _takes_text(opened, chosen):
            await dom.type(chosen, text)
            opened = await dom.get_snapshot(force=True)
            offered = {i: said for i, said in _shown(opened).items() if i not in there}
    pick = _pick(offered, wanted)
    if pick is None:
        await dom.get_snapshot(force=True)
        if not offered:
            raise NotActionableError(
                f"element {chosen} was clicked, and no choices came; look at what opened",
                node_id=chosen,
                reason="closed",
            )
        named = ", ".join(dict.fromkeys(list(offered.values())[:_NAMED]))
        raise InvalidArgumentError(f"element {chosen} offers no {text!r}; it offers: {named}")
    held = _held(before, chosen)
    done = await dom.click(pick)
    if held and done.success and done.verdict is Verdict.CHANGED and wanted not in _plain(held):
        done = _verified(done, held, await dom.get_snapshot(force=True), chosen, text)
        dom.invalidate_snapshot()  # as after any action
    if result is not None and done.changes is not None and result.changes is not None:
        done.changes.requests = [*result.changes.requests, *done.changes.requests]
    return done


def _held(snapshot: DomSnapshot, node_id: str) -> str:
    """What a list says that was chosen in it; "" for what is no list, or holds nothing."""
    node = snapshot.node(node_id)
    if node is None or node.role != "combobox" or node.extra is None:
        return ""
    return node.extra.value or ""


def _verified(done: ActionResult, held: str, after: DomSnapshot, node_id: str, text: str) -> ActionResult:
    """That a list closed is no success: one that still holds what it held has not taken the choice."""
    if after.node(node_id) is None or _held(after, node_id) != held:
        return done
    message = f"{text!r} was clicked, and element {node_id} still holds {held!r}; observe again"
    return msgspec.structs.replace(done, success=False, error=ActionError("NOT_ACTIONABLE", message, recoverable=True))


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()


def _shown(snapshot: DomSnapshot) -> dict[str, str]:
    """All that can be acted on and has a name: what opens is what was not among it before, whatever it is made of."""
    nodes, page = snapshot.page.tree.nodes, snapshot.page
    return {
        snapshot.node_id(i): page.names[i]
        for i, yes in enumerate(page.actionable)
        if yes and nodes[i].facts & Fact.VISIBLE and page.names[i]
    }


def _choices_of(snapshot: DomSnapshot, node_id: str) -> dict[str, str]:
    """The choices inside an element: of a list that is open all the time."""
    index = snapshot.index_of(node_id)
    if index is None:
        return {}
    nodes = snapshot.page.tree.nodes
    inside = range(index + 1, snapshot.page.tree.ends[index])
    choices = {snapshot.node_id(i) for i in inside if snapshot.page.actionable[i] and nodes[i].role in _CHOICES}
    return {i: said for i, said in _shown(snapshot).items() if i in choices}


def _takes_text(snapshot: DomSnapshot, node_id: str) -> bool:
    node = snapshot.node(node_id)
    if node is None or node.role not in _TAKES_TEXT or node.tag not in ("input", "textarea"):
        return False
    return node.extra is None or not node.extra.states.get("readonly")


def _pick(offered: Mapping[str, str], wanted: str) -> str | None:
    """The one that says what is wanted; else the only one that begins with it, or has it in it."""
    said = {i: _plain(words) for i, words in offered.items()}
    exact = [i for i, words in said.items() if words == wanted]
    if exact:
        return exact[0]
    for fits in (str.startswith, str.__contains__):
        found = [i for i, words in said.items() if fits(words, wanted)]
        if len(found) == 1:
            return found[0]
    return None


async def fill_form(dom: Stepping, values: Mapping[str | int, Any]) -> FormFilled:
    """Fill in several fields, each by what it is; the page is looked at between them.

    Values: text for what takes text, true or false for boxes and switches, the label for lists, files for file fields.
    Stops at the first field that does not take its value.
    """
    if not values:
        raise InvalidArgumentError("no fields were given; give {node_id: value}")
    if dom.current_snapshot is None:
        await dom.get_snapshot()
    filled: list[FilledField] = []
    for node_id, value in values.items():
        known = normalize(node_id)
        if known is None:
            raise InvalidArgumentError(f'{node_id!r} is no node id; ids look like 7, "7" or "node_7"')
        if filled:
            await dom.get_snapshot(force=True)
        try:
            result = await _fill(dom, known, value)
        except BrowserXError as error:
            filled.append(FilledField(known, error=error.message))
            return FormFilled(False, filled)
        filled.append(FilledField(known, result))
        if not result.success or (result.changes is not None and result.changes.navigated):
            return FormFilled(result.success and len(filled) == len(values), filled)
    return FormFilled(True, filled)


async def _fill(dom: Stepping, node_id: str, value: Any) -> ActionResult:
    snapshot = dom.current_snapshot
    node = snapshot.node(node_id) if snapshot is not None else None
    if node is None:
        raise NodeNotFoundError(f"the page has no node {node_id}: observe again", node_id=node_id, nearest=[])
    kind = node.extra.attributes.get("type", "") if node.extra is not None else ""
    if kind == "file":
        return await dom.upload(node_id, value if isinstance(value, list | tuple) else [value])
    if isinstance(value, bool) or node.role in _CHECKED:
        return await (dom.check if _yes(value) else dom.uncheck)(node_id)
    if node.role == "radio":
        return await dom.check(node_id)
    if node.tag == "select" and isinstance(value, list | tuple):
        return await dom.select_option(node_id, label=[str(one) for one in value])
    if node.tag == "select" or (node.role in ("combobox", "listbox") and node.tag not in ("input", "textarea")):
        return await dom.choose(node_id, str(value))
    if node.role == "combobox" and node.extra is not None and "expanded" in node.extra.states:
        return await dom.choose(node_id, str(value))
    return await dom.type(node_id, str(value))


def _yes(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() not in ("", "false", "no", "off", "0")
    return bool(value)
