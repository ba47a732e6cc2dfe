"""The whole error tree, and nothing else.

    BrowserXError                      everything the engine raises on purpose
    ├── BrowserNotFoundError           BROWSER_NOT_FOUND   no Chromium to launch        install one, or name it
    ├── AttachError                    ATTACH_FAILED       the browser or tab refused   see the message
    │   ├── AlreadyAttachedError       ALREADY_ATTACHED    someone else debugs the tab  close DevTools there
    │   └── ContentScriptError         ATTACH_FAILED       the page takes no script     use the CDP engine
    ├── NotAttachedError               NOT_ATTACHED        the service was detached     DomService.for_tab(tab)
    ├── TabClosedError                 TAB_CLOSED          the tab is gone              open or pick another
    ├── TargetCrashedError             TARGET_CRASHED      the renderer died            navigate the tab again
    ├── NavigationError                NAVIGATION_FAILED   the page did not load        check the address
    ├── DownloadError                  CDP_ERROR           the file did not come       try again
    ├── SnapshotError                  SNAPSHOT_FAILED     the page could not be read   observe again
    ├── NoSnapshotError                NO_SNAPSHOT         acting without having looked observe first
    ├── NodeNotFoundError              NODE_NOT_FOUND      no such element any more     observe again
    ├── NotActionableError             NOT_ACTIONABLE      covered, hidden, disabled…   see the reason
    ├── PageOptedOutError              PAGE_OPTED_OUT      the page says data-no-ai     leave it alone
    ├── BlockedByPolicyError           BLOCKED_BY_POLICY   the policy forbids it        do something else
    ├── RouteHandlerError              ROUTE_FAILED        the caller's handler threw   mend the handler
    ├── EvaluateError                  CDP_ERROR           the caller's script threw    mend the script
    ├── InvalidArgumentError           VALIDATION_ERROR    a bad argument               correct it
    ├── MissingExtraError              MISSING_EXTRA       a part is not installed      pip install it
    ├── NotSupportedError              NOT_SUPPORTED       the driver cannot do it      another driver, or CDP
    ├── OperationTimeoutError          TIMEOUT             not done within the bound    retry or allow more time
    ├── StoreError                     STORE_FAILED        the backend's storage failed see the message
    │   ├── DatabaseUnavailableError   STORE_UNAVAILABLE   it cannot be reached or used start or mend it
    │   ├── DatabaseBusyError          STORE_BUSY          others hold it too long      try again
    │   ├── DatabaseFullError          STORE_FULL          no room left                 make room, or purge
    │   └── SchemaVersionError         STORE_SCHEMA        newer or older than the code upgrade one of them
    ├── TaskBusyError                  TASK_BUSY           someone works on the task    wait for its answer
    │   └── LeaseLostError             TASK_BUSY           another worker took it over  begin again
    ├── TaskNotFoundError              TASK_NOT_FOUND      no such task                 start one without taskId
    ├── TaskOverError                  TASK_OVER           it is finished               start another
    ├── SessionNotFoundError           SESSION_NOT_FOUND   no such session              leave sessionId out
    ├── BackendError                   BACKEND_ERROR       the backend said no          see the message
    ├── CdpError                       CDP_ERROR           the browser answered no      observe again
    └── ConnectionClosedError          CDP_ERROR           the browser is gone          start it again

Match on types, never on texts. What a program may want to read is an attribute; the message is for people
and models and ends with what to do next.
"""

from collections.abc import Sequence
from typing import ClassVar


class BrowserXError(Exception):
    """Root of everything the engine raises on purpose.

    ``code`` is the name of the error on the wire; ``recoverable`` says whether looking again and trying
    something else on the same tab can succeed.
    """

    code: ClassVar[str] = "CDP_ERROR"
    recoverable: ClassVar[bool] = False

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BrowserNotFoundError(BrowserXError):
    """No Chromium, Chrome, Edge or Brave was found, or the named one does not start."""

    code = "BROWSER_NOT_FOUND"


class AttachError(BrowserXError):
    """The browser could not be reached, or refused to let us attach to a target."""

    code = "ATTACH_FAILED"


class AlreadyAttachedError(AttachError):
    """Another debugger that tolerates no second one is attached to the tab."""

    code = "ALREADY_ATTACHED"


class ContentScriptError(AttachError):
    """The content engine is not there: its script could not be put into the page, or was taken out again."""

    recoverable = True


