"""Serves the pages of MiniWoB++ on the loopback, from where the package has them."""

import mimetypes
from functools import cache
from http.server import BaseHTTPRequestHandler
from importlib.util import find_spec
from pathlib import Path

from tests.web import Site


@cache
def pages() -> Path:
    """The folder with the tasks. Nothing is imported: what the package needs for that is not installed."""
    spec = find_spec("miniwob")
    assert spec is not None, "miniwob is not installed: scripts/_setup installs it"
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "html"


class TaskSite(Site):
    """``task(name)`` is the address of a task's page."""

    def task(self, name: str) -> str:
        return self.url(f"/miniwob/{name}.html")

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        path = request.path.partition("?")[0]
        file = (pages() / path.lstrip("/")).resolve()
        if file.is_relative_to(pages()) and file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            self.publish(file.read_bytes(), kind, path=path)
        super().answer(request)
