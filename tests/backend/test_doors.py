"""Who is let in, under which name, from which page, how often."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from browserx.backend.tokens import add_token, given_tokens, read_tokens
from browserx.errors import InvalidArgumentError
from tests.backend.served import Served, serve

CLOSED = (
    ("GET", "/api/session"),
    ("GET", "/api/session/latest"),
    ("GET", "/api/session/by-domain/a.example"),
    ("GET", "/api/session/x"),
    ("GET", "/api/session/x/messages"),
    ("GET", "/api/session/x/export"),
    ("PATCH", "/api/session/x"),
    ("DELETE", "/api/session/x"),
    ("POST", "/api/agent/interact"),
    ("POST", "/api/pusher/auth"),
    ("GET", "/api/pusher/config"),
    ("GET", "/metrics"),
    ("GET", "/docs"),
    ("GET", "/openapi.json"),
)


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Served]:
    """A backend of the test's own: who knocks too often is counted by address."""
    async with serve(tmp_path / "data") as running:
        yield running


@pytest.mark.parametrize(("method", "path"), CLOSED)
async def test_nothing_is_told_without_a_token(door: Served, method: str, path: str) -> None:
    for token in ("", "wrong", door.ann[:-1], door.ann + "x"):
        async with door.client(token) as http:
            answer = await http.request(method, path)
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "UNAUTHORIZED"
        assert "WWW-Authenticate" in answer.headers


async def test_health_needs_no_token(door: Served) -> None:
    async with door.client("") as http:
        assert (await http.get("/healthz")).json() == {"status": "ok"}
        assert (await http.get("/readyz")).json() == {"status": "ready"}


async def test_a_browser_may_ask_for_the_token(door: Served) -> None:
    async with httpx2.AsyncClient(base_url=door.url, auth=("me", door.ann)) as http:
        assert "BrowserX" in (await http.get("/docs")).text
        assert (await http.get("/docs/swagger-ui.css")).status_code == 200
        assert (await http.get("/docs/settings.py")).status_code == 404
        assert "browserx_requests_total" in (await http.get("/metrics")).text
        # Only for what it shows: a page that a browser sends its password along to must not do anything.
        assert (await http.get("/api/session")).status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.2", ""])
async def test_other_names_are_refused(door: Served, host: str) -> None:
    async with door.client(Host=host) as http:
        for path in ("/healthz", "/api/session"):
            assert (await http.get(path)).status_code in (400, 403)


async def test_pages_of_other_origins_are_refused(door: Served) -> None:
    for origin in ("https://evil.example", "null", "http://localhost:1", "chrome-extension://abc"):
        async with door.client(Origin=origin) as http:
            answer = await http.get("/api/session")
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "FORBIDDEN_ORIGIN")
    async with door.client(Origin=door.url) as http:
        assert (await http.get("/api/session")).status_code == 200


async def test_an_extension_that_is_allowed_gets_its_headers(tmp_path: Path) -> None:
    origin = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
    async with serve(tmp_path, allowed_origins=(origin,)) as door, door.client(Origin=origin) as http:
        asked = await http.options(
            "/api/agent/interact",
            headers={
                "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "authorization,idempotency-key",
            },
        )
        assert asked.headers["access-control-allow-origin"] == origin
        answer = await http.get("/api/session")
        assert answer.headers["access-control-allow-origin"] == origin


async def test_who_asks_too_often_waits(tmp_path: Path) -> None:
    async with serve(tmp_path, rate="5/minute") as door, door.client() as http:
        answers = [await http.get("/api/session/latest") for _ in range(8)]
        assert [answer.status_code for answer in answers[:5]] == [200] * 5
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["Retry-After"]) > 0
        async with door.client(door.ben) as other:
            assert (await other.get("/api/session/latest")).status_code == 200


async def test_guessing_tokens_is_slowed(door: Served) -> None:
    async with door.client("wrong-token") as http:
        codes = {(await http.get("/api/session")).status_code for _ in range(40)}
    assert codes == {401, 429}
    async with door.client() as http:
        assert (await http.get("/api/session")).status_code == 200


async def test_unknown_addresses_and_methods(door: Served) -> None:
    async with door.client() as http:
        assert (await http.get("/api/nothing")).json()["error"]["code"] == "NOT_FOUND"
        assert (await http.get("/api/agent/interact")).status_code == 405


def test_tokens_are_kept_for_their_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "data" / "tokens"
    tokens = read_tokens(path)
    assert path.stat().st_mode & 0o777 == 0o600
    own = tokens.of("owner")
    assert own is not None
    assert tokens.principal(own) == "owner"
    other = add_token(path, "phone")
    assert read_tokens(path).principal(other) == "phone"
    assert read_tokens(path).principal(own) == "owner"
    path.chmod(0o644)
    read_tokens(path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_bad_tokens_are_named(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    for name in ("", "a b", "../x", "x" * 64):
        with pytest.raises(InvalidArgumentError):
            add_token(path, name)
    add_token(path, "ann")
    with pytest.raises(InvalidArgumentError, match="already"):
        add_token(path, "ann")
    path.write_text("just-a-word\n")
    with pytest.raises(InvalidArgumentError, match="line 1"):
        read_tokens(path)
    path.write_text("")
    with pytest.raises(InvalidArgumentError, match="holds no token"):
        read_tokens(path)
    with pytest.raises(InvalidArgumentError):
        given_tokens("short")
