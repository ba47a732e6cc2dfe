"""Serves the pages of ``bench.pages``: ``/5000`` is the one of 5,000 elements."""

import contextlib
from collections.abc import Iterator
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from bench.pages import page


class _Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        size = self.path.strip("/")
        body = _body(int(size)) if size.isdigit() else b""  # the browser asks for /favicon.ico too
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@lru_cache
def _body(elements: int) -> bytes:
    return page(elements).encode()


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The address of the server, without a slash at its end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
