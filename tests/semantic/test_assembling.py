"""The request of a page, in a real browser: what it tells, what it leaves out, and what it sends when asked (SPEC 8)."""

import base64
import io
import json
from typing import Any

import pytest
from PIL import Image

from browserx import NotActionableError, PageOptedOutError
from browserx.page.expectation import Expectation
from browserx.semantic.assembling import Assembler
from browserx.semantic.call import call
from browserx.semantic.request import InteractRequest
from tests.conftest import See

FORM = (
    """<h1>Order</h1><label>Name <input id=name value=Ann></label>
<label>Password <input type=password id=pw value=hunter2></label>
<button id=save>Save everything that was written on this page into the archive</button>
<div style="height:80px;overflow:auto" id=box>"""
    + "".join(f'<p><a href="#r{i}">Row {i}</a></p>' for i in range(30))
    + """</div><div style="position:relative;width:200px;height:40px"><button>Under</button>
<div style="position:absolute;inset:0;background:red"></div></div>
<iframe srcdoc="<button>In a frame</button>"></iframe>
<div style="height:3000px"></div><button>Far below</button>
<script>
  document.getElementById("save").onclick = () => {
    const toast = document.body.appendChild(document.createElement("div"));
    toast.setAttribute("role", "status"); toast.textContent = "Saved successfully";
    setTimeout(() => toast.remove(), 60);
  };
</script>"""
)


def sent(request: InteractRequest) -> dict[str, Any]:
    """As it goes over the wire, and is taken by a backend."""
    told = request.to_wire()
    assert InteractRequest.model_validate_json(json.dumps(told)).to_wire() == told
    return told


async def act(page: Assembler, name: str, node_id: str, expect: Expectation | None = None) -> None:
    """Click or hover, and note what came of it as a client does."""
    before = page.dom.tab.url
    result = await (page.dom.click(node_id, expect=expect) if name == "click" else page.dom.hover(node_id))
    page.did(call(name, node_id), result, before_url=before)


def id_of(told: dict[str, Any], name: str) -> str:
    return str(next(node["i"] for node in told["interactiveTree"] if node["n"].startswith(name)))


async def test_what_a_request_tells(see: See) -> None:
    page = Assembler(await see(FORM, title="Shop"), "save it")
    told = sent(await page.request())
    assert (told["url"], told["query"], told["domMode"]) == (page.dom.tab.url, "save it", "semantic")
    assert (told["pageTitle"], told["scrollPosition"], told["tabId"]) == ("Shop", "0%", page.dom.tab.id)
    assert told["viewport"].keys() == {"width", "height"}
    nodes = {node["n"]: node for node in told["interactiveTree"]}
    assert nodes["Name"]["r"] == "inp"
    assert nodes["Name"]["v"] == "Ann"
    assert nodes["Password"]["s"] == "filled"
    assert max(len(name) for name in nodes) == 50
    assert nodes["Under"]["occ"] is True
    assert nodes["In a frame"]["f"] == 1
    assert "f" not in nodes["Name"]
    assert "Far below" not in nodes
    assert "Row 29" not in nodes
    box = next(node for node in told["interactiveTree"] if "scr" in node)
    assert box["scr"] == {"depth": "0%", "h": True}
    assert told["scrollableContainers"] == [{"id": str(box["i"]), "depth": "0%", "hasMore": True}]
    assert not {"lastActionStatus", "hasErrors", "recentEvents", "skeletonDom", "dom", "screenshot"} & told.keys()
    assert "hunter2" not in json.dumps(told)


async def test_a_field_named_by_the_text_beside_it_is_named_so_when_it_is_secret_too(see: See) -> None:
    page = Assembler(await see("<p><label>User</label><input></p><p><label>Pass</label><input type=password></p>"), "x")
    told = sent(await page.request(with_skeleton=True))
    assert [node["n"] for node in told["interactiveTree"]] == ["User", "Pass"]
    assert 'data-name="Pass"' in told["skeletonDom"]


async def test_an_unchanged_page_is_told_by_its_hash(see: See) -> None:
    page = Assembler(await see(FORM), "x")
    first = sent(await page.request())
    # Nobody has answered: it may never have arrived.
    assert "interactiveTree" in sent(await page.request())
    page.acknowledged()
    second = sent(await page.request())
    assert "interactiveTree" not in second
    assert second["interactiveTreeHash"] == first["interactiveTreeHash"]
    page.forgotten()
    assert "interactiveTree" in sent(await page.request())
    page.acknowledged()
    await page.dom.tab.evaluate("document.getElementById('name').value = 'Bo'; 0")
    third = sent(await page.request())
    assert third["interactiveTreeHash"] != first["interactiveTreeHash"]
    assert "interactiveTree" in third


async def test_what_became_of_an_action(see: See) -> None:
    page = Assembler(await see(FORM), "x")
    save = id_of(sent(await page.request()), "Save")
    await act(page, "click", save, Expectation(gone="Nothing like it"))
    told = sent(await page.request())
    assert told["lastActionStatus"] == "success"
    assert told["lastActionResult"]["success"] is True
    assert told["lastActionResult"]["actualState"].startswith("changed")
    assert told["previousUrl"] == page.dom.tab.url
    seen = {"didNetworkOccur": False, "didDomMutate": True, "didUrlChange": False}
    assert told["clientObservations"] == seen
    # The notice is gone again, and was heard all the same.
    assert not await page.dom.tab.evaluate("document.querySelector('[role=status]')")
    assert told["success_messages"] == ["Saved successfully"]
    assert told["hasSuccess"] is True
    assert told["verification_passed"] is True
    assert any("Success: 'Saved successfully'" in event and "s ago]" in event for event in told["recentEvents"])


