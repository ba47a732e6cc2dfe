"""``scripts/bench perception``: how much of a page is seen, on the folder of marked pages that ``BROWSERX_CORPUS`` names.

For each page: which interactive elements are seen (in the viewport, on the whole page, by kind), how much of what is
offered is none, whether ``occluded`` is true, whether anything hidden is shown, whether role and name are those of the
browser's accessibility tree, what the text costs, and whether two looks at the same page are the same.

Averages are per page. An id counts for an element when it names that very element or its stand-in.
"""

import argparse
import asyncio
import collections
import contextlib
import json
import os
import re
import socket
import statistics
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from bench.corpus import Corpus, TrueElement
from bench.progress import progress
from bench.tokens import tokens
from browserx import Browser, BrowserXError, DomService, DomSnapshot, Tab
from browserx.browser.frames import Frame
from browserx.cdp.protocol import DEEP_NODES, DeepNodesReply
from browserx.inpage.facts import Fact

#: So many controls of a page are compared with the browser's accessibility tree, evenly spaced.
_COMPARED = 300
_TIMEOUT_S = 60.0
_BAR_TOKENS = 4000
_WORD = re.compile(r"[^\W\d_]{3,}")

#: The words that a person can read on a page, as the browser tells them.
_READABLE = "document.body?.innerText ?? ''"

_RESOLVE = """(keys => {
  const mark = (el) => el.getAttribute("data-gt") ?? el.getAttribute("data-gt-alias");
  return keys.map((k) => {
    const el = __browserx.element(k);
    return el ? [mark(el), el.localName === "area" || getComputedStyle(el).display === "contents" || el.checkVisibility({ visibilityProperty: true, opacityProperty: true })] : [null, true];
  });
})"""


class Offered(msgspec.Struct):
    """One id that a look offers: what it is for us, and which true element it names."""

    index: int
    gt: str | None
    visible: bool
    occluded: bool
    in_view: bool
    proxied: bool


class Told(msgspec.Struct):
    """Role and name of one control, ours and the browser's."""

    tag: str
    ours: tuple[str, str]
    theirs: tuple[str, str]


class Score(msgspec.Struct):
    """What came out for one page."""

    name: str
    kind: str
    truth: list[TrueElement]
    offered: list[Offered]
    labels: list[str]
    told: list[Told]
    tokens: int
    tokens_whole: int
    controls: int
    repeats: bool
    #: Words that can be read in the page's frames, and those of them that the text does not have.
    words: int
    lost: list[str]

    @property
    def named(self) -> set[str]:
        return {o.gt for o in self.offered if o.gt is not None}

    def recall(self, only: Iterable[TrueElement]) -> float | None:
        wanted = [t for t in only if not t.optional]
        return sum(t.gt in self.named for t in wanted) / len(wanted) if wanted else None

    @property
    def precision(self) -> float | None:
        return sum(o.gt is not None for o in self.offered) / len(self.offered) if self.offered else None

    @property
    def occlusion(self) -> float | None:
        """Share of elements in view of which ``occluded`` is said truly."""
        truth = {t.gt: t.occluded for t in self.truth if t.in_viewport and t.occluded is not None}
        both = [(truth[o.gt], o.occluded) for o in self.offered if o.gt in truth]
        return sum(a == b for a, b in both) / len(both) if both else None

    @property
    def hidden_shown(self) -> list[str]:
        return [self.labels[n] for n, o in enumerate(self.offered) if not o.visible and not o.proxied]


async def scored(browser: Browser, corpus: Corpus, name: str) -> Score:
    tab = await browser.new_tab(corpus.url(name))
    try:
        dom = await DomService.for_tab(tab)
        truth = await corpus.truth(tab)
        first, second = await dom.observe(), await dom.observe()
        whole = await dom.observe(viewport_only=False, max_tokens=None)
        again = await dom.observe(viewport_only=False, max_tokens=None, force=True)
        snapshot = dom.current_snapshot
        assert snapshot is not None
        offered = await offers(tab, snapshot, set(whole.ids))
        nodes, names = snapshot.page.tree.nodes, snapshot.page.names
        return Score(
            name,
            corpus.entries[name].kind,
            truth,
            offered,
            [f"{nodes[o.index].tag}/{nodes[o.index].role} {names[o.index][:40]!r}" for o in offered],
            await compared(tab, snapshot),
            tokens(first.text),
            tokens(whole.text),
            len(whole.ids),
            first.text == second.text and whole.text == again.text,
            *await readable(tab, whole.text),
        )
    finally:
        await tab.close()


