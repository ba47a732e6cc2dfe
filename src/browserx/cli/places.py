"""Where settings are kept."""

import os
from collections.abc import Mapping

PROJECT_FILE = "browserx.toml"


def user_file(environ: Mapping[str, str]) -> str:
    """The user's own settings."""
    home = environ.get("HOME") or os.path.expanduser("~")
    return os.path.join(environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "browserx", "config.toml")
