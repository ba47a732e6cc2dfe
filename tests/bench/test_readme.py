"""The part of the README that a run writes."""

from pathlib import Path

import pytest
from bench.readme import part, renew, renewed

from tests.bench.canned import run

_BEGIN, _END = "<!-- speed:begin -->\n", "<!-- speed:end -->"


def test_the_part() -> None:
    assert (
        part(run())
        == """\
![How long a look takes after a small change of the page, by the size of the page](docs/speed.svg)

|  | 1,000 elements | 50,000 elements |
| --- | --- | --- |
| first look, the viewport | 8.0 ms | 8.0 ms |
| look again, after a small change | 6.0 ms | 6.0 ms |
| look again, after no change | 2.0 ms | 2.0 ms |
| look at the whole page | 20.0 ms | 1,000 ms |
| Playwright's look (the whole page) | 50.0 ms | 2,500 ms |
| a click and the next look | 40.0 ms | 40.0 ms |
| the same, Playwright | 100 ms | 5,000 ms |
| tokens, the viewport | 500 | 500 |
| tokens, the whole page | 4,000 | 200,000 |
| tokens, Playwright | 12,000 | 600,000 |

From the start of a process to the first text it takes 300 ms (Playwright 600 ms) with Chromium running, 700 ms
(Playwright 1,100 ms) when it starts Chromium too; `import browserx` takes 100 ms (Playwright 80.0 ms). A Python process
that has looked at viewport and whole page has 35 MB at 1,000 elements and 90 MB at 50,000, where a look at the whole
page costs it 0.25 s of CPU. A page that makes 5,000 changes in one go takes 1.10 times as long with BrowserX there.

Measured on 2026-01-31, Some Processor, 2 cores, medians of 3 runs, with BrowserX 0.1.0, Chromium 156.0, Python 3.11.7,
Playwright 1.65.
"""
    )


def test_without_a_peer_nothing_is_said_of_it() -> None:
    assert "Playwright" not in part(run(peer=False))


def test_what_is_partial_says_so() -> None:
    made = run()
    made.looks[-1].partial = 1
    assert "| look at the whole page | 20.0 ms | 1,000 ms (partial) |" in part(made)


def test_only_the_part_is_rewritten() -> None:
    old = f"# Title\n\n{_BEGIN}old figures\n{_END}\n\nThe rest.\n"
    new = renewed(old, run())
    assert new == f"# Title\n\n{_BEGIN}{part(run())}{_END}\n\nThe rest.\n"
    assert renewed(new, run()) == new


@pytest.mark.parametrize("document", ["# Title\n", f"{_BEGIN}{_END}\n{_BEGIN}{_END}\n", _END + _BEGIN])
def test_a_readme_without_its_place_is_left_alone(document: str, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text(document)
    with pytest.raises(ValueError, match="speed:begin"):
        renew(run(), tmp_path)
    assert (tmp_path / "README.md").read_text() == document
    assert not (tmp_path / "docs" / "speed.svg").exists()


def test_the_chart_comes_with_it(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text(_BEGIN + _END)
    renew(run(), tmp_path)
    assert "docs/speed.svg" in (tmp_path / "README.md").read_text()
    assert (tmp_path / "docs" / "speed.svg").read_text().startswith("<svg ")


def test_the_readme_has_its_place() -> None:
    document = (Path(__file__).parents[2] / "README.md").read_text()
    assert renewed(document, run()).count("docs/speed.svg") == 1