async def offers(tab: Tab, snapshot: DomSnapshot, told: set[str]) -> list[Offered]:
    """What the text of the whole page offers."""
    nodes = snapshot.page.tree.nodes
    found: dict[int, list[Any]] = {}
    for frame, actionable in by_frame(tab, snapshot).items():
        indexes = [index for index in actionable if snapshot.node_id(index) in told]
        keys = json.dumps([nodes[i].key for i in indexes])
        assert tab.attachment is not None
        answer = await tab.attachment.call(frame, f"{_RESOLVE}({keys})", timeout_s=_TIMEOUT_S)
        found |= dict(zip(indexes, answer.result.value, strict=True))
    return [
        Offered(
            index,
            gt,
            visible,
            bool(nodes[index].facts & Fact.OCCLUDED),
            bool(nodes[index].facts & Fact.IN_VIEW),
            bool(nodes[index].facts & (Fact.PROXIED | Fact.TRANSPARENT)),
        )
        for index, (gt, visible) in sorted(found.items())
    ]


async def readable(tab: Tab, text: str) -> tuple[int, list[str]]:
    """How many different words can be read on the page, and which of them ``text`` does not have."""
    assert tab.attachment is not None
    words: set[str] = set()
    for frame in tab.attachment.frames:
        if frame.isolated is not None:
            answer = await tab.attachment.call(frame, _READABLE, timeout_s=_TIMEOUT_S)
            words.update(_WORD.findall(str(answer.result.value).casefold()))
    told = set(_WORD.findall(text.casefold()))
    return len(words), sorted(words - told)


def by_frame(tab: Tab, snapshot: DomSnapshot) -> dict[Frame, list[int]]:
    """Everything that can be acted on, by the frame whose eye told of it."""
    assert tab.attachment is not None
    worlds = {frame.world_id: frame for frame in tab.attachment.frames}
    found: dict[Frame, list[int]] = collections.defaultdict(list)
    for index, yes in enumerate(snapshot.page.actionable):
        if yes:
            found[worlds[snapshot.ref(index).world]].append(index)
    return found


