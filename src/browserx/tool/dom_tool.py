"""``DOMTool``: validates a call, carries it out, and answers, whatever happens."""

import os
import time
import traceback
from pathlib import Path
from typing import Any

import msgspec

from browserx.actions import ActionResult
from browserx.browser import Browser, Tab
from browserx.dom.ids import normalize
from browserx.errors import InvalidArgumentError, TabClosedError
from browserx.tool import acting, emulating, filling, going, logs, looking, output, reading
from browserx.tool.action import Action, Call
from browserx.tool.mapping import code_of
from browserx.tool.response import (
    TOOL_NAME,
    Details,
    DOMToolErrorCode,
    DOMToolResponse,
    Metadata,
    ToolError,
)
from browserx.tool.schema import tool_schema

_FAMILIES = (looking, acting, filling, reading, going, logs, output, emulating)
ACTIONS: dict[str, Action] = {action.name: action for family in _FAMILIES for action in family.ACTIONS}
_KNOWN = frozenset(("action", "tabId", "nodeId", "text", "key", "options"))


class DOMTool:
    """One tool over one browser.

    Args:
        browser: what it works in.
        debug: adds stack traces to failures.
        may_evaluate: whether script may be run in pages, which a model is not trusted with by default.
        output_dir: where pictures and PDFs are written, made when first needed; a call chooses their names, but never
            another folder.
    """

    def __init__(
        self,
        browser: Browser,
        *,
        debug: bool = False,
        may_evaluate: bool = False,
        output_dir: str | os.PathLike[str] = "output",
    ) -> None:
        self.browser = browser
        self.may_evaluate = may_evaluate
        self.output_dir = Path(output_dir)
        self._debug = debug
        self._last_tab: int | None = None

    @staticmethod
    def schema() -> dict[str, Any]:
        """Name, description and parameters, in the form function-calling models take."""
        return tool_schema(TOOL_NAME, ACTIONS)

    async def execute(self, params: Any) -> DOMToolResponse:
        """Carry out one call. Never raises: what goes wrong is in the answer."""
        started = time.perf_counter()
        action = str(params.get("action", "")) if isinstance(params, dict) else ""
        tab_id: int | None = None
        try:
            call_action, call = self._validate(params)
            tab_id = call.tab.id if call.tab is not None else None
            data = await call_action.run(call)
            self._remember(call_action, data, tab_id)
            if isinstance(data, ActionResult):
                if data.error is not None and not data.success:
                    return self._failed(DOMToolErrorCode.ACTION_FAILED, data.error.message, action, tab_id, started)
                data = data.to_dict()
            return DOMToolResponse(True, self._metadata(started, tab_id), data=data)
        except Exception as error:  # the contract: this never raises
            if tab_id is None:
                tab_id = _asked_tab(params)
            stack = traceback.format_exc() if self._debug else None
            return self._failed(code_of(error), str(error), action, tab_id, started, stack)

    def _validate(self, params: Any) -> tuple[Action, Call]:
        """Check everything that can be checked before the browser is touched."""
        if not isinstance(params, dict):
            raise InvalidArgumentError('the parameters must be an object like {"action": "get_dom", "tabId": 1}')
        unknown = sorted(set(params) - _KNOWN)
        if unknown:
            raise InvalidArgumentError(
                f"there is no parameter {unknown[0]!r}; they are {', '.join(sorted(_KNOWN))}"
                " (everything else goes into options)"
            )
        name = params.get("action")
        action = ACTIONS.get(name) if isinstance(name, str) else None
        if action is None:
            raise InvalidArgumentError(f"Invalid action {name!r}; the actions are {', '.join(ACTIONS)}")
        for field in action.needs:
            if params.get(field) is None:
                raise InvalidArgumentError(f"{field} is required for {action.name}")
        node_id = params.get("nodeId")
        if node_id is not None and normalize(node_id) is None:
            raise InvalidArgumentError(f'nodeId {node_id!r} is no node id; ids look like 7, "7" or "node_7"')
        for field in ("text", "key"):
            if params.get(field) is not None and not isinstance(params[field], str):
                raise InvalidArgumentError(f"{field} must be a string")
        try:
            options = msgspec.convert(params.get("options") or {}, action.options)
        except msgspec.ValidationError as error:
            raise InvalidArgumentError(f"options of {action.name}: {error}") from error
        tab = self._tab(params.get("tabId"), action)
        text, key = params.get("text"), params.get("key")
        return action, Call(
            self.browser, tab, node_id, text, key, options, may_evaluate=self.may_evaluate, output_dir=self.output_dir
        )

    def _tab(self, given: Any, action: Action) -> Tab | None:
        if given is None:
            if not action.needs_tab:
                return None
            tabs = self.browser.tabs
            if not tabs:
                raise TabClosedError("No tab with id: there is no open tab; open one with new_tab")
            return next((tab for tab in tabs if tab.id == self._last_tab), tabs[-1])
        if isinstance(given, bool) or not isinstance(given, int):
            raise InvalidArgumentError("tabId must be a number")
        return self.browser.tab(given)

    def _remember(self, action: Action, data: Any, tab_id: int | None) -> None:
        if action.name == "new_tab" and isinstance(data, dict):
            self._last_tab = data["tabId"]
        elif tab_id is not None:
            self._last_tab = tab_id

    def _failed(
        self,
        code: DOMToolErrorCode,
        message: str,
        action: str,
        tab_id: int | None,
        started: float,
        stack: str | None = None,
    ) -> DOMToolResponse:
        error = ToolError(code, message, Details(action, tab_id, stack))
        return DOMToolResponse(False, self._metadata(started, tab_id), error=error)

    @staticmethod
    def _metadata(started: float, tab_id: int | None) -> Metadata:
        return Metadata((time.perf_counter() - started) * 1000, TOOL_NAME, tab_id)


def _asked_tab(params: Any) -> int | None:
    given = params.get("tabId") if isinstance(params, dict) else None
    return given if isinstance(given, int) and not isinstance(given, bool) else None
