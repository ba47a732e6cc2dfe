"""One action after the other on a page, each judged by the witness: no success that was none, no element but the one."""

import random
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from browserx import ActionResult, BrowserXError, DomService, Tab, Verdict
from browserx.dom.tree import VirtualNode

_WITNESS = Path(__file__).with_name("witness.js")
_POINTER = ("pointerdown", "click")
WORDS = ("river", "delta 7", "Äpfel & Birnen", "42", "a@b.example")


class FalseError(Exception):
    """An action told what was not so."""


class Heard(msgspec.Struct):
    """An event, and the numbers of the elements it passed, the innermost first."""

    type: str
    path: list[str]


class State(msgspec.Struct):
    """What an element holds."""

    value: str | None = None
    checked: bool | None = None
    focused: bool = False


class Kind(NamedTuple):
    """A kind of action: which elements it is tried on, what is done, and the events that prove it."""

    fits: Callable[[VirtualNode], bool]
    act: Callable[[DomService, str, random.Random], Awaitable[ActionResult]]
    proof: tuple[str, ...]


def _takes_text(node: VirtualNode) -> bool:
    return node.role in ("textbox", "searchbox") or (node.role == "combobox" and node.tag == "input")


def _is_plain(node: VirtualNode) -> bool:
    return node.tag not in ("select", "option", "video", "audio") and node.attributes.get("type") not in (
        "file",
        "color",
    )


KINDS: dict[str, Kind] = {
    "click": Kind(_is_plain, lambda dom, i, _: dom.click(i), _POINTER),
    "hover": Kind(lambda node: node.tag != "option", lambda dom, i, _: dom.hover(i), ("pointermove",)),
    "focus": Kind(lambda node: True, lambda dom, i, _: dom.focus(i), ()),
    "type": Kind(_takes_text, lambda dom, i, chance: dom.type(i, chance.choice(WORDS)), ("input",)),
    "check": Kind(lambda node: node.role in ("checkbox", "switch"), lambda dom, i, _: dom.check(i), ()),
    "uncheck": Kind(lambda node: node.role in ("checkbox", "switch"), lambda dom, i, _: dom.uncheck(i), ()),
    "select": Kind(
        lambda node: node.tag == "select",
        lambda dom, i, chance: dom.select_option(i, index=chance.randrange(2)),
        (),
    ),
}


class Tally:
    """What has come of the actions so far."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.unwitnessed = 0

    @property
    def actions(self) -> int:
        return sum(self.kinds.values())


class Trial:
    """Random actions in one tab."""

    def __init__(self, tab: Tab, url: str, chance: random.Random, tally: Tally) -> None:
        self.tab = tab
        self.url = url
        self.chance = chance
        self.tally = tally
        self._script = _WITNESS.read_text()

    async def begin(self) -> DomService:
        """Open the page anew, with the witness in it."""
        await self.tab.goto(self.url)
        return await DomService.for_tab(self.tab)

    async def run(self, actions: int) -> None:
        """Take so many actions.

        Raises:
            FalseError: one told what was not so.
        """
        dom = await self.begin()
        for _ in range(actions):
            if self.tab.dialog is not None:
                await self.tab.dialog.dismiss()
            elif not self.tab.url.startswith(self.url):
                dom = await self.begin()
            if not await self._one(dom):
                dom = await self.begin()

    async def _one(self, dom: DomService) -> bool:
        """One action; False when there is nothing to be done here any more."""
        await self.tab.evaluate(f"{self._script}; __witness.mark()")
        seen = await dom.observe(max_tokens=None)
        snapshot = dom.current_snapshot
        if snapshot is None or not seen.ids:
            return False
        name = self.chance.choice(list(KINDS))
        kind = KINDS[name]
        fitting = [node for node in snapshot.interactive() if node.in_viewport and kind.fits(node)]
        if not fitting:
            name, kind = "click", KINDS["click"]
            fitting = [node for node in snapshot.interactive() if node.in_viewport and kind.fits(node)]
        if not fitting:
            return False
        node = self.chance.choice(fitting)
        number = (await dom.get_attributes(node.node_id)).get("data-witness", "")
        # In a frame of its own or a closed root nobody in the page can bear witness.
        counts = await self.tab.evaluate(f"__witness.counts({number!r})") if number else []
        await self.tab.evaluate("__witness.forget()")
        self.tally.kinds[name] += 1
        told = f"{name} on {node.role} {node.name[:60]!r} ({node.node_id}) of {self.url}"
        try:
            result = await kind.act(dom, node.node_id, self.chance)
        except BrowserXError as error:
            self.tally.errors[getattr(error, "reason", "") or error.code] += 1
            if number and self.tab.dialog is None:
                await self._nothing_was_done(told, number, error)
            return True
        self.tally.verdicts[result.verdict.value] += 1
        if not number or result.verdict in (Verdict.NAVIGATED, Verdict.OPENED):
            self.tally.unwitnessed += 1
            return True
        await self._is_true(told, name, kind, number, counts, result)
        return True

    async def _heard(self) -> list[Heard] | None:
        """None where the witness is gone, with its page."""
        heard: Any = await self.tab.evaluate("window.__witness ? __witness.heard() : null")
        return msgspec.convert(heard, list[Heard] | None)

    async def _nothing_was_done(self, told: str, number: str, error: BrowserXError) -> None:
        # What another field makes of losing the focus is its own.
        heard = await self._heard() or []
        changed = [one for one in heard if one.type in ("input", "change") and number in one.path]
        pressed = [one for one in heard if one.type == "pointerdown"] + changed
        if pressed:
            raise FalseError(f"{told} was refused ({error.message}), and yet there was {pressed}")

    async def _is_true(
        self, told: str, name: str, kind: Kind, number: str, counts: list[str], result: ActionResult
    ) -> None:
        heard = await self._heard()
        if heard is None:
            self.tally.unwitnessed += 1
            return
        presses = [one for one in heard if one.type == "pointerdown"]
        for press in presses:
            reached = set(press.path) & set(counts)
            if not reached and result.success:
                raise FalseError(f"{told} pressed something else: {press.path[:4]} instead of {counts}")
        if not result.success:
            return
        if kind.proof and not any(one.type in kind.proof and set(one.path) & set(counts) for one in heard):
            state = await self._state(number)
            # A page may take an element away, or turn it into another, before any event of it can be heard.
            if state is not None and not (name == "type" and result.verdict is Verdict.NO_EFFECT):
                raise FalseError(f"{told} was told a success, and the page saw none of {kind.proof} on it: {heard}")
        if name in ("check", "uncheck"):
            state = await self._state(number)
            if state is not None and state.checked is not None and state.checked != (name == "check"):
                raise FalseError(f"{told} was told a success, and it is {state}")

    async def _state(self, number: str) -> State | None:
        told = await self.tab.evaluate(f"window.__witness ? __witness.state({number!r}) : null")
        return None if told is None else msgspec.convert(told, State)
