"""``browserx serve``: the backend, for the extension and for clients in any language."""

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browserx.errors import InvalidArgumentError, MissingExtraError

if TYPE_CHECKING:
    from browserx.backend.settings import Settings

_PORT = 8787
_EPILOG = """\
examples:
  browserx serve                                   on this machine only, port 8787
  browserx serve --show-token                      print the token clients send, and end
  browserx serve --add-token phone                 make one for somebody else, and end
  browserx serve --database postgresql://me@db/browserx --redis redis://db --workers 4

The token goes into a header, `Authorization: Bearer …`; only /healthz and /readyz need none. The contract is shown at
/docs (any name, the token as password).
"""


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"{text!r}: workers are a number from 1 to 64")
    return int(text)


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r}: a port is a number up to 65535")
    return int(text)


def _days(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not number > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of days")
    return number


def serve_options(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], Coroutine[Any, Any, int]]:
    """Add the options of ``serve``."""
    parser.epilog = _EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    listening = parser.add_argument_group("where it listens, and to whom")
    listening.add_argument(
        "--host", default="127.0.0.1", help="an address of this machine (default: %(default)s, this machine only)"
    )
    listening.add_argument("--port", type=_port, default=_PORT, help="(default: %(default)s; 0 for any that is free)")
    listening.add_argument(
        "--allow-host",
        action="append",
        metavar="NAME",
        default=[],
        help="a name it is reached under, besides localhost",
    )
    listening.add_argument(
        "--allow-origin",
        action="append",
        metavar="ORIGIN",
        default=[],
        help="pages that may call it, like chrome-extension://<id>",
    )
    listening.add_argument("--rate", default="600/minute", help="requests of one token (default: %(default)s)")
    keeping = parser.add_argument_group("what it keeps")
    keeping.add_argument("--data-dir", metavar="DIR", help="tokens, keys and the database (default: your data folder)")
    keeping.add_argument("--database", metavar="URL", help="sqlite:////folder/file.db or postgresql://user@host/name")
    keeping.add_argument("--redis", metavar="URL", help="push and limits across workers, like redis://localhost")
    keeping.add_argument("--workers", type=_count, default=1, help="processes; more than one need PostgreSQL")
    keeping.add_argument(
        "--retention-days", type=_days, metavar="DAYS", help="remove sessions in which nothing happened for so long"
    )
    tokens = parser.add_argument_group("tokens")
    tokens.add_argument("--show-token", action="store_true", help="print the token, and end")
    tokens.add_argument("--add-token", metavar="NAME", help="make a token for one more principal, print it, and end")
    parser.add_argument("--log-json", action="store_true", help="log as JSON, a line for each request")

    async def run(arguments: argparse.Namespace) -> int:
        try:
            return await asyncio.to_thread(_serve, arguments) if _only_tokens(arguments) else await _served(arguments)
        except ModuleNotFoundError as error:
            raise MissingExtraError(
                f'the backend needs more than is installed ({error.name}): pip install "browserx[server]"',
                extra="server",
            ) from error

    return run


def _only_tokens(arguments: argparse.Namespace) -> bool:
    return bool(arguments.show_token or arguments.add_token)


def settings_of(arguments: argparse.Namespace) -> "Settings":
    """The settings the options say, checked."""
    from browserx.backend.settings import Settings

    given: dict[str, Any] = {
        "host": arguments.host,
        "port": arguments.port,
        "workers": arguments.workers,
        "database": arguments.database,
        "redis": arguments.redis,
        "token": os.environ.get("BROWSERX_TOKEN") or None,
        "allowed_hosts": tuple(arguments.allow_host),
        "allowed_origins": tuple(arguments.allow_origin),
        "rate": arguments.rate,
        "retention_days": arguments.retention_days,
        "log_json": arguments.log_json,
    }
    if arguments.data_dir is not None:
        given["data_dir"] = str(Path(arguments.data_dir).expanduser().resolve())
    return Settings(**given)


def _serve(arguments: argparse.Namespace) -> int:
    """Only tokens were asked for."""
    from browserx.backend.tokens import OWNER, add_token, read_tokens

    settings = settings_of(arguments)
    if arguments.add_token:
        print(add_token(settings.token_file, arguments.add_token))
        return 0
    print(settings.token or read_tokens(settings.token_file).of(OWNER) or "")
    return 0


async def _served(arguments: argparse.Namespace) -> int:
    """Serve until told to end; running requests are finished first."""
    import uvicorn

    from browserx.backend import logs
    from browserx.backend.app import create_app
    from browserx.backend.tokens import OWNER, read_tokens

    settings = settings_of(arguments)
    logs.configure(as_json=arguments.log_json, debug=arguments.debug)
    is_first = settings.token is None and not settings.token_file.exists()
    if is_first:
        token = read_tokens(settings.token_file).of(OWNER)
        print(f"The token, shown this once (again with --show-token):\n  {token}", file=sys.stderr)
    common: dict[str, Any] = {
        "access_log": False,
        "log_config": None,
        "timeout_graceful_shutdown": round(settings.shutdown_s),
        "server_header": False,
        # Frames of clients are small, and too short for packing to pay.
        "ws_max_size": 65_536,
        "ws_per_message_deflate": False,
    }
    with _listening(settings) as listener:
        port = listener.getsockname()[1]
        shown = "localhost" if settings.host in ("127.0.0.1", "::1") else settings.host
        print(f"BrowserX answers at http://{shown}:{port} (reference: /docs). Ctrl+C ends it.", file=sys.stderr)
        if settings.workers > 1:
            _supervise(settings, listener, common)
            return 0
        server = uvicorn.Server(uvicorn.Config(create_app(settings), **common))
        loop = asyncio.get_running_loop()
        # Ended by a signal it has done what it was told: it does not die of it afterwards, as it would by itself.
        server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]
        for signum in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(signum, server.handle_exit, signum, None)
        await server.serve(sockets=[listener])
        return 0 if server.started else 1


def _listening(settings: "Settings") -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        listener = socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except OSError as error:
        raise InvalidArgumentError(
            f"{settings.host}:{settings.port} cannot be listened at ({error.strerror}); choose another --port or --host"
        ) from error
    # Connections have it from here: asyncio sets it only on sockets made for TCP by number. Without it the body of an
    # answer, which is written apart from its head, waits until that was acknowledged: 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.set_inheritable(True)
    return listener


def _supervise(settings: "Settings", listener: socket.socket, common: dict[str, Any]) -> None:
    """Start the workers, and again those that end. It blocks: nothing else runs here, and signals are its own."""
    from uvicorn import Config
    from uvicorn.supervisors import Multiprocess

    with tempfile.TemporaryDirectory(prefix="browserx-metrics-") as shared:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = shared
        settings.to_environment()
        config = Config("browserx.backend.app:from_environment", factory=True, workers=settings.workers, **common)
        Multiprocess(config, sockets=[listener]).run()
