"""What it costs a page to be watched: how long a loop of changes and the next frame take, with BrowserX there and without."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bench.chromium import VIEWPORT
from bench.progress import progress
from bench.result import Presence
from browserx import Browser, DomService
from browserx.cdp.protocol import AttachReply, CreateTargetReply, EvaluateReply

ELEMENTS, MUTATIONS = 5_000, 5_000

#: The browser draws a frame as soon as there is one to draw: waiting for the next of sixty a second would hide what a
#: few ms more cost, or make sixteen of them.
_AT_ONCE = ["--disable-frame-rate-limit", "--disable-gpu-vsync"]

#: Texts, attributes, classes, and buttons put in and moved, evenly; from just after one frame until just after the next.
_LOOP = f"""(async () => {{
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const all = document.querySelectorAll("main p, main span"), added = [];
  await frame();
  const started = performance.now();
  for (let n = 0; n < {MUTATIONS}; n++) {{
    const element = all[(n * 7) % all.length];
    if (n % 5 === 0) element.firstChild.data = `text ${{n}}`;
    else if (n % 5 === 1) element.setAttribute("data-n", n);
    else if (n % 5 === 2) element.classList.toggle("click");
    else if (n % 5 === 3) added.push(Object.assign(document.createElement("button"), {{ textContent: n }})), element.append(added.at(-1));
    else element.append(added.at(-1));
  }}
  await frame();
  const spent = performance.now() - started;
  for (const element of added) element.remove();
  await frame();
  return spent;
}})()"""

_LOADED = "document.readyState === 'complete' || new Promise((done) => addEventListener('load', done))"

Loop = Callable[[], Awaitable[float]]


async def measure_presence(url: str, runs: int) -> Presence:
    """On the page of ``ELEMENTS`` at ``url``, in turn: alone, and looked at by BrowserX before each loop."""
    found = Presence(ELEMENTS, MUTATIONS, [], [])
    async with _left_alone(url) as alone, _looked_at(url) as watched:
        # The first round warms everything up, and is not counted.
        for number in range(runs + 1):
            progress(f"presence: {f'run {number} of {runs}' if number else 'warming up'}")
            without_ms, with_ms = await alone(), await watched()
            if number:
                found.without_ms.append(without_ms)
                found.with_ms.append(with_ms)
    return found


@asynccontextmanager
async def _looked_at(url: str) -> AsyncIterator[Loop]:
    async with Browser.launch(viewport=VIEWPORT, args=_AT_ONCE) as browser:
        tab = await browser.new_tab(url)
        dom = await DomService.for_tab(tab)

        async def loop() -> float:
            await dom.observe()
            return float(await tab.evaluate(_LOOP))

        yield loop


@asynccontextmanager
async def _left_alone(url: str) -> AsyncIterator[Loop]:
    """A tab that nothing of ours is in: no script, no listener, no event is asked for."""
    async with Browser.launch(args=_AT_ONCE) as browser:
        opened = await browser.connection.browser.send("Target.createTarget", {"url": "about:blank"}, CreateTargetReply)
        attach = {"targetId": opened.target_id, "flatten": True}
        session = browser.connection.session(
            (await browser.connection.browser.send("Target.attachToTarget", attach, AttachReply)).session_id
        )
        width, height = VIEWPORT
        metrics = {"width": width, "height": height, "deviceScaleFactor": 0, "mobile": False}
        await session.send("Emulation.setDeviceMetricsOverride", metrics)
        await session.send("Page.navigate", {"url": url})  # answers when the document is there
        await session.send("Runtime.evaluate", {"expression": _LOADED, "awaitPromise": True})

        async def loop() -> float:
            params = {"expression": _LOOP, "returnByValue": True, "awaitPromise": True}
            return float((await session.send("Runtime.evaluate", params, EvaluateReply)).result.value)

        yield loop
