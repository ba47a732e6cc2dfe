"""Makes ``docs/picture.png``: a page of the demo shop with the ids BrowserX gives, beside what a model is told of it."""

import asyncio
import base64
import html
from pathlib import Path

from browserx import Browser, DomService
from browserx.cli.demo.shop import Shop
from browserx.page.picture import annotated

_HERE = Path(__file__).parent
_PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin:0; padding:28px; display:flex; gap:28px; align-items:stretch; background:#f4f1ec; font:15px/1.5 system-ui,sans-serif }}
figure {{ margin:0; position:relative; width:{width}px; height:{height}px; flex:none; border-radius:10px; overflow:hidden;
  box-shadow:0 8px 30px #0003 }}
figure img {{ display:block; width:{width}px }}
pre {{ margin:0; padding:24px 28px; flex:1; border-radius:10px; background:#24292f; color:#e6edf3; box-shadow:0 8px 30px #0003;
  font:14.5px/1.5 ui-monospace,"DejaVu Sans Mono",monospace; white-space:pre-wrap }}
i {{ color:#ffa657; font-style:normal; font-weight:bold }} u {{ color:#7ee787; text-decoration:none }} s {{ color:#8b949e; text-decoration:none }}
</style><figure><img src="data:image/png;base64,{image}"></figure><pre>{text}</pre>"""


def _colored(line: str) -> str:
    body = line.lstrip(" ")
    indent = line[: len(line) - len(body)]
    safe = html.escape(body)
    if body[:1].isdigit():
        number, _, rest = safe.partition(" ")
        return f"{indent}<i>{number}</i> {rest}"
    if body.startswith(("@", "#", "!")):
        return f"{indent}<u>{safe}</u>"
    if body.startswith(("<page", "</page", "http", "…")):
        return f"{indent}<s>{safe}</s>"
    return indent + safe


async def main() -> None:
    width, height = 900, 640
    with Shop() as shop:
        async with Browser.launch(viewport=(width, height)) as browser:
            tab = await browser.new_tab(shop.address + "tea/earl-grey")
            dom = await DomService.for_tab(tab)
            seen = await dom.observe()
            snapshot = dom.current_snapshot
            assert snapshot is not None
            image = base64.b64encode(await annotated(tab, snapshot)).decode()
            text = "\n".join(map(_colored, seen.text.splitlines()))
        async with Browser.launch(viewport=(1560, height + 56)) as painter:
            page = _PAGE.format(width=width, height=height, image=image, text=text)
            canvas = await painter.new_tab("data:text/html;base64," + base64.b64encode(page.encode()).decode())
            (_HERE / "picture.png").write_bytes(await canvas.screenshot())


if __name__ == "__main__":
    asyncio.run(main())
