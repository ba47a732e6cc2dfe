"""The tool over a real browser: what a model would do with it."""

import base64
from pathlib import Path
from typing import Any

from browserx import Browser, BrowserContext, DOMTool, DOMToolErrorCode
from tests.conftest import See
from tests.web import Site


async def test_a_whole_errand(tool: DOMTool, site: Site) -> None:
    form = site.page("""<form action=/thanks onsubmit="return confirm('Send?')"><input name=q aria-label=Wish>
        <button>Send</button></form>""")
    site.page("<h1>Thank you</h1>", path="/thanks")
    opened = await tool.execute({"action": "new_tab", "options": {"url": form}})
    assert opened.success, opened
    tab_id = opened.data["tabId"]
    try:
        seen = await tool.execute({"action": "get_dom"})
        assert "1 textbox Wish" in seen.data["text"]
        typed = await tool.execute({"action": "type", "nodeId": 1, "text": "peace"})
        assert typed.data["verdict"] == "changed"
        await tool.execute({"action": "get_dom"})
        clicked = await tool.execute({"action": "click", "nodeId": 2})
        assert clicked.data["verdict"] == "opened"
        assert "Send?" in clicked.data["changes"]["dialogs"][0]
        held = await tool.execute({"action": "get_dom"})
        assert held.data["dialog"] == {"kind": "confirm", "text": "Send?", "defaultText": ""}
        refused = await tool.execute({"action": "keypress", "key": "a"})
        assert refused.error is not None
        assert refused.error.code == "ACTION_FAILED"
        answered = await tool.execute({"action": "dialog", "options": {"accept": True}})
        assert answered.data == {"kind": "confirm", "text": "Send?", "accepted": True}
        nothing = await tool.execute({"action": "dialog", "options": {"accept": True}})
        assert nothing.error is not None
        assert nothing.error.code == "VALIDATION_ERROR"
        after = await tool.execute({"action": "get_dom"})
        assert "# Thank you" in after.data["text"]
        back = await tool.execute({"action": "back"})
        assert back.data["verdict"] == "navigated"
        picture = await tool.execute({"action": "screenshot"})
        assert base64.b64decode(picture.data["base64"]).startswith(b"\x89PNG")
    finally:
        closed = await tool.execute({"action": "close_tab", "tabId": tab_id})
    assert closed.data["closed"] == tab_id
    gone = await tool.execute({"action": "get_dom", "tabId": tab_id})
    assert gone.error is not None
    assert gone.error.code == "TAB_NOT_FOUND"