class NotAttachedError(BrowserXError):
    """The service was detached while, or before, it was asked."""

    code = "NOT_ATTACHED"


class TabClosedError(BrowserXError):
    """The tab was closed; nothing asked of it will be answered."""

    code = "TAB_CLOSED"


class TargetCrashedError(BrowserXError):
    """The renderer of the tab died. The tab lives on and can be navigated again."""

    code = "TARGET_CRASHED"
    recoverable = True


class NavigationError(BrowserXError):
    """A navigation ended without a document.

    ``url`` is what was asked for; ``reason`` is the browser's own word for it, such as
    ``net::ERR_NAME_NOT_RESOLVED``, or ``download`` when the answer was a file.
    """

    code = "NAVIGATION_FAILED"
    recoverable = True

    def __init__(self, message: str, *, url: str, reason: str) -> None:
        super().__init__(message)
        self.url = url
        self.reason = reason


class DownloadError(BrowserXError):
    """A download ended without a file, or nobody knows where the file is. ``url`` is where it came from."""

    recoverable = True

    def __init__(self, message: str, *, url: str) -> None:
        super().__init__(message)
        self.url = url


class SnapshotError(BrowserXError):
    """The page could not be read, though the tab lives."""

    code = "SNAPSHOT_FAILED"
    recoverable = True


class NoSnapshotError(BrowserXError):
    """An action named a node id, but the tab has not been looked at since the last action."""

    code = "NO_SNAPSHOT"
    recoverable = True


