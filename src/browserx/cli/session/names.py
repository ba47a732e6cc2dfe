"""The words of the command line that the client must know before anything heavy is imported."""

from collections.abc import Sequence

# As words in a text they read better than as lists.
#: The commands of a session; ``commands.COMMANDS`` says what they do.
COMMANDS = frozenset(
    "open back forward reload tabs tab close"  # noqa: SIM905
    " snapshot find read extract screenshot pdf"
    " click dblclick type press select choose check uncheck fill submit pick-date hover focus drag upload scroll wait"
    " dialog batch eval storage cookies console network downloads state emulate".split()
)
#: Options of these commands that stand alone; all others are followed by their value.
FLAGS = frozenset(
    "--all --annotated --append --background --clear --debug --enter --errors --failed --full-page"  # noqa: SIM905
    " --headed --help --hidden --http-only --json --keep-going --keys --landscape --layout --new-tab --replace --secure"
    " --timings -h --show-ids".split()
)
#: Without a positional argument these read what they are to run from the standard input.
READ_INPUT = frozenset(("batch", "eval"))


def has_positional(arguments: Sequence[str]) -> bool:
    """Whether one of ``arguments`` is neither an option nor the value of one."""
    skip = False
    for number, word in enumerate(arguments):
        if skip:
            skip = False
        elif word == "--":
            return number + 1 < len(arguments)
        elif word == "-" or not word.startswith("-"):
            return True
        elif "=" not in word and (word.startswith("--") or len(word) == 2):
            # Those of ``browserx snapshot URL`` may be shortened.
            skip = not any(flag.startswith(word) for flag in FLAGS)
    return False


def option(arguments: Sequence[str], *names: str) -> str | None:
    """The value of the last of the options ``names`` among ``arguments``; None when it is not there."""
    found = None
    for number, word in enumerate(arguments):
        if word == "--":
            break
        for name in names:
            if word == name and number + 1 < len(arguments):
                found = arguments[number + 1]
            elif word.startswith(f"{name}="):
                found = word[len(name) + 1 :]
            elif len(name) == 2 < len(word) and word.startswith(name):
                found = word[2:]
    return found
