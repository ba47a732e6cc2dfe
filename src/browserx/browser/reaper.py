"""A tiny process that outlives its parent just long enough to clean up after it.

Run as ``python -I -S reaper.py PROFILE_DIR`` (an empty name: no profile to remove). The parent holds the other end of
its standard input, and writes ``pid N`` once the browser runs, ``folder HEX`` (a path, its bytes in hexadecimal) for a
folder that must not outlive it either, and ``gone`` once it has ended by itself. When the input ends, for whatever
reason, SIGKILL of the parent included, the browser's process group is killed and the profile and the folders are
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
    folders = [sys.argv[1]] if sys.argv[1] else []
    group = 0
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "pid":
            group = int(rest)
        elif word == "folder":
            folders.append(os.fsdecode(bytes.fromhex(rest)))
        elif word == "gone":
            group = 0
    if group:
        try:
            os.killpg(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
    for folder in folders:
        _remove(folder)


def _remove(folder: str) -> None:
    # A killed process may still hold a file for a moment, and there is no event that tells a stranger of its end.
    give_up = time.monotonic() + _REMOVE_FOR_S
    while os.path.lexists(folder) and time.monotonic() < give_up:
        shutil.rmtree(folder, ignore_errors=True)
        if os.path.lexists(folder):
            time.sleep(0.05)


if __name__ == "__main__":
    main()
