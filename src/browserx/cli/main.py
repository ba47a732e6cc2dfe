"""The commands that do their work in a process of their own. ``entry`` sends the others to a session."""

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from browserx.cli import settings

Run = Callable[[argparse.Namespace], Coroutine[Any, Any, int]]

_DESCRIPTION = """\
See and use web pages the way a person would, from the command line.

  browserx snapshot https://example.com/     what a model would be told of the page
  browserx open https://example.com/         begin a session, then look and act:
  browserx click 7                           do something, and be told what it changed
  browserx doctor                            is everything here that is needed?
  browserx run 'press Save' --url URL        work a task, told in words
  browserx serve                             the backend, for clients in any language
  browserx demo                              watch it buy something in a small shop
"""
_SESSION = """
A session keeps its browser open between commands, until browserx close, or half an hour without one. Each command has
--help with examples; -s NAME keeps several sessions apart.
"""
_EPILOG = """\
Every option can also be set in ~/.config/browserx/config.toml, in ./browserx.toml, or as BROWSERX_NAME in the
environment; the command line wins.
"""


def tokens(text: str) -> int | None:
    """A number of tokens, or ``none`` for no limit."""
    if text.lower() in ("none", "unlimited"):
        return None
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 100:
        raise argparse.ArgumentTypeError(f"{text!r}: a budget is a number from 100 up, or none")
    return number


