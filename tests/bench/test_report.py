"""A run as tables."""

from bench.report import report, table

from tests.bench.canned import run


def test_words_to_the_left_figures_to_the_right() -> None:
    assert table([["what", "ms", ""], ["a look", "1,000", "x"], ["b", "7", ""]], words=1) == (
        "what       ms\na look  1,000  x\nb           7"
    )


def test_looks_beside_those_of_a_peer() -> None:
    lines = report(run()).splitlines()
    assert lines[0] == "BrowserX 0.1.0, Chromium 156.0, Python 3.11.7, Playwright 1.65"
    assert lines[1] == "2026-01-31, Some Processor, 2 cores, medians of 3 runs, in ms"
    looks = [" ".join(line.split()) for line in lines[3:14]]
    assert looks == [
        "what elements BrowserX min..max floor x floor Playwright min..max faster",
        "first look 1,000 8.0 4.0..16.0 4.0 2.00 50.0 25.0..100 6.2x",
        "first look 50,000 8.0 4.0..16.0 4.0 2.00 2,500 1,250..5,000 312.5x",
        "look again, small change 1,000 6.0 3.0..12.0 4.0 1.50 50.0 25.0..100 8.3x",
        "look again, small change 50,000 6.0 3.0..12.0 4.0 1.50 2,500 1,250..5,000 416.7x",
        "look again, no change 1,000 2.0 1.0..4.0 50.0 25.0..100 25.0x",
        "look again, no change 50,000 2.0 1.0..4.0 2,500 1,250..5,000 1250.0x",
        "click + next look 1,000 40.0 20.0..80.0 100 50.0..200 2.5x",
        "click + next look 50,000 40.0 20.0..80.0 5,000 2,500..10,000 125.0x",
        "whole page 1,000 20.0 10.0..40.0 10.0 2.00 50.0 25.0..100 2.5x",
        "whole page 50,000 1,000 500..2,000 500 2.00 2,500 1,250..5,000 2.5x",
    ]


def test_the_rest() -> None:
    told = [" ".join(line.split()) for line in report(run()).splitlines()]
    assert "whole page 50,000 500 501 0.5 0.2 1,000" in told
    assert "BrowserX, whole page 50,000 800,000 200,000" in told
    assert "Playwright, whole page 1,000 48,000 12,000" in told
    assert "50,000 40 90 0.250" in told
    assert "import 100 50.0..200 80.0 40.0..160" in told
    assert told[-1].endswith("next frame: 50.0 ms alone, 55.0 ms with BrowserX there: 1.10 times")


def test_without_a_peer_nothing_is_said_of_it() -> None:
    told = report(run(peer=False))
    assert "first look" in told
    assert "faster" not in told
    assert "\nPlaywright, whole page" not in told


def test_what_is_partial_says_so_and_what_was_not_counted_too() -> None:
    made = run()
    made.looks[-1].partial, made.looks[-1].tokens = 2, None
    told = [" ".join(line.split()) for line in report(made).splitlines()]
    assert any(line.startswith("whole page (2 partial) 50,000") for line in told)
    assert "BrowserX, whole page 50,000 800,000 unknown" in told