class NodeNotFoundError(BrowserXError):
    """No element of the page has this id (any more). ``nearest`` holds ids of similar elements."""

    code = "NODE_NOT_FOUND"
    recoverable = True

    def __init__(self, message: str, *, node_id: str, nearest: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.node_id = node_id
        self.nearest = tuple(nearest)


class NotActionableError(BrowserXError):
    """The element is there but cannot be acted on as asked.

    ``reason`` is one of ``hidden``, ``off_screen``, ``zero_size``, ``disabled``, ``readonly``, ``covered``,
    ``moving``, ``changed`` (it stands for something else than when it was seen), ``detached``, ``not_editable``,
    ``not_focusable``, ``not_checkable``, ``radio``, ``no_list``, ``option_disabled``, ``not_multiple``, ``no_form``,
    ``no_file_field``, ``no_date``, ``closed``, ``dialog`` (one is open and holds the page), and ``cross_origin``
    (script cannot enter it: content engine only).
    ``covered_by`` is the id of the covering element where it has one.
    """

    code = "NOT_ACTIONABLE"
    recoverable = True

    def __init__(self, message: str, *, node_id: str, reason: str, covered_by: str | None = None) -> None:
        super().__init__(message)
        self.node_id = node_id
        self.reason = reason
        self.covered_by = covered_by


class PageOptedOutError(BrowserXError):
    """The page asks not to be used by AI (``data-no-ai``)."""

    code = "PAGE_OPTED_OUT"


class BlockedByPolicyError(BrowserXError):
    """The policy in force forbids this method, address or file."""

    code = "BLOCKED_BY_POLICY"


class RouteHandlerError(BrowserXError):
    """A handler given to ``route`` raised or did not answer; its requests went out as they were.

    ``errors`` are what it raised, oldest first.
    """

    code = "ROUTE_FAILED"

    def __init__(self, message: str, *, errors: Sequence[Exception]) -> None:
        super().__init__(message)
        self.errors = tuple(errors)


class EvaluateError(BrowserXError):
    """The script given to ``Tab.evaluate`` threw, or its result is no JSON."""

    recoverable = True


class InvalidArgumentError(BrowserXError, ValueError):
    """An argument makes no sense, found before anything was sent to the browser."""

    code = "VALIDATION_ERROR"
    recoverable = True


class MissingExtraError(BrowserXError):
    """What was asked for needs an optional part that is not installed. ``extra`` is its name in ``browserx[…]``."""

    code = "MISSING_EXTRA"

    def __init__(self, message: str, *, extra: str) -> None:
        super().__init__(message)
        self.extra = extra


class NotSupportedError(BrowserXError):
    """The driver under the content engine cannot do this."""

    code = "NOT_SUPPORTED"


class OperationTimeoutError(BrowserXError, TimeoutError):
    """Something did not happen within its bound. ``timeout_s`` is that bound in seconds."""

    code = "TIMEOUT"
    recoverable = True

    def __init__(self, message: str, *, timeout_s: float) -> None:
        super().__init__(message)
        self.timeout_s = timeout_s


class StoreError(BrowserXError):
    """The storage of the backend did not do what was asked. ``database`` is its address, without the password."""

    code = "STORE_FAILED"

    def __init__(self, message: str, *, database: str) -> None:
        super().__init__(message)
        self.database = database


class DatabaseUnavailableError(StoreError):
    """The database cannot be reached, opened or written: stopped, not allowed, damaged, or no database at all."""

    code = "STORE_UNAVAILABLE"


class DatabaseBusyError(StoreError):
    """Others held the database, or a row of it, for longer than we wait. Nothing was written; it may be tried again."""

    code = "STORE_BUSY"
    recoverable = True


class DatabaseFullError(StoreError):
    """There is no room left where the database is. Nothing was written."""

    code = "STORE_FULL"


class SchemaVersionError(StoreError):
    """The database has another schema than this version of BrowserX works with. ``found`` is its revision, if any."""

    code = "STORE_SCHEMA"

    def __init__(self, message: str, *, database: str, found: str | None) -> None:
        super().__init__(message, database=database)
        self.found = found


class TaskBusyError(BrowserXError):
    """Another request works on the task ``task_id``."""

    code = "TASK_BUSY"
    recoverable = True

    def __init__(self, message: str, *, task_id: str) -> None:
        super().__init__(message)
        self.task_id = task_id


class LeaseLostError(TaskBusyError):
    """The lease on a task (or on the answer to a request) lapsed, and it is not ours any more: what we did is void.

    ``task_id`` is the task, or the key of the request.
    """


class TaskNotFoundError(BrowserXError):
    """There is no such task, or it is somebody else's."""

    code = "TASK_NOT_FOUND"

    def __init__(self, task_id: str) -> None:
        super().__init__(f"there is no task {task_id}; leave taskId out to begin a new one")
        self.task_id = task_id


class TaskOverError(BrowserXError):
    """The task is finished."""

    code = "TASK_OVER"

    def __init__(self, task_id: str) -> None:
        super().__init__(f"task {task_id} is over; leave taskId out to begin a new one in the same session")
        self.task_id = task_id


class SessionNotFoundError(BrowserXError):
    """There is no such session, or it is somebody else's."""

    code = "SESSION_NOT_FOUND"

    def __init__(self, session_id: str) -> None:
        super().__init__(f"there is no session {session_id}; leave sessionId out to begin a new one")
        self.session_id = session_id


class BackendError(BrowserXError):
    """A backend could not be reached, or refused a request. ``status`` is that of HTTP, 0 if there was no answer."""

    code = "BACKEND_ERROR"

    def __init__(self, message: str, *, reason: str = "", status: int = 0) -> None:
        super().__init__(message)
        self.reason = reason
        self.status = status


class CdpError(BrowserXError):
    """The browser answered a command with an error.

    ``method`` is the command, ``number`` the protocol's error number (-32000 for most), ``data`` its detail.
    """

    code = "CDP_ERROR"
    recoverable = True

    def __init__(self, message: str, *, method: str = "", number: int = 0, data: str = "") -> None:
        super().__init__(message)
        self.method = method
        self.number = number
        self.data = data


class ConnectionClosedError(BrowserXError):
    """The connection to the browser ended: it was closed, it died, or the socket broke."""

    code = "CDP_ERROR"


__all__ = [
    "AlreadyAttachedError",
    "AttachError",
    "BlockedByPolicyError",
    "BrowserNotFoundError",
    "BrowserXError",
    "CdpError",
    "ConnectionClosedError",
    "ContentScriptError",
    "DatabaseBusyError",
    "DatabaseFullError",
    "DatabaseUnavailableError",
    "DownloadError",
    "EvaluateError",
    "InvalidArgumentError",
    "LeaseLostError",
    "MissingExtraError",
    "NavigationError",
    "NoSnapshotError",
    "NodeNotFoundError",
    "NotActionableError",
    "NotAttachedError",
    "NotSupportedError",
    "OperationTimeoutError",
    "PageOptedOutError",
    "RouteHandlerError",
    "SchemaVersionError",
    "SnapshotError",
    "StoreError",
    "TabClosedError",
    "TargetCrashedError",
    "TaskBusyError",
]
