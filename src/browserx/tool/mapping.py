"""From the engine's errors to the tool's codes: by type, and only for foreign errors by message."""

import re

from browserx.errors import (
    AttachError,
    BlockedByPolicyError,
    BrowserXError,
    ContentScriptError,
    InvalidArgumentError,
    NodeNotFoundError,
    NoSnapshotError,
    NotAttachedError,
    OperationTimeoutError,
    PageOptedOutError,
    TabClosedError,
)
from browserx.tool.response import DOMToolErrorCode as Code

#: The first that matches counts.
_BY_TYPE: tuple[tuple[type[BaseException], Code], ...] = (
    (NodeNotFoundError, Code.ELEMENT_NOT_FOUND),
    (NoSnapshotError, Code.VALIDATION_ERROR),
    (InvalidArgumentError, Code.VALIDATION_ERROR),
    (TabClosedError, Code.TAB_NOT_FOUND),
    (NotAttachedError, Code.TAB_NOT_FOUND),
    (ContentScriptError, Code.CONTENT_SCRIPT_NOT_LOADED),
    (AttachError, Code.PERMISSION_DENIED),
    (BlockedByPolicyError, Code.PERMISSION_DENIED),
    (PageOptedOutError, Code.PERMISSION_DENIED),
    (OperationTimeoutError, Code.TIMEOUT),
    (BrowserXError, Code.ACTION_FAILED),
)
_BY_MESSAGE: tuple[tuple[re.Pattern[str], Code], ...] = (
    (re.compile(r"Could not establish connection"), Code.CONTENT_SCRIPT_NOT_LOADED),
    (re.compile(r"Element.*not found", re.S), Code.ELEMENT_NOT_FOUND),
    (re.compile(r"No tab with id|not found"), Code.TAB_NOT_FOUND),
    (re.compile(r"action failed", re.I), Code.ACTION_FAILED),
    (re.compile(r"timeout|timed out", re.I), Code.TIMEOUT),
    (re.compile(r"permission", re.I), Code.PERMISSION_DENIED),
    (re.compile(r"Invalid action|is required"), Code.VALIDATION_ERROR),
)


def code_of(error: BaseException) -> Code:
    """The tool's code for an error."""
    for type_, code in _BY_TYPE:
        if isinstance(error, type_):
            return code
    message = str(error)
    for pattern, code in _BY_MESSAGE:
        if pattern.search(message):
            return code
    return Code.UNKNOWN_ERROR
