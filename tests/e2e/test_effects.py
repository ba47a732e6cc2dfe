"""Effects for people: over the page, not in it; never waited for, and never the reason that something fails."""

import asyncio
from typing import Any

import pytest

from browserx import ServiceConfig, Verdict
from browserx.errors import CdpError
from tests.conftest import See
from tests.e2e.test_acting import find

PAGE = """<button onclick="o.textContent = 'pushed'">Push</button><input aria-label=Name><p id=o></p><script>
    window.seen = []; new MutationObserver(r => seen.push(...r.map(x => x.target.id)))
        .observe(document, {subtree: true, childList: true, attributes: true, characterData: true});</script>"""
SHOWN = ServiceConfig(enable_visual_effects=True)


async def test_where_something_is_done_is_drawn_and_nothing_of_it_is_in_the_page(
    see: See, monkeypatch: pytest.MonkeyPatch
) -> None:
    dom = await see(PAGE, config=SHOWN)
    attachment = await dom.tab.attach()
    drawn: list[tuple[str, Any]] = []
    hidden = asyncio.Event()
    real = attachment.session.send

    async def send(method: str, params: Any = None, *rest: Any, **options: Any) -> Any:
        if method.startswith("Overlay."):
            drawn.append((method, params))
        answer = await real(method, params, *rest, **options)
        if method == "Overlay.hideHighlight":
            hidden.set()
        return answer

    monkeypatch.setattr(attachment.session, "send", send)
    result = await dom.click(await find(dom, "Push"))
    assert result.visual_effect is not None
    assert result.visual_effect.type == "ripple"
    async with asyncio.timeout(10):
        await hidden.wait()
    quads = [params["quad"] for method, params in drawn if method == "Overlay.highlightQuad"]
    assert len(quads) > 3
    x = result.visual_effect.coordinates.x
    assert all(quad[0] < x < quad[2] for quad in quads)
    assert quads[-1][2] - quads[-1][0] > quads[0][2] - quads[0][0]
    # All that the page ever saw is what the click did.
    assert set(await dom.tab.evaluate("seen")) == {"o"}


async def test_each_kind_of_action_has_its_effect(see: See) -> None:
    dom = await see(PAGE)
    for effect, result in (
        ("ripple", await dom.click(await find(dom, "Push"))),
        ("cursor", await dom.hover(await find(dom, "Push"))),
        ("highlight", await dom.type(await find(dom, "Name"), "Ada")),
    ):
        assert result.visual_effect is not None
        assert result.visual_effect.type == effect


async def test_an_effect_that_cannot_be_drawn_fails_nothing(see: See, monkeypatch: pytest.MonkeyPatch) -> None:
    dom = await see(PAGE, config=SHOWN)
    attachment = await dom.tab.attach()
    real = attachment.session.send
    tried: list[str] = []

    async def send(method: str, *rest: Any, **options: Any) -> Any:
        if method.startswith("Overlay."):
            tried.append(method)
            raise CdpError("no overlay here", method=method)
        return await real(method, *rest, **options)

    monkeypatch.setattr(attachment.session, "send", send)
    result = await dom.click(await find(dom, "Push"))
    assert (result.success, result.verdict) == (True, Verdict.CHANGED)
    assert tried


async def test_nothing_is_drawn_unless_it_is_asked_for(see: See, monkeypatch: pytest.MonkeyPatch) -> None:
    dom = await see(PAGE)
    attachment = await dom.tab.attach()
    real = attachment.session.start
    sent: list[str] = []

    def start(method: str, *rest: Any, **options: Any) -> Any:
        sent.append(method)
        return real(method, *rest, **options)

    monkeypatch.setattr(attachment.session, "start", start)
    await dom.click(await find(dom, "Push"))
    assert not [method for method in sent if method.startswith(("Overlay.", "DOM.enable"))]
