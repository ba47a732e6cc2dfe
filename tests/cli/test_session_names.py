"""What the client knows without a parser agrees with what the parsers know."""

import subprocess
import sys

import pytest

from browserx import __version__
from browserx.cli.entry import _command_first
from browserx.cli.session import names
from browserx.cli.session.commands import COMMANDS
from browserx.cli.session.parsing import help_of


def test_the_client_knows_all_commands() -> None:
    assert frozenset(COMMANDS) == names.COMMANDS


def test_the_client_knows_which_options_stand_alone() -> None:
    common = {"--headed", "--json", "--timings", "--debug", "--help", "-h"}
    alone = {
        name
        for command in COMMANDS.values()
        for argument in command.arguments
        for name in argument.names
        if argument.options.get("action") == "store_true"
    }
    assert alone | common == names.FLAGS


def test_no_option_looks_like_the_beginning_of_a_flag() -> None:
    valued = {
        name
        for command in COMMANDS.values()
        for argument in command.arguments
        for name in argument.names
        if name.startswith("-") and argument.options.get("action") != "store_true"
    }
    assert not {name for name in valued if any(flag.startswith(name) for flag in names.FLAGS)}


@pytest.mark.parametrize(
    ("words", "there"),
    [
        ([], False),
        (["--json"], False),
        (["--format", "nodes"], False),
        (["--format=nodes", "--full-page"], False),
        (["-s", "shop"], False),
        (["-sshop", "example.com"], True),
        (["--full", "example.com"], True),
        (["--scope", "12", "--json"], False),
        (["--json", "example.com"], True),
        (["--", "-x"], True),
        (["--"], False),
        (["-"], True),
    ],
)
def test_whether_there_is_an_address(words: list[str], there: bool) -> None:
    assert names.has_positional(words) is there


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["click", "7"], None),
        (["click", "-s", "shop", "7"], "shop"),
        (["click", "-sshop", "7"], "shop"),
        (["click", "--session=a", "--session", "b"], "b"),
        (["type", "7", "--", "-s", "x"], None),
        (["click", "-s"], None),
    ],
)
def test_which_session(words: list[str], value: str | None) -> None:
    assert names.option(words, "--session", "-s") == value


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (["-s", "shop", "click", "7"], ["click", "-s", "shop", "7"]),
        (["--json", "--cdp=http://x", "tabs"], ["tabs", "--json", "--cdp=http://x"]),
        (["click", "7", "--json"], ["click", "7", "--json"]),
        (["--version"], ["--version"]),
        (["-s"], ["-s"]),
        ([], []),
    ],
)
def test_options_may_stand_before_the_command(words: list[str], first: list[str]) -> None:
    assert _command_first(words) == first


@pytest.mark.parametrize("words", [["--debug", "doctor", "--help"], ["--json", "doctor", "--help"], ["--version"]])
def test_programs_are_still_reached(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "browserx.cli", *words], capture_output=True, text=True, check=True)
    assert "doctor" in done.stdout or __version__ in done.stdout


def test_every_help_has_an_example_of_its_own() -> None:
    for name, command in COMMANDS.items():
        assert command.examples
        assert all(example.startswith(f"browserx {name}") for example in command.examples)
        assert command.examples[0] in help_of(name)


def test_the_client_is_light() -> None:
    heavy = ("asyncio", "argparse", "msgspec", "logging", "tomllib", "subprocess", "browserx.dom", "browserx.errors")
    code = f"""
import sys
from browserx.cli.entry import main
assert main(["close", "-s", "nobody-has-this-name"]) == 0
print([name for name in {heavy!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
