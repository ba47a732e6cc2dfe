"""A run as a chart."""

import xml.etree.ElementTree as ET

import pytest
from bench.chart import chart
from bench.result import BROWSERX, CHANGED, WHOLE

from tests.bench.canned import run

_SVG = "{http://www.w3.org/2000/svg}"


def bars(svg: str) -> list[tuple[str, float]]:
    """The class and the height of each bar, from left to right."""
    rects = [rect for rect in ET.fromstring(svg).iter(f"{_SVG}rect") if rect.get("width") not in ("13", "859")]
    return [(rect.get("class", ""), float(rect.get("height", ""))) for rect in rects]


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in ET.fromstring(svg).iter(f"{_SVG}text")]


def test_a_bar_for_each_tool_and_size() -> None:
    drawn = bars(chart(run()))
    assert [kind for kind, _ in drawn] == ["s0", "s1", "s2", "s0", "s1", "s2"]
    # From 6 to 20 to 50 ms, and from 6 to 1,000 to 2,500: equal factors are equal steps.
    heights = [height for _, height in drawn]
    assert heights[0] == heights[3]
    assert heights[2] - heights[1] == pytest.approx(heights[5] - heights[4], abs=0.2)
    assert heights == sorted(heights[:3]) + sorted(heights[3:])


def test_it_says_what_it_shows() -> None:
    told = texts(chart(run()))
    assert told[0] == "How long a look takes after a small change of the page"
    assert {"BrowserX, the viewport", "BrowserX, the whole page", "Playwright, the whole page"} <= set(told)
    assert {"1,000 elements", "50,000 elements", "6.0", "20", "50", "1,000", "2,500"} <= set(told)
    assert told[-2:] == [
        "BrowserX 0.1.0, Chromium 156.0, Python 3.11.7, Playwright 1.65",
        "2026-01-31, Some Processor, 2 cores, medians of 3 runs",
    ]


def test_without_a_peer_there_is_none() -> None:
    svg = chart(run(peer=False))
    assert [kind for kind, _ in bars(svg)] == ["s0", "s1", "s0", "s1"]
    assert "Playwright" not in svg


def test_a_name_is_no_markup() -> None:
    made = run()
    made.cpu = "<b> & co"
    assert any("<b> & co" in text for text in texts(chart(made)))


@pytest.mark.parametrize("ms", [0.004, 1.0, 10.0, 99_999.0])
def test_every_time_fits(ms: float) -> None:
    made = run(peer=False)
    made.looks = [t for t in made.looks if t.elements == 1000 and t.tool == BROWSERX and t.what in (CHANGED, WHOLE)]
    for timing in made.looks:
        timing.ms = [ms]
    assert all(0 < height <= 250 for _, height in bars(chart(made)))
