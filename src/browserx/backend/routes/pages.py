"""Health, metrics and the reference that a browser shows."""

from pathlib import Path

import fastapi_swagger  # type: ignore[import-untyped]
from fastapi import APIRouter, Depends, Request
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import FileResponse, JSONResponse, Response

from browserx.backend.access import reader
from browserx.backend.refusals import RefusedError
from browserx.errors import BrowserXError

router = APIRouter(include_in_schema=False)
_ASSETS = Path(fastapi_swagger.__file__).with_name("resources")
_KINDS = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}
#: The page is made of files that come with it; nothing else is loaded.
_ONLY_OWN = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
)


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """It runs."""
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(request: Request) -> Response:
    """It can answer: its storage does."""
    try:
        async with request.app.state.store.read() as unit:
            await unit.sessions.latest("")
    except BrowserXError as error:
        return JSONResponse({"status": "unavailable", "reason": error.code}, status_code=503)
    return JSONResponse({"status": "ready"})


@router.get("/metrics", dependencies=[Depends(reader)])
async def metrics(request: Request) -> Response:
    """For Prometheus."""
    return Response(request.app.state.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/openapi.json", dependencies=[Depends(reader)])
async def openapi(request: Request) -> Response:
    """The contract, for programs."""
    return JSONResponse(request.app.openapi())


@router.get("/docs", dependencies=[Depends(reader)])
async def docs(request: Request) -> Response:
    """The contract, for people. A browser asks for a name (any) and a password (the token)."""
    page = get_swagger_ui_html(
        openapi_url="openapi.json",
        title="BrowserX",
        swagger_js_url="docs/swagger-ui-bundle.js",
        swagger_css_url="docs/swagger-ui.css",
        swagger_favicon_url="data:,",
    )
    page.headers["Content-Security-Policy"] = _ONLY_OWN
    return page


@router.get("/docs/{name}", dependencies=[Depends(reader)])
async def asset(name: str) -> Response:
    """The files the reference is made of."""
    if name not in _KINDS:
        raise RefusedError(404, "NOT_FOUND", "there is no such file")
    return FileResponse(_ASSETS / name, media_type=_KINDS[name])
