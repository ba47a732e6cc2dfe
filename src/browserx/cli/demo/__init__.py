"""``browserx demo``: a small shop on this machine, and a purchase in it through ``DOMTool``, without a model.

The shop is real enough to be hard: several pages, a search, a widget in a closed shadow root, a ``div`` that acts as a
button, a modal dialog, a form, and a payment frame of another site.
"""

import argparse
import asyncio
import sys
from pathlib import Path

from browserx.cli.demo.purchase import DemoFailedError, buy
from browserx.cli.demo.shop import Shop
from browserx.cli.opening import open_browser


async def run_demo(arguments: argparse.Namespace) -> int:
    """Serve the shop, and buy something in it. 1 when any step did not do what it should."""
    with Shop() as shop:
        if arguments.serve_only:
            print(f"The shop is open at {shop.address} (Ctrl+C closes it).")
            await asyncio.get_running_loop().create_future()
        try:
            async with open_browser(arguments) as browser:
                await buy(browser, shop.address, Path(arguments.output))
        except DemoFailedError as error:
            print(f"\nThe demo failed: {error}", file=sys.stderr)
            return 1
    return 0
