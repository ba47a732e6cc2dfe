"""``POST /api/agent/interact`` over real HTTP, as any client in any language would call it."""

import asyncio
import base64
from pathlib import Path
from typing import Any

import httpx2
import pytest

from browserx.agent.brain import Decision, Step, Thinking
from browserx.semantic.call import call
from tests.backend.asking import PATH, TREE, asked, data, post
from tests.backend.served import Served, serve


async def test_a_first_request_is_answered_with_a_call(served: Served) -> None:
    told = await data(served, asked())
    assert told["action"] == "click(15)"
    assert told["actionDetails"] == {
        "name": "click",
        "elementId": 15,
        "selectorPath": 'role=button[name="Google Search"]',
        "args": {},
    }
    assert told["status"] == "executing"
    assert told["taskId"]
    assert told["sessionId"]
    [step] = told["plan"]["steps"]
    assert (step["id"], step["index"], step["status"], step["toolType"]) == ("step_0", 0, "active", "DOM")
    assert (told["currentStep"], told["totalSteps"]) == (0, 1)


async def test_a_task_goes_on_until_it_is_done(served: Served) -> None:
    query = 'type "space x" into Search, then click "Google Search"'
    first = await data(served, asked(query))
    assert first["action"] == 'setValue(14, "space x")'
    assert first["actionDetails"]["args"] == {"value": "space x"}
    filled = [TREE[0], {**TREE[1], "v": "space x"}, TREE[2]]
    second = await data(
        served,
        asked(
            query,
            taskId=first["taskId"],
            interactiveTree=filled,
            lastActionStatus="success",
            lastActionResult={"success": True, "actualState": "changed"},
            clientObservations={"didNetworkOccur": False, "didDomMutate": True, "didUrlChange": False},
        ),
    )
    assert second["action"] == "click(15)"
    assert second["verification"]["passed"] is True
    assert [step["status"] for step in second["plan"]["steps"]] == ["completed", "active"]
    third = await data(
        served,
        asked(
            query,
            taskId=first["taskId"],
            url="https://google.com/search?q=space+x",
            previousUrl="https://google.com",
            lastActionStatus="success",
            clientObservations={"didUrlChange": True},
        ),
    )
    assert (third["action"], third["status"]) == ("finish()", "completed")
    assert third["answer"]
    assert {step["status"] for step in third["plan"]["steps"]} == {"completed"}
    again = await post(served, asked(query, taskId=first["taskId"]))
    assert (again.status_code, again.json()["error"]["code"]) == (409, "TASK_OVER")


async def test_every_field_of_the_contract_is_taken(served: Served) -> None:
    jpeg = base64.b64encode(b"\xff\xd8\xff\xe0" + bytes(100)).decode()
    everything = asked(
        sessionId=None,
        tabId=7,
        domain="google.com",
        title="Google",
        interactiveTreeHash="abc",
        semanticNodes=[
            {
                "id": "6",
                "role": "searchbox",
                "name": "Search",
                "value": "SpaceX",
                "state": "required",
                "type": "search",
                "placeholder": "Search",
                "href": "https://x.example/",
                "isInShadow": True,
                "frameId": 2,
                "bounds": {"x": 1, "y": 2, "width": 3, "height": 4},
            }
        ],
        scrollPosition="25%",
        scrollableContainers=[{"id": "cart-items", "depth": "0%", "hasMore": True}],
        recentEvents=["[3s ago] Added: 'Shipping calculated'", "[1s ago] Error: 'Invalid ZIP code'"],
        hasErrors=True,
        hasSuccess=False,
        lastActionStatus="failure",
        lastActionError={"message": "gone", "code": "NODE_NOT_FOUND", "action": "click(3)", "elementId": "f1_3"},
        lastActionResult={"success": False, "actualState": "no_effect"},
        previousUrl="https://google.com/a",
        clientObservations={"didNetworkOccur": True, "didDomMutate": False, "didUrlChange": True},
        clientVerification={"elementFound": True, "selector": "#a", "urlChanged": False, "timestamp": 1769760000000},
        verification_passed=True,
        verification_message="it is as expected",
        errors_detected=["Invalid ZIP code"],
        success_messages=["Saved"],
        dom_filtered=True,
        filter_reason="too large",
        original_node_count=12000,
        token_reduction=93.5,
        dom="<button data-node-id=15>Google Search</button>",
        skeletonDom="<button data-node-id=15 data-testid=go>Google Search</button>",
        screenshot=jpeg,
        screenshotHash="00ff00ff00ff00ff",
        somethingNew={"nobody": "knows"},
    )
    everything["interactiveTree"][0] |= {
        "s": "disabled",
        "box": [100, 140, 200, 30],
        "scr": {"depth": "10%", "h": True},
        "occ": True,
        "f": 1,
    }
    told = await data(served, everything)
    assert told["action"] == "click(15)"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"query": "click Go"}, "url"),
        ({"url": "https://a.example"}, "query"),
        (asked(tabId="seven"), "tabId"),
        (asked(domMode="magic"), "domMode"),
        (asked(interactiveTree=[{"i": "1"}]), "interactiveTree.0.r"),
        (asked(lastActionStatus="maybe"), "lastActionStatus"),
        (asked(lastActionError={"message": "x"}), "lastActionError.code"),
        (asked(viewport={"width": -1, "height": 2}), "viewport.width"),
        (asked(taskId="a b/../c"), "taskId"),
        (asked(verification_passed="perhaps"), "verification_passed"),
        (asked(token_reduction=1e9), "token_reduction"),
        (asked(tabId=2**70), "tabId"),
        ([], ""),
        ("text", ""),
        (None, ""),
    ],
)
async def test_a_wrong_field_is_named(served: Served, body: Any, field: str) -> None:
    answer = await post(served, body)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["code"] == "VALIDATION_ERROR"
    assert field in [one["field"] for one in error["details"]["fields"]]
    assert error["message"].startswith(field)


