"""Getting out of a page what is wanted of it, and nothing else: what says something, what a part says, its data.

All of it comes out of one snapshot of the whole page; nothing is asked of a model.
"""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from browserx.dom import DomSnapshot
from browserx.dom.outline import role_word
from browserx.dom.tree import PageNode
from browserx.errors import InvalidArgumentError
from browserx.inpage.facts import Fact

_MOST_FOUND = 20
_MOST_ROWS = 1000
_CONTEXT = 80
_SPACE = re.compile(r"\s+")
_TABLES = frozenset(("table", "grid", "treegrid"))
_CELLS = frozenset(("cell", "gridcell", "columnheader", "rowheader"))
_NUMBER = re.compile(r"-?\d[\d.,\u00a0 ]*")


class Found(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Something that was found. ``node_id`` is that of what can be acted on there; of a mere text of what it is in.

    ``role`` is as in the outline: "clickable" is what can be clicked and says nothing more of itself.
    """

    node_id: str
    role: str
    name: str
    actionable: bool
    around: str = ""
    in_viewport: bool = False


def find(snapshot: DomSnapshot, text: str = "", role: str = "", limit: int = _MOST_FOUND) -> list[Found]:
    """What says ``text`` (in any case), and is a ``role``, in the outline's words or ARIA's.

    What can be acted on comes first.

    Raises:
        InvalidArgumentError: neither was given.
    """
    wanted, wanted_role = _plain(text), role.strip()
    if not wanted and not wanted_role:
        raise InvalidArgumentError("give a text to find, a role, or both")
    page, nodes = snapshot.page, snapshot.page.tree.nodes
    hits: list[tuple[int, int, int]] = []
    for i, node in enumerate(nodes):
        said = _plain(page.names[i] or node.text)
        shown = node.facts & Fact.VISIBLE
        if not shown or (wanted and wanted not in said):
            continue
        if wanted_role and node.role != wanted_role and not (page.actionable[i] and role_word(node) == wanted_role):
            continue
        hits.append((0 if page.actionable[i] else 1, 0 if said == wanted else 1, i))
    seen: set[str] = set()
    found = []
    for _, _, i in sorted(hits):
        at = i if nodes[i].key else snapshot.page.tree.parents[i]
        node_id = snapshot.node_id(at) if at >= 0 else ""
        if node_id in seen:
            continue
        seen.add(node_id)
        found.append(
            Found(
                node_id,
                role_word(nodes[i]) if page.actionable[i] else nodes[i].role or "generic",
                page.names[i] or nodes[i].text[:250],
                page.actionable[i],
                _around(snapshot, i),
                bool(nodes[i].facts & Fact.IN_VIEW),
            )
        )
    snapshot.forget_index()
    return found[:limit]


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()


def _around(snapshot: DomSnapshot, index: int) -> str:
    """The item, row or group that it is in, in few words."""
    nodes, parents, names = snapshot.page.tree.nodes, snapshot.page.tree.parents, snapshot.page.names
    up = parents[index]
    while up >= 0:
        if nodes[up].role in ("row", "listitem", "article"):
            return words(snapshot, up)[:_CONTEXT]
        if names[up]:
            return names[up][:_CONTEXT]
        up = parents[up]
    return ""


def words(snapshot: DomSnapshot, start: int) -> str:
    """All that node ``start`` says, in reading order; each control with what it holds."""
    page, nodes, ends = snapshot.page, snapshot.page.tree.nodes, snapshot.page.tree.ends
    parts: list[str] = []
    at, end = (start, ends[start]) if start >= 0 else (0, len(nodes))
    while at < end:
        node = nodes[at]
        if node.key == 0:
            parts.append(node.text)
        elif node.facts & Fact.VISIBLE and (
            page.actionable[at] or node.facts & Fact.NAMED_BY_CONTENT or node.role == "image"
        ):
            held = node.extra.value if node.extra is not None and node.extra.value else ""
            parts += [page.names[at], held if held != page.names[at] else ""]
            if node.facts & Fact.NAMED_BY_CONTENT:
                at = ends[at]
                continue
        at += 1
    return _SPACE.sub(" ", " ".join(part for part in parts if part)).strip()


def tables(snapshot: DomSnapshot, start: int = -1) -> list[list[dict[str, str]]]:
    """The tables of a page, or of node ``start``: rows by the words over their columns ("1", "2" … without)."""
    nodes, ends = snapshot.page.tree.nodes, snapshot.page.tree.ends
    end = ends[start] if start >= 0 else len(nodes)
    found = []
    at = max(start, 0)
    while at < end:
        node = nodes[at]
        if node.key and node.role in _TABLES and node.facts & Fact.VISIBLE:
            rows = _rows(snapshot, at)
            if rows:
                found.append(rows)
            at = ends[at]
        else:
            at += 1
    return found


def _rows(snapshot: DomSnapshot, table: int) -> list[dict[str, str]]:
    nodes, ends = snapshot.page.tree.nodes, snapshot.page.tree.ends
    header: list[str] = []
    rows: list[dict[str, str]] = []
    for at in range(table + 1, ends[table]):
        if nodes[at].role != "row" or not nodes[at].key or len(rows) >= _MOST_ROWS:
            continue
        cells = [i for i in range(at + 1, ends[at]) if nodes[i].key and nodes[i].role in _CELLS]
        said = [_cell(snapshot, i) for i in cells]
        if cells and not header and all(nodes[i].role == "columnheader" for i in cells):
            header = said
        elif any(said):
            names = [header[i] if i < len(header) and header[i] else str(i + 1) for i in range(len(said))]
            rows.append(dict(zip(names, said, strict=True)))
    return rows


def _cell(snapshot: DomSnapshot, index: int) -> str:
    node: PageNode = snapshot.page.tree.nodes[index]
    inside = words(snapshot, index) if snapshot.page.tree.ends[index] > index + 1 else ""
    return inside or node.name


def extract(snapshot: DomSnapshot, schema: dict[str, Any], start: int = -1) -> Any:
    """Data in the shape of a JSON schema: an object by what stands beside its labels, an array by the rows of a table.

    Names of properties are matched to labels, column heads and fields, in any case and with or without signs between
    words; what is not found is null.

    Raises:
        InvalidArgumentError: the schema is neither an object nor an array of objects.
    """
    kind = schema.get("type", "object" if "properties" in schema else "")
    if kind == "array" and isinstance(schema.get("items"), dict):
        properties = schema["items"].get("properties")
        if isinstance(properties, dict) and properties:
            return _records(snapshot, properties, start)
    properties = schema.get("properties")
    if kind != "object" or not isinstance(properties, dict) or not properties:
        raise InvalidArgumentError(
            'the schema is an object with "properties", or an array whose items are such objects'
        )
    facts = _labelled(snapshot, start)
    told = {}
    for name, shape in properties.items():
        if isinstance(shape, dict) and shape.get("type") == "array":
            inner = shape.get("items", {}).get("properties")
            told[name] = _records(snapshot, inner, start) if inner else []
        else:
            told[name] = _as(facts.get(_label(name)), shape if isinstance(shape, dict) else {})
    return told


def _label(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _records(snapshot: DomSnapshot, properties: dict[str, Any], start: int) -> list[dict[str, Any]]:
    """The rows of the table that has most of the columns asked for."""
    wanted = {_label(name): name for name in properties}
    best: list[dict[str, str]] = []
    most = 0
    for table in tables(snapshot, start):
        shared = len(wanted.keys() & {_label(column) for column in table[0]})
        if shared > most:
            best, most = table, shared
    records = []
    for row in best:
        by_label = {_label(column): said for column, said in row.items()}
        records.append({name: _as(by_label.get(label), properties[name]) for label, name in wanted.items()})
    return records


def _labelled(snapshot: DomSnapshot, start: int) -> dict[str, str]:
    """What stands beside a label: the values of fields, ``label: text``, terms and rows of two cells."""
    page, nodes, ends = snapshot.page, snapshot.page.tree.nodes, snapshot.page.tree.ends
    end = ends[start] if start >= 0 else len(nodes)
    facts: dict[str, str] = {}
    texts: list[str] = []
    for at in range(max(start, 0), end):
        node = nodes[at]
        if node.key and page.actionable[at] and node.extra is not None and node.extra.value is not None:
            facts.setdefault(_label(page.names[at]), node.extra.value)
        if node.role == "row" and node.key:
            cells = [_cell(snapshot, i) for i in range(at + 1, ends[at]) if nodes[i].key and nodes[i].role in _CELLS]
            if len(cells) == 2:
                facts.setdefault(_label(cells[0]), cells[1])
        said = node.text or (page.names[at] if node.facts & Fact.NAMED_BY_CONTENT else "")
        if said:
            texts.append(said)
    for text, following in zip(texts, [*texts[1:], ""], strict=True):
        label, colon, rest = text.partition(":")
        if colon and len(label) <= _CONTEXT:
            facts.setdefault(_label(label), rest.strip() or following)
        elif len(text) <= _CONTEXT and following:
            facts.setdefault(_label(text), following)
    return facts


def _as(said: str | None, shape: dict[str, Any]) -> Any:
    """As the type asked for; null where it is not that."""
    if said is None:
        return None
    kind: str | Sequence[str] = shape.get("type", "string")
    if kind not in ("number", "integer"):
        return said.strip()
    number = _NUMBER.search(said)
    if number is None:
        return None
    digits = re.sub(r"[\s\u00a0]", "", number.group()).strip(".,")
    point = max(digits.rfind("."), digits.rfind(","))
    # The last sign parts the fraction, unless three digits follow: then it parts thousands.
    if point >= 0 and len(digits) - point - 1 != 3:
        digits = re.sub(r"[.,]", "", digits[:point]) + "." + digits[point + 1 :]
    else:
        digits = re.sub(r"[.,]", "", digits)
    value = float(digits)
    return int(value) if kind == "integer" or value.is_integer() else value
