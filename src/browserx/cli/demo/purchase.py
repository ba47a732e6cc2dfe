"""The purchase: what a model would do, step by step, with nothing but the text a model gets."""

import base64
import re
import time
from pathlib import Path
from typing import Any

from browserx.browser import Browser
from browserx.tool import DOMTool

_SHOWN_LINES = 14


class DemoFailedError(Exception):
    """A step did not do what it should; the message says which and why."""


class Shopper:
    """Looks, finds by what it reads, acts once, and looks again."""

    def __init__(self, tool: DOMTool) -> None:
        self.tool = tool
        self.text = ""
        self.steps = 0

    async def call(self, action: str, **params: Any) -> Any:
        """One call of the tool. Raises DemoFailedError when it does not succeed."""
        response = await self.tool.execute({"action": action, **params})
        if not response.success:
            assert response.error is not None
            raise DemoFailedError(f"{action} {params}: {response.error.code}: {response.error.message}")
        return response.data

    async def look(self, *, show: bool = False) -> None:
        """See the page; print the beginning of what a model would read."""
        started = time.perf_counter()
        seen = await self.call("get_dom")
        spent_ms = (time.perf_counter() - started) * 1000
        self.text = seen["text"]
        print(f"   look    {spent_ms:6.1f} ms  {len(seen['ids'])} controls, {seen['tokens']} tokens")
        if show:
            lines = self.text.splitlines()
            for line in lines[:_SHOWN_LINES]:
                print(f"           │ {line[:96]}")
            if len(lines) > _SHOWN_LINES:
                print(f"           │ … {len(lines) - _SHOWN_LINES} more lines")

    def find(self, pattern: str) -> str:
        """The id of what the page says ``pattern`` of: on a line of its own, in a list item, or in a cell of a row."""
        if match := re.search(rf"(?:^ *(?:- )?|\|)(\d+) {pattern}", self.text, re.MULTILINE):
            return match[1]
        raise DemoFailedError(f"the page does not offer {pattern!r}:\n{self.text}")

    async def act(self, say: str, action: str, verdicts: tuple[str, ...], **params: Any) -> dict[str, Any]:
        """Carry out one action, and insist on its verdict."""
        self.steps += 1
        print(f"{self.steps:2} {say}")
        done: dict[str, Any] = await self.call(action, **params)
        print(f"   {action:7} {done['duration']:6.1f} ms  verdict: {done['verdict']}")
        if done["verdict"] not in verdicts:
            raise DemoFailedError(f"{say}: the verdict is {done['verdict']}, not {' or '.join(verdicts)}")
        await self.look(show=done["verdict"] == "navigated")
        return done

    def insist(self, words: str) -> None:
        """The page must say ``words``."""
        if words not in self.text:
            raise DemoFailedError(f"the page does not say {words!r}:\n{self.text}")

    async def picture(self, path: Path) -> None:
        """Save a screenshot."""
        taken = await self.call("screenshot")
        _save(path, base64.b64decode(taken["base64"]))
        print(f"   picture {path}")


def _save(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


async def buy(browser: Browser, address: str, output: Path) -> None:
    """Buy two large tins of Earl Grey.

    Raises:
        DemoFailedError: a step did not do what it should.
    """
    started = time.perf_counter()
    shopper = Shopper(DOMTool(browser))
    print(f"A small shop is open at {address}. Buying two large tins of Earl Grey in it.\n")
    opened = await shopper.call("new_tab", options={"url": address})
    print(f"   new tab {opened['title']}")
    await shopper.look(show=True)
    act, find = shopper.act, shopper.find

    await act(
        'Type "earl grey" into the search box and press Enter',
        "type",
        ("navigated",),
        nodeId=find("searchbox Search teas"),
        text="earl grey\n",
    )
    shopper.insist("1 teas for “earl grey”")
    await act("Open the tea", "click", ("navigated",), nodeId=find("link Earl Grey Supreme"))
    await act("Choose the large size", "click", ("changed",), nodeId=find(r"radio \[ \] 250 g"))
    await act("One tin more (in a closed shadow root)", "click", ("changed",), nodeId=find("button One tin more"))
    done = await act("Add to basket (a div)", "click", ("changed",), nodeId=find("clickable Add to basket"))
    if not any(r["url"].endswith("/basket/add") and r["status"] == 200 for r in done["changes"]["requests"]):
        raise DemoFailedError("the basket was not told")
    shopper.insist("2 × Earl Grey Supreme, 250 g")
    await shopper.picture(output / "demo-dialog.png")
    await act("Go to the basket (in a modal dialog)", "click", ("navigated",), nodeId=find("button Go to basket"))
    shopper.insist("Earl Grey Supreme|250 g|2|€ 38.00")
    await act("Check out", "click", ("navigated",), nodeId=find("link Check out"))

    for field, value in (
        ("Full name", "Ada Lovelace"),
        ("E-mail", "ada@example.org"),
        ("Street and number", "12 St James's Square"),
        ("Town", "London"),
    ):
        done = await act(f"Fill in: {field}", "type", ("changed",), nodeId=find(f"textbox {field}"), text=value)
        if done["changes"]["valueNow"] != value:
            raise DemoFailedError(f"{field} holds {done['changes']['valueNow']!r}")
    await act("Accept the terms", "click", ("changed",), nodeId=find(r"checkbox \[ \] I accept"))
    for field, value in (("Card number", "4242424242424242"), ("Expires", "12/30"), ("Security code", "123")):
        await act(
            f"Fill in: {field} (in a frame of another site)",
            "type",
            ("changed",),
            nodeId=find(f"textbox {field}"),
            text=value,
        )
    if "4242" in shopper.text:
        raise DemoFailedError("the card number was shown to the model")
    await act("Pay", "click", ("navigated", "changed"), nodeId=find("button Pay"))
    shopper.insist("Thank you, Ada Lovelace")
    shopper.insist("€ 38.00")
    await shopper.picture(output / "demo.png")
    print(f"\nBought, in {shopper.steps} steps and {time.perf_counter() - started:.1f} s.")