@pytest.mark.parametrize(
    "body",
    [
        b'{"url": "https://a.example", "query": "cli',
        b'{"url": "https://a.example", "query": "\xff\xfe"}',
        b'{"url": "https://a.example", "query": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
        b'{"url": "https://a.example", "query": "x", "viewport": {"width": NaN, "height": 1}}',
        b'{"url": "https://a.example", "query": "x", "viewport": {"width": 1e999, "height": 1}}',
        b'{"url": "https://a.example", "query": "x\\u0000y"}',
        b'{"url": "https://a.example", "query": "\\ud800"}',
        b"",
        b"{}",
    ],
    ids=["truncated", "not utf-8", "deep", "nan", "huge number", "nul", "half a character", "empty", "no fields"],
)
async def test_a_malformed_body_is_refused(served: Served, body: bytes) -> None:
    async with served.client() as http:
        answer = await http.post(PATH, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["success"] is False


@pytest.mark.parametrize(
    ("field", "value"),
    [("skeletonDom", "ü" * 50_001), ("screenshot", "A" * 2_000_001), ("screenshotHash", "f" * 257)],
)
async def test_what_is_too_large_is_named(served: Served, field: str, value: str) -> None:
    answer = await post(served, asked(**{field: value}))
    assert answer.status_code == 413
    assert answer.json()["error"]["details"]["field"] == field


async def test_a_body_larger_than_may_be_is_not_read(served: Served) -> None:
    answer = await post(served, asked(dom="x" * 9_000_000))
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "TOO_LARGE")

    async def endless() -> Any:
        for _ in range(1000):
            yield b" " * 100_000

    async with served.client() as http:
        try:
            answer = await http.post(PATH, content=endless())
        except httpx2.TransportError:
            return  # it may hang up on who does not stop
    assert answer.status_code == 413


async def test_a_screenshot_that_is_no_picture_is_refused(served: Served) -> None:
    for wrong in ("not base64!", base64.b64encode(b"<svg onload=alert(1)>").decode()):
        answer = await post(served, asked(screenshot=wrong))
        assert (answer.status_code, "screenshot" in answer.json()["error"]["message"]) == (422, True)


# negotiation


async def test_a_tree_that_is_known_need_not_be_sent(served: Served) -> None:
    query = "click Gmail, click Google Search"
    first = await data(served, asked(query, interactiveTreeHash="h1"))
    body = asked(query, taskId=first["taskId"], interactiveTreeHash="h1", lastActionStatus="success")
    del body["interactiveTree"]
    second = await data(served, body)
    assert second["action"] == "click(15)"


async def test_a_tree_that_is_not_known_is_asked_for(served: Served) -> None:
    first = await data(served, asked("click Gmail, click Google Search", interactiveTreeHash="h1"))
    body = asked("click Gmail, click Google Search", taskId=first["taskId"], interactiveTreeHash="another")
    del body["interactiveTree"]
    told = await data(served, body)
    assert (told["status"], told["requestedDomMode"]) == ("needs_context", "semantic")
    assert "action" not in told
    body["interactiveTree"] = TREE
    assert (await data(served, body))["action"] == "click(15)"


async def test_only_html_is_enough(served: Served) -> None:
    body = {"url": "https://shop.example", "query": "click Buy", "dom": "<h1>x</h1><button id=buy>Buy</button>"}
    told = await data(served, body)
    assert told["actionDetails"]["selectorPath"] == "#buy"


async def test_reading_asks_for_the_page(served: Served) -> None:
    query = "read the total"
    first = await data(served, asked(query))
    assert (first["status"], first["requestedDomMode"]) == ("needs_context", "full")
    assert first["reason"]
    html = "<table><tr><th>Total</th><td>12.50</td></tr></table>"
    told = await data(served, asked(query, taskId=first["taskId"], dom=html))
    assert told["action"] == "finish()"
    assert "12.50" in told["answer"]


async def test_what_is_not_understood_is_asked(served: Served) -> None:
    told = await data(served, asked("frobnicate the splines"))
    assert told["status"] in ("needs_user_input", "failed")
    if told["status"] == "needs_user_input":
        assert told["userQuestion"]
        assert told["action"].startswith("askUser(")


# the same request twice