async def test_a_click_that_went_wrong_is_a_failure(tool: DOMTool, context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(
        site.page("""<button>Push</button><script>addEventListener("pointermove", () => { const veil =
        document.createElement("div"); veil.style.cssText = "position:fixed;inset:0"; document.body.append(veil); },
        {once: true})</script>""")
    )
    await tool.execute({"action": "get_dom", "tabId": tab.id})
    response = await tool.execute({"action": "click", "tabId": tab.id, "nodeId": 1})
    assert response.error is not None
    assert response.error.code == "ACTION_FAILED"
    assert "reached" in response.error.message


async def test_formats_and_scope(tool: DOMTool, context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("<form aria-label=F><button>In</button></form><button>Out</button>"))
    call = {"action": "get_dom", "tabId": tab.id}
    nodes = await tool.execute({**call, "options": {"format": "nodes", "includeLayout": True}})
    (form, out) = nodes.data["nodes"]
    assert out["name"] == "Out"
    assert len(out["box"]) == 4
    page = await tool.execute({**call, "options": {"format": "page"}})
    assert page.data["page"]["meta"]["version"] == "browserx.v1"
    part = await tool.execute({**call, "options": {"scope": form["id"]}})
    assert "In" in part.data["text"]
    assert "Out" not in part.data["text"]
    missing = await tool.execute({**call, "options": {"scope": 4711}})
    assert missing.error is not None
    assert missing.error.code == "ELEMENT_NOT_FOUND"


async def test_where_it_fails_to_go(tool: DOMTool, context: BrowserContext) -> None:
    tab = await context.new_tab()
    there = {"action": "navigate", "tabId": tab.id}
    response = await tool.execute({**there, "options": {"url": "http://no-such-host.invalid/"}})
    assert response.error is not None
    assert response.error.code == "ACTION_FAILED"
    assert "check the address" in response.error.message
    blocked = await tool.execute({**there, "options": {"url": "javascript:alert(1)"}})
    assert blocked.error is not None
    assert blocked.error.code == "PERMISSION_DENIED"
    nowhere = await tool.execute({"action": "new_tab", "options": {"url": "http://no-such-host.invalid/"}})
    assert nowhere.error is not None


async def test_tabs(tool: DOMTool, context: BrowserContext, site: Site) -> None:
    first = await context.new_tab(site.page("<p>x</p>", title="First"))
    second = await context.new_tab(site.page("<p>y</p>", title="Second"))
    listed = await tool.execute({"action": "tabs"})
    titles = {tab["tabId"]: tab["title"] for tab in listed.data["tabs"]}
    assert (titles[first.id], titles[second.id]) == ("First", "Second")
    switched = await tool.execute({"action": "switch_tab", "tabId": first.id})
    assert switched.data["title"] == "First"
    assert "First" in (await tool.execute({"action": "get_dom"})).data["text"]


async def test_what_controls_take_the_tool_gives(tool: DOMTool, see: See, tmp_path: Path) -> None:
    dom = await see("""<label><input type=checkbox> News</label><select aria-label=City><option>Rome<option>Oslo</select>
        <input aria-label=Name><input type=date aria-label=Day><input type=file aria-label=Letter>
        <button onclick="o.textContent = 'Saved'">Save</button><div role=status id=o></div>
        <table><tr><th>Item<th>Price<tr><td>Tea<td>4</table>""")
    letter = tmp_path / "letter.txt"
    letter.write_text("hello")

    async def call(action: str, name: str = "", **params: Any) -> Any:
        if name:
            params["nodeId"] = next(one.node_id for one in await dom.find(name) if one.actionable)
        response = await tool.execute({"action": action, "tabId": dom.tab.id, **params})
        assert response.success, response
        return response.data

    await call("check", "News")
    await call("select", "City", text="Oslo")
    await call("choose", "City", text="Rome")
    await call("pick_date", "Day", text="2026-11-22")
    await call("upload", "Letter", options={"files": [str(letter)]})
    name = next(one.node_id for one in await dom.find("Name"))
    filled = await call("fill_form", options={"fields": {name: "Ada"}})
    assert filled["success"]
    await call("hover", "Save")
    await call("focus", "Name")
    saved = await call("click", "Save", options={"expect": {"text": "saved"}})
    assert saved["expectation"] == {"passed": True, "message": "it is as expected"}
    assert saved["changes"]["successes"] == ["Saved"]
    await call("wait", text="Saved")
    assert (await call("extract"))["data"] == [[{"Item": "Tea", "Price": "4"}]]
    assert "Saved" in (await call("read"))["text"]
    text = (await call("get_dom"))["text"]
    for words in ("[x] News", "City = Rome", "Name = Ada", "2026-11-22", "letter.txt"):
        assert words in text


async def test_script_is_run_only_where_it_is_allowed(browser: Browser, tool: DOMTool, see: See) -> None:
    dom = await see("<p>Page</p>")
    call = {"action": "evaluate", "tabId": dom.tab.id, "options": {"script": "1 + 1"}}
    refused = await tool.execute(call)
    assert refused.error is not None
    assert refused.error.code is DOMToolErrorCode.PERMISSION_DENIED
    assert (await DOMTool(browser, may_evaluate=True).execute(call)).data == {"value": 2}
