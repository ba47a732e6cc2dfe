"""``browserx snapshot URL``."""

import argparse
import asyncio
import sys
import time
from pathlib import Path

import msgspec

from browserx.cli.opening import full_address, open_browser
from browserx.dom import DomSnapshot, SerializationOptions
from browserx.dom.html import Markup
from browserx.dom.serialize import Serialized
from browserx.errors import InvalidArgumentError
from browserx.page import DomService, Observation
from browserx.page.picture import annotated


async def run_snapshot(arguments: argparse.Namespace) -> int:
    """Look at one page and print it. 0 also for a partial view, which says what is missing."""
    started = time.perf_counter()
    async with open_browser(arguments) as browser:
        opened = time.perf_counter()
        tab = await browser.new_tab(full_address(arguments.url))
        loaded = time.perf_counter()
        try:
            dom = await DomService.for_tab(tab)
            if arguments.format == "outline" and not arguments.hidden:
                seen = await dom.observe(
                    viewport_only=not arguments.full_page,
                    max_tokens=arguments.max_tokens,
                    query=arguments.query,
                    include_layout=arguments.layout,
                    deadline_ms=arguments.deadline,
                )
                print(_json(seen.to_dict()) if arguments.json else seen.text)
                if not arguments.json:
                    _say_more(seen)
            else:
                options = SerializationOptions(
                    format=arguments.format,
                    viewport_only=not arguments.full_page,
                    max_tokens=arguments.max_tokens,
                    query=arguments.query,
                    include_hidden=arguments.hidden,
                    include_layout=arguments.layout,
                    max_chars=arguments.max_chars,
                )
                written = await dom.get_serialized_dom(options)
                print(_json(written.to_dict()) if arguments.json else _readable(written))
            if arguments.timings:
                looked = time.perf_counter()
                _timings(dom.current_snapshot, opened - started, loaded - opened, looked - loaded)
            if arguments.annotate is not None:
                await _annotate(dom, arguments.annotate)
        finally:
            await tab.close()
    return 0


async def _annotate(dom: DomService, path: Path) -> None:
    """Save a picture of the page with the ids on it that were just told."""
    png = await annotated(dom.tab, dom.current_snapshot or await dom.get_snapshot())
    try:
        await asyncio.to_thread(path.write_bytes, png)
    except OSError as error:
        raise InvalidArgumentError(f"{path} cannot be written: {error.strerror}") from error


def _readable(written: Serialized | Observation) -> str:
    """What has a text of its own as that, all else as JSON."""
    if isinstance(written, Markup):
        return written.html
    return written.text if isinstance(written, Observation) else _json(written.to_dict())


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _say_more(seen: Observation) -> None:
    """On a terminal: what the text costs, and how to see what it leaves out."""
    if not sys.stderr.isatty():
        return
    print(f"({seen.tokens} tokens at most, {len(seen.ids)} elements to act on)", file=sys.stderr)
    if seen.omitted.offscreen or seen.omitted.budget:
        print("(more: --full-page for the whole page, --max-tokens none for no limit)", file=sys.stderr)


def _timings(snapshot: DomSnapshot | None, start_s: float, load_s: float, look_s: float) -> None:
    """Where the time went. What the eye itself spends in the page is the floor: no look is faster than that."""
    look_ms = look_s * 1000
    rows = [("start of the browser", start_s * 1000), ("loading the page", load_s * 1000), ("look", look_ms)]
    if snapshot is not None:
        spent = snapshot.stats.stage_ms
        inside, capture = spent["page"], spent["capture"]
        thinking = spent["build"] + spent["classify"]
        rows += [
            ("  in the page (the floor)", inside),
            ("  on the way", capture - inside),
            ("  understanding it", thinking),
            ("  writing it", look_ms - capture - thinking),
        ]
    for name, ms in rows:
        print(f"{name:26}{ms:10.1f} ms", file=sys.stderr)
