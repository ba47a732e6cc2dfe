"""What the tool answers."""

from enum import StrEnum
from typing import Any

import msgspec

TOOL_NAME = "browser_dom"


class DOMToolErrorCode(StrEnum):
    """What went wrong, in the words of the tool."""

    VALIDATION_ERROR = "VALIDATION_ERROR"
    TAB_NOT_FOUND = "TAB_NOT_FOUND"
    CONTENT_SCRIPT_NOT_LOADED = "CONTENT_SCRIPT_NOT_LOADED"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    ELEMENT_NOT_FOUND = "ELEMENT_NOT_FOUND"
    ACTION_FAILED = "ACTION_FAILED"
    TIMEOUT = "TIMEOUT"
    UNKNOWN_ERROR = "UNKNOWN_ERROR"


class Details(msgspec.Struct, rename="camel", omit_defaults=True):
    """Where it went wrong."""

    action: str
    tab_id: int | None
    stack: str | None = None


class ToolError(msgspec.Struct, rename="camel"):
    """Why a call failed; the message says what to do next."""

    code: DOMToolErrorCode
    message: str
    details: Details


class Metadata(msgspec.Struct, rename="camel"):
    """``duration`` is in ms."""

    duration: float
    tool_name: str
    tab_id: int | None


class DOMToolResponse(msgspec.Struct, rename="camel"):
    """The answer to one call: ``data`` when it succeeded, ``error`` when it did not."""

    success: bool
    metadata: Metadata
    data: Any = None
    error: ToolError | None = None

    def to_dict(self) -> dict[str, Any]:
        """As it goes to the model: ``data`` or ``error``, never both."""
        told: dict[str, Any] = msgspec.to_builtins(self)
        del told["error" if self.success else "data"]
        return told
