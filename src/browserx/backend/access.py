"""Who asks, by the token of the request, and whether they ask too often."""

import base64
import binascii
import time
from typing import Annotated

from fastapi import Depends, Request
from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, RedisStorage, Storage
from limits.aio.strategies import SlidingWindowCounterRateLimiter

from browserx.backend.refusals import RefusedError
from browserx.backend.tokens import Tokens
from browserx.errors import InvalidArgumentError

#: Wrong tokens from one address.
_WRONG = "30/minute"


class Access:
    """The door of one server."""

    def __init__(self, tokens: Tokens, rate: str, redis: str | None = None) -> None:
        try:
            self._rate = parse(rate)
        except ValueError as error:
            raise InvalidArgumentError(f'{rate!r} is no rate; write one as "600/minute"') from error
        self._tokens = tokens
        self._wrong = parse(_WRONG)
        storage: Storage = RedisStorage(f"async+{redis}", implementation="redispy") if redis else MemoryStorage()
        self._limiter = SlidingWindowCounterRateLimiter(storage)
        # Where Redis is gone each worker counts for itself.
        self._fallback = SlidingWindowCounterRateLimiter(MemoryStorage())

    async def principal(self, request: Request, *, basic: bool = False) -> str:
        """Who asks.

        Raises:
            RefusedError: nobody (401), or somebody who asks too often (429).
        """
        token = _token(request, basic=basic)
        who = self._tokens.principal(token) if token else None
        if who is None:
            address = request.client.host if request.client else "unknown"
            if token:
                await self._count(self._wrong, "wrong", address)
            raise RefusedError(
                401,
                "UNAUTHORIZED",
                "this needs a token: send `Authorization: Bearer …` (`browserx serve --show-token` tells it)",
                headers={"WWW-Authenticate": 'Basic realm="BrowserX"' if basic else 'Bearer realm="BrowserX"'},
            )
        await self._count(self._rate, "principal", who)
        return who

    async def _count(self, rate: RateLimitItem, kind: str, name: str) -> None:
        limiter = self._limiter
        try:
            allowed = await limiter.hit(rate, kind, name)
        except Exception:  # whatever client of whatever store: being counted is not worth being refused
            limiter = self._fallback
            allowed = await limiter.hit(rate, kind, name)
        if not allowed:
            until = (await limiter.get_window_stats(rate, kind, name)).reset_time
            pause_s = max(1, round(until - time.time()))
            raise RefusedError(
                429,
                "TOO_MANY_REQUESTS",
                f"no more than {rate} are answered; try again in {pause_s} s",
                headers={"Retry-After": str(pause_s)},
            )


def _token(request: Request, *, basic: bool) -> str:
    """What is sent as a token; of a browser that asked its user, the password."""
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return given.strip()
    if basic and kind.lower() == "basic":
        try:
            return base64.b64decode(given, validate=True).decode().partition(":")[2]
        except (binascii.Error, UnicodeDecodeError):
            return ""
    return ""


async def principal(request: Request) -> str:
    """A dependency: who asks."""
    access: Access = request.app.state.access
    return await access.principal(request)


async def reader(request: Request) -> str:
    """A dependency for pages a browser shows: it may ask its user for the token, as a password."""
    access: Access = request.app.state.access
    return await access.principal(request, basic=True)


Principal = Annotated[str, Depends(principal)]
