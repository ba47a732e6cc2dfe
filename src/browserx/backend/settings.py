"""What a server can be told: where it listens, where it keeps things, whom it lets in, and how much it takes."""

import os
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import msgspec
from platformdirs import user_data_path

from browserx.errors import InvalidArgumentError

#: The settings of a server, for its workers, which are other processes.
VARIABLE = "BROWSERX_SERVE_SETTINGS"
MAX_BODY_BYTES = 8_000_000
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, kw_only=True)
class PushServer:
    """A Pusher-compatible server elsewhere. ``url`` is of its HTTP API; ``ws_*`` are told to clients."""

    url: str
    app_id: str
    key: str
    secret: str = field(repr=False)
    ws_host: str = ""
    ws_port: int = 0


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of a server.

    Attributes:
        host, port: where it listens; loopback unless said otherwise.
        workers: processes; more than one need PostgreSQL, and Redis for push.
        data_dir: what is kept: token, push credentials, the database when no other is named.
        database: a url of SQLite or PostgreSQL; None: a file in ``data_dir``.
        redis: a url; None: push and limits are those of each worker.
        token: of the one principal ``owner``, instead of those in the token file.
        allowed_hosts: names besides loopback under which it is reached.
        allowed_origins: pages that may call it, as ``chrome-extension://<id>``.
        rate: requests of one principal, as "600/minute".
        max_body_bytes: of one request.
        retention_days: sessions in which nothing happened for so long are removed; None keeps all.
        push_server: an external one, instead of the embedded one.
        log_json: log for programs.
        shutdown_s: how long running requests have to finish when it ends.
    """

    host: str = "127.0.0.1"
    port: int = 8787
    workers: int = 1
    data_dir: str = field(default_factory=lambda: str(user_data_path("browserx")))
    database: str | None = None
    redis: str | None = None
    token: str | None = field(default=None, repr=False)
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    rate: str = "600/minute"
    max_body_bytes: int = MAX_BODY_BYTES
    retention_days: float | None = None
    push_server: PushServer | None = None
    log_json: bool = False
    shutdown_s: float = 30.0

    def __post_init__(self) -> None:
        if self.workers > 1 and (self.database is None or self.database.startswith("sqlite")):
            raise InvalidArgumentError(
                "several workers need PostgreSQL: name it with --database postgresql://…, or leave --workers out"
            )

    @property
    def folder(self) -> Path:
        """``data_dir`` as a path."""
        return Path(self.data_dir).expanduser()

    @property
    def token_file(self) -> Path:
        """The tokens, 0600."""
        return self.folder / "tokens"

    @property
    def database_url(self) -> str:
        """The database, named or not."""
        return self.database or f"sqlite+aiosqlite:///{self.folder / 'browserx.db'}"

    @property
    def hosts(self) -> frozenset[str]:
        """The names it answers to, without ports."""
        own = () if self.host in ("0.0.0.0", "::", "") else (self.host,)  # noqa: S104 (not bound here: only named)
        return frozenset(name.lower() for name in (*LOOPBACK, *own, *self.allowed_hosts))

    def but(self, **changes: Any) -> Self:
        """The same with ``changes``."""
        return replace(self, **changes)

    def to_environment(self) -> None:
        """Leave them for workers, who are started with this process's environment."""
        os.environ[VARIABLE] = msgspec.json.encode(asdict(self)).decode()

    @classmethod
    def from_environment(cls) -> Self:
        """Those that were left by the process that started this one, or the defaults."""
        given = os.environ.get(VARIABLE)
        return msgspec.json.decode(given.encode(), type=cls) if given else cls()
