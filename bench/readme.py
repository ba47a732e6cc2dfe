"""A run as the part of ``README.md`` between ``<!-- speed:begin -->`` and ``<!-- speed:end -->``."""

import re
import statistics
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bench.chart import chart
from bench.report import ms
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
    Run,
    Timing,
    find,
)

_ROOT = Path(__file__).parent.parent
CHART = "docs/speed.svg"
_COLUMNS = 120
_PART = re.compile(r"(<!-- speed:begin -->\n).*?(<!-- speed:end -->)", re.DOTALL)


#: What is told of each, by title.
_TIMES = {
    "first look, the viewport": (BROWSERX, FIRST),
    "look again, after a small change": (BROWSERX, CHANGED),
    "look again, after no change": (BROWSERX, SAME),
    "look at the whole page": (BROWSERX, WHOLE),
    "Playwright's look (the whole page)": (PLAYWRIGHT, CHANGED),
    "a click and the next look": (BROWSERX, CLICK),
    "the same, Playwright": (PLAYWRIGHT, CLICK),
}
_TOKENS = {
    "tokens, the viewport": (BROWSERX, CHANGED),
    "tokens, the whole page": (BROWSERX, WHOLE),
    "tokens, Playwright": (PLAYWRIGHT, CHANGED),
}


def renew(run: Run, root: Path = _ROOT) -> None:
    """Write the part and its chart anew, in the repository at ``root``.

    Raises:
        ValueError: the README has no such part.
    """
    readme = root / "README.md"
    document = renewed(readme.read_text(), run)
    (root / CHART).write_text(chart(run))
    readme.write_text(document)


def renewed(document: str, run: Run) -> str:
    """The document with this run in its part.

    Raises:
        ValueError: it has no such part.
    """
    new, found = _PART.subn(lambda marks: f"{marks[1]}{part(run)}{marks[2]}", document)
    if found != 1:
        raise ValueError("README.md has no <!-- speed:begin --> … <!-- speed:end -->, or more than one")
    return new


def part(run: Run) -> str:
    """The chart, a table, what else was found, and when, where and with what; ends with a line end."""
    rows = [
        ["", *(f"{size:,} elements" for size in run.sizes)],
        ["---"] * (len(run.sizes) + 1),
        *_rows(run, _TIMES, _time),
        *_rows(run, _TOKENS, _tokens),
    ]
    paragraphs = [
        f"![How long a look takes after a small change of the page, by the size of the page]({CHART})",
        "\n".join(f"| {' | '.join(row)} |" for row in rows),
        _wrapped(_costs(run)),
        _wrapped(f"Measured on {run.conditions()}, with {run.compared()}."),
    ]
    return "\n\n".join(paragraphs) + "\n"


def _rows(run: Run, lines: Mapping[str, tuple[str, str]], show: Callable[[Timing | None], str]) -> Iterator[list[str]]:
    for title, (tool, what) in lines.items():
        if tool == BROWSERX or tool in run.versions:
            yield [title, *(show(run.look(size, what, tool)) for size in run.sizes)]


def _time(timing: Timing | None) -> str:
    return f"{ms(timing.median)} ms{' (partial)' if timing.partial else ''}" if timing is not None else "–"


def _tokens(timing: Timing | None) -> str:
    return f"{timing.tokens:,}" if timing is not None and timing.tokens is not None else "–"


def _wrapped(words: str) -> str:
    return textwrap.fill(words, _COLUMNS, break_long_words=False, break_on_hyphens=False)


def _costs(run: Run) -> str:
    """Start, memory and CPU, and what the page pays."""

    def start(what: str) -> str:
        times = [find(run.starts, what, tool) for tool in (BROWSERX, PLAYWRIGHT)]
        ours, theirs = (f"{ms(t.median)} ms" if t is not None else "" for t in times)
        return ours + (f" (Playwright {theirs})" if theirs else "")

    small, large = run.engines[0], run.engines[-1]
    return (
        f"From the start of a process to the first text it takes {start(CONNECT)} with Chromium running, "
        f"{start(LAUNCH)} when it starts Chromium too; `import browserx` takes {start(IMPORT)}. "
        f"A Python process that has looked at viewport and whole page has {small.whole_mb:.0f} MB at "
        f"{small.elements:,} elements and {large.whole_mb:.0f} MB at {large.elements:,}, where a look at the whole page "
        f"costs it {statistics.median(large.whole_cpu_s):.2f} s of CPU. A page that makes {run.presence.mutations:,} "
        f"changes in one go takes {run.presence.ratio:.2f} times as long with BrowserX there."
    )
