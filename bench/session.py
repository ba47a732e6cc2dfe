"""What a warm command of a session costs besides the work in the browser, its process and its import included."""

import argparse
import contextlib
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.progress import progress
from bench.server import serving

#: A warm command may cost so much more than the session itself spends on it, in ms.
BAR_MS = 60.0
_INSIDE = re.compile(r"inside the session: ([\d.]+) ms")
_EXAMPLES = """examples:
  scripts/bench session                 20 runs on a page of 1,000 elements
  scripts/bench session --runs 5 --size 5000

what is what:
  command     from starting its process to its end, as who types it waits
  session     what of that the session's daemon spent on it: the browser's own work, and ours around it
  besides     the rest: starting Python, finding the session, asking, printing
  cpu         what of the rest is the command's own computing; the difference is waiting for a busy machine
"""


@contextlib.contextmanager
def session(url: str) -> Iterator[dict[str, str]]:
    """The environment of a session of its own that is open at ``url``."""
    with tempfile.TemporaryDirectory(prefix="bxs-") as home:
        environ = {**os.environ, "XDG_RUNTIME_DIR": home}
        run(environ, "open", url)
        try:
            yield environ
        finally:
            run(environ, "close")


class Ran(NamedTuple):
    """One command: ms of its process, what of it passed inside the session, CPU of the process, and its output."""

    command_ms: float
    session_ms: float
    cpu_ms: float
    printed: str

    @property
    def besides_ms(self) -> float:
        return self.command_ms - self.session_ms


def run(environ: dict[str, str], *words: str) -> Ran:
    """Run one command.

    Raises:
        RuntimeError: it failed.
    """
    cpu_before_s = _cpu_s()
    started = time.perf_counter()
    done = subprocess.run([_command(), *words], env=environ, capture_output=True, text=True, check=False)
    spent_ms = (time.perf_counter() - started) * 1000
    if done.returncode:
        raise RuntimeError(f"browserx {' '.join(words)} failed: {done.stderr}")
    inside = _INSIDE.search(done.stderr)
    return Ran(spent_ms, float(inside[1]) if inside else 0.0, (_cpu_s() - cpu_before_s) * 1000, done.stdout)


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(size: int, runs: int) -> dict[str, list[Ran]]:
    """Each run of each command; all commands in turn."""
    found: dict[str, list[Ran]] = {}
    with serving() as base, session(f"{base}/{size}") as environ:
        ids = json.loads(run(environ, "snapshot", "--json").printed)["ids"]
        commands = (["tabs"], ["snapshot"], ["press", "F2"], ["click", ids[0]])
        for number in range(runs + 1):
            progress(f"session: {f'run {number} of {runs}' if number else 'warming up'}")
            for words in commands:
                ran = run(environ, *words, "--timings")
                if number:
                    found.setdefault(words[0], []).append(ran)
    progress("")
    return found


def table(found: dict[str, list[Ran]]) -> str:
    """Medians, in ms."""
    lines = [f"{'ms, median':12}{'command':>10}{'session':>10}{'besides':>10}{'cpu':>10}"]
    for name, runs in found.items():
        rows = [(ran.command_ms, ran.session_ms, ran.besides_ms, ran.cpu_ms) for ran in runs]
        lines.append(f"{name:12}" + "".join(f"{statistics.median(row):10.1f}" for row in zip(*rows, strict=True)))
    return "\n".join(lines)


def _command() -> str:
    """The command that stands beside this Python, as people run it."""
    return str(Path(sys.executable).with_name("browserx"))


def main() -> int:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "scripts/bench session", description=__doc__, epilog=_EXAMPLES, formatter_class=raw
    )
    parser.add_argument("--runs", type=int, default=20, help="how often (default: %(default)s)")
    parser.add_argument("--size", type=int, default=1000, help="elements of the page (default: %(default)s)")
    given = parser.parse_args()
    found = measure(given.size, given.runs)
    print(table(found))
    worst = max(statistics.median(ran.besides_ms for ran in runs) for runs in found.values())
    print(f"the bar: at most {BAR_MS:.0f} ms besides the session's own work; {'held' if worst <= BAR_MS else 'MISSED'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
