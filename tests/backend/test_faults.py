"""What the backend rests on fails: it says so, loses nothing, and goes on when that is back."""

import asyncio
import socket
import sqlite3
from pathlib import Path

import pytest

from browserx.agent.backends import HttpBackend
from browserx.errors import BackendError
from browserx.semantic.request import InteractRequest
from tests.backend.asking import PATH, asked, data, post
from tests.backend.served import serve
from tests.backend.test_heard import heard, listening


async def test_a_database_that_others_hold_is_told_and_waited_for(tmp_path: Path) -> None:
    async with serve(tmp_path) as served:
        first = await data(served, asked("click Gmail, click Google Search"))
        other = sqlite3.connect(tmp_path / "browserx.db", isolation_level=None)
        try:
            other.execute("BEGIN IMMEDIATE")
            body = asked(taskId=first["taskId"], lastActionStatus="success")
            answer = await post(served, body, **{"Idempotency-Key": "k1"})
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "STORE_BUSY")
            assert int(answer.headers["Retry-After"]) > 0
            # Reading does not wait for who writes.
            async with served.client() as http:
                assert (await http.get("/api/session/latest")).status_code == 200
        finally:
            other.execute("ROLLBACK")
            other.close()
        assert (await data(served, body, **{"Idempotency-Key": "k1"}))["action"] == "click(15)"


def _nobody() -> str:
    """An address where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{free.getsockname()[1]}/0"


async def test_without_redis_messages_are_kept_and_heard_here(tmp_path: Path) -> None:
    async with serve(tmp_path, redis=_nobody()) as served:
        query = "click Gmail, click Google Search"
        first = await data(served, asked(query))
        async with listening(served, first["sessionId"]) as socket_:
            await data(served, asked(query, taskId=first["taskId"], lastActionStatus="success"))
            assert [name for name, _ in await heard(socket_, 3)] == ["new_message", "new_message", "interact_response"]
        async with served.client() as http:
            told = (await http.get(f"/api/session/{first['sessionId']}/messages")).json()
        assert told["total"] == 3


async def test_a_client_that_never_listens_holds_nobody_up(tmp_path: Path) -> None:
    query = "click Gmail, click Google Search"
    async with serve(tmp_path) as served:
        first = await data(served, asked(query))
        async with listening(served, first["sessionId"]) as silent:
            silent.transport.pause_reading()
            for _ in range(30):
                body = asked(f"click Gmail, {'x' * 15_000}", sessionId=first["sessionId"])
                async with asyncio.timeout(20):
                    await data(served, body)


async def test_nobody_at_the_address_is_said_at_once() -> None:
    async with HttpBackend(_nobody().replace("redis", "http")[:-2]) as backend:
        async with asyncio.timeout(10):
            with pytest.raises(BackendError, match="cannot be reached"):
                await backend.interact(InteractRequest(url="https://a.example", query="click Go"))


async def test_half_a_request_is_dropped(tmp_path: Path) -> None:
    """A client that goes away in the middle of sending."""
    async with serve(tmp_path) as served:
        _, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(
            f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {served.ann}\r\n"
            'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"url": "'.encode()
        )
        await writer.drain()
        writer.close()
        await writer.wait_closed()
        assert (await data(served, asked()))["action"]
