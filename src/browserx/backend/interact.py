"""Answering an interact request: the task from the store, one turn, the task and its messages back, and everybody told.

What a request changes is written in one transaction, its answer included; then it is answered, and only then are others
told. So whatever was acknowledged is kept, and a request that is sent again is answered the same, or not done yet.
"""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import msgspec

from browserx.agent.brain import Brain, Decision, Thinking
from browserx.agent.task import Task
from browserx.agent.turn import Said, Turn, new_task, take_turn
from browserx.backend.domains import root_domain, title
from browserx.backend.metrics import Metrics
from browserx.backend.push.publisher import REFETCH_EVENT, SESSION_PREFIX, Publisher
from browserx.backend.refusals import RefusedError
from browserx.backend.store import Answered, InProgress, Json, Mismatch, NewMessage, Store
from browserx.backend.store.store import Unit
from browserx.errors import BrowserXError, InvalidArgumentError, SessionNotFoundError, TaskBusyError, TaskNotFoundError
from browserx.semantic.conversation import Message, Session
from browserx.semantic.request import InteractRequest
from browserx.semantic.response import InteractResponse

LEASE_S = 20.0
_RENEW_S = LEASE_S / 3


class _Timed:
    """A brain that knows how long it thought."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self.seconds = 0.0

    async def think(self, thinking: Thinking) -> Decision:
        started = time.perf_counter()
        try:
            return await self._brain.think(thinking)
        finally:
            self.seconds += time.perf_counter() - started


class Reply(NamedTuple):
    """The answer as it goes over the wire, and what share of the time was the server's own."""

    body: str
    own_s: float


class _Work(NamedTuple):
    """One request at work: who asks, under which key, the name it holds the task by, and when it came."""

    principal: str
    key: str | None
    fingerprint: str
    owner: str
    started: float


