"""Tasks: what the agent knows of one, and which worker has it. A worker that dies holds it no longer than its lease."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from sqlalchemy import BigInteger, ColumnElement, bindparam, func, insert, or_, select, update
from sqlalchemy.sql import Update

from browserx.backend.store import schema
from browserx.backend.store.text import decode, encode, name
from browserx.backend.store.transaction import Transaction, present_us
from browserx.errors import InvalidArgumentError, LeaseLostError, TaskBusyError

_TASKS = schema.tasks.c
#: Seconds a task is kept for a worker that gives no sign of life.
LEASE_S = 20.0


# Statements of every request are built once: building one takes longer than SQLite takes for it.
_LEASE_END = schema.database_ms() + bindparam("lease_ms", type_=BigInteger)
_MINE = (_TASKS.task_id == bindparam("of_task"), _TASKS.principal == bindparam("of_principal"))
_OWNED = (_TASKS.task_id == bindparam("of_task"), _TASKS.owner == bindparam("of_owner"))
_CLAIM = (
    update(schema.tasks)
    .where(*_MINE, or_(_TASKS.owner.is_(None), _TASKS.lease_until_ms <= schema.database_ms()))
    .values(owner=bindparam("new_owner"), lease_until_ms=_LEASE_END)
    .returning(_TASKS.task_id, _TASKS.session_id, _TASKS.state)
)
_KEEP: dict[str, Any] = {"state": bindparam("new_state"), "updated_us": bindparam("present_us")}
_SAVE = update(schema.tasks).where(*_OWNED).values(**_KEEP)
_SAVE_AND_RELEASE = update(schema.tasks).where(*_OWNED).values(**_KEEP, owner=None, lease_until_ms=None)
_RENEW = update(schema.tasks).where(*_OWNED).values(lease_until_ms=_LEASE_END)
_CREATE = insert(schema.tasks)


@dataclass(frozen=True, slots=True)
class Task:
    """A task. ``written`` is what the agent keeps of it: JSON, opaque here."""

    task_id: str
    session_id: str
    written: str

    @property
    def state(self) -> Any:
        """What is written, as a value."""
        return decode(self.written)


class Tasks:
    """The tasks of a unit.

    An owner is a name for one request that works on the task, like ``worker-7:<uuid>``: two requests of one worker
    must not have the same.
    """

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def create(
        self,
        principal: str,
        session_id: str,
        state: Any,
        *,
        task_id: str | None = None,
        owner: str | None = None,
        lease_s: float = LEASE_S,
    ) -> Task:
        """A new task of the session, under an id of its own or ``task_id``; with an ``owner`` it is claimed at once.

        Raises:
            InvalidArgumentError: there is no such session, or the state is no JSON value, or too long.
        """
        present = present_us()
        row = {
            "task_id": task_id or str(uuid4()),
            "session_id": session_id,
            "principal": name(principal, "the principal"),
            "state": encode(state, "the state of a task"),
            "owner": None if owner is None else name(owner, "the owner"),
            "lease_until_ms": None,
            "created_us": present,
            "updated_us": present,
        }
        if owner is None:
            await self._transaction.write(_CREATE, row)
        else:
            del row["lease_until_ms"]
            await self._transaction.write(insert(schema.tasks).values(lease_until_ms=lease_end(lease_s), **row))
        return Task(str(row["task_id"]), session_id, str(row["state"]))

    async def get(self, principal: str, task_id: str) -> Task | None:
        """The task, whoever works on it; None when the principal has no such task."""
        return await self._one(_TASKS.task_id == task_id, _TASKS.principal == principal)

    async def latest(self, principal: str, session_id: str) -> Task | None:
        """The newest task of the session."""
        return await self._one(_TASKS.session_id == session_id, _TASKS.principal == principal)

    async def claim(self, principal: str, task_id: str, owner: str, lease_s: float = LEASE_S) -> Task | None:
        """Take the task for ``lease_s`` seconds; None when the principal has no such task.

        Raises:
            TaskBusyError: someone has it, and has not let the lease lapse. It may be the same owner: ``renew`` it.
        """
        mine = {"of_task": task_id, "of_principal": principal}
        taking = {"new_owner": name(owner, "the owner"), "lease_ms": lease_ms(lease_s)}
        row = (await self._transaction.write(_CLAIM, mine | taking)).one_or_none()
        if row is not None:
            return _task(row)
        if (await self._transaction.read(select(_TASKS.task_id).where(*_MINE), mine)).one_or_none() is None:
            return None
        raise TaskBusyError("another request works on this task: wait for its answer, or stop it", task_id=task_id)

    async def renew(self, task_id: str, owner: str, lease_s: float = LEASE_S) -> None:
        """Keep the task for ``lease_s`` seconds from now.

        Raises:
            LeaseLostError: it is somebody else's by now, or gone.
        """
        await self._of_owner(_RENEW, task_id, owner, lease_ms=lease_ms(lease_s))

    async def save(self, task_id: str, owner: str, state: Any, *, release: bool = False) -> None:
        """Keep the state; with ``release`` the task is free afterwards.

        A lease that lapsed without anybody taking the task is as good as one that did not.

        Raises:
            LeaseLostError: it is somebody else's by now, or gone; nothing was kept.
            InvalidArgumentError: the state is no JSON value, or too long.
        """
        await self._of_owner(
            _SAVE_AND_RELEASE if release else _SAVE,
            task_id,
            owner,
            new_state=encode(state, "the state of a task"),
            present_us=present_us(),
        )

    async def release(self, task_id: str, owner: str) -> None:
        """Let the task go. One that is somebody else's by now stays theirs."""
        await self._transaction.write(
            update(schema.tasks)
            .where(_TASKS.task_id == task_id, _TASKS.owner == owner)
            .values(owner=None, lease_until_ms=None)
        )

    async def release_all(self, prefix: str) -> int:
        """Free every task whose owner's name begins so: for a server that knows it was the only one. How many."""
        # Not LIKE, which ignores case in SQLite.
        freed = await self._transaction.write(
            update(schema.tasks)
            .where(func.substr(_TASKS.owner, 1, len(prefix)) == prefix)
            .values(owner=None, lease_until_ms=None)
        )
        return freed.rowcount

    async def _of_owner(self, statement: Update, task_id: str, owner: str, /, **values: Any) -> None:
        changed = await self._transaction.write(statement, {"of_task": task_id, "of_owner": owner, **values})
        if not changed.rowcount:
            raise LeaseLostError(
                "the lease on this task lapsed, and it was taken over or removed: begin again", task_id=task_id
            )

    async def _one(self, *conditions: ColumnElement[bool]) -> Task | None:
        wanted = select(_TASKS.task_id, _TASKS.session_id, _TASKS.state).where(*conditions)
        row = (await self._transaction.read(wanted.order_by(_TASKS.created_us.desc()).limit(1))).one_or_none()
        return None if row is None else _task(row)


def lease_end(lease_s: float) -> ColumnElement[int]:
    """When a lease taken now lapses, in ms by the database's clock.

    Raises:
        InvalidArgumentError: see ``lease_ms``.
    """
    return schema.database_ms() + lease_ms(lease_s)


def lease_ms(lease_s: float) -> int:
    """The length of a lease.

    Raises:
        InvalidArgumentError: no length from a millisecond to an hour.
    """
    if not 0.001 <= lease_s <= 3600:
        raise InvalidArgumentError(f"a lease lasts from 0.001 to 3600 seconds, not {lease_s}")
    return round(lease_s * 1000)


def _task(row: Any) -> Task:
    return Task(row.task_id, row.session_id, row.state)
