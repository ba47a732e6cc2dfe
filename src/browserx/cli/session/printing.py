"""What is printed of a command: text for people and models, or one JSON object."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from browserx.cli.session.wire import Answer

_MOST_TEXTS = 10
_LONGEST_TEXT = 200
#: What to do next, by the tool's code.
_NEXT = {
    "ELEMENT_NOT_FOUND": "browserx snapshot shows what there is",
    "TAB_NOT_FOUND": "browserx tabs lists those that are open",
    "TIMEOUT": "browserx snapshot shows how far it got",
}


class Told(NamedTuple):
    """What came of a command: its exit code, as text, as a JSON value, and why it failed."""

    exit: int
    text: str
    value: Any = None
    error: str = ""


def answer_of(told: Told, *, as_json: bool) -> Answer:
    """As it is printed."""
    text = told.text
    if as_json and told.exit != 2:
        text = _json(told.value)
    out = f"{text}\n" if text else ""
    err = f"browserx: {told.error}\n" if told.error and not (as_json and told.exit != 2) else ""
    return Answer(told.exit, out, err, gone=False)


def told_answer(data: Any, *, always_json: bool = False) -> Told:
    """What was asked for: its text where it has one."""
    if always_json or not isinstance(data, (dict, str)):
        return Told(0, _json(data), data)
    if isinstance(data, str):
        return Told(0, data, data)
    if data.keys() == {"data"}:
        return Told(0, _json(data["data"]), data["data"])
    if "found" in data:
        return Told(0, "\n".join(_found(each) for each in data["found"]) or "nothing was found", data)
    if (listed := next((name for name in _LISTS if name in data), None)) is not None:
        lines = [_LISTS[listed](each) for each in data[listed]]
        if omitted := data.get("omitted"):
            lines.insert(0, f"… {omitted} before these: --limit tells more")
        return Told(0, "\n".join(lines) or f"no {listed}", data)
    text = next((data[name] for name in ("text", "html") if isinstance(data.get(name), str)), None)
    return Told(0, _json(data) if text is None else text, data)


def told_failure(code: str, message: str) -> Told:
    """It did not work, and what to do next."""
    if (next_step := _NEXT.get(code)) and "browserx " not in message:
        message = f"{message}; {next_step}"
    return Told(1, "", {"error": {"code": code, "message": message}}, message)


def told_tabs(tabs: list[dict[str, Any]], present: int | None) -> Told:
    """The tabs, one a line."""
    lines = [
        f"{'*' if tab['tabId'] == present else ' '} {tab['tabId']} {quoted(tab['title'])} {tab['url']}" for tab in tabs
    ]
    listed = [{**tab, "present": tab["tabId"] == present} for tab in tabs]
    return Told(0, "\n".join(lines) or "no tab is open", {"tabs": listed})


def told_change(result: dict[str, Any], look: dict[str, Any] | None, node_id: str | None = None) -> Told:
    """What an action (on ``node_id``) did: the verdict, what a look at the page afterwards does not tell, that look."""
    changes = result.get("changes") or {}
    seen = look["text"] if look else ""
    told = [*_verdict(result), *_elsewhere(changes), *_passing(changes, seen)]
    if changes.get("focused") not in (None, node_id):
        told.append(f"focus {changes['focused']}")
    if look is not None and look.get("dialog"):
        told.append("answer the dialog: browserx dialog accept, or browserx dialog dismiss")
    failed = result.get("success") is False
    met = result.get("expectation")
    why = "not everything was done; what failed is told above" if failed else ""
    if not failed and met is not None and not met["passed"]:
        failed, why = True, f"it was done, but not as expected: {met['message']}"
    return Told(int(failed), "\n".join([*told, *([seen] if seen else [])]), {**result, "look": look}, why)


def told_batch(ran: list[tuple[str, Told]], asked: int) -> Told:
    """Several commands, of so many that were asked for: each with what it printed."""
    parts = []
    for line, told in ran:
        parts += [f"> {line}", told.text, f"failed: {told.error}" if told.exit else ""]
    failed = [line for line, told in ran if told.exit]
    value = [{"command": line, "exit": told.exit, "result": told.value} for line, told in ran]
    error = f"{failed[0]!r} failed; {len(ran)} of {asked} commands ran" if failed else ""
    return Told(1 if failed else 0, "\n".join(part for part in parts if part), value, error)


def _found(each: dict[str, Any]) -> str:
    around = f" in {quoted(each['around'])}" if each.get("around") else ""
    return f"{each['nodeId']} {each['role']} {quoted(each['name'])}{around}"


def _verdict(result: dict[str, Any]) -> list[str]:
    if "fields" in result:
        return [f"{field['nodeId']} {_filled(field)}" for field in result["fields"]]
    if "verdict" in result:
        first = [str(result["verdict"])]
        if "tabId" in result:
            first.append(f"tab {result['tabId']}")
        if (met := result.get("expectation")) is not None:
            first.append(f"({'as expected' if met['passed'] else met['message']})")
        if healed := result.get("healed"):
            first.append(f"({healed['from']} is {healed['to']} now, by {healed['confidence']:.0%})")
        return [" ".join(first)]
    if "emulated" in result:
        return [f"emulated {quoted(result['emulated'])}"]
    # Not an action on the page: a dialog that was answered, say.
    return [f"{name} {quoted(value)}" for name, value in result.items() if isinstance(value, (str, bool, int))]


def _filled(field: dict[str, Any]) -> str:
    return f"failed: {field['error']}" if field.get("error") else str((field.get("result") or {}).get("verdict"))


def _elsewhere(changes: dict[str, Any]) -> list[str]:
    """What happened outside of the page."""
    lines = [f"new tab {number}: browserx tab {number} goes there" for number in changes.get("newTabs", ())]
    lines += [f"download {_download(each)}" for each in changes.get("downloads", ())]
    lines += [f"console error {quoted(each)}" for each in changes.get("consoleErrors", ())[:_MOST_TEXTS]]
    return lines


def _passing(changes: dict[str, Any], seen: str) -> list[str]:
    """Texts that came and went, as a short notice does; and what the page calls errors and successes."""
    lines = []
    for name, word in (("errors", "error"), ("successes", "success"), ("addedTexts", "said")):
        texts = [text for text in changes.get(name, ()) if isinstance(text, str) and text not in seen]
        lines += [f"{word} {quoted(text)}" for text in texts[:_MOST_TEXTS]]
    return lines


def _download(each: dict[str, Any]) -> str:
    path = f": {each['path']}" if each.get("path") else f" ({each['error']})" if each.get("error") else ""
    return f"{each['state']} {quoted(each['name'])}{path}"


def _message(line: str) -> str:
    level, _, said = line.partition(": ")
    return f"{level} {quoted(said)}"


#: Answers that are lists, and how one of each is told. An address has neither blanks nor line ends.
_LISTS: dict[str, Callable[[Any], str]] = {"downloads": _download, "messages": _message, "requests": str}


def quoted(value: Any) -> str:
    """What a page said: on one line, in quotes, so that it cannot pass for a line of ours."""
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        value = value[:_LONGEST_TEXT] + "…"
    return json.dumps(value, ensure_ascii=False)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
