"""What a policy sees: the nodes of one look, with the words in them, and ways to find one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from browserx import Observation, VirtualNode


class NotSeenError(Exception):
    """A policy looked for something, and what ``observe`` told of the page has no such thing."""


@dataclass(eq=False)
class Seen:
    """One node, as a look told of it. ``id`` is what actions take."""

    node: VirtualNode
    parent: "Seen | None" = None
    children: "list[Seen]" = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.node.node_id

    @property
    def role(self) -> str:
        return self.node.role

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def value(self) -> str:
        return self.node.value or ""

    @property
    def tag(self) -> str:
        return self.node.tag

    @property
    def text(self) -> str:
        """All that is written on it and in it; of a control, what it is called."""
        return " ".join(" ".join(self._words()).split())

    @property
    def label(self) -> str:
        """What it is called, else what is written on it."""
        return self.name or self.text

    @property
    def x(self) -> int:
        return self.node.rect[0]

    @property
    def y(self) -> int:
        return self.node.rect[1]

    @property
    def width(self) -> int:
        return self.node.rect[2]

    @property
    def height(self) -> int:
        return self.node.rect[3]

    def walk(self) -> "Iterator[Seen]":
        """It, and all that is in it, in document order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def _words(self) -> "Iterator[str]":
        if self.node.actionable and self.name:
            yield self.name
            return
        yield self.node.text
        for child in self.children:
            yield from child._words()

    def around(self) -> "Iterator[Seen]":
        """What it is in, from the inside out."""
        up = self.parent
        while up is not None:
            yield up
            up = up.parent


class View:
    """One look at the page, without the line that says what to do (which is the utterance, and told apart)."""

    def __init__(self, told: Observation, root: VirtualNode, utterance: str) -> None:
        self.offered = frozenset(told.ids)
        self.told = told.text
        self.nodes = list(_without(_seen(root, None), utterance))

    def all(
        self,
        *,
        role: str | Sequence[str] = (),
        tag: str | Sequence[str] = (),
        label: str | None = None,
        where: Callable[[Seen], bool] | None = None,
        controls: bool = True,
    ) -> list[Seen]:
        """What is visible and fits, in document order; with ``controls``, only what can be acted on."""
        roles = (role,) if isinstance(role, str) else role
        tags = (tag,) if isinstance(tag, str) else tag
        return [
            seen
            for seen in self.nodes
            if (seen.node.actionable or not controls)
            and seen.node.visible
            and (not roles or seen.role in roles)
            and (not tags or seen.tag in tags)
            and (label is None or _same(seen.label, label))
            and (where is None or where(seen))
        ]

    def one(
        self,
        *,
        role: str | Sequence[str] = (),
        tag: str | Sequence[str] = (),
        label: str | None = None,
        where: Callable[[Seen], bool] | None = None,
        controls: bool = True,
        at: int = 0,
    ) -> Seen:
        """The first that fits, or the one at place ``at``.

        Raises:
            NotSeenError: there is none.
        """
        found = self.all(role=role, tag=tag, label=label, where=where, controls=controls)
        if len(found) <= at or (at < 0 and len(found) < -at):
            raise NotSeenError(f"no {role or 'node'} {label or ''} {tag or ''}: the page is told as\n{self.told}")
        return found[at]

    def words(self, text: str) -> Seen:
        """The innermost node whose own text is ``text``, whether it can be acted on or not."""
        return self.one(where=lambda seen: _same(seen.node.text, text), controls=False)

    def text(self) -> str:
        """All that is written on the page, one piece after the other, without what controls are called."""
        return " ".join(" ".join(seen.node.text for seen in self.nodes).split())


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def _seen(node: VirtualNode, parent: Seen | None) -> Seen:
    seen = Seen(node, parent)
    seen.children = [_seen(child, seen) for child in node.children]
    return seen


def _without(seen: Seen, utterance: str) -> Iterator[Seen]:
    """All nodes but those of what to do, and of the page's own scores below."""
    asks = (
        not seen.node.actionable
        and seen.text == utterance
        and not any(child.text == utterance for child in seen.children)
    )
    if asks or seen.text.startswith("Last reward:"):
        return
    yield seen
    for child in seen.children:
        yield from _without(child, utterance)
