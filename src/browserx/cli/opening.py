"""The browser a command works with, as its options say."""

import argparse
from pathlib import Path

from browserx.browser import Browser
from browserx.browser.browser import Opening


def open_browser(arguments: argparse.Namespace, *, downloads_dir: Path | None = None) -> Opening:
    """Connect with ``--cdp``, else launch. Downloads go to ``downloads_dir``, or where the browser puts them."""
    if arguments.cdp:
        return Browser.connect(arguments.cdp, downloads_dir=downloads_dir)
    return Browser.launch(arguments.executable, headless=not arguments.headed, downloads_dir=downloads_dir)


def full_address(url: str) -> str:
    """``example.com`` is ``https://example.com``, ``localhost:8000`` is ``http://localhost:8000``."""
    if "://" in url or url.startswith(("about:", "data:", "file:", "chrome:", "javascript:")):
        return url
    host = url.partition("/")[0].partition(":")[0]
    local = host == "localhost" or host.endswith(".localhost") or host.replace(".", "").isdigit()
    return f"{'http' if local else 'https'}://{url}"
