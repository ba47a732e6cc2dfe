"""From the words of a command to what they mean; builds the parser of the one command that is asked for."""

import argparse
from collections.abc import Mapping, Sequence
from typing import NoReturn

from browserx.cli import settings
from browserx.cli.session.command import EXPECTATIONS, CalledWronglyError, Command
from browserx.cli.session.commands import COMMANDS

DEFAULT_IDLE_S = 30 * 60.0
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_MOST_IDLE_S = 7 * 24 * 3600.0


class _Parser(argparse.ArgumentParser):
    """Raises instead of ending the process, which may be a daemon."""

    def error(self, message: str) -> NoReturn:
        raise CalledWronglyError(f"{message}\n{self.format_usage().rstrip()}")


def parse(argv: Sequence[str], environ: Mapping[str, str], folder: str) -> argparse.Namespace:
    """What a command means, called in ``folder`` with ``environ``; ``.command`` is its ``Command``.

    Raises:
        CalledWronglyError: it makes no sense.
    """
    if not argv or argv[0] not in COMMANDS:
        raise CalledWronglyError(f"there is no command {' '.join(argv[:1])!r}: browserx --help lists them")
    command = COMMANDS[argv[0]]
    parser = _parser(command)
    try:
        settings.apply(parser, command.name, environ, folder)
    except settings.SettingError as error:
        raise CalledWronglyError(str(error)) from error
    arguments = parser.parse_args(list(argv[1:]))
    arguments.command = command
    arguments.folder = folder
    return arguments


def begins(arguments: argparse.Namespace) -> bool:
    """Whether the command makes sense when nothing is open yet."""
    command: Command = arguments.command
    return command.begins or bool(arguments.cdp) or (command.name == "tab" and arguments.which == "new")


def help_of(name: str) -> str:
    """How a command is called, with examples."""
    return _parser(COMMANDS[name]).format_help().rstrip()


def duration(text: str) -> float:
    """``90``, ``90s``, ``30m`` or ``2h``, in seconds."""
    number, unit = (text[:-1], text[-1]) if text[-1:] in _SECONDS else (text, "s")
    try:
        seconds = float(number) * _SECONDS[unit]
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _MOST_IDLE_S:
        raise argparse.ArgumentTypeError(f"{text!r} is no time like 90s, 30m or 2h (at most 168h)")
    return seconds


def _parser(command: Command) -> argparse.ArgumentParser:
    examples = "\n".join(f"  {example}" for example in command.examples)
    parser = _Parser(
        f"browserx {command.name}",
        description=command.summary[0].upper() + command.summary[1:] + ".",
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        # The client must know, without a parser, which words are values.
        allow_abbrev=False,
    )
    for argument in command.arguments:
        parser.add_argument(*argument.names, **argument.options)
    if command.expects:
        group = parser.add_argument_group("what should be so afterwards; it fails (exit code 1) when it is not")
        for name, meaning in EXPECTATIONS.items():
            metavar, _, said = meaning.partition(": ")
            group.add_argument(f"--expect-{name}", metavar=metavar, help=said)
    group = parser.add_argument_group("which session")
    group.add_argument("-s", "--session", metavar="NAME", default="default", help="its name (default: %(default)s)")
    group.add_argument("--cdp", metavar="URL", help="begin with a browser that runs, like http://127.0.0.1:9222")
    group.add_argument("--executable", metavar="PATH", help="begin with this browser; one is found when left out")
    group.add_argument("--headed", action="store_true", help="begin with a window to see")
    group.add_argument(
        "--downloads-dir", metavar="DIR", help="begin with a folder for what is downloaded (default: downloads)"
    )
    group.add_argument(
        "--idle-timeout", type=duration, metavar="TIME", help="end after so long without a command (default: 30m)"
    )
    group = parser.add_argument_group("what is printed")
    group.add_argument("--json", action="store_true", help="one JSON object")
    group.add_argument("--timings", action="store_true", help="say on standard error how long the session took")
    group.add_argument("--debug", action="store_true", help="say where in BrowserX an error came from")
    return parser
