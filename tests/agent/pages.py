"""Pages as a client tells them, and a client that carries everything out in its head."""

from typing import Any

from browserx.agent.brain import Brain
from browserx.agent.task import Task
from browserx.agent.turn import Turn, new_task, take_turn
from browserx.agent.view import PageView
from browserx.semantic.hashing import tree_hash
from browserx.semantic.request import InteractRequest, TreeNode
from browserx.semantic.response import ActionDetails

URL = "https://shop.example/cart"


def node(i: str, r: str, n: str = "", **rest: Any) -> TreeNode:
    return TreeNode(i=i, r=r, n=n, **rest)


def view(*nodes: TreeNode, **rest: Any) -> PageView:
    return PageView(**{"url": URL, "title": "Cart", "nodes": list(nodes), "tree_hash": tree_hash(list(nodes)), **rest})


def request(*nodes: TreeNode, query: str = "do it", **rest: Any) -> InteractRequest:
    return InteractRequest(
        **{"url": URL, "query": query, "page_title": "Cart", "interactive_tree": list(nodes) or None, **rest}
    )


class Client:
    """Sends one page again and again, each time with what became of the last action.

    ``pages`` are the requests' fields, the next of them after each action, the last one for good; ``artifacts`` is what
    it can send when asked.
    """

    def __init__(
        self, brain: Brain, query: str, *pages: dict[str, Any], artifacts: dict[str, str] | None = None
    ) -> None:
        self.brain = brain
        self.query = query
        self.pages = list(pages)
        self.artifacts = artifacts or {}
        self.task: Task | None = None
        self.turns: list[Turn] = []

    @property
    def calls(self) -> list[str]:
        return [turn.data.action for turn in self.turns if turn.data.action is not None]

    @property
    def last(self) -> Turn:
        return self.turns[-1]

    async def turn(self, **told: Any) -> Turn:
        """One request and its answer."""
        given = {"url": URL, "query": self.query, **self.pages[0], **told}
        if self.task is None:
            self.task = new_task(InteractRequest(**given), "s")
        turn = await take_turn(self.brain, self.task, InteractRequest(**given))
        self.task = turn.task
        self.turns.append(turn)
        return turn

    async def run(self, *outcomes: bool | None, most: int = 60) -> Turn:
        """Until it ends or asks. ``outcomes`` are of the actions in turn; those after them go well."""
        left = list(outcomes)
        told: dict[str, Any] = {}
        for _ in range(most):
            turn = await self.turn(**told)
            if turn.data.status == "needs_context":
                kind = turn.data.requested_dom_mode or ""
                name = {"skeleton": "skeleton_dom", "full": "dom"}.get(kind, kind)
                told = {**told, name: self.artifacts.get(kind, "<p>")}
                continue
            if turn.data.status in ("completed", "failed", "needs_user_input"):
                return turn
            if len(self.pages) > 1:
                self.pages.pop(0)
            self._carry_out(turn)
            outcome = left.pop(0) if left else True
            told = (
                {} if outcome is None else {"verification_passed": outcome, "verification_message": f"it was {outcome}"}
            )
        raise AssertionError(f"it does not end: {self.calls}")

    def _carry_out(self, turn: Turn) -> None:
        """As far as the next request shows it: where it is, and what a field holds."""
        details = turn.data.action_details
        assert details is not None
        if details.name == "navigate":
            self.pages[0] = {**self.pages[0], "url": details.args["url"]}
        if details.name == "setValue":
            nodes = self.pages[0]["interactive_tree"]
            self.pages[0] = {**self.pages[0], "interactive_tree": [_filled(one, details) for one in nodes]}


def _filled(one: TreeNode, details: ActionDetails) -> TreeNode:
    if one.i != str(details.element_id):
        return one
    secret = one.s in ("empty", "filled")
    return one.model_copy(update={"s": "filled"} if secret else {"v": details.args["value"]})
