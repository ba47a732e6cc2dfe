"""From a live tab to the request a client sends its backend: in few bytes, and no more of the page than it asks for."""

import time
from collections import Counter
from typing import Any

import msgspec

from browserx.actions import ActionResult
from browserx.browser.settle import settle
from browserx.dom import SerializationOptions
from browserx.dom.html import Markup
from browserx.dom.interactive import SemanticV2, SemanticV3
from browserx.dom.options import MAX_CHARS, MOST_CHARS
from browserx.dom.roles import SUMMARY
from browserx.errors import BrowserXError, PageOptedOutError, SnapshotError
from browserx.page import DomService
from browserx.semantic.call import Call
from browserx.semantic.events import EventLog
from browserx.semantic.hashing import tree_hash
from browserx.semantic.modes import mode_hint, tells_places
from browserx.semantic.picture import screenshot
from browserx.semantic.request import (
    ClientObservations,
    ClientVerification,
    DomMode,
    InteractRequest,
    LastActionError,
    LastActionResult,
    ScrollableContainer,
    SemanticNode,
    TreeNode,
    Viewport,
)

#: With more elements than this, or more text than fits, only what the question is about is sent.
_LARGE_PAGE = 5000
_V2_DOM = 10_000
_QUIET_TIMEOUT_S = 3.0


