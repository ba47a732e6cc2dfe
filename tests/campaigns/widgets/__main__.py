"""``scripts/campaign widgets``: does every action work on the widgets of well-known libraries, and is what it tells true?

Each scenario opens a page of the corpus (the folder in ``BROWSERX_CORPUS``), finds a widget as a model would, acts, and
asks the page's own script what became of it. Prints each, and counts.
"""

import argparse
import asyncio
import logging
import os
import sys
import time
import traceback
from pathlib import Path

from bench.corpus import Corpus

from browserx import Browser, BrowserXError, DomService
from tests.campaigns.widgets import components, editors, mui, templates, vaadin, vuetify
from tests.campaigns.widgets.scene import Scenario, Scene, WrongError

_PORT = 9587
_TIMEOUT_S = 60.0
SCENARIOS = (
    *mui.SCENARIOS,
    *vuetify.SCENARIOS,
    *vaadin.SCENARIOS,
    *components.SCENARIOS,
    *editors.SCENARIOS,
    *templates.SCENARIOS,
)


async def run(arguments: argparse.Namespace) -> int:
    """Run the scenarios. Returns the exit code."""
    folder = os.environ.get("BROWSERX_CORPUS", "")
    if not folder or not Path(folder, "pages.json").is_file():
        say("set BROWSERX_CORPUS to the folder of the corpus (it has pages.json)")
        return 2
    wanted = [one for one in SCENARIOS if arguments.only.casefold() in f"{one.action} {one.widget}".casefold()]
    corpus, started, failed = Corpus(Path(folder), arguments.port), time.monotonic(), 0
    try:
        async with Browser.launch() as browser:
            for scenario in wanted:
                why = await _play(browser, corpus, scenario)
                failed += bool(why)
                say(f"{'FAIL' if why else 'PASS'}  {scenario.action:22} {scenario.widget}")
                if why:
                    say(f"      {why}")
    finally:
        corpus.close()
    actions, widgets = {one.action.split()[0] for one in wanted}, {one.widget for one in wanted}
    say(
        f"{len(wanted) - failed} of {len(wanted)} scenarios pass: {len(actions)} actions, {len(widgets)} widgets,"
        f" {time.monotonic() - started:.0f} s"
    )
    return 1 if failed or not wanted else 0


async def _play(browser: Browser, corpus: Corpus, scenario: Scenario) -> str:
    """Why the scenario fails; "" when it passes."""
    async with await browser.new_context() as context:
        tab = await context.new_tab(corpus.url(scenario.page))
        scene = Scene(tab, await DomService.for_tab(tab))
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                await scenario.play(scene)
        except WrongError as wrong:
            return str(wrong)
        except BrowserXError as error:
            return f"{type(error).__name__}: {error.message[:500]}"
        except TimeoutError:
            return f"not done in {_TIMEOUT_S:g} s"
        except Exception:  # one scenario that breaks says so, and the others still run
            return traceback.format_exc()
    return ""


def say(text: str) -> None:
    """Tell whoever started it."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def main() -> None:
    parser = argparse.ArgumentParser("scripts/campaign widgets", description=__doc__)
    parser.add_argument("--only", default="", help="only scenarios whose action and widget have these words")
    parser.add_argument("--port", type=int, default=_PORT, help="where the pages are served (default: %(default)s)")
    logging.getLogger("browserx.browser").setLevel(logging.ERROR)
    sys.exit(asyncio.run(run(parser.parse_args())))


if __name__ == "__main__":
    main()
