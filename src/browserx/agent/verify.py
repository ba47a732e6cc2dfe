"""Whether the action before did what it should, decided by rules from before and after.

What was expected decides first; then what the client says it checked; then whether anything changed at all. ``passed``
is None where rules cannot tell.
"""

import fnmatch
from collections.abc import Mapping
from typing import Any

import msgspec

from browserx.actions import Verdict
from browserx.agent.task import MOST_LINES, Asked, Judged
from browserx.agent.view import PageView
from browserx.semantic.call import Call
from browserx.semantic.request import InteractRequest

#: Calls after which nothing need have changed.
_QUIET = frozenset(("wait", "hover", "focus", "scroll", "press", "check", "uncheck", "switchTab", "newTab", "closeTab"))
#: Calls that put something into a field: what it holds tells.
_FILLING = frozenset(("setValue", "select", "pickDate"))
_SAID = 3


def verify(asked: Asked, call: Call, request: InteractRequest, view: PageView) -> Judged:
    """Judge the action that was asked for, by the request that came after it."""
    for rule in (_reported, _expected, _checked, _held, _changed):
        verdict = rule(asked, call, request, view)
        if verdict is not None:
            return verdict
    return _judged(asked, None, f"nothing tells whether {asked.action} did what it should")


def _reported(asked: Asked, call: Call, request: InteractRequest, view: PageView) -> Judged | None:
    """The client says that it was not done at all."""
    error = request.last_action_error
    if error is not None:
        return _judged(asked, False, f"{error.code}: {error.message}")
    result = request.last_action_result
    if request.last_action_status == "failure" or (result is not None and not result.success):
        state = result.actual_state if result is not None else None
        return _judged(asked, False, state or request.verification_message or "the client could not do it")
    return None


def _expected(asked: Asked, call: Call, request: InteractRequest, view: PageView) -> Judged | None:
    """What should be so afterwards, is or is not."""
    unmet = [why for why in (_unmet(one, value, asked, view) for one, value in (asked.expected or {}).items()) if why]
    if unmet:
        return _judged(asked, False, "; ".join(unmet) + _errors(request))
    return None


def _unmet(what: str, value: Any, asked: Asked, view: PageView) -> str:
    said = _said(view)
    if what == "urlChanges":
        return "" if (view.url != asked.before.url) == bool(value) else f"the address is still {view.url}"
    if what == "urlContains":
        there = str(value).casefold() in view.url.casefold() or fnmatch.fnmatchcase(view.url, str(value))
        return "" if there else f"the address is {view.url}, without {value!r}"
    # A tree tells what can be acted on, not what can be read: that a text is not in it says nothing.
    if what == "textAppears" and view.dom is not None:
        return "" if str(value).casefold() in said else f"{value!r} is not on the page"
    if what == "textGone":
        # Events tell what was there a moment ago as well.
        there = str(value).casefold() in _said(msgspec.structs.replace(view, recent_events=[]))
        return f"{value!r} is still on the page" if there else ""
    if what == "fields" and isinstance(value, Mapping):
        wrong = [
            f"{node_id} does not hold {_told(view, node_id, text)}"
            for node_id, text in value.items()
            if not _holds(view, node_id, text)
        ]
        return "; ".join(wrong)
    return ""


def _checked(asked: Asked, call: Call, request: InteractRequest, view: PageView) -> Judged | None:
    """The client compared what was expected with what happened."""
    if request.verification_passed is not None:
        message = request.verification_message or (
            "it did what it should" if request.verification_passed else "it did not"
        )
        return _judged(asked, request.verification_passed, message)
    if request.errors_detected and not request.success_messages:
        return _judged(asked, False, f"the page says {_few(request.errors_detected)}")
    found = request.client_verification
    if found is not None and not found.element_found:
        return _judged(asked, False, f"{found.selector or 'what was looked for'} was not found")
    return None


