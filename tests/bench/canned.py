"""A run that was never made: round figures, two sizes."""

from bench.result import (
    BROWSERX,
    CHANGED,
    CLICK,
    CONNECT,
    FIRST,
    IMPORT,
    LAUNCH,
    PLAYWRIGHT,
    SAME,
    WHOLE,
    Engine,
    Presence,
    Run,
    Timing,
)


def _timing(what: str, tool: str, elements: int, ms: float, *, tokens: int | None = None, floor: float = 0) -> Timing:
    stages = {"page": [floor] * 3, "capture": [floor + 1] * 3, "build": [0.5] * 3, "classify": [0.25] * 3}
    return Timing(
        what, tool, elements, [ms, 2 * ms, ms / 2], stages if floor else {}, bytes=4 * (tokens or 0), tokens=tokens
    )


def _looks(elements: int) -> list[Timing]:
    return [
        _timing(FIRST, BROWSERX, elements, 8, tokens=500, floor=4),
        _timing(CHANGED, BROWSERX, elements, 6, tokens=500, floor=4),
        _timing(CHANGED, PLAYWRIGHT, elements, elements / 20, tokens=elements * 12),
        _timing(SAME, BROWSERX, elements, 2, tokens=500),
        _timing(SAME, PLAYWRIGHT, elements, elements / 20, tokens=elements * 12),
        _timing(CLICK, BROWSERX, elements, 40, tokens=500),
        _timing(CLICK, PLAYWRIGHT, elements, elements / 10, tokens=elements * 12),
        _timing(WHOLE, BROWSERX, elements, elements / 50, tokens=elements * 4, floor=elements / 100),
    ]


def run(*, peer: bool = True) -> Run:
    """With Playwright, or without."""
    starts = [
        _timing(what, tool, 1000, ms)
        for what, ours, theirs in ((IMPORT, 100, 80), (CONNECT, 300, 600), (LAUNCH, 700, 1100))
        for tool, ms in ((BROWSERX, ours), (PLAYWRIGHT, theirs))
    ]
    made = Run(
        "2026-01-31",
        "Some Processor",
        2,
        {"BrowserX": "0.1.0", "Chromium": "156.0", "Python": "3.11.7", "Playwright": "1.65"},
        3,
        [*_looks(1000), *_looks(50_000)],
        starts,
        [Engine(1000, 30, 35, [0.01]), Engine(50_000, 40, 90, [0.2, 0.3, 0.25])],
        Presence(5000, 5000, [40, 50, 60], [44, 55, 80]),
    )
    if not peer:
        del made.versions[PLAYWRIGHT]
        made.looks = [timing for timing in made.looks if timing.tool == BROWSERX]
        made.starts = [timing for timing in made.starts if timing.tool == BROWSERX]
    return made
