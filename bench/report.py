"""A run as plain tables."""

import statistics
from collections.abc import Sequence

from bench.result import BROWSERX, CHANGED, CLICK, LOOKS, PLAYWRIGHT, STARTS, WHOLE, Run, Timing, find

_HEAD = {tool: (tool, "min..max") for tool in (BROWSERX, PLAYWRIGHT)}
_STAGES = ("page", "capture", "build", "classify")


def report(run: Run) -> str:
    """Everything the run found, with what the columns mean."""
    parts = [
        f"{run.compared()}\n{run.conditions()}, in ms",
        _looks(run),
        "floor: spent inside the page. x floor: the whole look divided by it. Playwright looks at the whole page always.",
        "Where the time of a look goes, in ms (capture: until all rows are here, with what the page took)",
        _stages(run),
        "What a text costs a model, in o200k tokens",
        _texts(run),
        "What whole pages cost a Python process that does nothing else",
        _engines(run),
        f"Start, in ms (page of {run.starts[0].elements:,} elements)",
        _starts(run),
        _presence(run),
    ]
    return "\n\n".join(parts)


def table(rows: Sequence[Sequence[str]], *, words: int) -> str:
    """Rows under each other, the first ``words`` columns aligned to the left, figures to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if at < words else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def ms(value: float) -> str:
    """Three digits at least, no false ones."""
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def _spread(timing: Timing | None) -> list[str]:
    if timing is None:
        return ["", ""]
    return [ms(timing.median), f"{ms(min(timing.ms))}..{ms(max(timing.ms))}"]


def _looks(run: Run) -> str:
    peer = PLAYWRIGHT in run.versions
    rows = [
        ["what", "elements", *_HEAD[BROWSERX], "floor", "x floor", *((*_HEAD[PLAYWRIGHT], "faster") if peer else ())]
    ]
    for what in LOOKS:
        for size in run.sizes:
            ours, theirs = run.look(size, what), run.look(size, what, PLAYWRIGHT)
            assert ours is not None
            floor, above = (None, None) if what == CLICK else (ours.floor, ours.above_floor)
            row = [what + (f" ({ours.partial} partial)" if ours.partial else ""), f"{size:,}", *_spread(ours)]
            row += [ms(floor) if floor is not None else "", f"{above:.2f}" if above is not None else ""]
            if peer:
                row += [*_spread(theirs), f"{theirs.median / ours.median:.1f}x" if theirs is not None else ""]
            rows.append(row)
    return table(rows, words=1)


def _stages(run: Run) -> str:
    rows = [["look", "elements", *_STAGES, "all"]]
    for what in LOOKS:
        for size in run.sizes:
            timing = run.look(size, what)
            if what == CLICK or timing is None:
                continue
            spent = [timing.stage_ms.get(stage) for stage in _STAGES]
            rows.append([what, f"{size:,}", *(ms(statistics.median(s)) if s else "" for s in spent), ms(timing.median)])
    return table(rows, words=1)


def _texts(run: Run) -> str:
    rows = [["text", "elements", "bytes", "tokens"]]
    texts = ((BROWSERX, CHANGED, "viewport"), (BROWSERX, WHOLE, "whole page"), (PLAYWRIGHT, CHANGED, "whole page"))
    for tool, look, covers in texts:
        for size in run.sizes:
            if (timing := run.look(size, look, tool)) is not None:
                tokens = f"{timing.tokens:,}" if timing.tokens is not None else "unknown"
                rows.append([f"{tool}, {covers}", f"{size:,}", f"{timing.bytes:,}", tokens])
    return table(rows, words=1)


def _engines(run: Run) -> str:
    rows = [["elements", "memory after viewports, MB", "after whole pages, MB", "CPU of one whole page, s"]]
    rows += [
        [f"{e.elements:,}", f"{e.viewport_mb:.0f}", f"{e.whole_mb:.0f}", f"{statistics.median(e.whole_cpu_s):.3f}"]
        for e in run.engines
    ]
    return table(rows, words=0)


def _starts(run: Run) -> str:
    peer = PLAYWRIGHT in run.versions
    rows = [["what", *_HEAD[BROWSERX], *(_HEAD[PLAYWRIGHT] if peer else ())]]
    for what in STARTS:
        row = [what, *_spread(find(run.starts, what, BROWSERX))]
        rows.append([*row, *(_spread(find(run.starts, what, PLAYWRIGHT)) if peer else ())])
    return table(rows, words=1)


def _presence(run: Run) -> str:
    p = run.presence
    return (
        f"{p.mutations:,} changes by the page of {p.elements:,} elements and its next frame: "
        f"{ms(statistics.median(p.without_ms))} ms alone, {ms(statistics.median(p.with_ms))} ms with BrowserX there: "
        f"{p.ratio:.2f} times"
    )
