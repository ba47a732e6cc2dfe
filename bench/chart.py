"""A run as a chart: an SVG of its own few lines, for light and dark screens."""

import html
import math
from collections.abc import Iterator, Sequence

from bench.result import BROWSERX, CHANGED, PLAYWRIGHT, WHOLE, Run

_WIDTH, _HEIGHT = 860, 456
_LEFT, _RIGHT, _TOP, _BOTTOM = 68, 836, 122, 372
_BAR, _GAP = 50, 6
#: The widest share of a group's place that its bars may take.
_FULL = 0.84

_SERIES = (
    ("BrowserX, the viewport", BROWSERX, CHANGED),
    ("BrowserX, the whole page", BROWSERX, WHOLE),
    ("Playwright, the whole page", PLAYWRIGHT, CHANGED),
)

_STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #424a53 }
.title { font-size: 19px; font-weight: 600; fill: #1f2328 }
.value { font-weight: 600; fill: #1f2328; text-anchor: middle; paint-order: stroke; stroke: #ffffff; stroke-width: 4px }
.small { font-size: 12px; fill: #656d76 }
.ground { fill: #ffffff; stroke: #d0d7de }
.line { stroke: #d8dee4 }
.s0 { fill: #0a7f6f } .s1 { fill: #57b8a9 } .s2 { fill: #a8adb5 }
@media (prefers-color-scheme: dark) {
  text { fill: #b7bec7 }
  .title, .value { fill: #f0f3f6 }
  .value { stroke: #151b23 }
  .small { fill: #8d96a0 }
  .ground { fill: #151b23; stroke: #3d444d }
  .line { stroke: #2f363e }
  .s0 { fill: #2fd0b5 } .s1 { fill: #1d8576 } .s2 { fill: #6e7681 }
}
"""


def chart(run: Run) -> str:
    """Bars by size: how long a look takes once a little of the page has changed; medians, on a logarithmic scale."""
    series = [(label, tool, what) for label, tool, what in _SERIES if tool == BROWSERX or tool in run.versions]
    groups = [(size, [_median(run, size, what, tool) for _, tool, what in series]) for size in run.sizes]
    scale = _Scale([value for _, values in groups for value in values if value is not None])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img">',
        f"<title>{_TITLE}</title><style>{_STYLE}</style>",
        f'<rect class="ground" x="0.5" y="0.5" width="{_WIDTH - 1}" height="{_HEIGHT - 1}" rx="10"/>',
        _text(28, 40, _TITLE, "title"),
        _text(28, 62, "milliseconds on a logarithmic scale, shorter is better", "small"),
        *_legend([label for label, _, _ in series]),
        *scale.lines(),
        *_bars(groups, scale),
        _text(28, _HEIGHT - 36, run.compared(), "small"),
        _text(28, _HEIGHT - 18, run.conditions(), "small"),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


_TITLE = "How long a look takes after a small change of the page"


class _Scale:
    """From ms to y, by whole powers of ten around ``values``, with room for the shortest bar to be seen."""

    def __init__(self, values: Sequence[float]) -> None:
        self._low = math.floor(math.log10(min(values) / 2))
        self._high = max(math.ceil(math.log10(max(values))), self._low + 1)

    def y(self, value: float) -> float:
        share = (math.log10(value) - self._low) / (self._high - self._low)
        return _BOTTOM - share * (_BOTTOM - _TOP)

    def lines(self) -> Iterator[str]:
        for power in range(self._low, self._high + 1):
            y = self.y(10**power)
            yield f'<line class="line" x1="{_LEFT}" x2="{_RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            yield _text(_LEFT - 10, y + 4, f"{10**power:,g}", "small", anchor="end")


def _median(run: Run, size: int, what: str, tool: str) -> float | None:
    timing = run.look(size, what, tool)
    return timing.median if timing is not None else None


def _bars(groups: Sequence[tuple[int, Sequence[float | None]]], scale: _Scale) -> Iterator[str]:
    place = (_RIGHT - _LEFT) / len(groups)
    for at, (size, values) in enumerate(groups):
        bar = min(_BAR, (place * _FULL + _GAP) / len(values) - _GAP)
        middle = _LEFT + place * (at + 0.5)
        left = middle - (len(values) * (bar + _GAP) - _GAP) / 2
        yield _text(middle, _BOTTOM + 22, f"{size:,} elements", anchor="middle")
        for number, value in enumerate(values):
            if value is None:
                continue
            x, y = left + number * (bar + _GAP), scale.y(value)
            yield (
                f'<rect class="s{number}" x="{x:.1f}" y="{y:.1f}" width="{bar:.1f}" height="{_BOTTOM - y:.1f}" rx="2"/>'
            )
            shown = f"{value:.1f}" if value < 10 else f"{value:,.0f}"
            yield _text(x + bar / 2, y - 6, shown, "value")


def _legend(labels: Sequence[str]) -> Iterator[str]:
    x = 28.0
    for number, label in enumerate(labels):
        yield f'<rect class="s{number}" x="{x:.0f}" y="80" width="13" height="13" rx="2"/>'
        yield _text(x + 20, 91, label)
        x += 46 + 6.9 * len(label)


def _text(x: float, y: float, words: str, kind: str = "", *, anchor: str = "") -> str:
    kind = f' class="{kind}"' if kind else ""
    anchor = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{kind}{anchor}>{html.escape(words, quote=False)}</text>'
