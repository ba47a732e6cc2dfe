"""What one run of ``scripts/bench speed`` found, as it is saved: every single figure, so that anything can be drawn from it."""

import datetime
import os
import platform
import statistics
from collections.abc import Sequence
from pathlib import Path

import msgspec

BROWSERX, PLAYWRIGHT = "BrowserX", "Playwright"

FIRST = "first look"
CHANGED = "look again, small change"
SAME = "look again, no change"
CLICK = "click + next look"
WHOLE = "whole page"
#: In the order of a round.
LOOKS = (FIRST, CHANGED, SAME, CLICK, WHOLE)

IMPORT = "import"
CONNECT = "process start to first text, Chromium running"
LAUNCH = "process start to first text, Chromium's start too"
STARTS = (IMPORT, CONNECT, LAUNCH)


class Timing(msgspec.Struct):
    """One thing that one tool did on the page of so many ``elements``, once for each run.

    Attributes:
        ms: of each run.
        stage_ms: what of it went where, of each run; ``page`` is spent inside the page, which is the floor.
        bytes: of the text of the last run.
        tokens: of the same text; None where there is no tokenizer.
        partial: how many of the runs were told to be incomplete.
    """

    what: str
    tool: str
    elements: int
    ms: list[float]
    stage_ms: dict[str, list[float]] = {}
    bytes: int = 0
    tokens: int | None = None
    partial: int = 0

    @property
    def median(self) -> float:
        """In ms."""
        return statistics.median(self.ms)

    @property
    def floor(self) -> float | None:
        """Median ms inside the page; None where that is not known."""
        inside = self.stage_ms.get("page")
        return statistics.median(inside) if inside else None

    @property
    def above_floor(self) -> float | None:
        """How many times the floor it took, the median of the runs; None where not every run was inside it."""
        inside = self.stage_ms.get("page")
        if not inside or len(inside) < len(self.ms) or min(inside) <= 0:
            return None
        return statistics.median(t / f for t, f in zip(self.ms, inside, strict=True))


class Engine(msgspec.Struct):
    """What looking at the page of so many ``elements`` costs a process that does nothing else.

    Attributes:
        viewport_mb: resident memory of the Python process after looks at the viewport.
        whole_mb: and after looks at the whole page.
        whole_cpu_s: CPU seconds of that process for a look at the whole page, of each run.
    """

    elements: int
    viewport_mb: float
    whole_mb: float
    whole_cpu_s: list[float]


class Presence(msgspec.Struct):
    """How long a page of ``elements`` takes for ``mutations`` and its next frame, in ms, with nobody there and with us."""

    elements: int
    mutations: int
    without_ms: list[float]
    with_ms: list[float]

    @property
    def ratio(self) -> float:
        """Of the medians."""
        return statistics.median(self.with_ms) / statistics.median(self.without_ms)


class Run(msgspec.Struct):
    """One run. ``versions`` are by name: BrowserX, Chromium, Python, and the peers that were compared."""

    date: str
    cpu: str
    cores: int
    versions: dict[str, str]
    runs: int
    looks: list[Timing]
    starts: list[Timing]
    engines: list[Engine]
    presence: Presence

    @property
    def sizes(self) -> list[int]:
        """In elements, as they were measured."""
        return list(dict.fromkeys(timing.elements for timing in self.looks))

    def look(self, elements: int, what: str, tool: str = BROWSERX) -> Timing | None:
        """A tool that knows one kind of look, of the whole page, has that one wherever a page that changed is looked at."""
        found = find(self.looks, what, tool, elements)
        if found is None and tool != BROWSERX and what in (FIRST, WHOLE):
            return find(self.looks, CHANGED, tool, elements)
        return found

    def conditions(self) -> str:
        """When, on what machine, and how often it was measured."""
        return f"{self.date}, {self.cpu}, {self.cores} cores, medians of {self.runs} runs"

    def compared(self) -> str:
        """What was measured, with versions."""
        return ", ".join(f"{name} {version}" for name, version in self.versions.items())


def find(timings: Sequence[Timing], what: str, tool: str, elements: int | None = None) -> Timing | None:
    """The timing of that name, None if it was not measured."""
    for timing in timings:
        if (timing.what, timing.tool) == (what, tool) and elements in (None, timing.elements):
            return timing
    return None


def save(run: Run, file: Path) -> None:
    """As JSON."""
    file.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=2) + b"\n")


def load(file: Path) -> Run:
    """A run that was saved.

    Raises:
        OSError, msgspec.DecodeError: there is none in ``file``.
    """
    return msgspec.json.decode(file.read_bytes(), type=Run)


def today() -> str:
    """2026-01-31."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def cpu() -> str:
    """The model of the processor, as it calls itself."""
    said = Path("/proc/cpuinfo")
    lines = said.read_text().splitlines() if said.exists() else []
    model = next((line.partition(":")[2] for line in lines if line.startswith("model name")), platform.processor())
    return " ".join(model.replace("(R)", "").replace("(TM)", "").split()) or platform.machine()


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
