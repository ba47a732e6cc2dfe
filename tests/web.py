"""A web server for tests: pages written in the test itself, on two host names that are two sites for the browser."""

import mimetypes
import socket
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Site:
    """``url(path)`` is ``http://localhost:…``, ``other(path)`` the same server as ``http://127.0.0.1:…``."""

    def __init__(self) -> None:
        self._pages: dict[str, tuple[int, dict[str, str], bytes, float]] = {}
        self._special: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {
            "/endless": self._endless,
            "/never": self._never,
            "/slow-image": self._slow_image,
        }
        self._folders: dict[str, Path] = {}
        self.requests: list[tuple[str, str]] = []
        self._release = threading.Event()
        self._number = 0
        self._server = _Server(self)
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def url(self, path: str = "/") -> str:
        return f"http://localhost:{self.port}{path}"

    def other(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def page(
        self,
        body: str,
        *,
        path: str | None = None,
        title: str = "Test",
        head: str = "",
        status: int = 200,
        delay_s: float = 0,
    ) -> str:
        """Publish a page and return its address. A body with a doctype is published as it is."""
        whole = (
            body
            if body.lstrip().lower().startswith("<!doctype")
            else f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}</head>'
            f"<body>{body}</body></html>"
        )
        return self.publish(whole.encode(), "text/html; charset=utf-8", path=path, status=status, delay_s=delay_s)

    def publish(
        self,
        data: bytes,
        kind: str,
        *,
        path: str | None = None,
        status: int = 200,
        headers: dict[str, str] | None = None,
        delay_s: float = 0,
    ) -> str:
        if path is None:
            self._number += 1
            path = f"/page-{self._number}"
        self._pages[path] = (status, {"Content-Type": kind, **(headers or {})}, data, delay_s)
        return self.url(path)

    def folder(self, prefix: str, folder: Path) -> None:
        """Serve the files of a folder at ``prefix``, which begins and ends with a slash."""
        self._folders[prefix] = folder.resolve()

    def close(self) -> None:
        self._release.set()
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        path = request.path.partition("?")[0]
        self.requests.append((request.command, request.path))
        if path in self._special:
            self._special[path](request)
            return
        status, headers, data, delay_s = (
            self._pages.get(path)
            or self._file(path)
            or (404, {"Content-Type": "text/html"}, b"<title>404</title>Not here", 0)
        )
        self._release.wait(delay_s)
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    def _file(self, path: str) -> tuple[int, dict[str, str], bytes, float] | None:
        prefix = next((prefix for prefix in self._folders if path.startswith(prefix)), None)
        if prefix is None:
            return None
        file = (self._folders[prefix] / path.removeprefix(prefix)).resolve()
        if not file.is_relative_to(self._folders[prefix]) or not file.is_file():
            return None
        return 200, {"Content-Type": mimetypes.guess_type(file.name)[0] or "text/plain"}, file.read_bytes(), 0

    def _endless(self, request: BaseHTTPRequestHandler) -> None:
        """A page that never ends: its beginning comes at once."""
        request.send_response(200)
        request.send_header("Content-Type", "text/html")
        request.end_headers()
        request.wfile.write(
            b"<!doctype html><title>Endless</title><h1>The beginning</h1><button>Early</button>" + b" " * 2048
        )
        request.wfile.flush()
        self._release.wait(60)
        request.close_connection = True

    def _never(self, request: BaseHTTPRequestHandler) -> None:
        """Nothing comes."""
        self._release.wait(60)
        request.close_connection = True

    def _slow_image(self, request: BaseHTTPRequestHandler) -> None:
        """A resource that takes its time."""
        self._release.wait(0.3)
        request.send_response(204)
        request.end_headers()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, site: Site) -> None:
        self.site = site
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        self.server.site.answer(self)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.do_GET()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


def free_port() -> int:
    """A port nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: Callable[[], bool], timeout_s: float = 10.0) -> bool:
    """For what other processes do, which tell nobody: whether ``condition`` came true in time."""
    give_up = time.monotonic() + timeout_s
    while time.monotonic() < give_up:
        if condition():
            return True
        time.sleep(0.02)
    return condition()
