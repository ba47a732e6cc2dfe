"""Node, and the clients and widgets of other makers in tests/js, installed as their lock file says."""

import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).with_name("js")
_OLDEST = 18
_INSTALL_TIMEOUT_S = 300


def node() -> str:
    """Node's executable, with tests/js installed. Fails the test, and says what to install, where there is none."""
    found, npm = shutil.which("node"), shutil.which("npm")
    if found is None or npm is None:
        pytest.fail(
            f"these tests need Node.js {_OLDEST} or newer and npm: scripts/test installs them on Debian;"
            " elsewhere see https://nodejs.org/"
        )
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.lstrip("v").partition(".")[0]) < _OLDEST:
        pytest.fail(f"these tests need Node.js {_OLDEST} or newer; {found} is {version}")
    _install(npm)
    return found


def packages() -> Path:
    """The folder of what tests/js installs, installed."""
    node()
    return FOLDER / "node_modules"


def _install(npm: str) -> None:
    """Once for each lock file, by one worker at a time."""
    import fcntl

    lock_file, stamp = FOLDER / "package-lock.json", FOLDER / "node_modules" / ".installed"
    with (FOLDER / "package.json").open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_bytes() == lock_file.read_bytes():
            return
        done = subprocess.run(
            [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            cwd=FOLDER,
            capture_output=True,
            text=True,
            timeout=_INSTALL_TIMEOUT_S,
            check=False,
        )
        if done.returncode != 0:
            pytest.fail(f"npm ci failed in {FOLDER}: {done.stderr[-2000:]}")
        stamp.write_bytes(lock_file.read_bytes())
