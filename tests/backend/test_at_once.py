"""Many tasks at once in one session and in many tabs: every message is there once, in order, and where it belongs."""

import asyncio
from collections import Counter
from typing import Any

import httpx2

from tests.backend.asking import PATH, TREE, asked
from tests.backend.served import Served

_TASKS, _TABS = 50, 20
_QUERY = "click Gmail, click Google Search"
#: The task is asked, then told twice of success: two clicks and the end.
_ACTIONS = ["click(12)", "click(15)", "finish()"]


async def _worked(http: httpx2.AsyncClient, number: int, **where: Any) -> tuple[str, str]:
    """Work a task to its end; the ids of task and session."""
    data: dict[str, Any] = {}
    for turn, action in enumerate(_ACTIONS):
        # Every other time the tree is left out, as it is as it was.
        tree = {"interactiveTree": TREE} if turn != 1 else {"interactiveTree": None}
        follow = {"taskId": data["taskId"], "lastActionStatus": "success"} if data else {}
        body = asked(_QUERY, **{**where, **tree, **follow, "interactiveTreeHash": "h", "title": f"task {number}"})
        answer = await http.post(PATH, json=body, headers={"Idempotency-Key": f"{where}-{number}-{turn}"})
        assert answer.status_code == 200, answer.text
        told = answer.json()["data"]
        assert told["action"] == action
        assert told["taskId"] == data.get("taskId", told["taskId"])
        data = told
    assert data["status"] == "completed"
    return data["taskId"], data["sessionId"]


def _check(told: dict[str, Any], tasks: set[str]) -> None:
    """The messages of a session are those of the tasks, each task's in order, numbered without gaps or doubles."""
    messages = told["messages"]
    assert [one["sequenceNumber"] for one in messages] == list(range(told["total"]))
    assert told["total"] == len(tasks) * (1 + len(_ACTIONS))
    assert max(Counter(one["messageId"] for one in messages).values()) == 1
    by_task: dict[str, list[dict[str, Any]]] = {task: [] for task in tasks}
    for message in messages:
        by_task[message["metadata"]["taskId"]].append(message)
    for its in by_task.values():
        assert [one["role"] for one in its] == ["user", "assistant", "assistant", "assistant"]
        assert [one.get("actionString") for one in its] == [None, *_ACTIONS]
        # What was asked for before the end went well, and that is kept with it.
        assert [one.get("status") for one in its] == [None, "success", "success", "success"]


async def test_many_tasks_at_once_leave_sessions_and_messages_consistent(served: Served) -> None:
    async with served.client() as http:
        shared = (await http.post(PATH, json=asked(_QUERY, tabId=1000))).json()["data"]
        in_one = [_worked(http, number, sessionId=shared["sessionId"]) for number in range(_TASKS)]
        in_tabs = [_worked(http, number, tabId=number) for number in range(_TABS)]
        found = await asyncio.gather(*in_one, *in_tabs)
        tasks = {task for task, _ in found}
        assert len(tasks) == _TASKS + _TABS
        assert {session for _, session in found[:_TASKS]} == {shared["sessionId"]}
        by_session = dict.fromkeys(session for _, session in found[_TASKS:])
        assert len(by_session) == _TABS

        # The task that made the session has not gone on.
        told = (await http.get(f"/api/session/{shared['sessionId']}/messages")).json()
        its = [one for one in told["messages"] if one["metadata"]["taskId"] == shared["taskId"]]
        assert [one["sequenceNumber"] for one in its] == [0, 1]
        assert its[1]["status"] == "pending"
        rest = [{**one, "sequenceNumber": one["sequenceNumber"] - 2} for one in told["messages"][2:]]
        _check({"messages": rest, "total": told["total"] - 2}, {task for task, _ in found[:_TASKS]})
        for task, session in found[_TASKS:]:
            _check((await http.get(f"/api/session/{session}/messages")).json(), {task})
        listed = (await http.get("/api/session", params={"limit": 100})).json()["sessions"]
        assert {one["sessionId"] for one in listed} == {shared["sessionId"], *by_session}
        assert {one["status"] for one in listed} == {"active"}
