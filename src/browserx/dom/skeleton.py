"""The ``skeleton`` format: HTML of what can be acted on, and of nothing else, one element a line.

Attributes are those that name an element on its page: id, name, type, href, value, placeholder, role, aria-label and
data-testid (or the test id it has), as they are written there. Two are ours: ``data-node-id``, and ``data-name``, the
accessible name where it is neither the text nor the aria-label. The last line says how many elements did not fit.
"""

import math
from collections.abc import Mapping

from browserx.dom.budget import first_fitting
from browserx.dom.choose import about
from browserx.dom.html import Markup, element, one_line, safe_address
from browserx.dom.options import MAX_NODES, SerializationOptions
from browserx.dom.snapshot import DomSnapshot
from browserx.dom.tokens import share
from browserx.dom.tree import PageNode
from browserx.inpage.facts import Fact

#: Of UTF-8; what a backend takes.
MAX_SKELETON_BYTES = 100_000

_VISIBLE = int(Fact.VISIBLE)
_IN_VIEW = int(Fact.IN_VIEW)
_ROLE = int(Fact.ROLE)
_EDITABLE = int(Fact.EDITABLE)
_PROTECTED = int(Fact.PROTECTED)
_NAMED_BY_CONTENT = int(Fact.NAMED_BY_CONTENT)
_TEST_IDS = ("data-testid", "data-test", "data-cy", "data-test-id")

#: What is written on elements, by their index in the tree (``read_attributes`` in ``markup``).
Written = Mapping[int, Mapping[str, str]]


def skeleton(
    snapshot: DomSnapshot,
    options: SerializationOptions,
    *,
    start: int = -1,
    max_nodes: int = MAX_NODES,
    written: Written | None = None,
) -> Markup:
    """Write the elements of a snapshot, or of the subtree of node ``start``, that can be acted on.

    Without ``written`` the attributes are those the look told of: no ids and names.
    """
    nodes, ends = snapshot.page.tree.nodes, snapshot.page.tree.ends
    needs = _IN_VIEW if options.viewport_only else _VISIBLE
    span = range(start, ends[start]) if start >= 0 else range(len(nodes))
    asked = about(snapshot, options, start=start)
    shown = [
        i for i in span if snapshot.page.actionable[i] and nodes[i].facts & needs and (asked is None or i in asked)
    ]
    lines = [_line(snapshot, index, (written or {}).get(index)) for index in shown]
    kept = first_fitting(
        [(share(line), len(line.encode()) + 1) for line in lines],
        max_tokens=math.inf if options.max_tokens is None else options.max_tokens,
        max_bytes=MAX_SKELETON_BYTES,
        max_nodes=math.inf if options.max_tokens is None else max_nodes,
    )
    if kept < len(lines):
        lines[kept:] = [f"<!-- {len(shown) - kept} more elements left out -->"]
    return Markup(
        url=snapshot.facts.url,
        title=snapshot.facts.title,
        html="\n".join(lines),
        truncated=kept < len(shown),
        missing=list(snapshot.missing),
    )


def _line(snapshot: DomSnapshot, index: int, written: Mapping[str, str] | None) -> str:
    node = snapshot.page.tree.nodes[index]
    # What an element is called by the text in it is that text; an input has none in it.
    secret = node.facts & _PROTECTED and node.tag != "input"
    name = node.name if secret else snapshot.page.names[index]
    attributes = _attributes(node, written)
    content, said = _content(node, name)
    if name and name not in (said, attributes.get("aria-label"), attributes["placeholder"], attributes["value"]):
        attributes["data-name"] = name
    return element(node.tag, {"data-node-id": snapshot.node_id(index), **attributes}, content)


def _attributes(node: PageNode, written: Mapping[str, str] | None) -> dict[str, str]:
    """What is written on the element, as far as it is known, and what is in it now."""
    extra = node.extra
    told = extra.attributes if extra is not None else {}
    if written is None:
        written = {
            "type": told.get("type", ""),
            "role": node.role if node.facts & _ROLE else "",
            "data-testid": told.get("testid", ""),
        }
    value = extra.value if extra is not None and not node.facts & (_PROTECTED | _EDITABLE) else None
    return {
        **{name: written.get(name, "") for name in ("id", "name", "type", "role", "aria-label", *_TEST_IDS)},
        "href": safe_address(written.get("href") or told.get("href", "")),
        "placeholder": told.get("placeholder", ""),
        "value": "" if node.facts & _PROTECTED or node.tag == "textarea" else value or written.get("value", ""),
    }


def _content(node: PageNode, name: str) -> tuple[str, str]:
    """What is in the element, as HTML and as text."""
    extra = node.extra
    if node.facts & _PROTECTED:
        return "", ""
    if node.tag == "select":
        return "".join(_option(label, node) for label in (extra.options if extra is not None else [])), ""
    if node.tag == "textarea" or node.facts & _EDITABLE:
        text = extra.value or "" if extra is not None else ""
        return one_line(text), text
    if node.facts & _NAMED_BY_CONTENT or not node.name:
        return one_line(name), name
    return "", ""


def _option(label: str, node: PageNode) -> str:
    chosen = node.extra is not None and label == node.extra.value
    return f"<option{' selected' if chosen else ''}>{one_line(label)}</option>"
