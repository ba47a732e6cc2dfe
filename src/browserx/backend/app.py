"""The application: what is opened when a server starts, which way requests pass, what is closed when it ends."""

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
import uuid
from collections.abc import AsyncIterator, Container
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware.cors import CORSMiddleware

from browserx.agent.brain import Brain
from browserx.agent.local import LocalPlanner
from browserx.backend import domains, logs
from browserx.backend.access import Access, principal
from browserx.backend.guard import BodyLimit, HostAndOrigin
from browserx.backend.interact import Interactor
from browserx.backend.logs import RequestLog
from browserx.backend.metrics import Metrics
from browserx.backend.push.credentials import AppCredentials, credentials
from browserx.backend.push.endpoint import ClientConfig, push_router
from browserx.backend.push.external_publisher import ExternalPublisher
from browserx.backend.push.hub import Hub
from browserx.backend.push.publisher import SESSION_PREFIX, LocalPublisher, Publisher
from browserx.backend.push.redis_publisher import RedisPublisher
from browserx.backend.refusals import add_handlers
from browserx.backend.routes import interact, pages, sessions
from browserx.backend.settings import Settings
from browserx.backend.store import Store
from browserx.backend.store.address import is_sqlite, parse
from browserx.backend.tokens import given_tokens, read_tokens
from browserx.errors import StoreError
from browserx.semantic.request import InteractRequest

_log = logging.getLogger("browserx.backend")
_PURGE_EVERY_S = 3600.0


def create_app(settings: Settings, brain: Brain | None = None) -> FastAPI:
    """An application to serve. Without a ``brain`` plain instructions are followed, by rules.

    Raises:
        InvalidArgumentError: a setting makes no sense.
    """
    tokens = given_tokens(settings.token) if settings.token is not None else read_tokens(settings.token_file)
    metrics = Metrics()
    hub = Hub(_push_app(settings))
    publisher = _publisher(settings, hub)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            store = await stack.enter_async_context(Store.open(settings.database_url))
            worker = f"worker-{uuid.uuid4().hex[:12]}"
            if settings.workers == 1 and is_sqlite(parse(settings.database_url)):
                # Nobody else is there: what somebody held is held by nobody now.
                async with store.write() as unit:
                    await unit.tasks.release_all("worker-")
                    await unit.answers.forget_all("worker-")
            await stack.enter_async_context(hub)
            if isinstance(publisher, RedisPublisher | ExternalPublisher):
                await stack.enter_async_context(publisher)
            app.state.store = store
            app.state.interactor = Interactor(store, publisher, brain or LocalPlanner(), metrics, worker)
            group = await stack.enter_async_context(asyncio.TaskGroup())
            purging = group.create_task(_purge(store, settings.retention_days), name="purge")
            stack.callback(purging.cancel)
            # Loading the list of suffixes takes a moment that no request should.
            await asyncio.to_thread(domains.load)
            yield

    app = FastAPI(
        title="BrowserX",
        version="1",
        description="What to do next on a page, and the conversations about it.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.access = Access(tokens, settings.rate, settings.redis)
    app.state.metrics = metrics
    add_handlers(app)
    app.include_router(interact.router)
    app.include_router(sessions.router)
    app.include_router(pages.router)
    app.include_router(
        push_router(
            hub,
            publisher,
            principal=principal,
            may_subscribe=_may_subscribe(app),
            # What has come this far has passed the guard, which knows more.
            allowed_origins=_AllOrigins(),
            config=_client_config(settings),
        )
    )
    _add_guards(app, settings, metrics)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


def _add_guards(app: FastAPI, settings: Settings, metrics: Metrics) -> None:
    """What every request passes; the last one added is the first to see it."""
    app.add_middleware(BodyLimit, max_bytes=settings.max_body_bytes)
    if settings.allowed_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.allowed_origins),
            allow_methods=["GET", "POST", "PATCH", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key"],
            expose_headers=["Retry-After", "Server-Timing", "X-Request-Id"],
        )
    app.add_middleware(HostAndOrigin, hosts=settings.hosts, origins=settings.allowed_origins)
    app.add_middleware(RequestLog, metrics=metrics)


def from_environment() -> FastAPI:
    """The application of a worker, whose settings its parent has left in the environment."""
    settings = Settings.from_environment()
    logs.configure(as_json=settings.log_json)
    _end_with_parent()
    return create_app(settings)


def _end_with_parent() -> None:
    """See to it that a worker does not outlive the process that started it, also one that was killed."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="wait for the parent", daemon=True).start()


class _AllOrigins(Container[str]):
    def __contains__(self, origin: object) -> bool:
        return True


def _push_app(settings: Settings) -> AppCredentials:
    if settings.push_server is not None:
        given = settings.push_server
        return AppCredentials(given.app_id, given.key, given.secret)
    return credentials(settings.folder / "push.json")


def _publisher(settings: Settings, hub: Hub) -> Publisher:
    if settings.push_server is not None:
        return ExternalPublisher(hub.app, settings.push_server.url)
    return RedisPublisher(hub, settings.redis) if settings.redis else LocalPublisher(hub)


def _client_config(settings: Settings) -> ClientConfig | None:
    given = settings.push_server
    if given is None:
        return None
    tls = given.url.startswith("https")
    return ClientConfig(
        key=given.key,
        cluster="browserx",
        ws_host=given.ws_host,
        ws_port=given.ws_port or (443 if tls else 80),
        wss_port=given.ws_port or 443,
        force_tls=tls,
    )


def _may_subscribe(app: FastAPI) -> Any:
    async def may_subscribe(who: str, channel: str) -> bool:
        session_id = channel.removeprefix(SESSION_PREFIX)
        async with app.state.store.read() as unit:
            return await unit.sessions.get(who, session_id) is not None

    return may_subscribe


async def _purge(store: Store, retention_days: float | None) -> None:
    """Remove what is kept no longer, now and every hour."""
    while True:
        try:
            removed = await store.purge(retention_days)
            if removed.sessions:
                _log.info("%d sessions older than %g days were removed", removed.sessions, retention_days or 0)
        except StoreError as error:
            _log.warning("old sessions could not be removed: %s", error.message)
        await asyncio.sleep(_PURGE_EVERY_S)


def _openapi(app: FastAPI) -> dict[str, Any]:
    """The contract. A request of ``interact`` is read by hand, so its schema is put in by hand too."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        template = "#/components/schemas/{model}"
        of_request = InteractRequest.model_json_schema(by_alias=True, ref_template=template)
        components = schema.setdefault("components", {})
        components.setdefault("schemas", {}).update(of_request.pop("$defs", {}))
        components["schemas"]["InteractRequest"] = of_request
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        schema["security"] = [{"token": []}]
        app.openapi_schema = schema
    return app.openapi_schema