class Assembler:
    """Writes the requests of one task about one tab, and remembers what the backend already has."""

    def __init__(self, dom: DomService, query: str) -> None:
        self.dom = dom
        self.query = query
        self.events = EventLog()
        self._known_hash: str | None = None
        self._sent_hash: str | None = None
        self._seen: str | None = None
        self._last: dict[str, Any] = {}

    def follow(self, dom: DomService) -> None:
        """Go on in another tab."""
        self.dom = dom
        self._known_hash = self._sent_hash = None

    def acknowledged(self) -> None:
        """The backend has answered: it knows the tree that was sent."""
        self._known_hash = self._sent_hash

    def forgotten(self) -> None:
        """The backend does not have the tree any more: send it again."""
        self._known_hash = None

    # what became of the last action

    def did(
        self,
        call: Call,
        result: ActionResult | None,
        *,
        before_url: str,
        error: BrowserXError | None = None,
        selector: tuple[str, bool] | None = None,
    ) -> None:
        """Note what came of ``call``, for the next request. ``selector``: one that was used, and whether it fitted."""
        failed = result.error if result is not None else None
        code = error.code if error is not None else failed.code if failed is not None else ""
        message = error.message if error is not None else failed.message if failed is not None else ""
        success = error is None and (result is None or result.success)
        told: dict[str, Any] = {
            "last_action_status": "success" if success else "failure",
            "last_action_result": LastActionResult(success=success, actual_state=_state(result)),
            "previous_url": before_url,
        }
        if not success:
            told["last_action_error"] = LastActionError(
                message=message or "it did not do what it should",
                code=code or "ACTION_FAILED",
                action=str(call)[:2000],
                element_id=call.element_id,
            )
        changes = result.changes if result is not None else None
        if changes is not None:
            self.events.note(changes, time.monotonic())
            told["client_observations"] = ClientObservations(
                did_network_occur=bool(changes.requests),
                did_dom_mutate=changes.dom_mutated,
                did_url_change=changes.url_changed,
            )
            told["errors_detected"] = [text[:2000] for text in changes.errors] or None
            told["success_messages"] = [text[:2000] for text in changes.successes] or None
        if result is not None and result.expectation is not None:
            told["verification_passed"] = result.expectation.passed
            told["verification_message"] = result.expectation.message
        if selector is not None:
            told["client_verification"] = ClientVerification(
                element_found=selector[1], selector=selector[0][:2000], timestamp=round(time.time() * 1000)
            )
        self._last = {name: value for name, value in told.items() if value is not None}

    # the request

    async def request(
        self,
        *,
        task_id: str | None = None,
        session_id: str | None = None,
        query: str | None = None,
        artifact: DomMode | None = None,
        with_screenshot: bool = False,
        with_skeleton: bool = False,
    ) -> InteractRequest:
        """The page as it is now, once it has come to rest; with what the backend has asked for, if it has.

        Raises:
            PageOptedOutError: the page asks not to be used by AI.
        """
        tab = self.dom.tab
        attachment = await tab.attach()
        if tab.dialog is None:
            await settle(attachment, timeout_s=_QUIET_TIMEOUT_S)
        told: dict[str, Any] = {
            "url": tab.url or "about:blank",
            "query": query or self.query,
            "task_id": task_id,
            "session_id": session_id,
            "tab_id": tab.id,
            "dom_mode": "semantic",
            **self._last,
        }
        if tab.dialog is not None:
            self.events.say(f"Dialog: {tab.dialog.describe()}", time.monotonic())
            told["interactive_tree"] = []
        else:
            try:
                told |= await self._page(again=artifact is not None)
                told |= await self._artifacts(artifact, with_screenshot, with_skeleton)
            except PageOptedOutError:
                raise
            except SnapshotError as error:
                self.events.say(f"Not read: {error.message}", time.monotonic())
                told["interactive_tree"] = []
        told["url"] = tab.url or told["url"]
        told["recent_events"] = self.events.told(time.monotonic()) or None
        return InteractRequest(**{name: value for name, value in told.items() if value is not None})

    async def _page(self, *, again: bool) -> dict[str, Any]:
        """The tree, unless the backend has it; what else there is when there is none."""
        page, filtered = await self._tree()
        nodes = [_tree_node(node) for node in page.interactive_tree]
        if not again and not tells_places(self.query):
            nodes = _placed_where_needed(nodes)
        told: dict[str, Any] = {
            "page_title": page.title,
            "viewport": Viewport(width=page.viewport.width, height=page.viewport.height),
            "scroll_position": page.scroll_position,
            "scrollable_containers": [
                ScrollableContainer(id=box.id, depth=box.depth, has_more=box.has_more)
                for box in page.scrollable_containers
            ]
            or None,
            "has_errors": page.has_errors or None,
            "has_success": page.has_success or bool(self._last.get("success_messages")) or None,
            **filtered,
        }
        if not nodes:
            return told | await self._instead()
        told["interactive_tree_hash"] = self._sent_hash = tree_hash(nodes)
        if again or self._sent_hash != self._known_hash:
            told["interactive_tree"] = nodes
        return told

    async def _tree(self) -> tuple[SemanticV3, dict[str, Any]]:
        """The tree; of a page too large to tell, the part of it that the question is about."""
        # What a script puts into a field tells nobody: what was seen before is not what is there now.
        await self.dom.get_snapshot(force=True)
        page = await self._v3()
        snapshot = self.dom.current_snapshot
        total = snapshot.stats.total_nodes if snapshot is not None else 0
        cut = any(node.r == SUMMARY.word for node in page.interactive_tree)
        if not cut and total <= _LARGE_PAGE:
            return page, {}
        part = await self._v3(query=self.query)
        if not part.interactive_tree or (not cut and len(part.interactive_tree) == len(page.interactive_tree)):
            return page, {}
        whole = len(msgspec.json.encode(page.interactive_tree))
        less = 100 * (1 - len(msgspec.json.encode(part.interactive_tree)) / max(1, whole))
        reason = "it does not fit" if cut else f"more than {_LARGE_PAGE} elements"
        return part, {
            "dom_filtered": True,
            "filter_reason": f"{reason}: only what the query is about",
            "original_node_count": total,
            "token_reduction": round(max(0.0, less), 1),
        }

    async def _v3(self, query: str | None = None) -> SemanticV3:
        seen = await self.dom.get_serialized_dom(SerializationOptions(format="v3", query=query))
        assert isinstance(seen, SemanticV3)
        return seen

    async def _instead(self) -> dict[str, Any]:
        """Of a page that shows nothing to act on: all it has with full keys; else HTML of it; else a picture."""
        self._sent_hash = None
        full = await self.dom.get_serialized_dom(SerializationOptions(format="v2"))
        assert isinstance(full, SemanticV2)
        if full.semantic_nodes:
            return {
                "interactive_tree": [],
                "semantic_nodes": [
                    SemanticNode.model_validate(one) for one in msgspec.to_builtins(full.semantic_nodes)
                ],
                "dom": (await self._html(MAX_CHARS))[:_V2_DOM],
            }
        told: dict[str, Any] = {"interactive_tree": []}
        if skeleton := await self._skeleton():
            told["skeleton_dom"] = skeleton
        if not skeleton or mode_hint(self.query, 0) == "hybrid":
            told |= await self._picture()
        return told

    async def _artifacts(self, artifact: DomMode | None, with_screenshot: bool, with_skeleton: bool) -> dict[str, Any]:
        told: dict[str, Any] = {}
        if with_skeleton or artifact in ("skeleton", "hybrid"):
            told["skeleton_dom"] = await self._skeleton()
        if with_screenshot or artifact == "hybrid":
            told |= await self._picture()
        if artifact == "full":
            told["dom"] = await self._html(MOST_CHARS)
        return told

    async def _skeleton(self) -> str:
        markup = await self.dom.get_serialized_dom(SerializationOptions(format="skeleton", max_tokens=None))
        assert isinstance(markup, Markup)
        return markup.html

    async def _html(self, most: int) -> str:
        markup = await self.dom.get_serialized_dom(SerializationOptions(format="html", max_chars=most))
        assert isinstance(markup, Markup)
        return markup.html

    async def _picture(self) -> dict[str, Any]:
        """A picture, unless it shows what the one before showed."""
        shot = screenshot(await self.dom.screenshot())
        is_new = shot.hash != self._seen
        self._seen = shot.hash
        return {"screenshot_hash": shot.hash, "screenshot": shot.jpeg if is_new else None}


def _tree_node(node: Any) -> TreeNode:
    return TreeNode.model_validate(msgspec.to_builtins(node))


def _placed_where_needed(nodes: list[TreeNode]) -> list[TreeNode]:
    """Without the centres of elements that role and name tell apart: a quarter of the bytes of a tree."""
    alike = Counter((node.r, node.n) for node in nodes)
    return [node if alike[node.r, node.n] > 1 else node.model_copy(update={"xy": None}) for node in nodes]


def _state(result: ActionResult | None) -> str | None:
    """What the action came to, in a few words."""
    if result is None:
        return None
    said = [result.verdict.value]
    if result.changes is not None:
        if result.changes.url:
            said.append(f"now at {result.changes.url}")
        if result.changes.value_now is not None:
            said.append(f"holds {result.changes.value_now!r}")
    if result.error is not None:
        said.append(result.error.message)
    return "; ".join(said)[:2000]
