"""Replies and events of the protocol as types, as far as we read them.

Source: https://chromedevtools.github.io/devtools-protocol/tot/ (names are the protocol's own, in snake case).
"""

from typing import Any

import msgspec


class _Camel(msgspec.Struct, rename="camel"):
    pass


class Event(msgspec.Struct):
    """An event nobody reads the parameters of."""


# Page


class FrameInfo(_Camel):
    """Page.Frame."""

    id: str
    loader_id: str = ""
    parent_id: str | None = None
    name: str = ""
    url: str = ""
    url_fragment: str = ""
    mime_type: str = ""


class FrameTreeInfo(_Camel):
    """Page.FrameTree."""

    frame: FrameInfo
    child_frames: list["FrameTreeInfo"] = []


class FrameTreeReply(_Camel):
    """Reply of Page.getFrameTree."""

    frame_tree: FrameTreeInfo


class FrameAttached(_Camel):
    """Event Page.frameAttached."""

    frame_id: str
    parent_frame_id: str


class FrameNavigated(_Camel):
    """Event Page.frameNavigated."""

    frame: FrameInfo


class FrameDetached(_Camel):
    """Event Page.frameDetached."""

    frame_id: str
    reason: str = "remove"


class FrameRequestedNavigation(_Camel):
    """Event Page.frameRequestedNavigation."""

    frame_id: str
    disposition: str = ""


class FrameStartedNavigating(_Camel):
    """Event Page.frameStartedNavigating."""

    frame_id: str
    navigation_type: str = ""


class FrameStoppedLoading(_Camel):
    """Event Page.frameStoppedLoading."""

    frame_id: str


class NavigatedWithinDocument(_Camel):
    """Event Page.navigatedWithinDocument."""

    frame_id: str
    url: str


class LifecycleEvent(_Camel):
    """Event Page.lifecycleEvent."""

    frame_id: str
    loader_id: str
    name: str


class NavigateReply(_Camel):
    """Reply of Page.navigate."""

    frame_id: str = ""
    loader_id: str = ""
    error_text: str = ""
    is_download: bool = False


class HistoryEntry(_Camel):
    """Page.NavigationEntry."""

    id: int
    url: str = ""
    title: str = ""


class HistoryReply(_Camel):
    """Reply of Page.getNavigationHistory."""

    current_index: int
    entries: list[HistoryEntry]


class DialogOpening(_Camel):
    """Event Page.javascriptDialogOpening."""

    url: str = ""
    message: str = ""
    type: str = "alert"
    default_prompt: str = ""


class DialogClosed(_Camel):
    """Event Page.javascriptDialogClosed."""

    result: bool = False
    user_input: str = ""


class ScreenshotReply(_Camel):
    """Reply of Page.captureScreenshot; base64."""

    data: str


class PdfReply(_Camel):
    """Reply of Page.printToPDF; base64."""

    data: str


class ContentSize(_Camel):
    """The size of a page, in CSS px."""

    width: float = 0
    height: float = 0


class LayoutViewport(_Camel):
    """Page.LayoutViewport: where on the page the viewport is, and its size, in CSS px."""

    page_x: float = 0
    page_y: float = 0
    client_width: float = 0
    client_height: float = 0


class LayoutMetricsReply(_Camel):
    """Reply of Page.getLayoutMetrics."""

    css_content_size: ContentSize
    css_layout_viewport: LayoutViewport = msgspec.field(default_factory=LayoutViewport)


# Runtime


class ContextAux(_Camel):
    """Where a context belongs."""

    frame_id: str = ""
    is_default: bool = False


class ContextInfo(_Camel):
    """Runtime.ExecutionContextDescription."""

    id: int
    origin: str = ""
    name: str = ""
    unique_id: str = ""
    aux_data: ContextAux = msgspec.field(default_factory=ContextAux)


class ContextCreated(_Camel):
    """Event Runtime.executionContextCreated."""

    context: ContextInfo


class ContextDestroyed(_Camel):
    """Event Runtime.executionContextDestroyed."""

    execution_context_id: int


class RemoteObject(_Camel):
    """Runtime.RemoteObject."""

    type: str = ""
    subtype: str = ""
    value: Any = None
    unserializable_value: str = ""
    description: str = ""
    object_id: str = ""


class ExceptionDetails(_Camel):
    """Runtime.ExceptionDetails."""

    text: str = ""
    exception: RemoteObject | None = None

    def describe(self) -> str:
        """What was thrown, in the page's own words."""
        if self.exception is not None and (self.exception.description or self.exception.value):
            return self.exception.description or str(self.exception.value)
        return self.text


class EvaluateReply(_Camel):
    """Reply of Runtime.evaluate and Runtime.callFunctionOn."""

    result: RemoteObject = msgspec.field(default_factory=RemoteObject)
    exception_details: ExceptionDetails | None = None


