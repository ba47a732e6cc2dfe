"""Which commands may go to the browser at all: one allowlist, with rules for arguments.

The engine looks and acts from isolated worlds and with real input; it never needs more of the protocol than the
*base* below. What reaches further (requests, cookies, permissions, downloads, contexts, the page's own world) is in
groups that the owner of the browser switches on. Some things are in no group: bypassing a page's security policy,
``javascript:`` addresses, worlds with universal access.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from browserx.errors import BlockedByPolicyError

if TYPE_CHECKING:
    from browserx.cdp.session import Session


class Group(Enum):
    """What the owner of a browser may allow beyond the base."""

    BASE = "base"
    FETCH = "fetch"
    STORAGE = "storage"
    PERMISSIONS = "permissions"
    DOWNLOADS = "downloads"
    CONTEXTS = "contexts"
    PAGE_WORLD = "page_world"
    STYLES = "styles"


_ALLOWED: dict[Group, tuple[str, ...]] = {
    Group.BASE: (
        "Accessibility.*",
        "Browser.close",
        "Browser.getVersion",
        "CSS.disable",
        "CSS.enable",
        "CSS.get*",
        "DOM.describeNode",
        "DOM.disable",
        "DOM.enable",
        "DOM.focus",
        "DOM.get*",
        "DOM.resolveNode",
        "DOM.scrollIntoViewIfNeeded",
        "DOM.setFileInputFiles",
        "DOMDebugger.getEventListeners",
        "DOMSnapshot.*",
        "Emulation.*",
        "IO.*",
        "Input.*",
        "Inspector.*",
        "Log.*",
        "Network.disable",
        "Network.emulateNetworkConditions",
        "Network.enable",
        "Network.getRequestPostData",
        "Network.getResponseBody",
        "Overlay.*",
        "Page.addScriptToEvaluateOnNewDocument",
        "Page.bringToFront",
        "Page.capture*",
        "Page.close",
        "Page.createIsolatedWorld",
        "Page.disable",
        "Page.enable",
        "Page.get*",
        "Page.handleJavaScriptDialog",
        "Page.navigate",
        "Page.navigateToHistoryEntry",
        "Page.printToPDF",
        "Page.reload",
        "Page.removeScriptToEvaluateOnNewDocument",
        "Page.setInterceptFileChooserDialog",
        "Page.setLifecycleEventsEnabled",
        "Page.startScreencast",
        "Page.stopLoading",
        "Page.stopScreencast",
        "Page.screencastFrameAck",
        "Performance.*",
        "Runtime.addBinding",
        "Runtime.callFunctionOn",
        "Runtime.disable",
        "Runtime.discardConsoleEntries",
        "Runtime.enable",
        "Runtime.evaluate",
        "Runtime.getProperties",
        "Runtime.releaseObject",
        "Runtime.releaseObjectGroup",
        "Runtime.removeBinding",
        "Runtime.runIfWaitingForDebugger",
        "Target.activateTarget",
        "Target.attachToTarget",
        "Target.closeTarget",
        "Target.createTarget",
        "Target.detachFromTarget",
        "Target.getTargetInfo",
        "Target.getTargets",
        "Target.setAutoAttach",
        "Target.setDiscoverTargets",
    ),
    Group.FETCH: (
        "Fetch.*",
        "Network.setBlockedURLs",
        "Network.setBypassServiceWorker",
        "Network.setCacheDisabled",
        "Network.setExtraHTTPHeaders",
    ),
    Group.STORAGE: ("Network.*Cookie*", "Storage.*", "DOMStorage.*"),
    Group.PERMISSIONS: ("Browser.*Permission*", "Browser.setPermission"),
    Group.DOWNLOADS: ("Browser.setDownloadBehavior", "Browser.cancelDownload"),
    Group.CONTEXTS: (
        "Target.createBrowserContext",
        "Target.disposeBrowserContext",
        "Target.getBrowserContexts",
        # What a context is made with: whether it opens pages whose certificate is not trusted.
        "Security.setIgnoreCertificateErrors",
    ),
    Group.PAGE_WORLD: (),
    # A style sheet of the developer tools' kind, which no script of the page finds: for what is drawn over it.
    Group.STYLES: ("CSS.createStyleSheet", "CSS.setStyleSheetText"),
}

ALL_GROUPS = frozenset(Group)


class MethodPolicy:
    """Says yes, or raises.

    Args:
        groups: what is allowed; the base always is.
        world: the name of our isolated worlds.
        audited: exact sources that may run in the page's own world because they were read and found harmless.
    """

    def __init__(self, groups: Iterable[Group] = (), *, world: str = "", audited: Iterable[str] = ()) -> None:
        self.groups = frozenset({Group.BASE, *groups})
        self.world = world
        self.audited = frozenset(audited)

    def check(self, method: str, params: Mapping[str, Any], session: "Session") -> None:
        """Let one command pass.

        Raises:
            BlockedByPolicyError: it may not.
        """
        if not _group_of(method) & self.groups:
            raise BlockedByPolicyError(
                f"{method} is not allowed here; whoever owns the browser can allow it (groups: "
                f"{', '.join(sorted(g.value for g in _group_of(method))) or 'none has it'})"
            )
        rule = _RULES.get(method)
        if rule is not None and (objection := rule(self, params, session)):
            raise BlockedByPolicyError(f"{method}: {objection}")


@lru_cache(maxsize=512)
def _group_of(method: str) -> frozenset[Group]:
    return frozenset(group for group, patterns in _ALLOWED.items() if any(fnmatchcase(method, p) for p in patterns))


_Rule = Callable[[MethodPolicy, Mapping[str, Any], "Session"], str | None]


def _no_script_address(policy: MethodPolicy, params: Mapping[str, Any], session: "Session") -> str | None:
    # Browsers strip tabs, newlines and leading blanks from an address before they read its scheme.
    address = "".join(ch for ch in str(params.get("url", "")) if ch not in "\t\r\n").lstrip("\0 ").lower()
    return "javascript: addresses are never opened" if address.startswith("javascript:") else None


def _isolated_evaluate(policy: MethodPolicy, params: Mapping[str, Any], session: "Session") -> str | None:
    if Group.PAGE_WORLD in policy.groups or params.get("expression") in policy.audited:
        return None
    if params.get("contextId") in session.isolated_contexts:
        return None
    return "script may run in BrowserX's own isolated world only, not in the page's"


def _isolated_call(policy: MethodPolicy, params: Mapping[str, Any], session: "Session") -> str | None:
    if Group.PAGE_WORLD in policy.groups or params.get("functionDeclaration") in policy.audited:
        return None
    context = params.get("executionContextId")
    if context is None:
        # "isolate.context.object", V8's own form; an id of another form is refused.
        parts = str(params.get("objectId", "")).split(".")
        context = int(parts[1]) if len(parts) == 3 and parts[1].isdigit() else None
    if context in session.isolated_contexts:
        return None
    return "functions may run in BrowserX's own isolated world only, not in the page's"


def _isolated_script(policy: MethodPolicy, params: Mapping[str, Any], session: "Session") -> str | None:
    if Group.PAGE_WORLD in policy.groups or params.get("worldName") == policy.world != "":
        return None
    return "scripts on new documents may run in BrowserX's own isolated world only"


def _no_universal_access(policy: MethodPolicy, params: Mapping[str, Any], session: "Session") -> str | None:
    return "no world gets universal access" if params.get("grantUniveralAccess") else None


def _isolated_binding(policy: MethodPolicy, params: Mapping[str, Any], session: "Session") -> str | None:
    if Group.PAGE_WORLD in policy.groups or params.get("executionContextName") == policy.world != "":
        return None
    return "bindings may be given to BrowserX's own isolated world only"


_RULES: dict[str, _Rule] = {
    "Page.addScriptToEvaluateOnNewDocument": _isolated_script,
    "Page.createIsolatedWorld": _no_universal_access,
    "Page.navigate": _no_script_address,
    "Runtime.addBinding": _isolated_binding,
    "Runtime.callFunctionOn": _isolated_call,
    "Runtime.evaluate": _isolated_evaluate,
    "Target.createTarget": _no_script_address,
}
