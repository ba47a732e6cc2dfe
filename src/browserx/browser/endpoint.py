"""From the address people know (``http://127.0.0.1:9222``) to the browser's own WebSocket."""

import asyncio
import http.client
import json
from urllib.parse import urlsplit

from browserx.errors import AttachError, OperationTimeoutError


async def browser_websocket(url: str, *, timeout_s: float) -> str:
    """The WebSocket address of the browser at ``url``; a ``ws:`` address is taken as it is.

    Raises:
        AttachError: nothing answers there, or it is no browser.
        OperationTimeoutError: it did not answer within ``timeout_s`` seconds.
    """
    parts = urlsplit(url if "//" in url else f"http://{url}")
    if parts.scheme in ("ws", "wss"):
        return url
    try:
        port = parts.port
    except ValueError:
        port = None
    if parts.scheme not in ("http", "https") or not parts.hostname or port is None:
        raise AttachError(f"{url!r} is no browser address; give one like http://127.0.0.1:9222")
    try:
        return await asyncio.to_thread(_ask, parts.scheme, parts.hostname, port, timeout_s)
    except TimeoutError as error:
        raise OperationTimeoutError(f"{url} did not answer within {timeout_s:g} s", timeout_s=timeout_s) from error
    except OSError as error:
        raise AttachError(
            f"nothing answers at {url} ({error}); start the browser with --remote-debugging-port={port}"
        ) from error
    except (http.client.HTTPException, ValueError, KeyError) as error:
        raise AttachError(f"what answers at {url} is no browser; is this its --remote-debugging-port?") from error


def _ask(scheme: str, host: str, port: int, timeout_s: float) -> str:
    make = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
    connection = make(host, port, timeout=timeout_s)
    try:
        connection.request("GET", "/json/version")
        answer = json.loads(connection.getresponse().read())
        return str(answer["webSocketDebuggerUrl"])
    finally:
        connection.close()
