"""The method policy: one allowlist, with rules for arguments."""

from typing import Any

import pytest

from browserx.cdp import Connection, MethodPolicy
from browserx.cdp.policy import ALL_GROUPS, Group
from browserx.cdp.session import Session
from browserx.errors import BlockedByPolicyError
from tests.fakes import ScriptedTransport

AUDITED = "the audited script"


@pytest.fixture
async def session() -> Session:
    connection = Connection(ScriptedTransport(), MethodPolicy())
    connection.browser.isolated_contexts.add(7)
    return connection.browser


BASE = MethodPolicy(world="browserx", audited=[AUDITED])
ALL = MethodPolicy(ALL_GROUPS, world="browserx", audited=[AUDITED])


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("DOM.getBoxModel", {}),
        ("Accessibility.getPartialAXTree", {}),
        ("CSS.getComputedStyleForNode", {}),
        ("Input.dispatchMouseEvent", {}),
        ("Browser.getVersion", {}),
        ("Page.navigate", {"url": "https://example.com/?next=javascript:1"}),
        ("Runtime.evaluate", {"expression": "1", "contextId": 7}),
        ("Runtime.evaluate", {"expression": AUDITED, "contextId": 1}),
        ("Runtime.callFunctionOn", {"functionDeclaration": "f", "executionContextId": 7}),
        ("Runtime.callFunctionOn", {"functionDeclaration": "f", "objectId": "123.7.1"}),
        ("Page.addScriptToEvaluateOnNewDocument", {"source": "1", "worldName": "browserx"}),
        ("Runtime.addBinding", {"name": "b", "executionContextName": "browserx"}),
    ],
)
async def test_the_base_allows(session: Session, method: str, params: dict[str, Any]) -> None:
    BASE.check(method, params, session)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Runtime.evaluate", {"expression": "1"}),
        ("Runtime.evaluate", {"expression": "1", "contextId": 8}),
        ("Runtime.evaluate", {"expression": AUDITED + " ", "contextId": 1}),
        ("Runtime.callFunctionOn", {"functionDeclaration": "f", "executionContextId": 8}),
        ("Runtime.callFunctionOn", {"functionDeclaration": "f", "objectId": "123.8.1"}),
        ("Runtime.callFunctionOn", {"functionDeclaration": "f", "objectId": "7"}),
        ("Runtime.callFunctionOn", {"functionDeclaration": "f"}),
        ("Page.addScriptToEvaluateOnNewDocument", {"source": "1"}),
        ("Page.addScriptToEvaluateOnNewDocument", {"source": "1", "worldName": "other"}),
        ("Runtime.addBinding", {"name": "b"}),
        ("Network.getCookies", {}),
        ("Storage.getCookies", {}),
        ("Fetch.enable", {}),
        ("Browser.grantPermissions", {}),
        ("Browser.setDownloadBehavior", {}),
        ("Target.createBrowserContext", {}),
        ("DOM.setOuterHTML", {}),
        ("CSS.setStyleTexts", {}),
    ],
)
async def test_the_base_forbids(session: Session, method: str, params: dict[str, Any]) -> None:
    with pytest.raises(BlockedByPolicyError):
        BASE.check(method, params, session)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Page.setBypassCSP", {"enabled": True}),
        ("Page.navigate", {"url": "javascript:alert(1)"}),
        ("Page.navigate", {"url": " \tJava\nScript:alert(1)"}),
        ("Target.createTarget", {"url": "\0javascript:alert(1)"}),
        ("Page.createIsolatedWorld", {"frameId": "F", "grantUniveralAccess": True}),
        ("Debugger.enable", {}),
        ("SystemInfo.getInfo", {}),
        ("Target.exposeDevToolsProtocol", {}),
        ("No.suchMethod", {}),
        ("", {}),
    ],
)
async def test_no_group_allows(session: Session, method: str, params: dict[str, Any]) -> None:
    with pytest.raises(BlockedByPolicyError):
        ALL.check(method, params, session)


@pytest.mark.parametrize(
    ("group", "method"),
    [
        (Group.FETCH, "Fetch.enable"),
        (Group.STORAGE, "Network.setCookie"),
        (Group.PERMISSIONS, "Browser.grantPermissions"),
        (Group.DOWNLOADS, "Browser.setDownloadBehavior"),
        (Group.CONTEXTS, "Target.createBrowserContext"),
        (Group.CONTEXTS, "Security.setIgnoreCertificateErrors"),
        (Group.PAGE_WORLD, "Runtime.evaluate"),
        (Group.STYLES, "CSS.setStyleSheetText"),
    ],
)
async def test_a_group_opens_its_methods_and_no_others(session: Session, group: Group, method: str) -> None:
    MethodPolicy([group]).check(method, {"expression": "1"}, session)
    for other in Group:
        if other not in (group, Group.BASE):
            with pytest.raises(BlockedByPolicyError):
                MethodPolicy([other]).check(method, {"expression": "1"}, session)


async def test_only_our_own_worlds_are_isolated() -> None:
    transport = ScriptedTransport()
    connection = Connection(transport, MethodPolicy(world="browserx"))
    transport.attach("S1")
    session = connection.session("S1")
    for number, name in ((1, ""), (2, "browserx"), (3, "some extension")):
        transport.event("Runtime.executionContextCreated", {"context": {"id": number, "name": name}}, "S1")
    assert session.isolated_contexts == {2}
    await session.send("Runtime.evaluate", {"expression": "1", "contextId": 2})
    with pytest.raises(BlockedByPolicyError):
        await session.send("Runtime.evaluate", {"expression": "1", "contextId": 3})
    await connection.close()
