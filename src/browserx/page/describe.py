"""Saying what was seen, or why nothing was."""

from typing import Protocol

from browserx.dom import DomSnapshot
from browserx.dom.outline import role_word
from browserx.dom.text import Omitted, Outline
from browserx.errors import NodeNotFoundError
from browserx.page.observation import DialogSeen, Observation

_NEAREST = 3


class Place(Protocol):
    """What is looked at, in the words of its window."""

    @property
    def title(self) -> str: ...  # noqa: D102
    @property
    def url(self) -> str: ...  # noqa: D102


class OpenDialog(Protocol):
    """A dialog that holds the page."""

    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def default_text(self) -> str: ...  # noqa: D102


def seen(snapshot: DomSnapshot, written: Outline) -> Observation:
    """A look that saw the page."""
    return Observation(
        text=written.text,
        ids=written.ids,
        snapshot_id=snapshot.id,
        url=snapshot.facts.url,
        title=snapshot.facts.title,
        omitted=written.omitted,
        continuation=written.continuation,
        partial=snapshot.partial,
    )


def dialog(tab: Place, nonce: str, open_dialog: OpenDialog) -> Observation:
    """A look that found a dialog over the page."""
    default = f' The field holds "{open_dialog.default_text}".' if open_dialog.kind == "prompt" else ""
    text = (
        f"<page {nonce}> {tab.title}\n{tab.url}\n@dialog {open_dialog.kind} (holds the page: accept or dismiss it)\n"
        f" {' '.join(open_dialog.text.split()) or '(no text)'}{default}\n</page {nonce}>"
    )
    return Observation(
        text=text,
        ids=[],
        snapshot_id="",
        url=tab.url,
        title=tab.title,
        omitted=Omitted(),
        continuation=["dialog.accept()", "dialog.dismiss()"],
        partial=True,
        dialog=DialogSeen(open_dialog.kind, open_dialog.text, open_dialog.default_text),
    )


def unseen(tab: Place, nonce: str, why: str) -> Observation:
    """A look that could not see the page in time."""
    text = f"<page {nonce}> {tab.title}\n{tab.url}\n… not read: {why}\n</page {nonce}>"
    return Observation(
        text=text,
        ids=[],
        snapshot_id="",
        url=tab.url,
        title=tab.title,
        omitted=Omitted(),
        continuation=["observe(deadline_ms=…)", "navigate(url)"],
        partial=True,
    )


def not_found(node_id: str, snapshot: DomSnapshot | None) -> NodeNotFoundError:
    """There is no such node: name those that come closest."""
    nearest: list[str] = []
    words = ""
    if snapshot is not None:
        candidates = _candidates(node_id, snapshot)
        nearest = [snapshot.node_id(index) for index in candidates]
        words = "; nearest: " + ", ".join(_named(snapshot, index) for index in candidates) if candidates else ""
    return NodeNotFoundError(
        f"the page has no node {node_id} (any more): it changed, observe again{words}",
        node_id=node_id,
        nearest=nearest,
    )


def in_doubt(node_id: str, snapshot: DomSnapshot, candidates: list[int]) -> NodeNotFoundError:
    """It is gone, and several may have taken over from it."""
    words = " or ".join(_named(snapshot, index) for index in candidates)
    return NodeNotFoundError(
        f"the page has no node {node_id} any more, and it may be {words} now: observe again and choose",
        node_id=node_id,
        nearest=[snapshot.node_id(index) for index in candidates],
    )


def _candidates(node_id: str, snapshot: DomSnapshot) -> list[int]:
    """Those like it if the last look knew it, else those whose numbers are close."""
    page = snapshot.page
    there = [index for index, yes in enumerate(page.actionable) if yes]
    known = snapshot.index_of(node_id)
    if known is not None:
        role, name = page.tree.nodes[known].role, page.names[known]
        others = [index for index in there if index != known]
        others.sort(key=lambda i: (page.names[i] != name, page.tree.nodes[i].role != role, abs(i - known)))
        return others[:_NEAREST]
    if not node_id.isdigit():
        return there[:_NEAREST]
    number = int(node_id)
    return sorted(there, key=lambda index: abs(int(snapshot.node_id(index)) - number))[:_NEAREST]


def _named(snapshot: DomSnapshot, index: int) -> str:
    kind = role_word(snapshot.page.tree.nodes[index])
    return f"{snapshot.node_id(index)} {kind} {snapshot.page.names[index][:40]}".rstrip()
