"""The package, its metadata and the changelog must name the same version."""

import sys
import tomllib
from pathlib import Path

from browserx import __version__

root = Path(__file__).parent.parent
declared = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
newest = next(line.split()[1] for line in (root / "CHANGELOG.md").read_text().splitlines() if line.startswith("## "))
if not declared == __version__ == newest:
    sys.exit(f"versions differ: pyproject {declared}, package {__version__}, changelog {newest}")
