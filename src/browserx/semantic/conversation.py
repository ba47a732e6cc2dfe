"""Sessions and their messages, as they stand on the wire (SPEC 10)."""

from typing import Any, Literal

from pydantic import Field

from browserx.semantic.wire import Moment, Wire

Role = Literal["user", "assistant", "system"]
Outcome = Literal["success", "failure", "pending"]
SessionStatus = Literal["active", "closed"]
#: Characters a title has at most.
TITLE_CHARS = 200


class SessionOrigin(Wire):
    """Where a session began; kept when its tab goes elsewhere."""

    initial_url: str
    initial_domain: str


class Session(Wire):
    """One conversation about one tab. ``domain`` is the root domain of ``url``; both follow the tab."""

    session_id: str
    title: str
    url: str
    domain: str
    is_renamed: bool = False
    status: SessionStatus = "active"
    created_at: Moment
    updated_at: Moment
    metadata: SessionOrigin


class Message(Wire):
    """One line of a conversation.

    ``sequence_number`` counts from 0 within the session, without gaps or doubles. ``action_string`` is the call the
    assistant asked for, ``status`` how it went, as far as that is known.
    """

    message_id: str
    role: Role
    content: str
    sequence_number: int = Field(ge=0)
    timestamp: Moment
    status: Outcome | None = None
    action_payload: dict[str, Any] | None = None
    action_string: str | None = None
    error: dict[str, Any] | None = None
    dom_summary: str | None = None
    metadata: dict[str, Any] | None = None


class Messages(Wire):
    """Messages of a session in order. ``total`` counts all it has, told or not."""

    session_id: str
    messages: list[Message]
    total: int
    session_exists: bool