class Interactor:
    """Answers the interact requests of one process."""

    def __init__(self, store: Store, publisher: Publisher, brain: Brain, metrics: Metrics, worker: str) -> None:
        self._store = store
        self._publisher = publisher
        self._brain = brain
        self._metrics = metrics
        self._worker = worker
        #: The answers being worked at here, for the same request sent twice at once.
        self._answers: dict[tuple[str, str], asyncio.Future[Reply]] = {}

    async def answer(
        self, principal: str, request: InteractRequest, *, key: str | None, fingerprint: str, started: float
    ) -> Reply:
        """Answer a request that came when ``time.perf_counter`` said ``started``.

        One with a ``key`` that was answered before gets that answer again.

        Raises:
            TaskNotFoundError, SessionNotFoundError, TaskBusyError, TaskOverError, StoreError: as they say.
            RefusedError: the key belongs to another request.
        """
        work = _Work(principal, key, fingerprint, f"{self._worker}:{uuid.uuid4().hex}", started)
        if key is None:
            return await self._begun(work, request)
        at = (principal, key)
        if (running := self._answers.get(at)) is not None:
            reply = await asyncio.shield(running)
            return await self._again(work, request, reply)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._answers[at] = future
        try:
            reply = await self._begun(work, request)
        except BaseException as error:
            future.set_exception(error if isinstance(error, BrowserXError | RefusedError) else _gone())
            future.exception()
            raise
        else:
            future.set_result(reply)
            return reply
        finally:
            del self._answers[at]

    async def _again(self, work: _Work, request: InteractRequest, reply: Reply) -> Reply:
        """The answer of the same request that was at work; after asking whether it was the same."""
        assert work.key is not None
        async with self._store.write() as unit:
            begun = await unit.answers.begin(work.principal, work.key, work.fingerprint, work.owner, LEASE_S)
        if isinstance(begun, Mismatch):
            raise _mismatch()
        return Reply(begun.body, 0.0) if isinstance(begun, Answered) else reply

    async def _begun(self, work: _Work, request: InteractRequest) -> Reply:
        stored: Task | None = None
        session: Session | None = None
        async with self._store.write() as unit:
            if work.key is not None:
                begun = await unit.answers.begin(work.principal, work.key, work.fingerprint, work.owner, LEASE_S)
                if isinstance(begun, Answered):
                    return Reply(begun.body, time.perf_counter() - work.started)
                if isinstance(begun, Mismatch):
                    raise _mismatch()
                if isinstance(begun, InProgress):
                    raise TaskBusyError("this very request is being answered: wait, then send it again", task_id="")
            if request.task_id is not None:
                # The tree it had is of no use to one that brings its own, and most of what there is to read.
                stored = await self._claimed(unit, work, request.task_id, with_tree=not request.interactive_tree)
                session = await unit.sessions.get(work.principal, stored.session_id)
            else:
                session = await self._session(unit, work.principal, request)
        brain = _Timed(self._brain)
        try:
            task = stored or new_task(request, session.session_id if session is not None else "")
            async with self._held(work, stored):
                turn = await take_turn(brain, task, request)
            reply, new = await self._kept(work, request, turn, session, is_new=stored is None)
        except BaseException:
            await self._let_go(work, stored)
            raise
        own_s = time.perf_counter() - work.started - brain.seconds
        self._metrics.own_seconds.observe(own_s)
        self._metrics.turns.labels(turn.data.status).inc()
        await self._tell(new)
        return Reply(reply, own_s)

    async def _claimed(self, unit: Unit, work: _Work, task_id: str, *, with_tree: bool) -> Task:
        found = await unit.tasks.claim(work.principal, task_id, work.owner, LEASE_S)
        if found is None:
            raise TaskNotFoundError(task_id)
        if with_tree:
            return Task.model_validate_json(found.written)
        parts = msgspec.json.decode(found.written, type=dict[str, msgspec.Raw])
        parts.pop("tree", None)
        return Task.model_validate_json(msgspec.json.encode(parts))

    async def _session(self, unit: Unit, principal: str, request: InteractRequest) -> Session | None:
        """The session a new task belongs to: the one named, or the one its tab has; None: a new one is needed."""
        if request.session_id is not None:
            session = await unit.sessions.get(principal, request.session_id)
            if session is None:
                raise SessionNotFoundError(request.session_id)
            return session
        return None if request.tab_id is None else await unit.sessions.active_for_tab(principal, str(request.tab_id))

    @asynccontextmanager
    async def _held(self, work: _Work, task: Task | None) -> AsyncIterator[None]:
        """Keep what is claimed for as long as the thinking takes."""

        async def renew() -> None:
            while True:
                await asyncio.sleep(_RENEW_S)
                async with self._store.write() as unit:
                    if task is not None:
                        await unit.tasks.renew(task.task_id, work.owner, LEASE_S)
                    if work.key is not None:
                        await unit.answers.renew(work.principal, work.key, work.owner, LEASE_S)

        self._metrics.working.inc()
        keeping = asyncio.create_task(renew(), name="renew the lease")
        try:
            yield
        finally:
            self._metrics.working.dec()
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)

    async def _kept(
        self, work: _Work, request: InteractRequest, turn: Turn, session: Session | None, *, is_new: bool
    ) -> tuple[str, "_News"]:
        """Write all that the turn changed, and its answer."""
        domain = root_domain(request.url)
        async with self._store.write() as unit:
            if session is None:
                tab = None if request.tab_id is None else str(request.tab_id)
                named = title(domain, request.query)
                session = await unit.sessions.create(work.principal, request.url, domain, named, tab_id=tab)
            elif session.url != request.url:
                await unit.sessions.follow(session.session_id, request.url, domain)
            session_id = session.session_id
            task = turn.task.but(session_id=session_id)
            data = turn.data.model_copy(update={"session_id": session_id})
            state = Json(task.model_dump_json(by_alias=True, exclude_none=True))
            if is_new:
                await unit.tasks.create(work.principal, session_id, state, task_id=task.task_id)
            else:
                await unit.tasks.save(task.task_id, work.owner, state, release=True)
            changed: list[Message] = []
            if turn.settled is not None:
                settled = turn.settled
                error = {"message": settled.error} if settled.error is not None else None
                known = await unit.messages.settle(session_id, settled.message_id, settled.status, error)
                changed += [known] if known is not None else []
            changed += await unit.messages.append(session_id, [_message(said, task.task_id) for said in turn.said])
            body = InteractResponse(data=data).model_dump_json(by_alias=True, exclude_none=True)
            if work.key is not None:
                await unit.answers.finish(work.principal, work.key, work.owner, 200, body, session_id=session_id)
        return body, _News(session_id, task.task_id, turn.data.status, changed)

    async def _let_go(self, work: _Work, task: Task | None) -> None:
        """The work failed: the task is free, and the request may be sent again."""
        try:
            async with self._store.write() as unit:
                if task is not None:
                    await unit.tasks.release(task.task_id, work.owner)
                if work.key is not None:
                    await unit.answers.forget(work.principal, work.key, work.owner)
        except BrowserXError:
            pass  # the lease lapses by itself

    async def _tell(self, news: "_News") -> None:
        """Push what is new; clients fetch what does not fit."""
        channel = f"{SESSION_PREFIX}{news.session_id}"
        for message in news.messages:
            told = {"type": "new_message", "sessionId": news.session_id, "message": message.to_wire()}
            try:
                await self._publisher.publish(channel, "new_message", told)
            except InvalidArgumentError:
                continue
        about = {
            "type": REFETCH_EVENT,
            "sessionId": news.session_id,
            "taskId": news.task_id,
            "status": news.status,
        }
        await self._publisher.publish(channel, REFETCH_EVENT, about)


class _News(NamedTuple):
    session_id: str
    task_id: str
    status: str
    messages: list[Message]


def _message(said: Said, task_id: str) -> NewMessage:
    return NewMessage(
        message_id=said.message_id,
        role=said.role,
        content=said.content,
        status=said.status,
        action_string=str(said.action) if said.action is not None else None,
        action_payload=said.details.to_wire() if said.details is not None else None,
        dom_summary=said.dom_summary,
        metadata={"taskId": task_id},
    )


def _mismatch() -> RefusedError:
    return RefusedError(
        422,
        "IDEMPOTENCY_KEY_REUSED",
        "this Idempotency-Key belongs to another request; use a new key for a new request",
    )


def _gone() -> TaskBusyError:
    return TaskBusyError("the same request was given up: send it again", task_id="")