def milliseconds(text: str) -> int:
    """A positive number of milliseconds."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of milliseconds")
    return int(text)


def characters(text: str) -> int:
    """A number of characters, as ``html`` may be limited to."""
    from browserx.dom.options import MOST_CHARS

    if not text.isdigit() or not 100 <= int(text) <= MOST_CHARS:
        raise argparse.ArgumentTypeError(f"{text!r}: a limit is a number from 100 to {MOST_CHARS}")
    return int(text)


def new_file(text: str) -> Path:
    """A file that can be written, checked before anything is started."""
    path = Path(text)
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r}: there is no folder {str(path.parent)!r}")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"{text!r} cannot be written")
    return path


def _browser_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("which browser")
    group.add_argument("--cdp", metavar="URL", help="use a browser that runs, like http://127.0.0.1:9222")
    group.add_argument("--executable", metavar="PATH", help="start this browser; one is found when left out")
    group.add_argument("--headed", action="store_true", help="show its window")


def _snapshot(parser: argparse.ArgumentParser) -> Run:
    from browserx.dom.options import DEADLINE_MS, FORMATS, MAX_CHARS, MAX_TOKENS

    parser.add_argument("url", metavar="URL", help="the page; https:// may be left out")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="outline",
        help="outline: text for models; nodes, page, v3, v2: JSON; skeleton: controls as HTML; html: the page as HTML"
        " (default: %(default)s)",
    )
    parser.add_argument(
        "--max-tokens",
        type=tokens,
        metavar="N",
        default=MAX_TOKENS,
        help="budget of the text, or none for no limit (default: %(default)s)",
    )
    parser.add_argument(
        "--max-chars",
        type=characters,
        metavar="N",
        default=MAX_CHARS,
        help="limit of html, at most 200000 (default: %(default)s)",
    )
    parser.add_argument("--full-page", action="store_true", help="the whole page, not only what is in the viewport")
    parser.add_argument(
        "--query", metavar="TEXT", help="only the parts of the whole page that are about this, like 'delivery costs'"
    )
    parser.add_argument("--hidden", action="store_true", help="what nobody can see too (outline, nodes, page)")
    parser.add_argument("--layout", action="store_true", help="with boxes: x,y widthxheight in CSS px")
    parser.add_argument(
        "--annotate", type=new_file, metavar="FILE", help="a PNG of the viewport too, with the controls' ids on it"
    )
    parser.add_argument(
        "--deadline",
        type=milliseconds,
        metavar="MS",
        default=DEADLINE_MS,
        help="answer by then, with what could be read (default: %(default)s)",
    )
    parser.add_argument("--timings", action="store_true", help="say where the time went, on standard error")
    parser.add_argument("--json", action="store_true", help="one JSON object with ids, counts and the text")
    _browser_options(parser)

    async def run(arguments: argparse.Namespace) -> int:
        from browserx.cli.snapshot import run_snapshot

        return await run_snapshot(arguments)

    return run


def _doctor(parser: argparse.ArgumentParser) -> Run:
    parser.add_argument("--json", action="store_true", help="one JSON object")
    _browser_options(parser)

    async def run(arguments: argparse.Namespace) -> int:
        from browserx.cli.doctor import run_doctor

        return await run_doctor(arguments)

    return run


def _demo(parser: argparse.ArgumentParser) -> Run:
    parser.add_argument(
        "--output", metavar="DIR", default="output", help="where the screenshots go (default: %(default)s)"
    )
    parser.add_argument("--serve-only", action="store_true", help="only start the shop, and print its address")
    _browser_options(parser)

    async def run(arguments: argparse.Namespace) -> int:
        from browserx.cli.demo import run_demo

        return await run_demo(arguments)

    return run


def folder(text: str) -> Path:
    """A folder that is there."""
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no folder")
    return path


def caps(text: str) -> tuple[str, ...]:
    """Groups of tools."""
    from browserx.errors import InvalidArgumentError
    from browserx.mcp.groups import parse_groups

    try:
        return parse_groups(text)
    except InvalidArgumentError as error:
        raise argparse.ArgumentTypeError(error.message) from error


def _mcp(parser: argparse.ArgumentParser) -> Run:
    from browserx.mcp.groups import GROUPS

    parser.add_argument(
        "--caps",
        type=caps,
        metavar="GROUPS",
        default=(),
        help=f"more tools: {', '.join(GROUPS)}, comma-separated, or all (but script)",
    )
    parser.add_argument(
        "--upload-dir",
        type=folder,
        metavar="DIR",
        help="where the files are that may be uploaded (default: where it is started)",
    )
    parser.add_argument(
        "--output-dir",
        type=Path,
        metavar="DIR",
        help="where downloads and PDFs go (default: output, for PDFs; downloads last as long as the browser)",
    )
    _browser_options(parser)

    async def run(arguments: argparse.Namespace) -> int:
        from browserx.cli.mcp import run_mcp

        return await run_mcp(arguments)

    return run


def days(text: str) -> float:
    """A number of days."""
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not number >= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of days")
    return number


def _database(parser: argparse.ArgumentParser) -> Run:
    parser.add_argument(
        "action",
        choices=("upgrade", "purge", "export", "delete", "where"),
        help="upgrade: make the schema, or bring it up to this version; purge: remove what is old; export: a session as"
        " JSON; delete: a session, with all that belongs to it; where: print the database's address",
    )
    parser.add_argument("session", nargs="?", metavar="SESSION", help="the id of a session, for export and delete")
    parser.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:////folder/file.db or postgresql://user@host/name (default: a file in your data folder)",
    )
    parser.add_argument(
        "--older-than-days",
        type=days,
        metavar="DAYS",
        help="purge: sessions too in which nothing has happened for so long (default: only old answers)",
    )

    async def run(arguments: argparse.Namespace) -> int:
        from browserx.cli.database import run_database

        return await run_database(arguments)

    return run


def _run_task(parser: argparse.ArgumentParser) -> Run:
    from browserx.cli.run import run_options

    run = run_options(parser)
    _browser_options(parser)
    return run


def _serve(parser: argparse.ArgumentParser) -> Run:
    from browserx.cli.serve import serve_options

    return serve_options(parser)


_COMMANDS: tuple[tuple[str, str, Callable[[argparse.ArgumentParser], Run]], ...] = (
    ("snapshot", "look at a page, and print what a model would be told", _snapshot),
    ("doctor", "check that everything is here that is needed", _doctor),
    ("demo", "buy something in a small local shop, without a model", _demo),
    ("run", "work a task on a page, told in words", _run_task),
    ("serve", "the backend: tasks, sessions, messages and push over HTTP", _serve),
    ("mcp", "serve the browser to a model client over MCP, on standard input and output", _mcp),
    ("db", "look after what the backend has stored", _database),
)


def _session_commands() -> str:
    """The commands of a session, by what they are for."""
    from browserx.cli.session.commands import COMMANDS

    lines = []
    group = ""
    for command in COMMANDS.values():
        if command.group != group:
            group = command.group
            lines.append(f"\n{group[0].lower()}{group[1:]}, in a session:")
        lines.append(f"  {command.name:20}  {command.summary}")
    return "\n".join(lines).lstrip() + "\n" + _SESSION


def _parser() -> tuple[argparse.ArgumentParser, dict[str, Run]]:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "browserx", description=_DESCRIPTION, epilog=f"{_session_commands()}\n{_EPILOG}", formatter_class=raw
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument("--debug", action="store_true", help="log what happens, on standard error")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    runs = {}
    for name, summary, build in _COMMANDS:
        sub = subparsers.add_parser(
            name, help=summary, description=summary[0].upper() + summary[1:] + ".", epilog=_EPILOG
        )
        runs[name] = build(sub)
        settings.apply(sub, name)
    return parser, runs


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. 0: it worked; 1: it did not, and said why; 2: it was called wrongly; 130: interrupted."""
    from browserx.errors import BrowserXError

    try:
        parser, runs = _parser()
    except settings.SettingError as error:
        print(f"browserx: {error}", file=sys.stderr)
        return 2
    given = sys.argv[1:] if argv is None else list(argv)
    if given and not given[0].startswith("-") and given[0] not in runs:
        parser.error(f"there is no command {given[0]!r}: browserx --help lists them")
    arguments = parser.parse_args(given)
    if arguments.version:
        from browserx import __version__

        print(__version__)
        return 0
    if arguments.command is None:
        parser.print_help()
        return 2
    level = logging.DEBUG if arguments.debug else logging.WARNING
    logging.basicConfig(level=level, format="browserx: %(message)s", stream=sys.stderr)
    try:
        return asyncio.run(runs[arguments.command](arguments))
    except BrowserXError as error:
        print(f"browserx: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever reads has read enough (``| head``).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
