"""BrowserX: the browser layer for LLM agents.

    async with Browser.launch() as browser:
        tab = await browser.new_tab("https://example.com/")
        dom = await DomService.for_tab(tab)
        seen = await dom.observe()
        await dom.click(seen.ids[0])

Everything a program needs is here; what is not listed is not promised to stay.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from browserx.actions import ActionChanges, ActionError, ActionResult, Verdict
    from browserx.browser import (
        Browser,
        BrowserContext,
        ConsoleMessage,
        Cookie,
        Dialog,
        Download,
        Emulation,
        Navigation,
        Route,
        RoutedRequest,
        Routing,
        Tab,
    )
    from browserx.content import ContentService
    from browserx.dom import DomSnapshot, SerializationOptions, SnapshotStats, Tier, VirtualNode
    from browserx.dom.html import Markup
    from browserx.dom.interactive import SemanticV2, SemanticV3
    from browserx.dom.nodes import FrameInfo, PageDocument, SerializedDom, SerializedNode
    from browserx.dom.text import Omitted
    from browserx.errors import (
        AlreadyAttachedError,
        AttachError,
        BackendError,
        BlockedByPolicyError,
        BrowserNotFoundError,
        BrowserXError,
        CdpError,
        ConnectionClosedError,
        ContentScriptError,
        DatabaseBusyError,
        DatabaseFullError,
        DatabaseUnavailableError,
        DownloadError,
        EvaluateError,
        InvalidArgumentError,
        LeaseLostError,
        MissingExtraError,
        NavigationError,
        NodeNotFoundError,
        NoSnapshotError,
        NotActionableError,
        NotAttachedError,
        NotSupportedError,
        OperationTimeoutError,
        PageOptedOutError,
        RouteHandlerError,
        SchemaVersionError,
        SessionNotFoundError,
        SnapshotError,
        StoreError,
        TabClosedError,
        TargetCrashedError,
        TaskBusyError,
        TaskNotFoundError,
        TaskOverError,
    )
    from browserx.page import DialogSeen, DomService, Metric, Observation, ServiceConfig
    from browserx.tool import DOMTool, DOMToolErrorCode, DOMToolResponse

__version__ = "0.1.0"

__all__ = [
    "ActionChanges",
    "ActionError",
    "ActionResult",
    "AlreadyAttachedError",
    "AttachError",
    "BackendError",
    "BlockedByPolicyError",
    "Browser",
    "BrowserContext",
    "BrowserNotFoundError",
    "BrowserXError",
    "CdpError",
    "ConnectionClosedError",
    "ConsoleMessage",
    "ContentScriptError",
    "ContentService",
    "Cookie",
    "DOMTool",
    "DOMToolErrorCode",
    "DOMToolResponse",
    "DatabaseBusyError",
    "DatabaseFullError",
    "DatabaseUnavailableError",
    "Dialog",
    "DialogSeen",
    "DomService",
    "DomSnapshot",
    "Download",
    "DownloadError",
    "Emulation",
    "EvaluateError",
    "FrameInfo",
    "InvalidArgumentError",
    "LeaseLostError",
    "Markup",
    "Metric",
    "MissingExtraError",
    "Navigation",
    "NavigationError",
    "NoSnapshotError",
    "NodeNotFoundError",
    "NotActionableError",
    "NotAttachedError",
    "NotSupportedError",
    "Observation",
    "Omitted",
    "OperationTimeoutError",
    "PageDocument",
    "PageOptedOutError",
    "Route",
    "RouteHandlerError",
    "RoutedRequest",
    "Routing",
    "SchemaVersionError",
    "SemanticV2",
    "SemanticV3",
    "SerializationOptions",
    "SerializedDom",
    "SerializedNode",
    "ServiceConfig",
    "SessionNotFoundError",
    "SnapshotError",
    "SnapshotStats",
    "StoreError",
    "Tab",
    "TabClosedError",
    "TargetCrashedError",
    "TaskBusyError",
    "TaskNotFoundError",
    "TaskOverError",
    "Tier",
    "Verdict",
    "VirtualNode",
    "__version__",
]

#: Where each name lives. A program that only looks and clicks need not wait for what it does not use.
_NAMES = {
    "ActionChanges": "browserx.actions",
    "ActionError": "browserx.actions",
    "ActionResult": "browserx.actions",
    "AlreadyAttachedError": "browserx.errors",
    "AttachError": "browserx.errors",
    "BlockedByPolicyError": "browserx.errors",
    "Browser": "browserx.browser",
    "BrowserContext": "browserx.browser",
    "BrowserNotFoundError": "browserx.errors",
    "BrowserXError": "browserx.errors",
    "CdpError": "browserx.errors",
    "ConnectionClosedError": "browserx.errors",
    "ConsoleMessage": "browserx.browser",
    "ContentScriptError": "browserx.errors",
    "ContentService": "browserx.content",
    "Cookie": "browserx.browser",
    "DOMTool": "browserx.tool",
    "DOMToolErrorCode": "browserx.tool",
    "DOMToolResponse": "browserx.tool",
    "DatabaseBusyError": "browserx.errors",
    "DatabaseFullError": "browserx.errors",
    "DatabaseUnavailableError": "browserx.errors",
    "Dialog": "browserx.browser",
    "DialogSeen": "browserx.page",
    "DomService": "browserx.page",
    "DomSnapshot": "browserx.dom",
    "Download": "browserx.browser",
    "DownloadError": "browserx.errors",
    "Emulation": "browserx.browser",
    "EvaluateError": "browserx.errors",
    "FrameInfo": "browserx.dom.nodes",
    "InvalidArgumentError": "browserx.errors",
    "LeaseLostError": "browserx.errors",
    "Markup": "browserx.dom.html",
    "Metric": "browserx.page",
    "MissingExtraError": "browserx.errors",
    "Navigation": "browserx.browser",
    "NavigationError": "browserx.errors",
    "NoSnapshotError": "browserx.errors",
    "NodeNotFoundError": "browserx.errors",
    "NotActionableError": "browserx.errors",
    "NotAttachedError": "browserx.errors",
    "NotSupportedError": "browserx.errors",
    "Observation": "browserx.page",
    "Omitted": "browserx.dom.text",
    "OperationTimeoutError": "browserx.errors",
    "PageDocument": "browserx.dom.nodes",
    "PageOptedOutError": "browserx.errors",
    "Route": "browserx.browser",
    "RouteHandlerError": "browserx.errors",
    "RoutedRequest": "browserx.browser",
    "Routing": "browserx.browser",
    "SchemaVersionError": "browserx.errors",
    "SemanticV2": "browserx.dom.interactive",
    "SemanticV3": "browserx.dom.interactive",
    "SerializationOptions": "browserx.dom",
    "SerializedDom": "browserx.dom.nodes",
    "SerializedNode": "browserx.dom.nodes",
    "ServiceConfig": "browserx.page",
    "SnapshotError": "browserx.errors",
    "SnapshotStats": "browserx.dom",
    "StoreError": "browserx.errors",
    "Tab": "browserx.browser",
    "TabClosedError": "browserx.errors",
    "TargetCrashedError": "browserx.errors",
    "TaskBusyError": "browserx.errors",
    "BackendError": "browserx.errors",
    "SessionNotFoundError": "browserx.errors",
    "TaskOverError": "browserx.errors",
    "TaskNotFoundError": "browserx.errors",
    "Tier": "browserx.dom",
    "Verdict": "browserx.actions",
    "VirtualNode": "browserx.dom",
}


def __getattr__(name: str) -> Any:
    module = _NAMES.get(name)
    if module is None:
        raise AttributeError(f"module 'browserx' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(module), name)
    return value


def __dir__() -> list[str]:
    return __all__
