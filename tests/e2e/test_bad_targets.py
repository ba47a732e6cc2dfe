"""Every action on every kind of target that is not fit for it: the right error or verdict, and nothing done twice."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from browserx import ActionResult, BrowserXError, DomService, NodeNotFoundError, NotActionableError
from tests.conftest import See
from tests.web import Site

Act = Callable[[DomService, str, Path], Awaitable[ActionResult]]

#: Each action, and the element it is tried on. Every one of them counts on the page what it heard.
ACTIONS: dict[str, tuple[str, Act]] = {
    "click": ("<button id=t>Target</button>", lambda dom, i, _: dom.click(i)),
    "double click": ("<button id=t>Target</button>", lambda dom, i, _: dom.click(i, click_count=2)),
    "hover": ("<button id=t>Target</button>", lambda dom, i, _: dom.hover(i)),
    "focus": ("<input id=t aria-label=Target>", lambda dom, i, _: dom.focus(i)),
    "type": ("<input id=t aria-label=Target>", lambda dom, i, _: dom.type(i, "words")),
    "check": ("<input type=checkbox id=t aria-label=Target>", lambda dom, i, _: dom.check(i)),
    "select": (
        "<select id=t aria-label=Target><option>a<option>b</select>",
        lambda dom, i, _: dom.select_option(i, label="b"),
    ),
    "drag": ("<button id=t>Target</button>", lambda dom, i, _: dom.drag(i, offset=(30, 0))),
    "upload": ("<input type=file id=t aria-label=Target>", lambda dom, i, file: dom.upload(i, [file])),
    "submit": ("<form onsubmit='return false'><button id=t>Target</button></form>", lambda dom, i, _: dom.submit(i)),
}
POINTER = {"click", "double click", "hover", "check", "drag", "submit"}
#: What may be done to what nobody can use: looking at it closer, or giving it files, which people never see.
NEED_NOT_BE_ENABLED = {"hover", "drag"}

COUNT = """<script>window.heard = 0; for (const type of ["click", "input", "change", "submit", "drop"])
    addEventListener(type, (e) => { if (e.target === window.t || e.target.contains?.(window.t)) heard++; }, true);</script>"""


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    path = tmp_path / "letter.txt"
    path.write_text("x")
    return path


async def seen(see: See, name: str, around: str = "{}", **options: Any) -> tuple[DomService, str]:
    body, _ = ACTIONS[name]
    dom = await see(f"<div>{around.format(body)}</div>{COUNT}", **options)
    text = (await dom.observe()).text
    line = next(line for line in text.splitlines() if "Target" in line or "file" in line)
    return dom, line.split()[0]


async def refused(dom: DomService, name: str, node_id: str, letter: Path) -> BrowserXError:
    with pytest.raises(BrowserXError) as caught:
        await ACTIONS[name][1](dom, node_id, letter)
    assert await dom.tab.evaluate("window.heard ?? 0") == 0
    assert "observe" in caught.value.message or "act on that first" in caught.value.message, caught.value.message
    # Whatever came of it, the next look is asked for.
    assert dom.current_snapshot is None
    return caught.value


@pytest.mark.parametrize("name", ACTIONS)
async def test_it_is_gone(see: See, letter: Path, name: str) -> None:
    dom, node_id = await seen(see, name)
    await dom.tab.evaluate("t.remove()")
    assert isinstance(await refused(dom, name, node_id, letter), NodeNotFoundError)


@pytest.mark.parametrize("name", ACTIONS)
async def test_it_never_was(see: See, letter: Path, name: str) -> None:
    dom, _ = await seen(see, name)
    assert isinstance(await refused(dom, name, "4711", letter), NodeNotFoundError)


@pytest.mark.parametrize("name", sorted(ACTIONS.keys() - {"upload"}))
async def test_it_is_hidden_now(see: See, letter: Path, name: str) -> None:
    dom, node_id = await seen(see, name)
    await dom.tab.evaluate("void (t.style.display = 'none')")
    error = await refused(dom, name, node_id, letter)
    assert isinstance(error, NotActionableError)
    assert error.reason in ("hidden", "no_form")


@pytest.mark.parametrize("name", sorted(POINTER))
async def test_something_covers_it(see: See, letter: Path, name: str) -> None:
    dom, node_id = await seen(see, name)
    await dom.tab.evaluate("""document.body.insertAdjacentHTML('beforeend',
        '<div id=veil style="position: fixed; inset: 0; background: white">Wait</div>')""")
    error = await refused(dom, name, node_id, letter)
    assert isinstance(error, NotActionableError)
    assert error.reason == "covered"
    assert "veil" in error.message


@pytest.mark.parametrize("name", sorted(ACTIONS.keys() - NEED_NOT_BE_ENABLED))
async def test_it_is_disabled_now(see: See, letter: Path, name: str) -> None:
    dom, node_id = await seen(see, name)
    await dom.tab.evaluate("void (t.disabled = true)")
    error = await refused(dom, name, node_id, letter)
    assert isinstance(error, NotActionableError)
    assert error.reason in ("disabled", "no_form")


@pytest.mark.parametrize("name", sorted(POINTER))
async def test_it_does_not_stop_moving(see: See, letter: Path, name: str) -> None:
    dom, node_id = await seen(see, name, "<div style='position: absolute' id=m>{}</div>")
    await dom.tab.evaluate("""let x = 0; const run = () => { m.style.left = (x = (x + 7) % 300) + 'px'; requestAnimationFrame(run) };
        run(); new Promise((moved) => setTimeout(moved, 100))""")
    error = await refused(dom, name, node_id, letter)
    assert isinstance(error, NotActionableError)
    assert error.reason == "moving"


@pytest.mark.parametrize("name", ACTIONS)
async def test_a_dialog_is_open(see: See, letter: Path, name: str) -> None:
    dom, node_id = await seen(see, name)
    await dom.tab.evaluate("void setTimeout(() => confirm('Sure?'), 0)")
    attachment = await dom.tab.attach()
    await attachment.changes.until(lambda: dom.tab.dialog is not None, timeout_s=5)
    with pytest.raises(NotActionableError, match=r"Sure\?"):
        await ACTIONS[name][1](dom, node_id, letter)
    assert dom.tab.dialog is not None
    await dom.tab.dialog.dismiss()
    assert await dom.tab.evaluate("heard") == 0


@pytest.mark.parametrize("name", ACTIONS)
async def test_its_frame_is_taken_out(see: See, site: Site, letter: Path, name: str) -> None:
    body, act = ACTIONS[name]
    site.page(body, path="/inside")
    dom = await see(f"<iframe id=f width=500 height=300 src='{site.other('/inside')}'></iframe>{COUNT}")
    text = (await dom.observe()).text
    node_id = next(line for line in text.splitlines() if "Target" in line or "file" in line).split()[0]
    await dom.tab.evaluate("f.remove()")
    with pytest.raises(BrowserXError) as caught:
        await act(dom, node_id, letter)
    assert isinstance(caught.value, NodeNotFoundError | NotActionableError), caught.value


@pytest.mark.parametrize("name", ["click", "check", "submit"])
async def test_it_goes_away_when_it_is_pressed(see: See, letter: Path, name: str) -> None:
    dom, node_id = await seen(see, name)
    await dom.tab.evaluate("t.addEventListener('pointerdown', () => t.remove())")
    result = await ACTIONS[name][1](dom, node_id, letter)
    assert result.verdict == "changed"
    assert await dom.tab.evaluate("document.getElementById('t')") is None


@pytest.mark.parametrize("name", ["click", "submit"])
async def test_the_page_goes_elsewhere_in_the_middle(see: See, site: Site, letter: Path, name: str) -> None:
    site.page("<h1>There</h1>", path="/there")
    dom, node_id = await seen(see, name)
    await dom.tab.evaluate("t.addEventListener('pointerdown', () => { location.href = '/there' })")
    result = await ACTIONS[name][1](dom, node_id, letter)
    assert (result.success, result.verdict) == (True, "navigated")
    assert "# There" in (await dom.observe()).text


@pytest.mark.parametrize("name", ["click", "check", "submit"])
async def test_the_page_swallows_the_events(see: See, letter: Path, name: str) -> None:
    dom, node_id = await seen(see, name)
    await dom.tab.evaluate("""for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
        addEventListener(type, (e) => { e.stopImmediatePropagation(); e.preventDefault(); }, true)""")
    result = await ACTIONS[name][1](dom, node_id, letter)
    assert (result.success, result.verdict) == ((False, "no_effect") if name == "check" else (True, "no_effect"))


async def test_what_is_disabled_and_lets_the_pointer_through_is_not_hovered_over(see: See) -> None:
    dom = await see("<button style='pointer-events: none' disabled>Target</button><button>Other</button>")
    seen_ = await dom.observe()
    node_id = next(line for line in seen_.text.splitlines() if "Target" in line).split()[0]
    with pytest.raises(NotActionableError, match="disabled"):
        await dom.hover(node_id)


async def test_a_page_that_lets_everything_through_is_not_acted_on(see: See) -> None:
    dom = await see("""<button onclick="this.textContent += '!'">Target</button>
        <div role=dialog style="pointer-events: auto; position: fixed; top: 300px">Answer me</div>""")
    node_id = next(line for line in (await dom.observe()).text.splitlines() if "Target" in line).split()[0]
    await dom.tab.evaluate("document.body.style.pointerEvents = 'none'")
    for act in (dom.click, dom.hover):
        with pytest.raises(NotActionableError, match="covered"):
            await act(node_id)
        await dom.observe()


async def test_a_press_that_lands_beside_what_has_shrunk_is_told_as_such(see: See) -> None:
    dom = await see("""<div id=around onclick="this.dataset.hit = 1" style="width: 200px; padding: 20px; background: #eee">
        <button id=t style="width: 100px; height: 30px">Target</button></div>
        <script>t.addEventListener('pointerenter', () => t.style.display = 'none')</script>""")
    node_id = next(line for line in (await dom.observe()).text.splitlines() if "Target" in line).split()[0]
    result = await dom.click(node_id)
    assert (result.success, result.verdict) == (False, "wrong_target")
    assert result.error is not None
    assert "div#around" in result.error.message
