"""``scripts/campaign miniwob``: tasks of MiniWoB++ played through the public API.

For each task there is a small scripted policy, which reads what ``observe`` and the snapshot tell and acts with real
input. The page itself says whether an episode is solved: its own reward, before anything is taken off for time, is 1.
"""

import argparse
import asyncio
import json
import logging
import re
import sys
from collections import defaultdict

from browserx import Browser
from tests.campaigns.miniwob.policies import open_ends, policies
from tests.campaigns.miniwob.run import Outcome, run
from tests.campaigns.miniwob.serve import TaskSite


async def play(arguments: argparse.Namespace) -> int:
    """Play. Returns the exit code: 0 when as many tasks as asked for are solved with every seed."""
    chosen = {task: policy for task, policy in policies().items() if re.search(arguments.tasks, task)}
    site = TaskSite()
    try:
        async with Browser.launch() as browser:
            outcomes = await run(
                browser, site, chosen, arguments.seeds, on_outcome=_Progress(len(chosen) * arguments.seeds)
            )
    finally:
        site.close()
    by_task: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_task[outcome.task].append(outcome)
    solved = [task for task, played in by_task.items() if all(outcome.solved for outcome in played)]
    if arguments.json:
        told = [outcome._asdict() for outcome in outcomes]
        sys.stdout.write(json.dumps({"tasks": len(by_task), "solved": len(solved), "episodes": told}, indent=1) + "\n")
    else:
        sys.stdout.write(_table(by_task, len(solved)))
    wanted = arguments.at_least
    if wanted is None:
        wanted = len(by_task.keys() - open_ends().keys())
        solved = [task for task in solved if task not in open_ends()]
    return 0 if by_task and len(solved) >= wanted else 1


class _Progress:
    """Tells whoever watches how far it is."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0

    def __call__(self, outcome: Outcome) -> None:
        self._done += 1
        at = f"{self._done} of {self._total} {outcome.task} {outcome.seed}"
        clear = "\r\x1b[K" if sys.stderr.isatty() else ""
        if not outcome.solved:
            sys.stderr.write(f"{clear}{at}: {outcome.why}\n")
        elif clear:
            sys.stderr.write(f"{clear}{at}")
        sys.stderr.flush()


def _table(by_task: dict[str, list[Outcome]], solved: int) -> str:
    width = max((len(task) for task in by_task), default=0)
    lines = []
    for task, played in by_task.items():
        line = f"{task:{width}}  {sum(outcome.solved for outcome in played)}/{len(played)}"
        unoffered = sorted({what for outcome in played for what in outcome.unoffered})
        lines.append(line + (f"  acts on what is not offered: {', '.join(unoffered)[:80]}" if unoffered else ""))
        if task in open_ends():
            lines.append(f"  open: {open_ends()[task]}")
        lines += [f"  seed {outcome.seed}: {outcome.why}" for outcome in played if not outcome.solved]
    episodes = [outcome for played in by_task.values() for outcome in played]
    total = f"{sum(outcome.solved for outcome in episodes)} of {len(episodes)} episodes"
    return "\n".join(["", *lines, f"{solved} of {len(by_task)} tasks solved with every seed, {total}", ""])


def main() -> None:
    parser = argparse.ArgumentParser("scripts/campaign miniwob", description=__doc__)
    parser.add_argument("--tasks", default="", help="only tasks whose names match this regular expression")
    parser.add_argument("--seeds", type=int, default=5, help="episodes of each task (default: %(default)s)")
    parser.add_argument(
        "--at-least",
        type=int,
        help="so many tasks must be solved with every seed (default: all but those known to be open)",
    )
    parser.add_argument("--json", action="store_true", help="every episode, as JSON")
    logging.getLogger("browserx.browser").setLevel(logging.ERROR)
    sys.exit(asyncio.run(play(parser.parse_args())))


if __name__ == "__main__":
    main()
