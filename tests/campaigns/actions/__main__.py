"""``scripts/campaign actions``: does every action do what it tells, to the element it was given and to no other?

Random actions are taken on the pages of the corpus (the folder in ``BROWSERX_CORPUS``), or on those named. A witness in
the page, which knows nothing of the engine, hears which element each event reached; what it says is held against what
the action told. The first falsehood on a page ends what is done there.
"""

import argparse
import asyncio
import logging
import os
import random
import sys
import time
from pathlib import Path

from bench.corpus import Corpus

from browserx import Browser, BrowserXError
from tests.campaigns.actions.run import FalseError, Tally, Trial

_PORT = 9577


async def run(arguments: argparse.Namespace) -> int:
    """Run the campaign. Returns the exit code."""
    folder = os.environ.get("BROWSERX_CORPUS", "")
    if not folder or not Path(folder, "pages.json").is_file():
        say("set BROWSERX_CORPUS to the folder of the corpus (it has pages.json)")
        return 2
    corpus = Corpus(Path(folder), arguments.port)
    tally, started = Tally(), time.monotonic()
    names = [name for name in corpus.entries if not arguments.pages or name in arguments.pages.split(",")]
    failed = 0
    try:
        async with Browser.launch() as browser:
            each = -(-arguments.actions // len(names))
            for name in names:
                tab = await browser.new_tab()
                trial = Trial(tab, corpus.url(name), random.Random(f"{arguments.seed}/{name}"), tally)
                try:
                    await trial.run(min(each, arguments.actions - tally.actions))
                except FalseError as false:
                    failed += 1
                    say(f"FALSE: {false}")
                except BrowserXError as error:
                    say(f"{name}: {type(error).__name__}: {error.message[:300]}")
                finally:
                    await tab.close()
                say(f"{tally.actions:5} actions, after {name}")
    finally:
        corpus.close()
    spent = time.monotonic() - started
    say(f"verdicts {dict(tally.verdicts)}")
    say(f"refusals {dict(tally.errors)}")
    say(f"kinds {dict(tally.kinds)}, without a witness {tally.unwitnessed}")
    say(f"{tally.actions} actions on {len(names)} pages, seed {arguments.seed}, {spent:.0f} s, {failed} falsehoods")
    return 1 if failed else 0


def say(text: str) -> None:
    """Tell whoever started it."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def main() -> None:
    parser = argparse.ArgumentParser("scripts/campaign actions", description=__doc__)
    parser.add_argument("--actions", type=int, default=2000, help="how many (default: %(default)s)")
    parser.add_argument("--seed", default=str(random.randrange(10**6)), help="of all that is random (default: any)")
    parser.add_argument("--pages", default="", help="only these pages, by name, with commas")
    parser.add_argument("--port", type=int, default=_PORT, help="where the pages are served (default: %(default)s)")
    logging.getLogger("browserx.browser").setLevel(logging.ERROR)
    sys.exit(asyncio.run(run(parser.parse_args())))


if __name__ == "__main__":
    main()
