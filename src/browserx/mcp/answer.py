"""What a client reads: one line on what the action did, then the page, or what changed of it.

Words of a page stand inside its fence only (``<page N>`` to ``</page N>``), or in JSON strings: our own lines are ours.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from browserx.tool import DOMToolErrorCode as Code

_MOST_JSON = 20_000
_TOLD = frozenset(
    (
        "success",
        "verdict",
        "duration",
        "visualEffect",
        "snapshotInvalidated",
        "changes",
        "error",
        "expectation",
        "healed",
    )
)


class Picture(NamedTuple):
    """An image, in base64."""

    data: str
    mime_type: str


class Answer(NamedTuple):
    """The answer to one call."""

    text: str
    failed: bool = False
    picture: Picture | None = None


#: By code of the failure: the next step, in the words of these tools.
_NEXT: Mapping[Code, str] = {
    Code.ELEMENT_NOT_FOUND: "use a ref of the page as it is now",
    Code.TAB_NOT_FOUND: "browser_tabs lists the tabs; browser_navigate opens a page",
    Code.TIMEOUT: "browser_snapshot shows what is there now",
}


def failure(name: str, code: Code, message: str, *, dialog: bool = False) -> str:
    """Why a call failed, and what to do next."""
    step = "answer it with browser_handle_dialog" if dialog else _NEXT.get(code, "")
    return f"{name} failed: {message}{' → ' + step if step else ''}"


def told(data: Any) -> str:
    """What an action did, in one line: its verdict and the facts behind it, or its data."""
    if isinstance(data, dict) and "fields" in data:
        return "\n".join(_field(field) for field in data["fields"])
    if not isinstance(data, dict) or "verdict" not in data:
        return written(data)
    changes = data.get("changes") or {}
    facts = [*_facts(changes)]
    if (healed := data.get("healed")) is not None:
        facts.append(f"{healed['from']} was replaced: acted on {healed['to']}, {healed['confidence']:.0%} sure")
    if (met := data.get("expectation")) is not None:
        facts.insert(0, "as expected" if met["passed"] else f"not as expected: {_quoted(met['message'])}")
    line = str(data["verdict"]) + (f" ({', '.join(facts)})" if facts else "")
    for tab in changes.get("newTabs", ()):
        line += f'\nIt opened tab {tab}: go there with browser_tabs {{"action": "select", "tab": {tab}}}'
    if changes.get("dialogs"):
        line += "\nIt opened a dialog, which holds the page: answer it with browser_handle_dialog"
    rest = {name: value for name, value in data.items() if name not in _TOLD}
    return f"{line}\n{written(rest)}" if rest else line


def _field(field: Mapping[str, Any]) -> str:
    """One field of a form."""
    if "result" not in field:
        return f"{field['nodeId']}: not filled: {field.get('error', '')}"
    error = field["result"].get("error")
    return f"{field['nodeId']}: {told(field['result'])}" + (f": {error['message']}" if error else "")


def _facts(changes: Mapping[str, Any]) -> list[str]:
    facts = [
        word
        for key, word in (("navigated", "new page"), ("domMutated", "content changed"), ("scrolled", "scrolled"))
        if changes.get(key)
    ]
    if changes.get("urlChanged") and not changes.get("navigated"):
        facts.append("new URL")
    if changes.get("focused"):
        facts.append(f"focus on {changes['focused']}")
    if (value := changes.get("valueNow")) is not None:
        facts.append(f"value now {_quoted(value)}")
    facts += [f"the page says {_quoted(text)}" for key in ("errors", "successes") for text in changes.get(key, ())]
    if requests := changes.get("requests"):
        failed = sum(request["status"] == -1 or request["status"] >= 400 for request in requests)
        facts.append(f"{len(requests)} requests" + (f", {failed} of them failed" if failed else ""))
    return facts


def written(data: Any) -> str:
    """Data as JSON on one line, where no text of a page can pass for a line of ours; cut when it is very long."""
    text = msgspec.json.encode(data).decode()
    return text if len(text) <= _MOST_JSON else f"{text[:_MOST_JSON]}… ({len(text) - _MOST_JSON} more characters)"


def _quoted(value: str) -> str:
    return written(value if len(value) <= 200 else value[:199] + "…")


def tabs(listed: list[dict[str, Any]], current: int | None) -> str:
    """The tabs, one a line, the one that calls go to marked."""
    lines = [
        f"{'→' if tab['tabId'] == current else ' '} tab {tab['tabId']}: {_quoted(tab['title'])} {_quoted(tab['url'])}"
        for tab in listed
    ]
    return "\n".join(lines) or "no tab is open; browser_navigate opens a page"
