"""Finding a Chromium to launch: Chromium, Chrome, Edge, Brave or Opera, in that order."""

import os
import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

from browserx.errors import BrowserNotFoundError

_ON_PATH = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "brave-browser",
    "brave",
    "opera",
)
_ON_MAC = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
    "/Applications/Opera.app/Contents/MacOS/Opera",
)
_ON_WINDOWS = (
    r"Chromium\Application\chrome.exe",
    r"Google\Chrome\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
)

_HOW_TO_INSTALL = {
    "Linux": (
        "on Debian: sudo apt-get install chromium; on Ubuntu (whose chromium package is only a snap stub): "
        "install Google Chrome's .deb from https://www.google.com/chrome/"
    ),
    "Darwin": "brew install --cask chromium, or install Google Chrome",
    "Windows": "install Google Chrome; Edge, which Windows has, works too",
}


def find_executable(named: str | os.PathLike[str] | None = None) -> Path:
    """The browser to launch: ``named`` if given, else ``$BROWSERX_EXECUTABLE``, else the first one installed.

    Raises:
        BrowserNotFoundError: there is none, or the named one cannot be run. Says what to install.
    """
    explicit = named or os.environ.get("BROWSERX_EXECUTABLE")
    if explicit:
        found = shutil.which(os.fspath(explicit))
        if found is None:
            raise BrowserNotFoundError(
                f"{os.fspath(explicit)!r} is not a program that can be run; "
                "name an installed browser, or leave executable_path out to have one found"
            )
        return Path(found)
    for candidate in _candidates():
        if not _is_snap_stub(candidate):
            return candidate
    advice = _HOW_TO_INSTALL.get(platform.system(), "install Chromium or Google Chrome")
    raise BrowserNotFoundError(
        f"no Chromium, Chrome, Edge, Brave or Opera was found; {advice}; "
        "or name one with executable_path or BROWSERX_EXECUTABLE"
    )


def _candidates() -> Iterator[Path]:
    for name in _ON_PATH:
        if found := shutil.which(name):
            yield Path(found)
    system = platform.system()
    if system == "Darwin":
        places = [Path(place) for place in _ON_MAC]
    elif system == "Windows":
        roots = [os.environ.get(name) for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")]
        places = [Path(root, tail) for tail in _ON_WINDOWS for root in roots if root]
    else:
        places = []
    yield from (place for place in places if os.access(place, os.X_OK))


def _is_snap_stub(path: Path) -> bool:
    # Ubuntu's chromium-browser package holds a script that only asks to install the snap.
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError:
        return True
    return head.startswith(b"#!") and b"/snap/bin/chromium" in head and not Path("/snap/bin/chromium").exists()
