"""One session: commands to a target and events from it."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, overload

import msgspec

from browserx.cdp.messages import Empty, Envelope
from browserx.cdp.protocol import ContextCreated
from browserx.errors import BrowserXError, CdpError, OperationTimeoutError, TargetCrashedError

if TYPE_CHECKING:
    from browserx.cdp.connection import Connection

T = TypeVar("T")

Params = Mapping[str, Any]
ErrorFactory = Callable[[], BrowserXError]

DEFAULT_TIMEOUT_S = 30.0

#: Commands a target with a dead renderer still obeys; anything else would never be answered.
_AFTER_CRASH = frozenset(
    {"Page.navigate", "Page.navigateToHistoryEntry", "Page.getNavigationHistory", "Page.reload", "Page.stopLoading"}
)


def _decoder(type_: type[T]) -> "msgspec.json.Decoder[T]":
    return msgspec.json.Decoder(type_)


class Subscription:
    """One handler of one event; ``cancel`` takes it off."""

    def __init__(self, handlers: "list[Subscription]", type_: type[Any], handler: Callable[[Any], Any]) -> None:
        self._handlers = handlers
        self.type = type_
        self.handler = handler
        handlers.append(self)

    def cancel(self) -> None:
        """Hear no more of it."""
        if self in self._handlers:
            self._handlers.remove(self)


class _Pending:
    """A command on its way: who waits, for what type, and until when."""

    __slots__ = ("future", "method", "timer", "type")

    def __init__(
        self, future: "asyncio.Future[Any]", method: str, type_: type[Any], timer: asyncio.TimerHandle
    ) -> None:
        self.future, self.method, self.type, self.timer = future, method, type_, timer

    def fail(self, error: BrowserXError) -> None:
        self.timer.cancel()
        if not self.future.done():
            self.future.set_exception(error)


class Session:
    """Commands and events of one target.

    Every command ends: with its reply, or with a typed error when the browser says no, when it takes too long, when
    the target crashes or goes away, or when the connection ends. Handlers run in the order of arrival; one that is a
    coroutine function runs as a task of the connection, and so may itself send commands.
    """

    def __init__(self, connection: "Connection", session_id: str | None, target_type: str, target_id: str) -> None:
        self.connection = connection
        self.session_id = session_id
        self.target_type = target_type
        self.target_id = target_id
        self.crashed = False
        #: Ids of the isolated worlds of this session; only these may be evaluated in without a special right.
        self.isolated_contexts: set[int] = set()
        self._handlers: dict[str, list[Subscription]] = {}
        self._pending: dict[int, _Pending] = {}
        self._ended: ErrorFactory | None = None
        self._on_end: list[Callable[[BrowserXError], None]] = []

    @property
    def ended(self) -> BrowserXError | None:
        """Why nothing more can be sent, or None while it can."""
        return self._ended() if self._ended is not None else None

    @overload
    async def send(
        self, method: str, params: Params | None = None, *, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> Empty: ...

    @overload
    async def send(
        self, method: str, params: Params | None, reply: type[T], *, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> T: ...

    async def send(
        self,
        method: str,
        params: Params | None = None,
        reply: type[Any] = Empty,
        *,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> Any:
        """Send one command and wait for its reply, decoded as ``reply``.

        Raises:
            CdpError: the browser answered with an error, or with something that is no ``reply``.
            OperationTimeoutError: no answer within ``timeout_s`` seconds.
            TargetCrashedError, TabClosedError, NotAttachedError, ConnectionClosedError: it cannot be answered.
            BlockedByPolicyError: the method policy forbids it; nothing was sent.
        """
        return await self.start(method, params, reply, timeout_s=timeout_s)

    @overload
    def start(
        self, method: str, params: Params | None = None, *, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> asyncio.Future[Empty]: ...

    @overload
    def start(
        self, method: str, params: Params | None, reply: type[T], *, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> asyncio.Future[T]: ...

    def start(
        self,
        method: str,
        params: Params | None = None,
        reply: type[Any] = Empty,
        *,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> asyncio.Future[Any]:
        """Send one command now; await the future for its reply. Commands leave in the order they were started."""
        self.connection.policy.check(method, params or {}, self)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        if self._ended is not None:
            future.set_exception(self._ended())
            return future
        if self.crashed and method not in _AFTER_CRASH:
            future.set_exception(_crashed())
            return future
        number = self.connection.transmit(self, method, params)
        timer = loop.call_later(timeout_s, self._time_out, number, timeout_s)
        self._pending[number] = _Pending(future, method, reply, timer)
        return future

    def post(self, method: str, params: Params | None = None) -> None:
        """Send one command whose reply nobody reads, and whose failure changes nothing."""
        future = self.start(method, params)
        future.add_done_callback(lambda done: done.cancelled() or done.exception())

    def on(
        self, method: str, type_: type[T], handler: Callable[[T], None] | Callable[[T], Awaitable[None]]
    ) -> Subscription:
        """Hear an event, decoded as ``type_``. Events nobody hears are not even decoded."""
        return Subscription(self._handlers.setdefault(method, []), type_, handler)

    def on_end(self, hook: Callable[[BrowserXError], None]) -> None:
        """Call ``hook`` when the session ends; at once if it has."""
        if self._ended is not None:
            hook(self._ended())
        else:
            self._on_end.append(hook)

    # the connection's side

    def deliver_reply(self, number: int, envelope: Envelope) -> None:
        """Hand one reply to whoever waits for it."""
        pending = self._pending.pop(number, None)
        if pending is None:
            return
        pending.timer.cancel()
        if pending.future.done():
            return
        if envelope.error is not None:
            error = envelope.error
            detail = f" ({error.data})" if error.data else ""
            pending.future.set_exception(
                CdpError(
                    f"{pending.method}: {error.message}{detail}",
                    method=pending.method,
                    number=error.code,
                    data=error.data,
                )
            )
            return
        try:
            pending.future.set_result(_decoder(pending.type).decode(envelope.result))
        except msgspec.DecodeError as error:
            failure = CdpError(f"{pending.method}: unexpected reply: {error}", method=pending.method)
            failure.__cause__ = error
            pending.future.set_exception(failure)

    def deliver_event(self, method: str, params: msgspec.Raw) -> None:
        """Hand one event to whoever hears it."""
        if method == "Runtime.executionContextCreated":
            self._note_world(params)
        elif method == "Inspector.targetCrashed":
            self.crashed = True
            self._fail_pending(_crashed)
        elif method in ("Inspector.targetReloadedAfterCrash", "Page.frameNavigated"):
            self.crashed = False
        for subscription in tuple(self._handlers.get(method, ())):
            event = _decoder(subscription.type).decode(params)
            outcome = subscription.handler(event)
            if inspect.iscoroutine(outcome):
                self.connection.tasks.start(outcome, name=f"handler of {method}")

    def _note_world(self, params: msgspec.Raw) -> None:
        context = _decoder(ContextCreated).decode(params).context
        if context.name and context.name == self.connection.policy.world:
            self.isolated_contexts.add(context.id)

    def end(self, make_error: ErrorFactory) -> None:
        """End every command that waits, and refuse new ones. Each gets an error of its own."""
        if self._ended is not None:
            return
        self._ended = make_error
        self._fail_pending(make_error)
        hooks, self._on_end = self._on_end, []
        for hook in hooks:
            hook(make_error())

    def _fail_pending(self, make_error: ErrorFactory) -> None:
        pending, self._pending = self._pending, {}
        for number, command in pending.items():
            self.connection.abandon(number)
            command.fail(make_error())

    def _time_out(self, number: int, timeout_s: float) -> None:
        pending = self._pending.pop(number, None)
        if pending is not None:
            self.connection.abandon(number)
            pending.fail(
                OperationTimeoutError(
                    f"{pending.method} was not answered within {timeout_s:g} s; "
                    "the page may be busy, or a dialog may hold it",
                    timeout_s=timeout_s,
                )
            )


def _crashed() -> TargetCrashedError:
    return TargetCrashedError("the page's renderer crashed; navigate the tab again to go on")
