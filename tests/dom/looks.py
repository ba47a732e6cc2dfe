"""Looks written by hand: what an eye would tell of a page, for the stages that think."""

from dataclasses import dataclass, field
from typing import Any

from browserx.dom import DomSnapshot
from browserx.dom.build import build
from browserx.dom.captured import FrameCapture, PageCapture
from browserx.dom.classify import classify
from browserx.dom.ids import IdRegistry
from browserx.dom.tree import Classified
from browserx.inpage.facts import MIRROR_BASE, ElementRow, Extra, Fact, FrameFact, LeftOut, LookFacts, TextRow

SEEN = Fact.VISIBLE | Fact.IN_VIEW
NOTHING = Fact(0)
TEXT_NAMED = Fact.NATIVE | Fact.NAMED_BY_CONTENT
Box = tuple[int, int, int, int]


@dataclass
class El:
    """An element: role, name, facts and what is in it. A string in it is text."""

    role: str = ""
    name: str = ""
    facts: Fact = NOTHING
    inside: tuple["El | str", ...] = ()
    tag: str = "div"
    box: Box = (0, 0, 100, 20)
    seen: Fact = SEEN
    extra: dict[str, Any] = field(default_factory=dict)


def button(name: str, facts: Fact = TEXT_NAMED, **more: Any) -> El:
    return El("button", name, facts, tag="button", **more)


def link(name: str, facts: Fact = TEXT_NAMED, **more: Any) -> El:
    return El("link", name, facts, tag="a", **more)


def field_(name: str, facts: Fact = Fact.NATIVE, **more: Any) -> El:
    return El("textbox", name, facts, tag="input", **more)


class _Writer:
    def __init__(self) -> None:
        self.facts = LookFacts(url="http://test/", title="Test", viewport=(1280, 800), scroll=(0, 0, 1280, 800))
        self.key = 0

    def element(self, el: El, depth: int, level: int) -> None:
        self.key += 1
        facts = self.facts
        place = len(facts.mirror)
        facts.mirror += chr(MIRROR_BASE + self._index(facts.tags, el.tag))
        facts.levels += chr(MIRROR_BASE + level)
        frame = el.extra.get("frame")
        extra = Extra(**{**el.extra, **({"frame": FrameFact(*frame)} if frame else {})}) if el.extra else None
        facts.rows.append(
            ElementRow(
                depth,
                place,
                self.key,
                self._index(facts.tags, el.tag),
                int(el.facts | el.seen),
                self._index(facts.roles, el.role),
                el.name,
                *el.box,
                extra,
            )
        )
        for inner in el.inside:
            if isinstance(inner, str):
                facts.rows.append(TextRow(depth + 1, place, inner))
            else:
                self.element(inner, depth + 1, level + 1)

    @staticmethod
    def _index(table: list[str], word: str) -> int:
        if word not in table:
            table.append(word)
        return table.index(word)


def look(*inside: El | str, **facts: Any) -> LookFacts:
    """What an eye would tell of a page with this in its body."""
    writer = _Writer()
    for inner in inside:
        if isinstance(inner, str):
            writer.facts.rows.append(TextRow(0, 0, inner))
        else:
            writer.element(inner, 0, 0)
    writer.facts.total = len(writer.facts.mirror)
    for name, value in facts.items():
        setattr(writer.facts, name, value)
    return writer.facts


def capture(facts: LookFacts, frame_id: str = "TOP", frame_ids: dict[int, str] | None = None) -> FrameCapture:
    return FrameCapture(frame_id, f"world of {frame_id}", facts, frame_ids or {})


def page_capture(*captures: FrameCapture, missing: dict[str, str] | None = None) -> PageCapture:
    return PageCapture(list(captures), {c.frame_id: i for i, c in enumerate(captures)}, missing or {}, 0.0, 0.0)


def classified(*inside: El | str) -> Classified:
    return classify(build(page_capture(capture(look(*inside)))))


def snapshot(*inside: El | str, page: PageCapture | None = None, left: LeftOut | None = None) -> DomSnapshot:
    taken = page or page_capture(capture(look(*inside, **({"left": left} if left else {}))))
    return DomSnapshot("s1", "viewport", classify(build(taken)), taken, IdRegistry(), {}, {}, 0.0)


def actionable(*inside: El | str) -> list[str]:
    """What can be acted on, as "role name"."""
    page = classified(*inside)
    return [
        f"{page.tree.nodes[i].role or page.tree.nodes[i].tag} {page.names[i]}".strip()
        for i, yes in enumerate(page.actionable)
        if yes
    ]