async def test_an_action_that_went_wrong(see: See) -> None:
    wrong = """<button onclick="m.textContent = 'Error: no such ZIP code'">Go</button><p id=m role=alert></p>"""
    page = Assembler(await see(wrong), "x")
    go = id_of(sent(await page.request()), "Go")
    await act(page, "click", go, Expectation(text="Thank you"))
    told = sent(await page.request())
    assert told["errors_detected"] == ["Error: no such ZIP code"]
    assert told["hasErrors"] is True
    assert told["verification_passed"] is False
    assert "Thank you" in told["verification_message"]


async def test_what_is_said_aloud_out_of_sight_is_no_error(see: See) -> None:
    hidden = "position:absolute;clip:rect(1px,1px,1px,1px);width:1px;height:1px;overflow:hidden"
    page = Assembler(
        await see(
            f"<button onclick=\"m.textContent = 'Selected'\">Map</button><p id=m role=alert style='{hidden}'></p>"
        ),
        "x",
    )
    await act(page, "click", id_of(sent(await page.request()), "Map"))
    assert "errors_detected" not in sent(await page.request())


async def test_a_refused_action_is_told_with_its_code(see: See) -> None:
    page = Assembler(await see("<button disabled>Buy</button>"), "x")
    node_id = id_of(sent(await page.request()), "Buy")
    with pytest.raises(NotActionableError) as refused:
        await page.dom.click(node_id)
    page.did(call("click", node_id), None, before_url=page.dom.tab.url, error=refused.value)
    told = sent(await page.request())
    assert told["lastActionStatus"] == "failure"
    assert told["lastActionError"]["code"] == "NOT_ACTIONABLE"
    assert told["lastActionError"]["action"] == f"click({node_id})"
    assert told["lastActionError"]["elementId"] == node_id


async def test_a_page_without_anything_to_act_on(see: See) -> None:
    # What is out of view can be acted on as well: V2 tells of it, with HTML.
    below = Assembler(await see('<p>Words</p><div style="height:4000px"></div><button>Below</button>'), "x")
    told = sent(await below.request())
    assert told["interactiveTree"] == []
    assert [node["name"] for node in told["semanticNodes"]] == ["Below"]
    assert "Words" in told["dom"]
    assert len(told["dom"]) <= 10_000
    # Nothing at all: a picture.
    empty = Assembler(await see("<p>Only words</p>"), "x")
    told = sent(await empty.request())
    assert told["interactiveTree"] == []
    assert Image.open(io.BytesIO(base64.b64decode(told["screenshot"]))).format == "JPEG"


async def test_what_is_sent_when_asked(see: See) -> None:
    page = Assembler(await see(FORM), "x")
    skeleton = sent(await page.request(artifact="skeleton"))
    assert "Far below" in skeleton["skeletonDom"]
    assert "interactiveTree" in skeleton
    full = sent(await page.request(artifact="full"))
    assert "<h1>Order</h1>" in full["dom"]
    hybrid = sent(await page.request(artifact="hybrid"))
    picture = Image.open(io.BytesIO(base64.b64decode(hybrid["screenshot"])))
    assert picture.format == "JPEG"
    assert picture.width <= 1024
    assert hybrid["skeletonDom"]
    # The same picture is not sent twice.
    again = sent(await page.request(artifact="hybrid"))
    assert again.get("screenshot") is None
    assert again["screenshotHash"] == hybrid["screenshotHash"]
    assert sent(await page.request(with_screenshot=True))["screenshotHash"] == hybrid["screenshotHash"]
    for one in (skeleton, full, hybrid, again):
        assert "hunter2" not in json.dumps(one)


async def test_a_large_page_is_told_as_far_as_it_is_asked_about(see: See) -> None:
    rows = "".join(f"<section><h2>Part {i}</h2><p>nothing</p><button>Open {i}</button></section>" for i in range(1500))
    page = Assembler(await see(f"{rows}<script>scrollTo(0, 0)</script>"), "open part 3")
    told = sent(await page.request())
    assert told["dom_filtered"] is True
    assert told["original_node_count"] > 5000
    assert "query" in told["filter_reason"]
    assert 0 <= told["token_reduction"] <= 100
    assert any(node["n"] == "Open 3" for node in told["interactiveTree"])


async def test_an_open_dialog(see: See) -> None:
    dom = await see("<button onclick=\"confirm('Really?')\">Delete</button>")
    page = Assembler(dom, "x")
    await act(page, "click", id_of(sent(await page.request()), "Delete"))
    told = sent(await page.request())
    assert told["interactiveTree"] == []
    assert any("Really?" in event for event in told["recentEvents"])
    assert dom.tab.dialog is not None
    await dom.tab.dialog.dismiss()
    assert "Delete" in [node["n"] for node in sent(await page.request())["interactiveTree"]]


async def test_a_page_that_asks_not_to_be_used(see: See) -> None:
    page = Assembler(await see("<button>Open</button><div data-no-ai><button>Private</button></div>"), "x")
    for artifact in (None, "hybrid", "full"):
        with pytest.raises(PageOptedOutError):
            await page.request(artifact=artifact)
