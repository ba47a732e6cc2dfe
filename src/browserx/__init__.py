"""BrowserX: the browser layer for LLM agents.

    async with Browser.launch() as browser:
        tab = await browser.new_tab("https://example.com/")
        dom = await DomService.for_tab(tab)
        seen = await dom.observe()
        await dom.click(seen.ids[0])

Everything a program needs is here; what is not listed is not promised to stay.
"""

from browserx.actions import ActionChanges, ActionError, ActionResult, Verdict
from browserx.browser import Browser, BrowserContext, Dialog, Navigation, Tab
from browserx.dom import DomSnapshot, SerializationOptions, SnapshotStats, Tier, VirtualNode
from browserx.dom.html import Markup
from browserx.dom.interactive import SemanticV2, SemanticV3
from browserx.dom.nodes import FrameInfo, PageDocument, SerializedDom, SerializedNode
from browserx.dom.text import Omitted
from browserx.errors import (
    AlreadyAttachedError,
    AttachError,
    BlockedByPolicyError,
    BrowserNotFoundError,
    BrowserXError,
    CdpError,
    ConnectionClosedError,
    EvaluateError,
    InvalidArgumentError,
    NavigationError,
    NodeNotFoundError,
    NoSnapshotError,
    NotActionableError,
    NotAttachedError,
    OperationTimeoutError,
    PageOptedOutError,
    SnapshotError,
    TabClosedError,
    TargetCrashedError,
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
    "BlockedByPolicyError",
    "Browser",
    "BrowserContext",
    "BrowserNotFoundError",
    "BrowserXError",
    "CdpError",
    "ConnectionClosedError",
    "DOMTool",
    "DOMToolErrorCode",
    "DOMToolResponse",
    "Dialog",
    "DialogSeen",
    "DomService",
    "DomSnapshot",
    "EvaluateError",
    "FrameInfo",
    "InvalidArgumentError",
    "Markup",
    "Metric",
    "Navigation",
    "NavigationError",
    "NoSnapshotError",
    "NodeNotFoundError",
    "NotActionableError",
    "NotAttachedError",
    "Observation",
    "Omitted",
    "OperationTimeoutError",
    "PageDocument",
    "PageOptedOutError",
    "SemanticV2",
    "SemanticV3",
    "SerializationOptions",
    "SerializedDom",
    "SerializedNode",
    "ServiceConfig",
    "SnapshotError",
    "SnapshotStats",
    "Tab",
    "TabClosedError",
    "TargetCrashedError",
    "Tier",
    "Verdict",
    "VirtualNode",
    "__version__",
]
