"""``browserx``: the entry point. Sends each command where it is carried out, and imports nothing else."""

import sys
from collections.abc import Sequence

from browserx.cli.session.names import COMMANDS, has_positional

#: These may stand before the command too.
_VALUED = ("--session", "-s", "--cdp", "--executable", "--idle-timeout")
#: ``--session=shop`` and ``-sshop``.
_JOINED = ("-s", *(f"{name}=" for name in _VALUED))
_FLAGS = ("--headed", "--json", "--timings", "--debug")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. 0: it worked; 1: it did not, and said why; 2: it was called wrongly; 130: interrupted."""
    words = _command_first(list(sys.argv[1:] if argv is None else argv))
    # With an address, a snapshot is a program of its own: it opens the page, tells it, and is gone.
    if words and words[0] in COMMANDS and not (words[0] == "snapshot" and has_positional(words[1:])):
        from browserx.cli.session.client import run

        try:
            return run(words)
        except KeyboardInterrupt:
            return 130
        except BrokenPipeError:
            return 1  # Whoever reads has read enough (``| head``).
    from browserx.cli.main import main as run_program

    # Programs know it only before their name.
    debug = [word for word in words[:2] if word == "--debug"]
    return run_program([*debug, *(word for word in words if word not in debug)])


def _command_first(words: list[str]) -> list[str]:
    """``-s shop click 7`` as ``click -s shop 7``."""
    place = 0
    while place < len(words):
        word = words[place]
        if word in _VALUED:
            place += 2
        elif word in _FLAGS or word.startswith(_JOINED):
            place += 1
        else:
            break
    return [*words[place : place + 1], *words[:place], *words[place + 1 :]]


if __name__ == "__main__":
    sys.exit(main())
