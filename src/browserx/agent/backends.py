"""Where a client sends its requests: to the loop in its own process, or to a backend over HTTP."""

import asyncio
import time
import uuid
from types import TracebackType
from typing import Protocol, Self

import httpx2
from pydantic import ValidationError

from browserx.agent.brain import Brain
from browserx.agent.conversations import Conversations, refused
from browserx.agent.task import Task
from browserx.agent.turn import new_task, take_turn
from browserx.errors import BackendError, TaskBusyError, TaskNotFoundError
from browserx.semantic.request import InteractRequest
from browserx.semantic.response import InteractData, InteractResponse

#: A model may think for long; a connection is there at once or not at all.
THINKING_TIMEOUT_S = 300.0
_CONNECT_TIMEOUT_S = 10.0
#: What may be answered a little later is asked again after this long, or after what the backend says, for so long: a
#: task that a killed worker held is free again after 20 s.
_FIRST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 5.0
_TRY_FOR_S = 45.0
_PATH = "/api/agent/interact"


class Backend(Protocol):
    """Answers requests. The same request sent twice is answered once."""

    async def interact(self, request: InteractRequest) -> InteractData:
        """What to do next.

        Raises:
            BackendError: it could not be reached, or refused.
        """
        ...


class InProcess:
    """The loop itself, with tasks kept in memory."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._tasks: dict[str, Task] = {}
        self._working: set[str] = set()

    async def interact(self, request: InteractRequest) -> InteractData:
        """Take a turn.

        Raises:
            TaskNotFoundError, TaskBusyError, TaskOverError: as they say.
        """
        if request.task_id is None:
            task = new_task(request, request.session_id or str(uuid.uuid4()))
        elif request.task_id in self._tasks:
            task = self._tasks[request.task_id]
        else:
            raise TaskNotFoundError(request.task_id)
        if task.task_id in self._working:
            raise TaskBusyError("another request works on this task: wait for its answer", task_id=task.task_id)
        self._working.add(task.task_id)
        try:
            turn = await take_turn(self._brain, task, request)
        finally:
            self._working.discard(task.task_id)
        self._tasks[task.task_id] = turn.task
        return turn.data


class HttpBackend:
    """A backend at ``url``. What failed on the way is sent again with the same key, and so answered once.

    ``async with HttpBackend(url, token=…) as backend``
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        timeout_s: float = THINKING_TIMEOUT_S,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.http = httpx2.AsyncClient(
            base_url=url,
            headers=headers,
            timeout=httpx2.Timeout(timeout_s, connect=_CONNECT_TIMEOUT_S),
            transport=transport,
        )
        self.conversations = Conversations(self.http)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self.http.aclose()

    async def interact(self, request: InteractRequest) -> InteractData:
        """Ask, and ask again with the same key where the answer was lost or the task was busy.

        Raises:
            BackendError: it could not be reached for 45 s, or refused.
        """
        key = str(uuid.uuid4())
        body = request.to_wire()
        deadline = time.monotonic() + _TRY_FOR_S
        pause_s = _FIRST_PAUSE_S
        while True:
            is_last = time.monotonic() + pause_s > deadline
            try:
                answer = await self.http.post(_PATH, json=body, headers={"Idempotency-Key": key})
            except httpx2.ConnectError as error:
                # Nobody is there: that is said at once, and not when a task is under way.
                if is_last or request.task_id is None:
                    raise self._unreachable(error) from error
            except httpx2.TransportError as error:
                if is_last:
                    raise self._unreachable(error) from error
            else:
                if is_last or not _comes_back(answer):
                    return _read(answer)
                pause_s = max(pause_s, _asked_pause_s(answer))
            await asyncio.sleep(min(pause_s, _LONGEST_PAUSE_S))
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    def _unreachable(self, error: Exception) -> BackendError:
        return BackendError(
            f"the backend at {self.http.base_url} cannot be reached ({error or type(error).__name__}); "
            "start it with `browserx serve`, or check its address"
        )


def _comes_back(answer: httpx2.Response) -> bool:
    """Whether the same request may be answered a little later."""
    return answer.status_code in (429, 503) or (answer.status_code == 409 and "retry-after" in answer.headers)


def _asked_pause_s(answer: httpx2.Response) -> float:
    given = answer.headers.get("retry-after", "")
    return float(given) if given.isdecimal() else 0.0


def _read(answer: httpx2.Response) -> InteractData:
    if not answer.is_success:
        raise refused(answer)
    try:
        return InteractResponse.model_validate_json(answer.content).data
    except ValidationError as error:
        raise BackendError(
            f"the backend answered {answer.status_code} with something else than its contract; is it BrowserX?",
            status=answer.status_code,
        ) from error
