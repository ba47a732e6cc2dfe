"""Why a request is refused, as an answer: ``{success: false, error: {code, message, details}}``."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from browserx.errors import (
    BackendError,
    BrowserXError,
    DatabaseBusyError,
    DatabaseFullError,
    InvalidArgumentError,
    SessionNotFoundError,
    StoreError,
    TaskBusyError,
    TaskNotFoundError,
    TaskOverError,
)

_log = logging.getLogger("browserx.backend")
#: Seconds after which a client may try again what another request holds, or the database.
_RETRY_AFTER_S = 1
_MOST_TOLD = 10

#: The first that fits decides.
_STATUS: tuple[tuple[type[BrowserXError], int], ...] = (
    (TaskNotFoundError, 404),
    (SessionNotFoundError, 404),
    (TaskBusyError, 409),
    (TaskOverError, 409),
    (InvalidArgumentError, 422),
    (DatabaseFullError, 507),
    (DatabaseBusyError, 503),
    (StoreError, 503),
    (BackendError, 502),
)
_CODES = {400: "BAD_REQUEST", 401: "UNAUTHORIZED", 403: "FORBIDDEN", 404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED"}


class RefusedError(Exception):
    """A request that is refused for what it is, not for what it asks."""

    def __init__(
        self, status: int, code: str, message: str, *, headers: Mapping[str, str] | None = None, **details: Any
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = dict(headers or {})
        self.details = details


def refusal(
    status: int,
    code: str,
    message: str,
    details: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The answer."""
    told = {"success": False, "error": {"code": code, "message": message, "details": dict(details or {})}}
    return JSONResponse(told, status_code=status, headers=dict(headers or {}))


def status_of(error: BrowserXError) -> int:
    """The status an error of ours is told with."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def told(error: BrowserXError) -> Response:
    """An error of ours as an answer."""
    status = status_of(error)
    headers = {"Retry-After": str(_RETRY_AFTER_S)} if isinstance(error, TaskBusyError) or status == 503 else {}
    return refusal(status, error.code, error.message, headers=headers)


def invalid(errors: Sequence[Mapping[str, Any]]) -> Response:
    """What of a request is wrong, field by field, without repeating what was sent."""
    wrong = [{"field": ".".join(map(str, one["loc"])), "problem": str(one["msg"])} for one in errors[:_MOST_TOLD]]
    first = wrong[0] if wrong else {"field": "", "problem": "it is wrong"}
    message = f"{first['field'] or 'the request'}: {first['problem']}; correct it and send it again"
    return refusal(422, "VALIDATION_ERROR", message, {"fields": wrong})


def add_handlers(app: FastAPI) -> None:
    """Answer every error in the one shape."""

    async def refused(_: Request, error: Exception) -> Response:
        assert isinstance(error, RefusedError)
        return refusal(error.status, error.code, error.message, error.details, error.headers)

    async def ours(_: Request, error: Exception) -> Response:
        assert isinstance(error, BrowserXError)
        if status_of(error) >= 500:
            _log.warning("%s: %s", error.code, error.message)
        return told(error)

    async def invalid_request(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        # The first part of a place says where in the request it is: body, path, query.
        return invalid([{**one, "loc": one["loc"][1:]} for one in error.errors()])

    async def of_http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return refusal(
            error.status_code, _CODES.get(error.status_code, "REFUSED"), str(error.detail), headers=error.headers
        )

    async def unexpected(_: Request, error: Exception) -> Response:
        # What it was stands in the log, with the trace that Starlette lets travel on.
        return refusal(500, "INTERNAL_ERROR", "something went wrong here; the server's log says what")

    app.add_exception_handler(RefusedError, refused)
    app.add_exception_handler(BrowserXError, ours)
    app.add_exception_handler(RequestValidationError, invalid_request)
    app.add_exception_handler(HTTPException, of_http)
    app.add_exception_handler(Exception, unexpected)