def _held(asked: Asked, call: Call, request: InteractRequest, view: PageView) -> Judged | None:
    """A field holds what was put into it."""
    if call.name not in _FILLING:
        return None
    node = view.node(call.element_id)
    wanted = str(next(iter(call.args.values()), ""))
    if node is None or node.v is None or isinstance(call.args.get("option"), list):
        return None
    if _same(node.v, wanted):
        return _judged(asked, True, f"{call.element_id} holds {node.v!r}")
    return None


def _changed(asked: Asked, call: Call, request: InteractRequest, view: PageView) -> Judged | None:
    """Something came of it, or nothing did."""
    seen = request.client_observations
    moved = view.url != asked.before.url or (seen is not None and bool(seen.did_url_change))
    if moved:
        return _judged(asked, True, f"the page is now {view.url}")
    if view.tree_hash != asked.before.tree_hash and view.lines()[:MOST_LINES] != asked.before.lines:
        return _judged(asked, True, "the page changed")
    if seen is not None and (seen.did_dom_mutate or seen.did_network_occur):
        return _judged(asked, True, "the page changed")
    if request.last_action_status == "success" and call.name in _QUIET:
        return _judged(asked, True, "it was done")
    if call.name in _QUIET:
        return None
    if _saw_change(request):
        # It saw something that is not told here: the focus, a selection, the address of a frame.
        return None
    if seen is not None and seen.did_dom_mutate is False and seen.did_network_occur is not True:
        return _judged(asked, False, f"nothing came of {asked.action}: the page is as before")
    if view.tree_hash == asked.before.tree_hash and request.last_action_status != "success":
        return _judged(asked, False, f"nothing came of {asked.action}: the page is as before")
    return None


def _saw_change(request: InteractRequest) -> bool:
    """Whether the client itself says that the action changed something."""
    result = request.last_action_result
    state = (result.actual_state or "") if result is not None and result.success else ""
    return state.partition(";")[0] in (Verdict.CHANGED, Verdict.NAVIGATED, Verdict.OPENED)


def _judged(asked: Asked, passed: bool | None, message: str) -> Judged:
    return Judged(action=asked.action, passed=passed, message=message)


def _said(view: PageView) -> str:
    words = [node.n for node in view.nodes] + [node.v or "" for node in view.nodes]
    return " ".join([view.title, *words, *view.recent_events, view.dom or "", view.skeleton or ""]).casefold()


def _holds(view: PageView, node_id: str, text: Any) -> bool:
    """Whether a field holds a text, as far as that is told: it may be out of view by now, or its value be secret."""
    node = view.node(str(node_id))
    if node is None:
        return True
    if node.v is None:
        return "empty" not in (node.s or "").split(", ") or not str(text)
    return _same(node.v, str(text))


def _told(view: PageView, node_id: str, text: Any) -> str:
    """What should be in a field, in words; of a field that does not tell its value neither is this told."""
    node = view.node(str(node_id))
    return repr(text) if node is not None and node.v is not None else "what was put into it"


def _same(held: str, wanted: str) -> bool:
    """Whether a field took a text, as it shows it: a mask may have added signs, a tree may have cut it."""
    if held.endswith("…"):
        return wanted.casefold().startswith(held[:-1].casefold())
    a, b = ("".join(one for one in text.casefold() if one.isalnum()) for text in (held, wanted))
    if not a and not b:
        return held.strip() == wanted.strip()
    return a == b or _same_number(held, wanted)


def _same_number(held: str, wanted: str) -> bool:
    """1000 in a field that shows 1,000.00."""
    try:
        return float(held.replace(",", "").strip(" $€£%")) == float(wanted.replace(",", "").strip(" $€£%"))
    except ValueError:
        return False


def _errors(request: InteractRequest) -> str:
    return f"; the page says {_few(request.errors_detected)}" if request.errors_detected else ""


def _few(texts: list[str]) -> str:
    return ", ".join(repr(text) for text in texts[:_SAID])