async def test_a_repeated_request_is_answered_once(served: Served) -> None:
    first = await post(served, asked(), **{"Idempotency-Key": "k1"})
    second = await post(served, asked(), **{"Idempotency-Key": "k1"})
    assert first.content == second.content
    async with served.client() as http:
        messages = (await http.get(f"/api/session/{first.json()['data']['sessionId']}/messages")).json()
    assert messages["total"] == 2


async def test_a_key_of_another_request_is_refused(served: Served) -> None:
    await post(served, asked(), **{"Idempotency-Key": "k1"})
    answer = await post(served, asked("click Gmail"), **{"Idempotency-Key": "k1"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "IDEMPOTENCY_KEY_REUSED")
    # A key belongs to who used it.
    assert (await data(served, asked("click Gmail"), token=served.ben, **{"Idempotency-Key": "k1"}))["action"]


class Slow:
    """Thinks until it is let."""

    def __init__(self) -> None:
        self.thinking = asyncio.Event()
        self.let = asyncio.Event()
        self.thoughts = 0

    async def think(self, thinking: Thinking) -> Decision:
        self.thoughts += 1
        self.thinking.set()
        await self.let.wait()
        return Decision(thought="Go on.", call=call("click", 15), steps=[Step(description="Go on")])


async def test_the_same_request_sent_twice_at_once_is_thought_about_once(
    tmp_path: Path, storage: dict[str, Any]
) -> None:
    slow = Slow()
    async with serve(tmp_path, slow, **storage) as served:
        both = [asyncio.create_task(post(served, asked(), **{"Idempotency-Key": "k1"})) for _ in range(2)]
        await slow.thinking.wait()
        slow.let.set()
        first, second = await asyncio.gather(*both)
    assert first.status_code == 200
    assert (second.content == first.content) or second.status_code == 409
    assert slow.thoughts == 1


async def test_a_task_is_worked_by_one_request_at_a_time(tmp_path: Path, storage: dict[str, Any]) -> None:
    slow = Slow()
    async with serve(tmp_path, slow, **storage) as served:
        slow.let.set()
        first = await data(served, asked())
        slow.let.clear()
        slow.thinking.clear()
        working = asyncio.create_task(data(served, asked(taskId=first["taskId"], lastActionStatus="success")))
        await slow.thinking.wait()
        busy = await post(served, asked(taskId=first["taskId"]))
        assert (busy.status_code, busy.json()["error"]["code"]) == (409, "TASK_BUSY")
        assert int(busy.headers["Retry-After"]) > 0
        # Another task is not in the way.
        other = asyncio.create_task(data(served, asked()))
        slow.let.set()
        assert (await working)["action"]
        assert (await other)["taskId"] != first["taskId"]


async def test_a_task_survives_a_restart(tmp_path: Path, storage: dict[str, Any]) -> None:
    query = "click Gmail, click Google Search"
    async with serve(tmp_path, **storage) as served:
        first = await data(served, asked(query, interactiveTreeHash="h1"))
    async with serve(tmp_path, **storage) as served:
        body = asked(query, taskId=first["taskId"], interactiveTreeHash="h1", lastActionStatus="success")
        del body["interactiveTree"]
        assert (await data(served, body))["action"] == "click(15)"


class Broken:
    """Throws."""

    async def think(self, thinking: Thinking) -> Decision:
        raise RuntimeError("secret detail")


async def test_a_brain_that_throws_leaves_the_task_free(tmp_path: Path, storage: dict[str, Any]) -> None:
    async with serve(tmp_path, **storage) as served:
        first = await data(served, asked("click Gmail, click Google Search"))
    async with serve(tmp_path, Broken(), **storage) as served:
        answer = await post(served, asked(taskId=first["taskId"], lastActionStatus="success"))
        assert (answer.status_code, answer.json()["error"]["code"]) == (500, "INTERNAL_ERROR")
        assert "secret" not in answer.text
    async with serve(tmp_path, **storage) as served:
        assert (await data(served, asked(taskId=first["taskId"], lastActionStatus="success")))["action"]


# verification


async def test_a_failing_action_is_corrected_and_never_sent_a_third_time(served: Served) -> None:
    told = await data(served, asked())
    sent = []
    while told["status"] not in ("failed", "needs_user_input"):
        sent.append(told["action"])
        assert sent.count("click(15)") <= 2
        told = await data(
            served,
            asked(
                taskId=told["taskId"],
                lastActionStatus="failure",
                lastActionError={"message": "covered", "code": "NOT_ACTIONABLE", "action": sent[-1]},
            ),
        )
        if told["status"] == "correcting":
            assert told["verification"]["passed"] is False
        assert len(sent) < 10
    assert told["answer"] if told["status"] == "failed" else told["userQuestion"]


async def test_a_stranger_does_not_reach_a_task(served: Served) -> None:
    told = await data(served, asked())
    for body in (asked(taskId=told["taskId"]), asked(taskId="no-such-task"), asked(sessionId=told["sessionId"])):
        answer = await post(served, body, token=served.ben)
        assert answer.status_code == 404
        assert answer.json()["error"]["code"] in ("TASK_NOT_FOUND", "SESSION_NOT_FOUND")
