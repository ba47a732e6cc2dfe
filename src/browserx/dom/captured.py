"""What the eyes told, as values: the input of the stages that think."""

from typing import NamedTuple

from browserx.inpage.facts import LookFacts

#: The browser's own ids of elements, by world and key.
BackendIds = dict[str, dict[int, int]]


class Cover(NamedTuple):
    """What lies over an element, from outside its frame."""

    world: str
    key: int
    text: str


class FrameCapture:
    """What one eye told. Keys are those of its ``world``."""

    __slots__ = ("covered", "facts", "frame_id", "frame_ids", "world")

    def __init__(self, frame_id: str, world: str, facts: LookFacts, frame_ids: dict[int, str]) -> None:
        self.frame_id = frame_id
        self.world = world
        self.facts = facts
        #: Frame elements of this document: key -> frame id.
        self.frame_ids = frame_ids
        #: Elements that something outside this frame lies over.
        self.covered: dict[int, Cover] = {}


class PageCapture(NamedTuple):
    """What all eyes told. The first capture is the top document's, or the one looked at."""

    captures: list[FrameCapture]
    by_frame: dict[str, int]
    missing: dict[str, str]
    capture_ms: float
    page_ms: float
