"""Sessions: one conversation about one tab, and whose it is."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, bindparam, delete, insert, select, text, tuple_, update

from browserx.backend.store import schema
from browserx.backend.store.messages import read_message
from browserx.backend.store.text import URL_CHARS, clean, decode, name
from browserx.backend.store.transaction import Transaction, moment, present_us
from browserx.errors import InvalidArgumentError
from browserx.semantic.conversation import TITLE_CHARS, Session, SessionOrigin

_SESSIONS = schema.sessions.c
# A statement of every request is built once: building it takes longer than SQLite takes for it.
_ONE = select(schema.sessions).where(
    _SESSIONS.session_id == bindparam("of_session"), _SESSIONS.principal == bindparam("of_principal")
)
#: Sessions a page may hold.
MOST = 200


@dataclass(frozen=True, slots=True)
class SessionPage:
    """Some sessions, the most recent first. ``cursor`` asks for those that follow; None: there are none."""

    sessions: list[Session]
    cursor: str | None


class Sessions:
    """The sessions of a unit. Another principal's session is told from none nowhere."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def create(self, principal: str, url: str, domain: str, title: str, *, tab_id: str | None = None) -> Session:
        """Begin a session; the one that was active for the tab, if any, is closed.

        Raises:
            InvalidArgumentError: a principal, domain or tab id of more than 255 characters.
        """
        present = present_us()
        principal = name(principal, "the principal")
        if tab_id is not None:
            tab_id = name(tab_id, "the id of the tab")
            await self._close_for_tab(principal, tab_id)
        where = _where(url, domain)
        row = {
            "session_id": str(uuid4()),
            "principal": principal,
            "tab_id": tab_id,
            "title": clean(title)[:TITLE_CHARS],
            **where,
            "initial_url": where["url"],
            "initial_domain": where["domain"],
            "is_renamed": False,
            "is_active": True,
            "created_us": present,
            "updated_us": present,
            "next_sequence": 0,
        }
        await self._transaction.write(insert(schema.sessions), row)
        return _session(row)

    async def _close_for_tab(self, principal: str, tab_id: str) -> None:
        if not self._transaction.is_sqlite:
            # Of two at once the second waits here until it sees what the first has made.
            lock = text("SELECT pg_advisory_xact_lock(hashtextextended(:tab, 0))")
            await self._transaction.write(lock, {"tab": f"{principal}\n{tab_id}"})
        await self._transaction.write(
            update(schema.sessions)
            .where(_SESSIONS.principal == principal, _SESSIONS.tab_id == tab_id, _SESSIONS.is_active)
            .values(is_active=False)
        )

    async def get(self, principal: str, session_id: str) -> Session | None:
        """The session; None when there is none, or it is another principal's."""
        its = {"of_session": session_id, "of_principal": principal}
        row = (await self._transaction.read(_ONE, its)).mappings().one_or_none()
        return None if row is None else _session(row)

    async def active_for_tab(self, principal: str, tab_id: str) -> Session | None:
        """The session in which the tab is used now."""
        return await self._first(_SESSIONS.principal == principal, _SESSIONS.tab_id == tab_id, _SESSIONS.is_active)

    async def latest(self, principal: str) -> Session | None:
        """The session something happened in last."""
        return await self._first(_SESSIONS.principal == principal)

    async def by_domain(self, principal: str, domain: str) -> Session | None:
        """The session something happened in last, of those whose tab is (or was, when closed) on the domain."""
        return await self._first(_SESSIONS.principal == principal, _SESSIONS.domain == domain)

    async def page(self, principal: str, *, limit: int = 50, before: str | None = None) -> SessionPage:
        """Up to ``limit`` sessions, the most recent first; ``before`` is the cursor of the page ahead of it.

        Raises:
            InvalidArgumentError: a limit beyond 1 to 200, or no cursor of ours.
        """
        if not 1 <= limit <= MOST:
            raise InvalidArgumentError(f"a page holds 1 to {MOST} sessions, not {limit}")
        statement = select(schema.sessions).where(_SESSIONS.principal == principal)
        if before is not None:
            statement = statement.where(tuple_(_SESSIONS.updated_us, _SESSIONS.session_id) < tuple_(*_place(before)))
        ordered = statement.order_by(_SESSIONS.updated_us.desc(), _SESSIONS.session_id.desc()).limit(limit + 1)
        rows = (await self._transaction.read(ordered)).mappings().all()
        cursor = _cursor(rows[limit - 1]) if len(rows) > limit else None
        return SessionPage([_session(row) for row in rows[:limit]], cursor)

    async def follow(self, session_id: str, url: str, domain: str) -> None:
        """Its tab is elsewhere now. The title, and where it began, stay."""
        await self._update(_SESSIONS.session_id == session_id, **_where(url, domain))

    async def rename(self, principal: str, session_id: str, title: str) -> Session | None:
        """Give it a title that stays; None when the principal has no such session.

        Raises:
            InvalidArgumentError: no title, or one of more than 200 characters.
        """
        title = clean(title).strip()
        if not 1 <= len(title) <= TITLE_CHARS:
            raise InvalidArgumentError(f"a title has 1 to {TITLE_CHARS} characters, not {len(title)}")
        return await self._update(
            _SESSIONS.session_id == session_id, _SESSIONS.principal == principal, title=title, is_renamed=True
        )

    async def delete(self, principal: str, session_id: str) -> bool:
        """Remove it, and all that belongs to it. False: the principal has no such session."""
        removed = await self._transaction.write(
            delete(schema.sessions).where(_SESSIONS.session_id == session_id, _SESSIONS.principal == principal)
        )
        return removed.rowcount > 0

    async def principal_of(self, session_id: str) -> str | None:
        """Whose it is: for who administrates the database."""
        found = await self._transaction.read(select(_SESSIONS.principal).where(_SESSIONS.session_id == session_id))
        return found.scalar_one_or_none()

    async def export(self, principal: str, session_id: str) -> dict[str, Any] | None:
        """All there is of a session as one JSON value: ``{session, messages, tasks: [{taskId, …, state}]}``."""
        session = await self.get(principal, session_id)
        if session is None:
            return None
        of_it, by_number = schema.messages.c.session_id == session_id, schema.messages.c.sequence_number
        messages = await self._transaction.read(select(schema.messages).where(of_it).order_by(by_number))
        belongs, by_age = schema.tasks.c.session_id == session_id, schema.tasks.c.created_us
        tasks = await self._transaction.read(select(schema.tasks).where(belongs).order_by(by_age))
        return {
            "session": session.to_wire(),
            "messages": [read_message(row).to_wire() for row in messages],
            "tasks": [
                {
                    "taskId": row.task_id,
                    "createdAt": moment(row.created_us).isoformat(),
                    "updatedAt": moment(row.updated_us).isoformat(),
                    "state": decode(row.state),
                }
                for row in tasks
            ],
        }

    async def purge(self, before_us: int, limit: int) -> int:
        """Remove up to ``limit`` sessions in which nothing has happened since; how many there were."""
        old = select(_SESSIONS.session_id).where(_SESSIONS.updated_us < before_us).limit(limit)
        return (await self._transaction.write(delete(schema.sessions).where(_SESSIONS.session_id.in_(old)))).rowcount

    async def _first(self, *conditions: ColumnElement[bool]) -> Session | None:
        recent = select(schema.sessions).where(*conditions).order_by(_SESSIONS.updated_us.desc()).limit(1)
        row = (await self._transaction.read(recent)).mappings().one_or_none()
        return None if row is None else _session(row)

    async def _update(self, *conditions: ColumnElement[bool], **values: Any) -> Session | None:
        statement = (
            update(schema.sessions)
            .where(*conditions)
            .values(updated_us=present_us(), **values)
            .returning(schema.sessions)
        )
        row = (await self._transaction.write(statement)).mappings().one_or_none()
        return None if row is None else _session(row)


def _where(url: str, domain: str) -> dict[str, str]:
    """Addresses may carry whole documents (``data:``): what is kept of them is their beginning."""
    return {"url": clean(url)[:URL_CHARS], "domain": name(domain, "the domain")}


def _session(row: Any) -> Session:
    return Session(
        session_id=row["session_id"],
        title=row["title"],
        url=row["url"],
        domain=row["domain"],
        is_renamed=row["is_renamed"],
        status="active" if row["is_active"] else "closed",
        created_at=moment(row["created_us"]),
        updated_at=moment(row["updated_us"]),
        metadata=SessionOrigin(initial_url=row["initial_url"], initial_domain=row["initial_domain"]),
    )


def _cursor(row: Any) -> str:
    return urlsafe_b64encode(f"{row['updated_us']}.{row['session_id']}".encode()).decode()


def _place(cursor: str) -> Sequence[Any]:
    try:
        updated, _, session_id = urlsafe_b64decode(cursor.encode("ascii")).decode().partition(".")
        place = int(updated)
    except ValueError as error:
        raise InvalidArgumentError("this is no cursor: take the one of the page before") from error
    if not 0 <= place < 1 << 63:
        raise InvalidArgumentError("this is no cursor: take the one of the page before")
    return (place, session_id)
