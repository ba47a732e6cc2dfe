"""Sessions and messages over real HTTP."""

import asyncio
from typing import Any

import pytest

from browserx.errors import BackendError
from browserx.semantic.request import InteractRequest
from tests.backend.asking import asked, data
from tests.backend.served import Served


async def get(served: Served, path: str, token: str | None = None) -> dict[str, Any]:
    async with served.client(token) as http:
        answer = await http.get(path)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


async def test_a_task_makes_a_session(served: Served) -> None:
    told = await data(served, asked("click Gmail", url="https://www.google.co.uk/a?b"))
    session = (await get(served, "/api/session/latest"))["session"]
    assert session["sessionId"] == told["sessionId"]
    assert (session["domain"], session["title"]) == ("google.co.uk", "google.co.uk: click Gmail")
    assert (session["isRenamed"], session["status"]) == (False, "active")
    assert session["metadata"] == {"initialUrl": "https://www.google.co.uk/a?b", "initialDomain": "google.co.uk"}
    assert session["createdAt"].endswith("Z")


async def test_a_session_follows_its_tab(served: Served) -> None:
    query = "click Gmail, click Google Search"
    first = await data(served, asked(query, tabId=3))
    await data(
        served, asked(query, taskId=first["taskId"], url="https://mail.example.org/in", lastActionStatus="success")
    )
    session = (await get(served, f"/api/session/{first['sessionId']}"))["session"]
    assert (session["url"], session["domain"]) == ("https://mail.example.org/in", "example.org")
    assert session["title"] == "google.com: click Gmail, click Google Search"
    assert session["metadata"]["initialDomain"] == "google.com"
    assert (await get(served, "/api/session/by-domain/example.org"))["session"]["sessionId"] == first["sessionId"]
    assert (await get(served, "/api/session/by-domain/mail.example.org"))["session"] is not None
    assert (await get(served, "/api/session/by-domain/google.com")) == {"session": None}


async def test_a_tab_has_one_session(served: Served) -> None:
    first = await data(served, asked("click Gmail", tabId=3))
    same = await data(served, asked("click Google Search", tabId=3))
    other = await data(served, asked("click Gmail", tabId=4))
    named = await data(served, asked("click Gmail", sessionId=first["sessionId"]))
    assert same["sessionId"] == first["sessionId"] == named["sessionId"] != other["sessionId"]
    assert same["taskId"] != first["taskId"]


async def test_a_session_is_renamed_and_removed(served: Served) -> None:
    told = await data(served, asked())
    path = f"/api/session/{told['sessionId']}"
    async with served.client() as http:
        renamed = (await http.patch(path, json={"title": "  Mine  "})).json()["session"]
        assert (renamed["title"], renamed["isRenamed"]) == ("Mine", True)
        wrong_ones: list[Any] = [{}, {"title": " "}, {"title": "x" * 201}, {"title": 7}, []]
        for wrong in wrong_ones:
            assert (await http.patch(path, json=wrong)).status_code == 422
        exported = (await http.get(f"{path}/export")).json()
        assert exported["messages"]
        assert (await http.delete(path)).json() == {"sessionId": told["sessionId"], "deleted": True}
        assert (await http.delete(path)).status_code == 404
        assert (await http.get(path)).json()["error"]["code"] == "SESSION_NOT_FOUND"
        messages = (await http.get(f"{path}/messages")).json()
        assert messages == {"sessionId": told["sessionId"], "messages": [], "total": 0, "sessionExists": False}