class ResolveNodeReply(_Camel):
    """Reply of DOM.resolveNode."""

    object: RemoteObject


# Elements as Runtime.evaluate serializes them: the one way to learn the browser's own ids of many at once.

#: ``serializationOptions`` for a script whose result is an array of elements, or one.
DEEP_NODES: dict[str, Any] = {
    "serialization": "deep",
    "maxDepth": 2,
    "additionalParameters": {"maxNodeDepth": 0, "includeShadowTree": "all"},
}


class DeepRootValue(_Camel):
    """A shadow root inside a deep value."""

    backend_node_id: int
    mode: str = ""


class DeepRoot(msgspec.Struct):
    """Wrapper of it."""

    value: DeepRootValue


class DeepNodeValue(_Camel):
    """An element inside a deep value; ``frame_id`` is that of the frame in it."""

    backend_node_id: int = 0
    local_name: str = ""
    frame_id: str = ""
    shadow_root: DeepRoot | None = None


class DeepNode(msgspec.Struct):
    """Wrapper of it; null has no value."""

    type: str = ""
    value: DeepNodeValue | None = None


class DeepNodes(msgspec.Struct):
    """An array of elements."""

    value: list[DeepNode] = []


class DeepNodesObject(_Camel):
    """The remote object that is the array."""

    deep_serialized_value: DeepNodes = msgspec.field(default_factory=DeepNodes)
    object_id: str = ""


class DeepNodesReply(_Camel):
    """Reply of Runtime.evaluate with ``DEEP_NODES`` for an array of elements."""

    result: DeepNodesObject = msgspec.field(default_factory=DeepNodesObject)


class Metric(msgspec.Struct):
    """Of Performance.getMetrics."""

    name: str
    value: float


class MetricsReply(msgspec.Struct):
    """Performance.getMetrics."""

    metrics: list[Metric]


class BindingCalled(_Camel):
    """Event Runtime.bindingCalled."""

    name: str
    payload: str = ""
    execution_context_id: int = 0


# Target and Browser


class TargetInfo(_Camel):
    """Target.TargetInfo."""

    target_id: str
    type: str = ""
    title: str = ""
    url: str = ""
    attached: bool = False
    opener_id: str | None = None
    browser_context_id: str | None = None


class TargetCreated(_Camel):
    """Events Target.targetCreated and Target.targetInfoChanged."""

    target_info: TargetInfo


class TargetDestroyed(_Camel):
    """Event Target.targetDestroyed."""

    target_id: str


class AttachedToTarget(_Camel):
    """Event Target.attachedToTarget."""

    session_id: str
    target_info: TargetInfo
    waiting_for_debugger: bool = False


class DetachedFromTarget(_Camel):
    """Event Target.detachedFromTarget."""

    session_id: str


class AttachReply(_Camel):
    """Reply of Target.attachToTarget."""

    session_id: str


class CreateTargetReply(_Camel):
    """Reply of Target.createTarget."""

    target_id: str


class CreateContextReply(_Camel):
    """Reply of Target.createBrowserContext."""

    browser_context_id: str


class VersionReply(_Camel):
    """Reply of Browser.getVersion."""

    product: str = ""
    user_agent: str = ""
    protocol_version: str = ""


class DownloadWillBegin(_Camel):
    """Events Browser.downloadWillBegin and Page.downloadWillBegin."""

    guid: str
    frame_id: str = ""
    url: str = ""
    suggested_filename: str = ""


class DownloadProgress(_Camel):
    """Events Browser.downloadProgress and Page.downloadProgress; sizes in bytes, 0 for an unknown total."""

    guid: str
    state: str
    received_bytes: float = 0
    total_bytes: float = 0


# Network


class RequestInfo(_Camel):
    """Network.Request."""

    url: str = ""
    method: str = "GET"


class ResponseInfo(_Camel):
    """Network.Response."""

    url: str = ""
    status: int = 0
    mime_type: str = ""


class WillBeSent(_Camel):
    """Event Network.requestWillBeSent."""

    request_id: str
    request: RequestInfo
    timestamp: float = 0.0
    wall_time: float = 0.0
    type: str = ""
    frame_id: str = ""
    loader_id: str = ""
    redirect_response: ResponseInfo | None = None


class ResponseReceived(_Camel):
    """Event Network.responseReceived."""

    request_id: str
    response: ResponseInfo
    type: str = ""


class LoadingEnded(_Camel):
    """Events Network.loadingFinished and Network.loadingFailed."""

    request_id: str
    timestamp: float = 0.0
    encoded_data_length: float = 0.0
    error_text: str = ""
    canceled: bool = False
