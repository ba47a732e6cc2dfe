"""What the browser itself knows of elements: its ids of them, which frame is in which, and closed shadow roots.

It is asked once of each element. In the end, ids are for those who go on with the protocol by themselves; frames and
roots are where looks go on, so these are waited for.
"""

import asyncio
import json

from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.cdp import Session
from browserx.cdp.protocol import DEEP_NODES, DeepNodesReply, EvaluateReply, ResolveNodeReply
from browserx.dom.captured import BackendIds
from browserx.errors import CdpError
from browserx.inpage import READ_ROOT
from browserx.inpage.facts import LookFacts

_GIVE_ROOT = "function(host, root) { __browserx.closedRoot(host, root); }"
_FRESH = "__browserx.fresh()"
_LATER = "__browserx.later()"
_ALL = "[...__browserx.fresh(), ...__browserx.later()]"
_Closed = list[tuple[int, int]]


class BackendNodes:
    """The elements of one attached tab, by world and key."""

    def __init__(self, attachment: Attachment) -> None:
        self.attachment = attachment
        #: The browser's own ids of elements, by world and key.
        self.ids: BackendIds = {}
        #: The frame that is in a frame element, by world and key.
        self._frame_ids: dict[str, dict[int, str]] = {}
        #: Worlds of which an answer went astray.
        self._lost: set[str] = set()

    def forget_all_but(self, worlds: set[str]) -> None:
        """The documents of all other worlds went away, and every element with them."""
        self._lost &= worlds
        for known in (self.ids, self._frame_ids):
            for world in known.keys() - worlds:
                del known[world]

    async def meet(self, frame: Frame, world: str, facts: LookFacts, *, timeout_s: float) -> bool:
        """Learn of the elements that a look met first.

        Returns whether closed shadow roots came to light: then there is more to see.

        Raises:
            CdpError, OperationTimeoutError: nothing was heard.
        """
        if world not in self.ids:
            # The first elements of a document may be asked for at once.
            return await self._learn(frame, world, facts.fresh + facts.later, _ALL, timeout_s)
        if facts.later:
            asked = self._ask(frame, _LATER, timeout_s)
            asked.add_done_callback(lambda done: self._heard(world, facts.later, done))
        return bool(facts.fresh) and await self._learn(frame, world, facts.fresh, _FRESH, timeout_s)

    def _heard(self, world: str, keys: list[int], done: "asyncio.Future[DeepNodesReply]") -> None:
        if not done.cancelled() and done.exception() is None:
            self._take(world, keys, done.result())
        else:
            self._lost.add(world)

    def is_at_a_loss(self, world: str) -> bool:
        """Whether an answer went astray since this was last asked: what it was about has to be asked for again."""
        lost = world in self._lost
        self._lost.discard(world)
        return lost

    async def frames_in(self, frame: Frame, world: str, keys: list[int], *, timeout_s: float) -> dict[int, str]:
        """Which frame is in which of these frame elements. One that was taken out and put back has another."""
        if not keys:
            return {}
        frames, known = self.attachment.frames, self._frame_ids.setdefault(world, {})
        unknown = [key for key in keys if frames.get(known.get(key, "")) is None]
        if unknown:
            elements = f"{json.dumps(unknown)}.map(__browserx.element)"
            await self._learn(frame, world, unknown, elements, timeout_s)
        return {key: known.get(key, "") for key in keys}

    @staticmethod
    def _ask(frame: Frame, elements: str, timeout_s: float) -> "asyncio.Future[DeepNodesReply]":
        """Ask about the elements that the expression ``elements`` gives. It is sent at once, before any other look."""
        params = {
            "expression": elements,
            "contextId": frame.isolated,
            "serializationOptions": DEEP_NODES,
            "silent": True,
        }
        session = frame.session
        asked = session.start("Runtime.evaluate", params, DeepNodesReply, timeout_s=timeout_s)

        def release(done: "asyncio.Future[DeepNodesReply]") -> None:
            if not done.cancelled() and done.exception() is None and done.result().result.object_id:
                session.post("Runtime.releaseObject", {"objectId": done.result().result.object_id})

        asked.add_done_callback(release)
        return asked

    def _take(self, world: str, keys: list[int], reply: DeepNodesReply) -> _Closed:
        """Take in what was told of the elements ``keys``; the closed roots among them, as the ids of host and root."""
        closed: _Closed = []
        ids, frame_ids = self.ids.setdefault(world, {}), self._frame_ids.setdefault(world, {})
        for key, node in zip(keys, reply.result.deep_serialized_value.value, strict=False):
            if node.value is None:
                continue
            ids[key] = node.value.backend_node_id
            if node.value.frame_id:
                frame_ids[key] = node.value.frame_id
            root = node.value.shadow_root
            if root is not None and root.value.mode == "closed" and _can_host(node.value.local_name):
                closed.append((node.value.backend_node_id, root.value.backend_node_id))
        return closed

    async def _learn(self, frame: Frame, world: str, keys: list[int], elements: str, timeout_s: float) -> bool:
        closed = self._take(world, keys, await self._ask(frame, elements, timeout_s))
        given = await asyncio.gather(*(self._give_root(frame, host, root, timeout_s) for host, root in closed))
        return any(given)

    async def _give_root(self, frame: Frame, host: int, root: int, timeout_s: float) -> bool:
        """Hand a closed root to the eye, and to the reader in the page's world so that it can hear what is in it."""
        session, context = frame.session, frame.isolated
        try:
            ours = [
                session.start(
                    "DOM.resolveNode",
                    {"backendNodeId": backend, "executionContextId": context},
                    ResolveNodeReply,
                    timeout_s=timeout_s,
                )
                for backend in (host, root)
            ]
            theirs = session.start("DOM.resolveNode", {"backendNodeId": root}, ResolveNodeReply, timeout_s=timeout_s)
            resolved = await asyncio.gather(*ours, theirs)
            handles = [reply.object.object_id for reply in resolved]
            await self._call_with(session, _GIVE_ROOT, context, handles[:2], timeout_s)
            await self._give_reader(frame, handles[2], timeout_s)
            for handle in handles:
                session.post("Runtime.releaseObject", {"objectId": handle})
        except CdpError:
            return False  # the element went away in between; the next look will see
        return True

    async def _give_reader(self, frame: Frame, root: str, timeout_s: float) -> None:
        """To the reader of the document that the root is in: that of ``frame``, or of one that its eye walks too."""
        others = [f for f in self.attachment.frames if f.session is frame.session and f is not frame]
        for near in (frame, *others):
            if not near.reader:
                continue
            params = {
                "functionDeclaration": READ_ROOT,
                "objectId": near.reader,
                "arguments": [{"objectId": root}],
                "silent": True,
            }
            try:
                await frame.session.send("Runtime.callFunctionOn", params, EvaluateReply, timeout_s=timeout_s)
            except CdpError:
                continue  # it is of another world
            return

    @staticmethod
    async def _call_with(
        session: Session, function: str, context: int | None, handles: list[str], timeout_s: float
    ) -> None:
        params = {
            "functionDeclaration": function,
            "executionContextId": context,
            "arguments": [{"objectId": handle} for handle in handles],
            "silent": True,
        }
        await session.send("Runtime.callFunctionOn", params, EvaluateReply, timeout_s=timeout_s)


#: The elements of HTML that may have a shadow root of the author's; others have the browser's own, which look closed.
_HOSTS = frozenset(
    [
        "article",
        "aside",
        "blockquote",
        "body",
        "div",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "main",
        "nav",
        "p",
        "section",
        "span",
    ]
)


def _can_host(tag: str) -> bool:
    return "-" in tag or tag in _HOSTS
