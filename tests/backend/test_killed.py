"""A server that is killed, or told to end, while it works: what was acknowledged is there afterwards."""

import asyncio
from pathlib import Path
from typing import Any

import httpx2

from tests.backend.asking import PATH, asked
from tests.backend.served import Served
from tests.backend.workers import process

_CLIENTS = 8


class Client:
    """Works one task after the other in one session, and keeps what it was told."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.tasks: list[str] = []
        self.session_id: str | None = None
        self.answers = 0
        #: The request that was on its way when the server went, and its key.
        self.unanswered: tuple[dict[str, Any], str] | None = None

    async def work(self, served: Served) -> None:
        """Until the server is gone."""
        async with served.client() as http:
            while True:
                query = f"click Gmail, click Google Search, click Gmail, task {self.number}.{len(self.tasks)}"
                body = asked(query.rpartition(",")[0], sessionId=self.session_id)
                self.unanswered = (body, f"key-{self.number}-{self.answers}")
                try:
                    answer = await http.post(PATH, json=body, headers={"Idempotency-Key": self.unanswered[1]})
                except httpx2.TransportError:
                    return
                assert answer.status_code == 200, answer.text
                self.heard(answer.json()["data"])

    def heard(self, data: dict[str, Any]) -> None:
        self.answers += 1
        self.tasks.append(data["taskId"])
        self.session_id = data["sessionId"]
        self.unanswered = None


async def _sent(
    http: httpx2.AsyncClient, body: dict[str, Any], headers: dict[str, str] | None = None
) -> httpx2.Response:
    """The answer; what the killed server held may take its lease to be free again."""
    async with asyncio.timeout(40):
        while True:
            answer = await http.post(PATH, json=body, headers=headers)
            if answer.status_code != 409:
                assert answer.status_code == 200, answer.text
                return answer
            await asyncio.sleep(float(answer.headers["Retry-After"]))


def _options(storage: dict[str, Any]) -> tuple[list[str], int]:
    """Of ``browserx serve``, and how many workers."""
    options = [part for name, value in storage.items() for part in (f"--{name}", value)]
    return options, 2 if storage else 1


async def test_a_killed_server_loses_nothing_it_acknowledged(tmp_path: Path, storage: dict[str, Any]) -> None:
    options, workers = _options(storage)
    clients = [Client(number) for number in range(_CLIENTS)]
    async with process(tmp_path, *options, workers=workers) as running:
        working = [asyncio.create_task(client.work(running.served)) for client in clients]
        while sum(client.answers for client in clients) < 5 * _CLIENTS:
            # Woken by whoever hears an answer; a client that fails ends the waiting.
            done, _ = await asyncio.wait(working, timeout=0.05, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        await running.kill()
        await asyncio.gather(*working)
    async with process(tmp_path, *options, workers=workers) as running, running.served.client() as http:
        for client in clients:
            answers = client.answers
            if client.unanswered is not None:
                # Sent again with its key, it is answered: once, whether or not it was before.
                body, key = client.unanswered
                again = await _sent(http, body, {"Idempotency-Key": key})
                client.heard(again.json()["data"])
                answers += 1
            told = (await http.get(f"/api/session/{client.session_id}/messages")).json()
            # A task begins with two messages.
            assert told["total"] == 2 * answers
            assert [one["sequenceNumber"] for one in told["messages"]] == list(range(2 * answers))
            assert {one["metadata"]["taskId"] for one in told["messages"]} == set(client.tasks)
            # A task goes on where it was.
            follow = asked(
                "click Gmail, click Google Search, click Gmail", taskId=client.tasks[0], lastActionStatus="success"
            )
            answer = await _sent(http, follow)
            assert answer.json()["data"]["action"] == "click(15)"


async def test_a_server_that_is_told_to_end_finishes_what_it_does(tmp_path: Path, storage: dict[str, Any]) -> None:
    options, workers = _options(storage)
    client = Client(0)
    async with process(tmp_path, *options, workers=workers) as running:
        working = asyncio.create_task(client.work(running.served))
        while client.answers < 3:
            done, _ = await asyncio.wait((working,), timeout=0.05)
            assert not done, working
        assert await running.end() == 0
        await working
    async with process(tmp_path, *options, workers=workers) as running, running.served.client() as http:
        told = (await http.get(f"/api/session/{client.session_id}/messages")).json()
        assert told["total"] >= 2 * client.answers