async def test_messages_tell_the_conversation(served: Served) -> None:
    query = "click Gmail, click Google Search"
    first = await data(served, asked(query))
    await data(
        served,
        asked(
            query,
            taskId=first["taskId"],
            lastActionStatus="failure",
            lastActionError={"message": "it is covered", "code": "NOT_ACTIONABLE", "action": "click(12)"},
        ),
    )
    told = await get(served, f"/api/session/{first['sessionId']}/messages")
    user, assistant, correction = told["messages"]
    assert (told["total"], told["sessionExists"]) == (3, True)
    assert (user["role"], user["content"], user["sequenceNumber"]) == ("user", query, 0)
    assert (assistant["role"], assistant["actionString"], assistant["status"]) == ("assistant", "click(12)", "failure")
    assert "it is covered" in assistant["error"]["message"]
    assert assistant["actionPayload"]["elementId"] == 12
    assert correction["status"] == "pending" or correction["actionString"].startswith(("fail", "askUser"))
    assert all(one["messageId"] and one["timestamp"] for one in told["messages"])
    page = await get(served, f"/api/session/{first['sessionId']}/messages?after=0&limit=1")
    assert [one["sequenceNumber"] for one in page["messages"]] == [1]


async def test_sessions_are_paged(served: Served) -> None:
    made = [(await data(served, asked()))["sessionId"] for _ in range(5)]
    first = await get(served, "/api/session?limit=2")
    second = await get(served, f"/api/session?limit=2&before={first['cursor']}")
    third = await get(served, f"/api/session?limit=2&before={second['cursor']}")
    told = [one["sessionId"] for page in (first, second, third) for one in page["sessions"]]
    assert told == made[::-1]
    assert third["cursor"] is None


async def test_sessions_belong_to_who_made_them(served: Served) -> None:
    told = await data(served, asked())
    path = f"/api/session/{told['sessionId']}"
    async with served.client(served.ben) as http:
        assert (await http.get("/api/session/latest")).json() == {"session": None}
        assert (await http.get("/api/session")).json()["sessions"] == []
        assert (await http.get("/api/session/by-domain/google.com")).json() == {"session": None}
        for answer in (
            await http.get(path),
            await http.patch(path, json={"title": "x"}),
            await http.delete(path),
            await http.get(f"{path}/export"),
        ):
            assert answer.status_code == 404
        assert (await http.get(f"{path}/messages")).json()["sessionExists"] is False
        auth = await http.post(
            "/api/pusher/auth", data={"socket_id": "1.1", "channel_name": f"private-session-{told['sessionId']}"}
        )
        assert auth.status_code == 403


async def test_numbers_have_no_gaps_under_concurrent_tasks(served: Served) -> None:
    session_id = (await data(served, asked()))["sessionId"]
    await asyncio.gather(*(data(served, asked(sessionId=session_id)) for _ in range(20)))
    told = await get(served, f"/api/session/{session_id}/messages")
    assert [one["sequenceNumber"] for one in told["messages"]] == list(range(42))
    assert len({one["messageId"] for one in told["messages"]}) == 42


async def test_the_client_in_python_has_all_of_it(served: Served) -> None:
    async with served.backend() as backend:
        data_ = await backend.interact(InteractRequest.model_validate(asked("click Gmail", tabId=3)))
        other = await backend.interact(InteractRequest.model_validate(asked("click Gmail", tabId=4)))
        talks, session_id = backend.conversations, data_.session_id or ""
        assert data_.action == "click(12)"
        latest = await talks.latest()
        assert latest is not None
        assert latest.session_id == other.session_id
        found = await talks.by_domain("google.com")
        assert found is not None
        [first], cursor = await talks.all(limit=1)
        [second], end = await talks.all(limit=1, before=cursor)
        assert {first.session_id, second.session_id} == {session_id, other.session_id}
        assert end is None
        assert (await talks.rename(session_id, "Mine")).title == "Mine"
        assert (await talks.session(session_id)).is_renamed
        messages = await talks.messages(session_id)
        assert [message.role for message in messages.messages] == ["user", "assistant"]
        assert (await talks.messages(session_id, after=0)).messages[0].action_string == "click(12)"
        assert await talks.export(session_id)
        await talks.delete(session_id)
        with pytest.raises(BackendError, match="no session") as gone:
            await talks.session(session_id)
        assert (gone.value.reason, gone.value.status) == ("SESSION_NOT_FOUND", 404)
    async with served.backend("a-token-that-is-wrong") as backend:
        with pytest.raises(BackendError, match="needs a token"):
            await backend.conversations.latest()
