"""How long looks, actions and the start take, what they cost, and what the page pays, on pages of 1k to 50k elements.

Prints tables. Times of BrowserX stand beside those of Playwright, run by run in turn, each with a Chromium of its own,
where Playwright's Python package is installed beside BrowserX.
"""

import argparse
import asyncio
import importlib.metadata
import platform
import sys
from pathlib import Path

import msgspec

from bench import presence
from bench.chart import chart
from bench.looking import time_looks
from bench.presence import measure_presence
from bench.progress import progress
from bench.readme import renew
from bench.report import report
from bench.result import BROWSERX, PLAYWRIGHT, Run, cores, cpu, load, save, today
from bench.server import serving
from bench.starting import measure_engine, time_starts
from bench.tools import playwright_version
from browserx import Browser

_EXAMPLES = """examples:
  scripts/bench speed                              everything; takes some minutes
  scripts/bench speed --sizes 1000 --runs 3        a first impression
  scripts/bench speed --json run.json --readme     a run to keep, shown in README.md and docs/speed.svg
  scripts/bench speed --from run.json --chart run.svg    draws a run that was kept; nothing is measured

to compare with Playwright:
  uv run --frozen --with playwright python -m bench.speed

what is what:
  first look          the viewport, nothing known from earlier looks
  look again          the viewport, after one text of it was changed, and after nothing was
  whole page          without limits of size or tokens, after one text was changed
  click + next look   until the text after the click is there
  floor               what of a look is spent inside the page, where nobody can do without it
"""


async def measure(sizes: list[int], runs: int, *, peers: bool) -> Run:
    """Measure everything on pages of these sizes, ``runs`` times each."""
    theirs = playwright_version() if peers else ""
    if peers and not theirs:
        print("Playwright is not compared: it is not installed beside BrowserX, or too old (--help)", file=sys.stderr)
    async with Browser.launch() as browser:
        chromium = browser.version.rpartition("/")[2]
    versions = {
        BROWSERX: importlib.metadata.version("browserx"),
        "Chromium": chromium,
        "Python": platform.python_version(),
    }
    if theirs:
        versions[PLAYWRIGHT] = theirs
    with serving() as base:
        looks = [
            timing for size in sizes for timing in await time_looks(f"{base}/{size}", size, runs, peers=bool(theirs))
        ]
        smallest = min(sizes)
        run = Run(
            today(),
            cpu(),
            cores(),
            versions,
            runs,
            looks,
            await time_starts(f"{base}/{smallest}", smallest, runs, peers=bool(theirs)),
            [await measure_engine(f"{base}/{size}", size, runs) for size in sizes],
            await measure_presence(f"{base}/{presence.ELEMENTS}", runs),
        )
    progress("")
    return run


def _sizes(given: str) -> list[int]:
    sizes = [int(size) for size in given.split(",")]
    if min(sizes) < 1:
        raise ValueError
    return sizes


def _runs(given: str) -> int:
    if (runs := int(given)) < 1:
        raise ValueError
    return runs


def _run(given: str) -> Run:
    try:
        return load(Path(given))
    except (OSError, msgspec.DecodeError) as error:
        raise argparse.ArgumentTypeError(f"{given} holds no run: {error}") from error


def main() -> None:
    parser = argparse.ArgumentParser(
        "scripts/bench speed",
        description=__doc__,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--sizes",
        type=_sizes,
        default="1000,5000,10000,50000",
        metavar="N,…",
        help="elements of the pages (default: %(default)s)",
    )
    parser.add_argument("--runs", type=_runs, default=7, metavar="N", help="of each, after one to warm up (default: 7)")
    parser.add_argument("--alone", action="store_true", help="compare with nobody")
    parser.add_argument("--from", dest="run", type=_run, metavar="FILE", help="show this saved run; measure nothing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="save the run: every figure, machine and versions")
    parser.add_argument("--chart", type=Path, metavar="FILE.svg", help="draw the run")
    parser.add_argument("--readme", action="store_true", help="show the run in README.md and docs/speed.svg")
    given = parser.parse_args()
    run = given.run or asyncio.run(measure(given.sizes, given.runs, peers=not given.alone))
    print(report(run))
    if given.json is not None:
        save(run, given.json)
    if given.chart is not None:
        given.chart.write_text(chart(run))
    if given.readme:
        renew(run)


if __name__ == "__main__":
    main()
