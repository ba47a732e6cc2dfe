"""``browserx doctor``: is everything here that is needed, and does it work together?"""

import argparse
import platform
import sys
import time
from typing import Any

import msgspec

from browserx import __version__
from browserx.browser.executable import find_executable
from browserx.cli.opening import open_browser
from browserx.errors import BrowserNotFoundError, BrowserXError
from browserx.page import DomService

_PAGE = "data:text/html,<title>doctor</title><button onclick=\"this.textContent='It works'\">Click me</button>"


async def run_doctor(arguments: argparse.Namespace) -> int:
    """Print one line a check. 0: all is well; 1: something is missing, and the line says what to do."""
    checks: list[dict[str, Any]] = []

    def check(name: str, ok: bool, found: str) -> bool:
        checks.append({"name": name, "ok": ok, "found": found})
        if not arguments.json:
            print(f"{'ok  ' if ok else 'FAIL'} {name:14} {found}")
        return ok

    check("browserx", True, __version__)
    check("python", sys.version_info >= (3, 11), f"{platform.python_version()} on {platform.platform(terse=True)}")
    fine = _executable(arguments, check)
    if fine:
        fine = await _browser(arguments, check)
    if arguments.json:
        print(msgspec.json.format(msgspec.json.encode({"ok": fine, "checks": checks}), indent=2).decode())
    return 0 if fine else 1


def _executable(arguments: argparse.Namespace, check: Any) -> bool:
    if arguments.cdp:
        return True
    try:
        path = find_executable(arguments.executable)
    except BrowserNotFoundError as error:
        check("browser", False, str(error))
        return False
    return bool(check("browser", True, str(path)))


async def _browser(arguments: argparse.Namespace, check: Any) -> bool:
    """Start it, see a page, act on it."""
    started = time.perf_counter()
    try:
        async with open_browser(arguments) as browser:
            check("starts", True, f"{browser.version} in {(time.perf_counter() - started) * 1000:.0f} ms")
            tab = await browser.new_tab(_PAGE)
            dom = await DomService.for_tab(tab)
            seen = await dom.observe()
            if not check("sees", len(seen.ids) == 1, f"{len(seen.ids)} of 1 buttons"):
                return False
            result = await dom.click(seen.ids[0])
            after = await dom.observe()
            acts = result.success and "It works" in after.text
            check("acts", acts, f"a click: {result.verdict.value} in {result.duration:.0f} ms")
            await tab.close()
            return acts
    except BrowserXError as error:
        check("starts", False, str(error))
        return False
