"""``scripts/campaign mirror``: does looking again tell what a full look tells, whatever has happened to the page?

At each step a random mutation of a random kind is made in the page, by its own script; then what ``observe()`` tells is
compared with what ``observe(force=True)`` tells, which uses nothing known from earlier looks. The first difference ends
the run.
"""

import argparse
import asyncio
import logging
import random
import sys
import time

from browserx import Browser
from browserx.dom import internals
from tests.campaigns.mirror.page import VariedSite
from tests.campaigns.mirror.run import Campaign, DiffersError, Tally

#: What custom elements say of themselves is asked in a hurry, and not again of a page that was slow once: here it may
#: take as long as a busy machine needs, or two equal looks would differ.
_INTERNALS_S = 60.0


async def run(arguments: argparse.Namespace) -> int:
    """Run the campaign. Returns the exit code."""
    internals._TIMEOUT_S = _INTERNALS_S
    site = VariedSite()
    seed, started = arguments.seed, time.monotonic()
    tally = Tally(seed)
    mismatches = 0

    def show(so_far: Tally) -> None:
        nonlocal tally
        tally = so_far
        if sys.stderr.isatty() and tally.steps % 20 == 0:
            speed = tally.steps / (time.monotonic() - started)
            say(f"\r{tally.steps} of {arguments.steps} steps, page {tally.pages}, {speed:.0f} steps/s ", end="")

    try:
        async with Browser.launch() as browser:
            campaign = Campaign(browser, site, only=arguments.only, shrink_s=arguments.shrink)
            await campaign.run(
                seed, arguments.steps, page_every=arguments.page_every, first_page=arguments.page, on_step=show
            )
    except DiffersError as failed:
        mismatches = 1
        say(f"\n{failed}")
    finally:
        site.close()
    if arguments.kinds:
        for kind in sorted(tally.tried, key=lambda kind: tally.told[kind] / tally.tried[kind]):
            say(f"{tally.told[kind]:5} of {tally.tried[kind]:4} told  {kind}")
    spent = time.monotonic() - started
    if sys.stderr.isatty():
        say("\r", end="")
    say(
        f"{tally.steps} steps on {tally.pages} pages, seed {seed}, {spent:.0f} s "
        f"({tally.steps / spent:.0f} steps/s), {mismatches} mismatches"
    )
    return mismatches


def say(text: str, end: str = "\n") -> None:
    """Tell whoever started it."""
    sys.stderr.write(text + end)
    sys.stderr.flush()


def main() -> None:
    parser = argparse.ArgumentParser("scripts/campaign mirror", description=__doc__)
    parser.add_argument("--steps", type=int, default=10_000, help="how many (default: %(default)s)")
    parser.add_argument("--seed", default=str(random.randrange(10**6)), help="of all that is random (default: any)")
    parser.add_argument("--page-every", type=int, default=200, help="steps on one page (default: %(default)s)")
    parser.add_argument("--page", type=int, default=0, help="number of the first page, to see a mismatch again")
    parser.add_argument("--only", default="", help="only kinds of mutations that match this regular expression")
    parser.add_argument(
        "--shrink",
        type=float,
        default=120.0,
        help="seconds to look for the fewest steps that differ (default: %(default)s)",
    )
    parser.add_argument("--kinds", action="store_true", help="tell of each kind how often it changed the text")
    logging.getLogger("browserx.browser").setLevel(logging.ERROR)
    sys.exit(asyncio.run(run(parser.parse_args())))


if __name__ == "__main__":
    main()
