"""Sessions and their messages (SPEC 10)."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field, StringConstraints

from browserx.backend.access import Principal
from browserx.backend.domains import root_domain
from browserx.backend.store import Store
from browserx.errors import SessionNotFoundError
from browserx.semantic.conversation import Messages, Session
from browserx.semantic.response import Refusal
from browserx.semantic.wire import Wire

router = APIRouter(
    prefix="/api/session",
    tags=["sessions"],
    responses={
        401: {"model": Refusal, "description": "No token, or a wrong one"},
        404: {"model": Refusal, "description": "No such session"},
        422: {"model": Refusal, "description": "A field is wrong; it is named"},
        429: {"model": Refusal, "description": "Too many requests"},
        503: {"model": Refusal, "description": "The storage does not answer"},
    },
)
SessionId = Annotated[str, Path(min_length=1, max_length=100, pattern=r"^[\w-]+$")]


class OneSession(Wire):
    """A session, or none."""

    session: Session | None


class SomeSessions(Wire):
    """Sessions, the most recent first. ``cursor`` asks for those that follow; null: there are none."""

    sessions: list[Session]
    cursor: str | None = None


class Renaming(Wire):
    """A title of the person's own."""

    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class Removed(Wire):
    """What is no more."""

    session_id: str
    deleted: bool = Field(default=True)


def _store(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


@router.get("", response_model=SomeSessions)
async def sessions(
    request: Request,
    principal: Principal,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[str | None, Query(max_length=500)] = None,
) -> SomeSessions:
    """The caller's sessions, the most recent first."""
    async with _store(request).read() as unit:
        page = await unit.sessions.page(principal, limit=limit, before=before)
    return SomeSessions(sessions=page.sessions, cursor=page.cursor)


@router.get("/latest", response_model=OneSession)
async def latest(request: Request, principal: Principal) -> OneSession:
    """The session something happened in last."""
    async with _store(request).read() as unit:
        return OneSession(session=await unit.sessions.latest(principal))


@router.get("/by-domain/{domain:path}", response_model=OneSession)
async def by_domain(
    request: Request, principal: Principal, domain: Annotated[str, Path(min_length=1, max_length=255)]
) -> OneSession:
    """The most recent session of a domain; of its root domain, whichever of its names is given."""
    async with _store(request).read() as unit:
        return OneSession(session=await unit.sessions.by_domain(principal, root_domain(f"http://{domain}")))


@router.get("/{session_id}", response_model=OneSession)
async def session(request: Request, principal: Principal, session_id: SessionId) -> OneSession:
    """One session."""
    async with _store(request).read() as unit:
        found = await unit.sessions.get(principal, session_id)
    if found is None:
        raise SessionNotFoundError(session_id)
    return OneSession(session=found)


@router.patch("/{session_id}", response_model=OneSession)
async def rename(request: Request, principal: Principal, session_id: SessionId, renaming: Renaming) -> OneSession:
    """Give a session a title that stays."""
    async with _store(request).write() as unit:
        found = await unit.sessions.rename(principal, session_id, renaming.title)
    if found is None:
        raise SessionNotFoundError(session_id)
    return OneSession(session=found)


@router.delete("/{session_id}", response_model=Removed)
async def delete(request: Request, principal: Principal, session_id: SessionId) -> Removed:
    """Remove a session with all that belongs to it."""
    async with _store(request).write() as unit:
        removed = await unit.sessions.delete(principal, session_id)
    if not removed:
        raise SessionNotFoundError(session_id)
    return Removed(session_id=session_id)


@router.get("/{session_id}/messages", response_model=Messages, response_model_exclude_none=True)
async def messages(
    request: Request,
    principal: Principal,
    session_id: SessionId,
    after: Annotated[int | None, Query(ge=-1, le=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 1000,
) -> Messages:
    """The messages of a session in order, those numbered higher than ``after``."""
    async with _store(request).read() as unit:
        if await unit.sessions.get(principal, session_id) is None:
            return Messages(session_id=session_id, messages=[], total=0, session_exists=False)
        return await unit.messages.page(session_id, after=after, limit=limit)


@router.get("/{session_id}/export")
async def export(request: Request, principal: Principal, session_id: SessionId) -> dict[str, Any]:
    """All that is kept of a session, as one JSON value."""
    async with _store(request).read() as unit:
        found = await unit.sessions.export(principal, session_id)
    if found is None:
        raise SessionNotFoundError(session_id)
    return found
