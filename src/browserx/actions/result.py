"""What an action did, as a value: the contract of SPEC's ``ActionResult``, camelCase on the wire."""

from enum import StrEnum
from typing import Any, Literal

import msgspec


class Verdict(StrEnum):
    """What the page did, decided from what was seen of it, never from having sent the input."""

    CHANGED = "changed"
    NO_EFFECT = "no_effect"
    NAVIGATED = "navigated"
    OPENED = "opened"
    BLOCKED = "blocked"
    WRONG_TARGET = "wrong_target"
    UNVERIFIED = "unverified"


class Point(msgspec.Struct, frozen=True):
    """CSS px in the top viewport."""

    x: float
    y: float


EffectKind = Literal["ripple", "cursor", "highlight"]


class VisualEffect(msgspec.Struct, frozen=True, rename="camel"):
    """Where an effect for people belongs."""

    type: EffectKind
    coordinates: Point


class ActionError(msgspec.Struct, frozen=True, rename="camel"):
    """Why an action that was carried out did not do what it should."""

    code: str
    message: str
    recoverable: bool


class RequestMade(msgspec.Struct, frozen=True, rename="camel"):
    """A request that began while the action ran. ``status`` is 0 while unanswered, -1 if it failed.

    ``timestamp`` is seconds since 1970.
    """

    method: str
    url: str
    status: int
    timestamp: float


class Healed(msgspec.Struct, frozen=True, rename="camel"):
    """The element acted on took over from one that is gone. ``confidence`` is from 0 to 1."""

    from_: str = msgspec.field(name="from")
    to: str
    confidence: float


class ExpectationMet(msgspec.Struct, frozen=True, rename="camel"):
    """Whether what the caller said should happen did happen."""

    passed: bool
    message: str


class DownloadBegun(msgspec.Struct, frozen=True, rename="camel"):
    """A download that began while the action ran. ``path`` is where the file is, None until it is complete.

    ``state`` is ``in_progress``, ``completed``, ``cancelled`` or ``failed``.
    """

    name: str
    path: str | None
    url: str
    state: str


class PerformanceDelta(msgspec.Struct, frozen=True, rename="camel"):
    """What the page's renderer spent while the action ran, in ms, and the bytes that its scripts hold more (or less).

    ``task_ms`` is all it did, the other three included.
    """

    layout_ms: float
    style_ms: float
    script_ms: float
    task_ms: float
    heap_bytes: int


class ActionChanges(msgspec.Struct, rename="camel", omit_defaults=True, kw_only=True):
    """What was seen to change while the action ran.

    ``errors`` and ``successes`` are texts that came and say that something went wrong, or well.
    """

    url_changed: bool = False
    navigated: bool = False
    dom_mutated: bool = False
    added_texts: list[str] = []
    removed_texts: list[str] = []
    errors: list[str] = []
    successes: list[str] = []
    dialogs: list[str] = []
    new_tabs: list[int] = []
    downloads: list[DownloadBegun] = []
    requests: list[RequestMade] = []
    console_errors: list[str] = []
    focused: str | None = None
    value_now: str | None = None
    scrolled: bool = False
    url: str | None = None
    #: Only where ``ServiceConfig(measure_performance=True)`` asks for it.
    performance: PerformanceDelta | None = None


class ActionResult(msgspec.Struct, rename="camel", omit_defaults=True, kw_only=True):
    """``duration`` is in ms. ``success`` is never claimed for an action that did not reach its element."""

    success: bool
    verdict: Verdict
    duration: float
    visual_effect: VisualEffect | None = None
    error: ActionError | None = None
    healed: Healed | None = None
    expectation: ExpectationMet | None = None
    snapshot_invalidated: bool = msgspec.field(default=False)
    changes: ActionChanges | None = None

    def to_dict(self) -> dict[str, Any]:
        """As it goes over the wire."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]
