"""One connection: gives each command its number, and each message to the session it belongs to."""

import logging
from collections.abc import Mapping
from typing import Any

import msgspec

from browserx.cdp import messages
from browserx.cdp.policy import MethodPolicy
from browserx.cdp.protocol import AttachedToTarget, DetachedFromTarget
from browserx.cdp.session import Session
from browserx.cdp.tasks import TaskOwner
from browserx.cdp.transport import Transport
from browserx.errors import CdpError, ConnectionClosedError, NotAttachedError, TabClosedError

_log = logging.getLogger("browserx.cdp")


_ATTACHED = msgspec.json.Decoder(AttachedToTarget)
_DETACHED = msgspec.json.Decoder(DetachedFromTarget)


class Connection:
    """All sessions of one browser over one transport.

    Sessions appear and go by the browser's own announcements (``Target.attachedToTarget`` and its counterpart),
    before anything else of theirs is delivered, so that no event of a new session is lost.
    """

    def __init__(self, transport: Transport, policy: MethodPolicy) -> None:
        self.policy = policy
        self.tasks = TaskOwner()
        self.browser = Session(self, None, "browser", "")
        self._transport = transport
        self._sessions: dict[str, Session] = {}
        self._waiting: dict[int, Session] = {}
        self._number = 0
        transport.start(self._receive, self._transport_closed)

    @property
    def closed(self) -> bool:
        """Whether nothing more can be sent."""
        return self.browser.ended is not None

    def session(self, session_id: str) -> Session:
        """The session of this id.

        Raises:
            CdpError: no such session, or no longer.
        """
        try:
            return self._sessions[session_id]
        except KeyError:
            raise CdpError(f"there is no session {session_id}; its target is gone") from None

    def transmit(self, session: Session, method: str, params: Mapping[str, Any] | None) -> int:
        """Number and send one command of ``session``."""
        self._number += 1
        self._waiting[self._number] = session
        self._transport.send(messages.encode(self._number, method, params, session.session_id))
        return self._number

    def abandon(self, number: int) -> None:
        """Nobody waits for this reply any more."""
        self._waiting.pop(number, None)

    def forget(self, session: Session) -> None:
        """End ``session`` because we ourselves detached from it."""
        if session.session_id is not None and self._sessions.pop(session.session_id, None) is not None:
            session.end(lambda: NotAttachedError("detached from the tab; ask for it again to attach anew"))

    async def close(self) -> None:
        """End everything that waits, then the transport."""
        self._end_all("the connection was closed")
        await self.tasks.close()
        await self._transport.close()

    # inside

    def _receive(self, message: bytes) -> None:
        try:
            envelope = messages.decode(message)
        except msgspec.DecodeError as error:
            _log.warning("a message of %d bytes is no protocol message: %s", len(message), error)
            return
        if envelope.id is not None:
            session = self._waiting.pop(envelope.id, None)
            if session is not None:
                session.deliver_reply(envelope.id, envelope)
            return
        if envelope.method is None:
            return
        session = self.browser if envelope.session_id is None else self._sessions.get(envelope.session_id)
        if session is None:
            return
        if envelope.method == "Target.attachedToTarget":
            self._attached(_ATTACHED.decode(envelope.params))
            session.deliver_event(envelope.method, envelope.params)
        elif envelope.method == "Target.detachedFromTarget":
            session.deliver_event(envelope.method, envelope.params)
            self._detached(_DETACHED.decode(envelope.params))
        else:
            session.deliver_event(envelope.method, envelope.params)

    def _attached(self, event: AttachedToTarget) -> None:
        info = event.target_info
        self._sessions[event.session_id] = Session(self, event.session_id, info.type, info.target_id)

    def _detached(self, event: DetachedFromTarget) -> None:
        session = self._sessions.pop(event.session_id, None)
        if session is None:
            return
        if session.target_type in ("page", "tab"):
            session.end(lambda: TabClosedError("the tab was closed; open or pick another"))
        else:
            session.end(lambda: CdpError(f"the {session.target_type} went away"))

    def _transport_closed(self, reason: str) -> None:
        self._end_all(reason)

    def _end_all(self, reason: str) -> None:
        sessions, self._sessions = self._sessions, {}
        self._waiting.clear()
        for session in (*sessions.values(), self.browser):
            session.end(lambda: ConnectionClosedError(f"{reason}; start or connect to the browser again"))
