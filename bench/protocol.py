"""``scripts/bench protocol``: how many bytes a request to a backend takes, on the folder of pages that ``BROWSERX_CORPUS``
names.

For each page: the request with its tree (V3), as JSON as it is sent, against the JSON of ``get_serialized_dom`` in the
format ``nodes``, of the same part of the page (the viewport) and of the whole page. Then the next request, of the page
as it was: it must not bring the tree again. A page whose tree changes by itself meanwhile has to send it, and is named.
"""

import argparse
import asyncio
import os
import statistics
import sys
from pathlib import Path

import msgspec

from bench.corpus import Corpus
from bench.perception import opened
from bench.progress import progress
from browserx import Browser, BrowserXError, DomService, SerializationOptions
from browserx.semantic.assembling import Assembler
from browserx.semantic.request import InteractRequest

#: A request takes this share of the bytes of ``nodes`` at most, in the median.
BAR = 0.30
_QUERY = "click the button that goes on"


class Measured(msgspec.Struct):
    """Bytes of one page. ``again`` is the second request; ``same`` says that the page was as before then."""

    name: str
    elements: int
    request: int
    tree: int
    nodes: int
    nodes_whole: int
    again: int
    same: bool
    tree_again: bool

    @property
    def share(self) -> float:
        """Of the bytes of ``nodes``."""
        return self.request / self.nodes


def sent(request: InteractRequest) -> int:
    """The bytes of a request as the client sends it."""
    return len(msgspec.json.encode(request.to_wire()))


async def nodes(dom: DomService, *, whole: bool) -> int:
    """The bytes of the format ``nodes``."""
    options = SerializationOptions(viewport_only=False, max_tokens=None) if whole else SerializationOptions()
    return len(msgspec.json.encode((await dom.get_serialized_dom(options)).to_dict()))


async def measured(browser: Browser, corpus: Corpus, name: str) -> Measured:
    tab = await browser.new_tab(corpus.url(name))
    try:
        dom = await DomService.for_tab(tab)
        assembler = Assembler(dom, _QUERY)
        first = await assembler.request()
        assembler.acknowledged()
        again = await assembler.request(task_id="task")
        tree = first.interactive_tree or []
        return Measured(
            name=name,
            elements=len(tree),
            request=sent(first),
            tree=len(msgspec.json.encode([node.to_wire() for node in tree])),
            nodes=await nodes(dom, whole=False),
            nodes_whole=await nodes(dom, whole=True),
            again=sent(again),
            same=first.interactive_tree_hash == again.interactive_tree_hash and first.interactive_tree_hash is not None,
            tree_again=again.interactive_tree is not None,
        )
    finally:
        await tab.close()


async def measure(corpus: Corpus, names: list[str]) -> list[Measured]:
    found = []
    async with Browser.launch(viewport=(1280, 900)) as browser:
        for number, name in enumerate(names):
            progress(f"{number + 1}/{len(names)} {name}")
            try:
                found.append(await measured(browser, corpus, name))
            except BrowserXError as error:
                print(f"{name}: FAILED: {error}")
    progress("")
    return found


def table(found: list[Measured]) -> str:
    lines = [f"{'bytes':32}{'elements':>9}{'request':>9}{'nodes':>9}{'share':>7}{'whole':>9}{'again':>7}"]
    lines += [
        f"{one.name:32}{one.elements:9}{one.request:9}{one.nodes:9}{one.share:7.0%}{one.nodes_whole:9}{one.again:7}"
        + ("" if one.same else "  changed by itself" if one.elements else "  nothing to act on")
        for one in sorted(found, key=lambda one: one.share)
    ]
    share = statistics.median(one.share for one in found)
    whole = statistics.median(one.request / one.nodes_whole for one in found)
    same = [one for one in found if one.same]
    resent = [one.name for one in same if one.tree_again]
    lines += [
        f"the bar: in the median {BAR:.0%} of the bytes of nodes; it is {share:.1%}: {'held' if share <= BAR else 'MISSED'}",
        f"in the median {whole:.1%} of the nodes of the whole page, {statistics.median(o.request for o in found):,.0f} bytes;"
        f" again {statistics.median(o.again for o in found):,.0f}",
        f"{len(same)} of {len(found)} pages were as before at the second request; "
        + (f"the tree came again for {', '.join(resent)}: MISSED" if resent else "none of them brought its tree again"),
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser("scripts/bench protocol", description=__doc__)
    parser.add_argument("pages", nargs="*", help="names of pages (default: all)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that was found into FILE")
    given = parser.parse_args()
    folder = os.environ.get("BROWSERX_CORPUS", "")
    if not folder or not (Path(folder) / "pages.json").is_file():
        parser.error("set BROWSERX_CORPUS to a folder of marked pages (pages.json, pages/, mark.js, serve.py)")
    with opened(Path(folder)) as corpus:
        if unknown := [name for name in given.pages if name not in corpus.entries]:
            parser.error(f"no page {unknown[0]!r}; there are: {', '.join(sorted(corpus.entries))}")
        found = asyncio.run(measure(corpus, given.pages or sorted(corpus.entries)))
    if not found:
        return 1
    print(table(found))
    if given.json is not None:
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
    return 1 if any(one.same and one.tree_again for one in found) else 0


if __name__ == "__main__":
    sys.exit(main())
