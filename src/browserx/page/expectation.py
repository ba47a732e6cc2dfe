"""What a caller says should be so, and whether it is."""

import re
from typing import Any, Literal

import msgspec

from browserx.dom import DomSnapshot
from browserx.dom.ids import normalize
from browserx.errors import InvalidArgumentError
from browserx.inpage.facts import Fact

State = Literal["visible", "hidden", "enabled", "disabled", "checked", "unchecked", "expanded", "collapsed", "selected"]
_SPACE = re.compile(r"\s+")


class Expectation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All that is given must hold.

    Attributes:
        text: stands on the page, in any case, spaces aside.
        gone: does not stand on it.
        url: a part of the address, or a pattern with ``*``.
        value: what the field holds.
        state: of the element.
        node_id: the element ``value`` and ``state`` are about; of an action, the one it acted on when left out.
    """

    text: str | None = None
    gone: str | None = None
    url: str | None = None
    value: str | None = None
    state: State | None = None
    node_id: str | int | None = None

    @property
    def needs_look(self) -> bool:
        """Whether the page has to be looked at: the address is known without."""
        return any(given is not None for given in (self.text, self.gone, self.value, self.state))


def expectation(given: "Expectation | dict[str, Any]", node_id: str | int | None = None) -> Expectation:
    """As a value, checked.

    Raises:
        InvalidArgumentError: nothing is expected, or something that is not known.
    """
    try:
        wanted = given if isinstance(given, Expectation) else msgspec.convert(given, Expectation)
    except msgspec.ValidationError as error:
        raise InvalidArgumentError(f"what is expected makes no sense: {error}") from error
    if not wanted.needs_look and not wanted.url:
        raise InvalidArgumentError("nothing is expected; give text, gone, url, value or state")
    if wanted.node_id is None and node_id is not None:
        wanted = msgspec.structs.replace(wanted, node_id=node_id)
    if (wanted.value is not None or wanted.state is not None) and wanted.node_id is None:
        raise InvalidArgumentError("value and state are those of an element: give its node_id")
    return wanted


def unmet(wanted: Expectation, url: str, snapshot: DomSnapshot | None) -> str:
    """What of an expectation does not hold, in words; "" when all does. Without a snapshot the page is not known."""
    if wanted.url is not None and not _fits(url, wanted.url):
        return f"the address is {url}, not {wanted.url}"
    if not wanted.needs_look:
        return ""
    if snapshot is None:
        return "the page could not be looked at"
    said = _said(snapshot) if wanted.text is not None or wanted.gone is not None else ""
    if wanted.text is not None and _plain(wanted.text) not in said:
        return f"{wanted.text!r} is not on the page"
    if wanted.gone is not None and _plain(wanted.gone) in said:
        return f"{wanted.gone!r} is still on the page"
    if wanted.node_id is not None:
        return _element(wanted, snapshot, normalize(wanted.node_id) or "")
    return ""


def _fits(url: str, wanted: str) -> bool:
    if "*" in wanted:
        return re.fullmatch(".*".join(map(re.escape, wanted.split("*"))), url) is not None
    return wanted in url


def _plain(text: str) -> str:
    return _SPACE.sub("", text).casefold()


def _said(snapshot: DomSnapshot) -> str:
    """All that can be read, without spaces: where one text ends and the next begins is no matter of wording."""
    parts = []
    for node in snapshot.page.tree.nodes:
        if node.key == 0:
            parts.append(node.text)
        elif node.facts & Fact.VISIBLE:
            parts.append(node.name)
            if node.extra is not None and node.extra.value:
                parts.append(node.extra.value)
    return _plain(" ".join(parts))


def _element(wanted: Expectation, snapshot: DomSnapshot, node_id: str) -> str:
    index = snapshot.index_of(node_id)
    if wanted.state == "hidden":
        node = snapshot.page.tree.nodes[index] if index is not None else None
        return f"element {node_id} is still visible" if node is not None and node.facts & Fact.VISIBLE else ""
    if index is None:
        return f"element {node_id} is not on the page"
    node = snapshot.page.tree.nodes[index]
    states = node.extra.states if node.extra is not None else {}
    if wanted.value is not None:
        held = (node.extra.value if node.extra is not None else None) or ""
        if node.facts & Fact.PROTECTED:
            return f"the value of element {node_id} is secret and is not told"
        if held != wanted.value:
            return f"element {node_id} holds {held!r}, not {wanted.value!r}"
    holds = {
        None: True,
        "visible": bool(node.facts & Fact.VISIBLE),
        "enabled": not node.facts & Fact.DISABLED,
        "disabled": bool(node.facts & Fact.DISABLED),
        "checked": True in (states.get("checked"), states.get("pressed")),
        "unchecked": True not in (states.get("checked"), states.get("pressed")),
        "expanded": states.get("expanded") is True,
        "collapsed": states.get("expanded") is not True,
        "selected": states.get("selected") is True,
    }
    return "" if holds[wanted.state] else f"element {node_id} is not {wanted.state}"
