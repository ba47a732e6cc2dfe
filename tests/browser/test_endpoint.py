"""From an address to the browser's own WebSocket."""

import socket

import pytest

from browserx.browser.endpoint import browser_websocket
from browserx.errors import AttachError, OperationTimeoutError
from tests.web import Site, free_port


async def test_a_websocket_address_is_taken_as_it_is() -> None:
    assert await browser_websocket("ws://h:1/devtools/browser/x", timeout_s=1) == "ws://h:1/devtools/browser/x"


@pytest.mark.parametrize("form", ["http://127.0.0.1:{}", "127.0.0.1:{}", "http://127.0.0.1:{}/"])
async def test_the_browser_is_asked(site: Site, form: str) -> None:
    site.publish(b'{"webSocketDebuggerUrl": "ws://there"}', "application/json", path="/json/version")
    assert await browser_websocket(form.format(site.port), timeout_s=1) == "ws://there"


@pytest.mark.parametrize("url", ["", "nonsense", "http://host", "ftp://127.0.0.1:1", "http://127.0.0.1:no"])
async def test_what_is_no_address_is_said(url: str) -> None:
    with pytest.raises(AttachError, match="is no browser address"):
        await browser_websocket(url, timeout_s=1)


async def test_nobody_there_is_said() -> None:
    with pytest.raises(AttachError, match=r"nothing answers at .*--remote-debugging-port="):
        await browser_websocket(f"http://127.0.0.1:{free_port()}", timeout_s=1)


async def test_something_else_there_is_said(site: Site) -> None:
    with pytest.raises(AttachError, match="is no browser"):
        await browser_websocket(f"http://127.0.0.1:{site.port}", timeout_s=1)


async def test_silence_is_given_up() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(OperationTimeoutError):
            await browser_websocket(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout_s=0.1)
