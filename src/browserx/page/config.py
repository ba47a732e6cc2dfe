"""What a service can be told to do differently."""

from collections.abc import Callable
from typing import Literal

import msgspec

Engine = Literal["cdp", "content"]


class Metric(msgspec.Struct, frozen=True):
    """One look or action, for whoever counts. ``kind`` is ``look`` or ``action``; ``failure`` is an error code.

    ``counts`` holds whole numbers by name: tokens, interactive, nodes, frames.
    """

    kind: str
    name: str
    duration_ms: float
    verdict: str = ""
    failure: str = ""
    partial: bool = False
    counts: dict[str, int] = {}


class ServiceConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of a ``DomService``.

    Args:
        max_age_s: a snapshot older than this is taken anew by the next call that would have used it.
        max_tree_depth: of what is serialized; the mirror takes any depth.
        max_nodes: of what is serialized.
        enable_visual_effects: show a person where something is done; drawn over the page, not in it.
        idle_detach_s: the tab is let go of after this long without use.
        ignore_opt_out: look at and act on pages that ask not to be used by AI.
        stability_threshold_ms: a page that moved is quiet after this long without another move.
        settle_timeout_ms: how long an action waits for the page to settle, at most.
        engine: ``cdp``, or ``content``: nothing but script in the page, the fallback for drivers that can do no more.
        measure_performance: tell with each action what it cost the page (``changes.performance``); two questions more.
        metrics: hears every look and action.
    """

    max_age_s: float = 30.0
    max_tree_depth: int = 100
    max_nodes: int = 1500
    enable_visual_effects: bool = False
    idle_detach_s: float = 300.0
    ignore_opt_out: bool = False
    stability_threshold_ms: int = 300
    settle_timeout_ms: int = 3000
    engine: Engine = "cdp"
    measure_performance: bool = False
    metrics: Callable[[Metric], None] | None = None
