"""The sessions and messages of a backend, for programs."""

from typing import Any

import httpx2
from pydantic import TypeAdapter, ValidationError

from browserx.errors import BackendError
from browserx.semantic.conversation import Messages, Session
from browserx.semantic.response import Refusal

_SESSION = TypeAdapter(Session | None)
_SESSIONS = TypeAdapter(list[Session])


class Conversations:
    """Those of the token's owner. ``HttpBackend.conversations`` is one.

    Every call raises ``BackendError`` when the backend cannot be reached, or refuses.
    """

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self._http = http

    async def all(self, *, limit: int = 50, before: str | None = None) -> tuple[list[Session], str | None]:
        """Sessions, the most recent first; and what to give as ``before`` for those that follow, None when none do."""
        told = await self._asked("GET", "", params={"limit": limit} | ({"before": before} if before else {}))
        return _SESSIONS.validate_python(told["sessions"]), told["cursor"]

    async def latest(self) -> Session | None:
        """The session something happened in last."""
        return _SESSION.validate_python((await self._asked("GET", "/latest"))["session"])

    async def by_domain(self, domain: str) -> Session | None:
        """The most recent session of a domain."""
        return _SESSION.validate_python((await self._asked("GET", f"/by-domain/{domain}"))["session"])

    async def session(self, session_id: str) -> Session:
        """One session."""
        return Session.model_validate((await self._asked("GET", f"/{session_id}"))["session"])

    async def rename(self, session_id: str, title: str) -> Session:
        """Give it a title that stays."""
        return Session.model_validate((await self._asked("PATCH", f"/{session_id}", json={"title": title}))["session"])

    async def delete(self, session_id: str) -> None:
        """Remove it with all that belongs to it."""
        await self._asked("DELETE", f"/{session_id}")

    async def messages(self, session_id: str, *, after: int | None = None, limit: int = 1000) -> Messages:
        """Its messages in order, those numbered higher than ``after``."""
        asked = {"limit": limit} | ({"after": after} if after is not None else {})
        return Messages.model_validate(await self._asked("GET", f"/{session_id}/messages", params=asked))

    async def export(self, session_id: str) -> dict[str, Any]:
        """All that is kept of it."""
        return await self._asked("GET", f"/{session_id}/export")

    async def _asked(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        try:
            answer = await self._http.request(method, f"/api/session{path}", **more)
        except httpx2.TransportError as error:
            raise BackendError(f"the backend at {self._http.base_url} cannot be reached ({error})") from error
        if answer.is_success:
            told: dict[str, Any] = answer.json()
            return told
        raise refused(answer)


def refused(answer: httpx2.Response) -> BackendError:
    """Why a backend refused a request."""
    try:
        problem = Refusal.model_validate_json(answer.content).error
    except ValidationError:
        return BackendError(
            f"the backend answered {answer.status_code} with something else than its contract; is it BrowserX?",
            status=answer.status_code,
        )
    return BackendError(problem.message, reason=problem.code, status=answer.status_code)
