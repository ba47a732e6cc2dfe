"""Where a flag's value comes from: defaults < user file < ``./browserx.toml`` < ``BROWSERX_*`` < the command line.

A file looks like this; a command's own settings stand in a table of its name, and win over the general ones:

    headed = true
    [snapshot]
    max_tokens = 2000

A project's file comes with a folder that anybody may have written, so it can never set what is started, trusted or
overwritten.
"""

import argparse
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from browserx.cli.places import PROJECT_FILE, user_file

#: Settings that only the user, the environment or the command line may give.
NEVER_FROM_A_PROJECT = frozenset(
    (
        *("executable", "cdp", "args", "policy", "token", "backend", "annotate", "caps", "upload_dir", "output_dir"),
        *("downloads_dir", "database", "redis", "data_dir", "host", "allow_host", "allow_origin"),
        *("add_token", "show_token"),
    )
)
_YES = frozenset(("1", "true", "yes", "on"))
_NO = frozenset(("0", "false", "no", "off", ""))


class SettingError(Exception):
    """A file or variable says something that makes no sense; the message names it."""


def apply(
    parser: argparse.ArgumentParser, command: str, environ: Mapping[str, str] | None = None, folder: str = ""
) -> None:
    """Make what files and environment say the defaults of ``parser``; those of another process when it is given."""
    environ = os.environ if environ is None else environ
    files = from_files(command, environ, folder)
    for action in parser._actions:
        if not action.option_strings or action.dest == "help":
            continue
        if action.dest in files:
            value, source = files[action.dest]
            action.default = _checked(action, value, source)
        variable = f"BROWSERX_{action.dest.upper()}"
        if variable in environ:
            action.default = _checked(action, environ[variable], variable)


def from_files(command: str, environ: Mapping[str, str], folder: str) -> dict[str, tuple[Any, str]]:
    """What the user's file, and the one in ``folder``, say of ``command``: each value, and where it stands."""
    users = Path(user_file(environ))
    return _file(users, command, users, project=False) | _file(Path(folder, PROJECT_FILE), command, users, project=True)


def _file(path: Path, command: str, users: Path, *, project: bool) -> dict[str, tuple[Any, str]]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingError(f"{path} cannot be read: {error}") from error
    own = content.get(command, {})
    if not isinstance(own, dict):
        raise SettingError(f"{path}: [{command}] must be a table")
    given = {name: value for name, value in content.items() if not isinstance(value, dict)} | own
    found = {}
    for name, value in given.items():
        dest = name.replace("-", "_")
        if project and dest in NEVER_FROM_A_PROJECT:
            raise SettingError(f"{path}: {name!r} cannot be set by a project; put it into {users}")
        found[dest] = (value, f"{path}: {name}")
    return found


def _checked(action: argparse.Action, value: Any, source: str) -> Any:
    if isinstance(action, argparse._StoreTrueAction):
        if isinstance(value, bool):
            return value
        word = str(value).lower()
        if word in _YES or word in _NO:
            return word in _YES
        raise SettingError(f"{source}: {value!r} is neither true nor false")
    if isinstance(action, argparse._AppendAction):
        # Several stand in a list, or with commas between them.
        return [str(one) for one in value] if isinstance(value, list) else [one for one in str(value).split(",") if one]
    try:
        converted = action.type(str(value)) if callable(action.type) else str(value)
    except (argparse.ArgumentTypeError, ValueError) as error:
        raise SettingError(f"{source}: {error}") from error
    if action.choices is not None and converted not in action.choices:
        raise SettingError(f"{source}: {value!r} is not one of {', '.join(map(str, action.choices))}")
    return converted
