"""Messages: the lines of a session, numbered from 0 without gaps or doubles, whoever writes them."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from sqlalchemy import Integer, bindparam, insert, select, update

from browserx.backend.store import schema
from browserx.backend.store.text import MESSAGE_CHARS, decode, encode
from browserx.backend.store.transaction import Transaction, moment, present_us
from browserx.errors import InvalidArgumentError
from browserx.semantic.conversation import Message, Messages, Outcome, Role
from browserx.semantic.wire import Wire

_MESSAGES = schema.messages.c
_SESSIONS = schema.sessions.c
# Statements of every request are built once: building one takes longer than SQLite takes for it.
_COUNT = (
    update(schema.sessions)
    .where(_SESSIONS.session_id == bindparam("of_session"))
    .values(
        next_sequence=_SESSIONS.next_sequence + bindparam("new_messages", type_=Integer),
        updated_us=bindparam("present_us"),
    )
    .returning(_SESSIONS.next_sequence)
)
_APPEND = insert(schema.messages)
_ONE = select(schema.messages).where(
    _MESSAGES.session_id == bindparam("of_session"), _MESSAGES.message_id == bindparam("of_message")
)
_REPLACE = (
    update(schema.messages)
    .where(
        _MESSAGES.session_id == bindparam("of_session"),
        _MESSAGES.sequence_number == bindparam("of_number"),
        _MESSAGES.message_id == bindparam("of_message"),
    )
    .values(body=bindparam("new_body"))
)
#: Messages a page may hold.
MOST = 1000
#: What stands in columns of its own.
_APART = frozenset(("messageId", "sequenceNumber", "timestamp"))


class NewMessage(Wire):
    """A message that has no number yet. The fields are those of ``Message``; without an id it is given one."""

    message_id: str | None = None
    role: Role
    content: str
    status: Outcome | None = None
    action_payload: dict[str, Any] | None = None
    action_string: str | None = None
    error: dict[str, Any] | None = None
    dom_summary: str | None = None
    metadata: dict[str, Any] | None = None


class SessionMessages:
    """The messages of a unit."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def append(self, session_id: str, new: Sequence[NewMessage]) -> list[Message]:
        """Add messages to the end of the session, in their order; returns them as they are kept.

        Others that add to the same session wait until this transaction ends.

        Raises:
            InvalidArgumentError: there is no such session, or a message is no JSON or longer than 4,000,000 characters.
        """
        if not new:
            return []
        bodies = [encode(_body(message), "the message", MESSAGE_CHARS) for message in new]
        present = present_us()
        counted = await self._transaction.write(
            _COUNT, {"of_session": session_id, "new_messages": len(new), "present_us": present}
        )
        following = counted.scalar_one_or_none()
        if following is None:
            raise InvalidArgumentError("there is no such session (any more): begin a new one")
        rows = [
            {
                "session_id": session_id,
                "sequence_number": number,
                "message_id": message.message_id or str(uuid4()),
                "created_us": present,
                "body": body,
            }
            for number, (message, body) in enumerate(zip(new, bodies, strict=True), following - len(new))
        ]
        await self._transaction.write(_APPEND, rows)
        return [_message(row) for row in rows]

    async def replace(self, session_id: str, message: Message) -> bool:
        """Keep this in place of the message of its number and id (how an action went is known later than the action).

        False: it is not there (any more).

        Raises:
            InvalidArgumentError: it is no JSON, or longer than 4,000,000 characters.
        """
        its = {
            "of_session": session_id,
            "of_number": message.sequence_number,
            "of_message": message.message_id,
        }
        body = encode(_body(message), "the message", MESSAGE_CHARS)
        changed = await self._transaction.write(_REPLACE, its | {"new_body": body})
        return changed.rowcount > 0

    async def settle(
        self, session_id: str, message_id: str, status: Outcome, error: dict[str, Any] | None = None
    ) -> Message | None:
        """Keep how the action of a message went, and return the message; None: it is not there (any more)."""
        its = {"of_session": session_id, "of_message": message_id}
        row = (await self._transaction.read(_ONE, its)).one_or_none()
        if row is None:
            return None
        message = read_message(row).model_copy(update={"status": status, "error": error})
        return message if await self.replace(session_id, message) else None

    async def page(self, session_id: str, *, after: int | None = None, limit: int = MOST) -> Messages:
        """Up to ``limit`` messages in order, those numbered higher than ``after``; and how many there are in all.

        Raises:
            InvalidArgumentError: a limit beyond 1 to 1000.
        """
        if not 1 <= limit <= MOST:
            raise InvalidArgumentError(f"a page holds 1 to {MOST} messages, not {limit}")
        total = await self.total(session_id)
        messages: list[Message] = []
        if total and (after is None or after < total - 1):
            statement = select(schema.messages).where(_MESSAGES.session_id == session_id)
            if after is not None and after >= 0:
                statement = statement.where(_MESSAGES.sequence_number > after)
            rows = await self._transaction.read(statement.order_by(_MESSAGES.sequence_number).limit(limit))
            messages = [read_message(row) for row in rows]
        return Messages(session_id=session_id, messages=messages, total=total or 0, session_exists=total is not None)

    async def latest(self, session_id: str, limit: int) -> list[Message]:
        """The last ``limit`` messages, in order."""
        recent = select(schema.messages).where(_MESSAGES.session_id == session_id)
        ordered = recent.order_by(_MESSAGES.sequence_number.desc()).limit(max(0, min(limit, MOST)))
        return [read_message(row) for row in reversed((await self._transaction.read(ordered)).all())]

    async def total(self, session_id: str) -> int | None:
        """How many messages the session has; None when there is no such session."""
        counted = select(_SESSIONS.next_sequence).where(_SESSIONS.session_id == session_id)
        total: int | None = (await self._transaction.read(counted)).scalar_one_or_none()
        return total


def read_message(row: Any) -> Message:
    """A row of the table as it stands on the wire."""
    return _message(row._mapping)


def _message(row: Mapping[str, Any]) -> Message:
    kept = {
        "messageId": row["message_id"],
        "sequenceNumber": row["sequence_number"],
        "timestamp": moment(row["created_us"]),
    }
    return Message.model_validate(decode(row["body"]) | kept)


def _body(message: NewMessage | Message) -> dict[str, Any]:
    # Not to_wire(): it encodes, and what comes from a page may hold what no encoder takes.
    given = message.model_dump(by_alias=True, exclude_none=True)
    return {field: value for field, value in given.items() if field not in _APART}