async def compared(tab: Tab, snapshot: DomSnapshot) -> list[Told]:
    told: list[Told] = []
    nodes = snapshot.page.tree.nodes
    for frame, indexes in by_frame(tab, snapshot).items():
        sample = indexes[:: max(1, len(indexes) // _COMPARED)]
        keys = json.dumps([nodes[i].key for i in sample])
        params = {
            "expression": f"{keys}.map(__browserx.element)",
            "contextId": frame.isolated,
            "serializationOptions": DEEP_NODES,
        }
        reply = await frame.session.send("Runtime.evaluate", params, DeepNodesReply, timeout_s=_TIMEOUT_S)
        backends = [node.value.backend_node_id for node in reply.result.deep_serialized_value.value if node.value]
        asked = [
            frame.session.start(
                "Accessibility.getPartialAXTree",
                {"backendNodeId": backend, "fetchRelatives": False},
                dict,
                timeout_s=_TIMEOUT_S,
            )
            for backend in backends
        ]
        for index, answer in zip(sample, await asyncio.gather(*asked), strict=True):
            theirs = answer["nodes"][0]
            if not theirs.get("ignored"):
                role, name = (theirs.get(key, {}).get("value", "") for key in ("role", "name"))
                node = nodes[index]
                told.append(Told(node.tag, (node.role or "generic", node.name), (role, " ".join(name.split())[:250])))
    return told


# telling


def percent(values: Iterable[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{100 * statistics.fmean(known):6.2f} %  ({len(known)} pages)" if known else "  –"


def tell(scores: list[Score], details: bool) -> None:
    rows = {
        "seen, in the viewport": (s.recall(t for t in s.truth if t.in_viewport and not t.occluded) for s in scores),
        "seen, whole page": (s.recall(s.truth) for s in scores),
        "precision": (s.precision for s in scores),
        "adversarial: seen": (s.recall(s.truth) for s in scores if s.kind == "adversarial"),
        "adversarial: precision": (s.precision for s in scores if s.kind == "adversarial"),
        "clickables without a role": (
            s.recall(t for t in s.truth if t.reason in ("listener", "react-prop", "onclick-attr", "cursor-pointer"))
            for s in scores
        ),
        "in frames": (s.recall(t for t in s.truth if t.frame) for s in scores),
        "in open roots": (s.recall(t for t in s.truth if t.in_shadow == "open") for s in scores),
        "in closed roots": (s.recall(t for t in s.truth if t.in_shadow == "closed") for s in scores),
        "occluded is true": (s.occlusion for s in scores),
        "words told": (1 - len(s.lost) / s.words if s.words else None for s in scores),
        "role as the browser's": (share(s.told, lambda t: t.ours[0] == t.theirs[0]) for s in scores),
        "name as the browser's": (
            share([t for t in s.told if t.theirs[1]], lambda t: t.ours[1] == t.theirs[1]) for s in scores
        ),
    }
    for what, values in rows.items():
        print(f"{what:28}{percent(values)}")
    print(f"{'hidden ones shown':28}{sum(len(s.hidden_shown) for s in scores):6}")
    print(f"{'two looks the same':28}{sum(s.repeats for s in scores):6} of {len(scores)}")
    print(f"{'most tokens of a look':28}{max(s.tokens for s in scores):6} (bar {_BAR_TOKENS})")
    whole, controls = sum(s.tokens_whole for s in scores), sum(s.controls for s in scores)
    print(f"{'tokens of whole pages':28}{whole:6}, {whole / max(1, controls):.1f} a control")
    if details:
        for score in scores:
            tell_details(score)


def share(told: list[Told], same: Any) -> float | None:
    return sum(map(same, told)) / len(told) if told else None


def tell_details(s: Score) -> None:
    missed = [f"{t.tag} {t.reason} {t.name[:30]!r}" for t in s.truth if not t.optional and t.gt not in s.named]
    wrong = [label for o, label in zip(s.offered, s.labels, strict=True) if o.gt is None]
    truth = {t.gt: t.occluded for t in s.truth if t.in_viewport and t.occluded is not None}
    occlusion = [
        f"{label} true: {truth[o.gt]}"
        for o, label in zip(s.offered, s.labels, strict=True)
        if o.gt in truth and truth[o.gt] != o.occluded
    ]
    differ = collections.Counter(
        f"{t.tag}: {ours!r}, browser {theirs!r}"
        for t in s.told
        for ours, theirs in zip(t.ours, t.theirs, strict=True)
        if theirs and ours != theirs
    )
    parts: list[tuple[str, list[str]]] = [
        ("missed", missed),
        ("wrong", wrong),
        ("hidden", s.hidden_shown),
        ("words lost", [" ".join(s.lost[at : at + 8]) for at in range(0, len(s.lost), 8)]),
        ("occlusion", occlusion),
        ("differs", [f"{n} x {what}" for what, n in differ.most_common()]),
    ]
    if any(what for _, what in parts) or not s.repeats:
        print(f"\n{s.name}{'' if s.repeats else '  (two looks differ)'}")
    for title, what in parts:
        for line in what[:8]:
            print(f"  {title}: {line}")
        if len(what) > 8:
            print(f"  {title}: … {len(what) - 8} more")


async def run(corpus: Corpus, names: list[str], details: bool) -> None:
    scores = []
    async with Browser.launch(viewport=(1280, 900)) as browser:
        for number, name in enumerate(names):
            progress(f"{number + 1}/{len(names)} {name}")
            try:
                scores.append(await scored(browser, corpus, name))
            except BrowserXError as error:
                print(f"{name}: FAILED: {error}")
    progress("")
    tell(scores, details)


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[Corpus]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    corpus = Corpus(folder, port)
    try:
        yield corpus
    finally:
        corpus.close()


def main() -> None:
    parser = argparse.ArgumentParser("scripts/bench perception", description=__doc__)
    parser.add_argument("pages", nargs="*", help="names of pages (default: all)")
    parser.add_argument("--details", action="store_true", help="name what was missed, wrong or different")
    arguments = parser.parse_args()
    folder = os.environ.get("BROWSERX_CORPUS", "")
    if not folder or not (Path(folder) / "pages.json").is_file():
        parser.error("set BROWSERX_CORPUS to a folder of marked pages (pages.json, pages/, mark.js, serve.py)")
    with opened(Path(folder)) as corpus:
        if unknown := [name for name in arguments.pages if name not in corpus.entries]:
            parser.error(f"no page {unknown[0]!r}; there are: {', '.join(sorted(corpus.entries))}")
        asyncio.run(run(corpus, arguments.pages or sorted(corpus.entries), arguments.details))


if __name__ == "__main__":
    main()
