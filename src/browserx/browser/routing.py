"""Who decides on requests: a pattern and a handler, which may fail without holding the page."""

import asyncio
import inspect
import logging
import re
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import Any

from browserx.browser.patterns import url_pattern
from browserx.browser.routes import Route, RoutedRequest
from browserx.errors import InvalidArgumentError, RouteHandlerError

_log = logging.getLogger("browserx.browser")

HANDLER_TIMEOUT_S = 15.0
#: The failures of a handler that are kept; one that fails always fails alike.
_ERRORS_KEPT = 20
RESOURCE_TYPES = frozenset(
    (
        *("document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch", "prefetch"),
        *("eventsource", "manifest", "signedexchange", "ping", "cspviolationreport", "other"),
    )
)

Handler = Callable[[Route], Awaitable[object] | object]
Pattern = str | re.Pattern[str] | Callable[[RoutedRequest], bool]


class Routing:
    """A handler at work on the requests a pattern means: what ``route`` returns.

    ``async with await tab.route(…):`` ends it with the block. A request whose handler raises, or does not answer within
    ``timeout_s`` seconds, goes out as it was; the failure is logged, kept in ``errors``, and raised when the routing
    ends.
    """

    def __init__(
        self, pattern: Pattern, handler: Handler, timeout_s: float, remove: "Callable[[Routing], Awaitable[None]]"
    ) -> None:
        self.pattern = pattern
        self.handler = handler
        self.errors: deque[Exception] = deque(maxlen=_ERRORS_KEPT)
        self._timeout_s = timeout_s
        self._remove = remove
        self._running: set[asyncio.Task[Any]] = set()
        self._expression = None if callable(pattern) else url_pattern(pattern)

    async def __aenter__(self) -> "Routing":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self._remove(self)
        except RouteHandlerError:
            if error is None:
                raise

    def means(self, request: RoutedRequest) -> bool:
        """Whether this request is one of those. A predicate that fails is told of, and means no."""
        if self._expression is not None:
            return self._expression.search(request.url) is not None
        assert callable(self.pattern)
        try:
            return bool(self.pattern(request))
        except Exception as error:  # the caller's own code
            self._failed(request, error)
            return False

    async def handle(self, route: Route) -> None:
        """Let the handler answer, and see to it that the request is answered. Never raises."""
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        try:
            async with asyncio.timeout(self._timeout_s):
                outcome = self.handler(route)
                if inspect.isawaitable(outcome):
                    await outcome
            if not route.answered:
                self._failed(route.request, InvalidArgumentError("the handler returned without answering the request"))
        except TimeoutError as error:
            self._failed(route.request, error)
        except Exception as error:  # the caller's own code
            # A tab that was closed under the handler is nobody's failure.
            if not route.gone:
                self._failed(route.request, error)
        finally:
            self._running.discard(task)
            if not route.answered:
                route.release()

    async def finish(self) -> None:
        """Wait for the handlers at work; each is bounded.

        Raises:
            RouteHandlerError: some failed.
        """
        running = self._running - {asyncio.current_task()}
        if running:
            await asyncio.wait(running, timeout=self._timeout_s + 1)
        if self.errors:
            first = self.errors[0]
            raise RouteHandlerError(
                f"the handler of {self.pattern!r} failed for {len(self.errors)} requests, first with: "
                f"{first or type(first).__name__}; mend it",
                errors=tuple(self.errors),
            ) from first

    def _failed(self, request: RoutedRequest, error: Exception) -> None:
        why = f"it did not answer within {self._timeout_s:g} s" if isinstance(error, TimeoutError) else repr(error)
        _log.error("the handler of %r failed for %s, which goes out as it was: %s", self.pattern, request.url, why)
        self.errors.append(error)


def blocker(what: Sequence[str | re.Pattern[str]]) -> Callable[[RoutedRequest], bool]:
    """A predicate for the requests of some resource types (``image``, …) or to some addresses.

    Raises:
        InvalidArgumentError: nothing is given, or a pattern is none.
    """
    if isinstance(what, str) or not what:
        raise InvalidArgumentError('give a list of patterns and resource types, like ["image", "**/ads/**"]')
    for one in what:
        if isinstance(one, str) and one.isalpha() and one not in RESOURCE_TYPES:
            raise InvalidArgumentError(
                f"there is no resource type {one!r}; they are {', '.join(sorted(RESOURCE_TYPES))}"
            )
    named = {one for one in what if isinstance(one, str) and one in RESOURCE_TYPES}
    expressions = [url_pattern(one) for one in what if one not in named]
    # The browser holds both under one name.
    types = named | {"xhr"} if "fetch" in named else named
    return lambda request: request.resource_type in types or any(e.search(request.url) for e in expressions)
