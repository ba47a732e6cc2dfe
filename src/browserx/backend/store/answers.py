"""Answered requests: one with an ``Idempotency-Key`` has its effects once, and is answered the same every time."""

import hashlib
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, and_, bindparam, delete, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql import Update

from browserx.backend.store import schema
from browserx.backend.store.tasks import LEASE_S, lease_ms
from browserx.backend.store.text import DOCUMENT_CHARS, bounded, name
from browserx.backend.store.transaction import Transaction
from browserx.errors import LeaseLostError

_ANSWERS = schema.answers.c
#: How long an answer is kept, in ms.
KEPT_MS = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class Fresh:
    """Nobody has answered this request: the caller does now, and calls ``finish`` or ``forget``."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The request was answered with this."""

    status: int
    body: str


@dataclass(frozen=True, slots=True)
class InProgress:
    """Someone else is answering the request."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The key belongs to another request: the client made a mistake."""


Begun = Fresh | Answered | InProgress | Mismatch


def fingerprint(method: str, path: str, body: bytes) -> str:
    """Tells one request from another, 64 characters."""
    digest = hashlib.sha256(f"{method} {path}\n".encode("utf-8", "surrogatepass"))
    digest.update(body)
    return digest.hexdigest()


# Built once: building a statement takes longer than SQLite takes for it.
_PRESENT = schema.database_ms()
_NEW: dict[str, Any] = {
    "principal": bindparam("of_principal"),
    "key": bindparam("of_key"),
    "fingerprint": bindparam("of_request"),
    "session_id": None,
    "owner": bindparam("of_owner"),
    "lease_until_ms": _PRESENT + bindparam("lease_ms", type_=BigInteger),
    "status": None,
    "body": None,
    "created_ms": _PRESENT,
}
_ABANDONED = and_(
    _ANSWERS.status.is_(None), _ANSWERS.lease_until_ms <= _PRESENT, _ANSWERS.fingerprint == bindparam("of_request")
)
_FREE = or_(_ANSWERS.created_ms < _PRESENT - KEPT_MS, _ABANDONED)
_BEGIN_SQLITE = (
    sqlite.insert(schema.answers)
    .values(_NEW)
    .on_conflict_do_update(index_elements=["principal", "key"], set_=_NEW, where=_FREE)
    .returning(_ANSWERS.key)
)
_BEGIN_POSTGRESQL = (
    postgresql.insert(schema.answers)
    .values(_NEW)
    .on_conflict_do_update(index_elements=["principal", "key"], set_=_NEW, where=_FREE)
    .returning(_ANSWERS.key)
)
_OPEN = update(schema.answers).where(
    _ANSWERS.principal == bindparam("of_principal"),
    _ANSWERS.key == bindparam("of_key"),
    _ANSWERS.owner == bindparam("of_owner"),
    _ANSWERS.status.is_(None),
)
_FINISH = _OPEN.values(
    status=bindparam("new_status"), body=bindparam("new_body"), session_id=bindparam("new_session_id")
)
_RENEW = _OPEN.values(lease_until_ms=_PRESENT + bindparam("lease_ms", type_=BigInteger))


class Answers:
    """The answered requests of a unit. A key belongs to a principal, for 24 hours from its first request."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def begin(self, principal: str, key: str, fingerprint: str, owner: str, lease_s: float = LEASE_S) -> Begun:
        """Whether to do the request's work. End the unit before doing it: others see only what is committed.

        ``owner`` is a name for this request alone. When it shows no sign of life for ``lease_s`` seconds (``renew``),
        a repeated request does the work.

        Raises:
            InvalidArgumentError: a principal, key or owner that is empty or has more than 255 characters.
        """
        new = {
            "of_principal": name(principal, "the principal"),
            "of_key": name(key, "the Idempotency-Key"),
            "of_request": fingerprint,
            "of_owner": name(owner, "the owner"),
            "lease_ms": lease_ms(lease_s),
        }
        taken = _BEGIN_SQLITE if self._transaction.is_sqlite else _BEGIN_POSTGRESQL
        if (await self._transaction.write(taken, new)).one_or_none() is not None:
            return Fresh()
        kept = select(_ANSWERS.fingerprint, _ANSWERS.status, _ANSWERS.body)
        mine = kept.where(_ANSWERS.principal == principal, _ANSWERS.key == key)
        row = (await self._transaction.read(mine)).one_or_none()
        # Forgotten between the two statements: whoever asks again will find it free.
        if row is None:
            return InProgress()
        if row.fingerprint != fingerprint:
            return Mismatch()
        return InProgress() if row.status is None else Answered(row.status, row.body)

    async def renew(self, principal: str, key: str, owner: str, lease_s: float = LEASE_S) -> None:
        """The work goes on, for ``lease_s`` seconds from now at least.

        Raises:
            LeaseLostError: another request took it over, or it was removed.
        """
        await self._of_owner(_RENEW, principal, key, owner, lease_ms=lease_ms(lease_s))

    async def finish(
        self, principal: str, key: str, owner: str, status: int, body: str, *, session_id: str | None = None
    ) -> None:
        """Keep the answer. In the same unit as what the request changes: then both are there, or neither.

        With a ``session_id`` the answer is removed with the session.

        Raises:
            LeaseLostError: another request took it over, or it was removed; let the unit fail.
        """
        kept = bounded(body, "the answer", DOCUMENT_CHARS)
        await self._of_owner(
            _FINISH, principal, key, owner, new_status=status, new_body=kept, new_session_id=session_id
        )

    async def forget(self, principal: str, key: str, owner: str) -> None:
        """The work failed: a repeated request may try again."""
        await self._transaction.write(
            delete(schema.answers).where(
                _ANSWERS.principal == principal,
                _ANSWERS.key == key,
                _ANSWERS.owner == owner,
                _ANSWERS.status.is_(None),
            )
        )

    async def forget_all(self, prefix: str) -> int:
        """Forget what owners whose names begin so left unanswered: see ``Tasks.release_all``. How many."""
        begun = func.substr(_ANSWERS.owner, 1, len(prefix)) == prefix
        removed = await self._transaction.write(delete(schema.answers).where(begun, _ANSWERS.status.is_(None)))
        return removed.rowcount

    async def purge(self) -> int:
        """Remove what is older than 24 hours; how many there were."""
        old = _ANSWERS.created_ms < schema.database_ms() - KEPT_MS
        return (await self._transaction.write(delete(schema.answers).where(old))).rowcount

    async def _of_owner(self, statement: Update, principal: str, key: str, owner: str, **values: object) -> None:
        its = {"of_principal": principal, "of_key": key, "of_owner": owner}
        changed = await self._transaction.write(statement, its | values)
        if not changed.rowcount:
            raise LeaseLostError(
                "the answer to this request took too long and was taken over or removed: begin again", task_id=key
            )
