"""A tiny process that outlives its parent just long enough to clean up after it.

Run as ``python -I -S reaper.py PROFILE_DIR`` (an empty name: no profile to remove). The parent holds the other end of
its standard input, and writes ``pid N`` once the browser runs and ``gone`` once it has ended by itself. When the input
ends, for whatever reason, SIGKILL of the parent included, the browser's process group is killed and the profile is
removed. It stands alone: nothing of the package is imported, so that it starts in a few milliseconds.
"""

import os
import shutil
import signal
import sys
import time

_REMOVE_FOR_S = 10.0


def main() -> None:
    """Wait for the end of the input, then clean up."""
    # Ctrl+C goes to the whole foreground group; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    profile = sys.argv[1]
    group = 0
    for line in sys.stdin:
        word, _, number = line.strip().partition(" ")
        if word == "pid":
            group = int(number)
        elif word == "gone":
            group = 0
    if group:
        try:
            os.killpg(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
    if profile:
        _remove(profile)


def _remove(profile: str) -> None:
    # A killed process may still hold a file for a moment, and there is no event that tells a stranger of its end.
    give_up = time.monotonic() + _REMOVE_FOR_S
    while os.path.lexists(profile) and time.monotonic() < give_up:
        shutil.rmtree(profile, ignore_errors=True)
        if os.path.lexists(profile):
            time.sleep(0.05)


if __name__ == "__main__":
    main()
