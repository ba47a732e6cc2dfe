"""``scripts/campaign tasks``: does the whole loop do what is said in plain words, and is what it tells of it true?

Each errand is said to a client that works it with a backend over HTTP, which follows it without a model, on a page in a
real browser; a witness that knows nothing of that decides. Every action must have been found to have done what it
should, or nothing can tell. Pages of others are in the folder in ``BROWSERX_CORPUS``; without it they are left out.
"""

import argparse
import asyncio
import logging
import os
import sys
import tempfile
from pathlib import Path

import structlog
from bench.corpus import Corpus

from browserx import Browser
from browserx.agent.local import LocalPlanner
from browserx.cli.demo.shop import Shop
from tests.backend.served import serve
from tests.campaigns.miniwob.serve import TaskSite
from tests.campaigns.tasks import in_shop, on_corpus, on_miniwob
from tests.campaigns.tasks.errand import Places, opened
from tests.campaigns.tasks.working import Worked, work

_PORT = 9597
_AT_LEAST = 30
_NAME = 64


async def run(arguments: argparse.Namespace) -> int:
    """Work the errands. Returns the exit code."""
    folder = os.environ.get("BROWSERX_CORPUS", "")
    corpus = Corpus(Path(folder), arguments.port) if folder and Path(folder, "pages.json").is_file() else None
    if corpus is None:
        say("no pages of others: BROWSERX_CORPUS is not the folder of the corpus (it has pages.json)")
    errands = [*(on_corpus.ERRANDS if corpus else ()), *in_shop.ERRANDS, *on_miniwob.ERRANDS]
    errands = [one for one in errands if arguments.only.casefold() in f"{one.kind} {one.name}".casefold()]
    worked: list[Worked] = []
    # The backend says each request; here only what goes wrong is of interest.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with Shop() as shop, tempfile.TemporaryDirectory() as data:
        async with (
            opened(Places(shop, TaskSite(), corpus)) as places,
            serve(Path(data), LocalPlanner()) as served,
            served.backend() as backend,
            Browser.launch() as browser,
        ):
            for errand in errands:
                done = await work(errand, browser, backend, places)
                worked.append(done)
                _tell(done, loud=arguments.verbose)
    return _sum_up(worked, arguments.at_least)


def _tell(done: Worked, *, loud: bool) -> None:
    tally = done.tally
    counts = f"{tally.passed:3} {tally.unsure:3} {tally.failed:3}"
    say(
        f"{'FAIL' if done.why else 'PASS'}  {done.errand.kind:8} {done.errand.name[:_NAME]:{_NAME}} {counts}"
        f" {done.duration_s:5.1f} s"
    )
    if done.why:
        say(f"      {done.why[:600]}")
    if loud or done.why:
        for turn in (turn for outcome in done.outcomes for turn in outcome.turns):
            judged = turn.data.verification
            if judged is not None:
                say(f"          {judged.passed}: {judged.message[:160]}")
            if turn.action is not None:
                say(f"      {turn.action[:100]} -> {turn.observation[:160]}")


def _sum_up(worked: list[Worked], at_least: int) -> int:
    solved = [done for done in worked if not done.why]
    say("")
    say("              solved   actions: found good, untold, found bad")
    for kind in dict.fromkeys(done.errand.kind for done in worked):
        of_kind = [done for done in worked if done.errand.kind == kind]
        _line(kind, of_kind)
    _line("all", worked)
    return 0 if len(solved) >= at_least else 1


def _line(name: str, of_kind: list[Worked]) -> None:
    solved = sum(1 for done in of_kind if not done.why)
    good, untold, bad = (
        sum(done.tally.passed for done in of_kind),
        sum(done.tally.unsure for done in of_kind),
        sum(done.tally.failed for done in of_kind),
    )
    say(f"{name:8} {solved:5} of {len(of_kind):3}   {good + untold + bad:7}: {good:10} {untold:7} {bad:10}")


def say(text: str) -> None:
    """Tell whoever started it."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def main() -> None:
    parser = argparse.ArgumentParser("scripts/campaign tasks", description=__doc__)
    parser.add_argument("--only", default="", help="only errands whose kind and name have these words")
    parser.add_argument("--at-least", type=int, default=_AT_LEAST, help="solved, or exit 1 (default: %(default)s)")
    parser.add_argument("--verbose", action="store_true", help="tell every action")
    parser.add_argument("--port", type=int, default=_PORT, help="where the pages are served (default: %(default)s)")
    logging.getLogger("browserx.browser").setLevel(logging.ERROR)
    sys.exit(asyncio.run(run(parser.parse_args())))


if __name__ == "__main__":
    main()
