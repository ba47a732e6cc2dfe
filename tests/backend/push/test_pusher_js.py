"""pusher-js as it is, in Node and in a page of Chromium."""

import asyncio

from browserx import BrowserContext
from browserx.backend.push.connection import Limits
from tests.backend.push.clients import pusher_js
from tests.backend.push.served import TOKEN, Backend
from tests.javascript import node

CHANNEL = "private-session-ann-1"
SUCCEEDED = "pusher:subscription_succeeded"


async def test_a_session_is_heard_in_node() -> None:
    async with Backend() as backend, pusher_js(backend) as client:
        await client.do("subscribe", CHANNEL)
        await client.until(event=SUCCEEDED)
        message = {"type": "new_message", "message": {"content": 'Größe "XL" \n ☃'}}
        await backend.publisher.publish(CHANNEL, "new_message", message)
        assert await client.until(event="new_message") == {
            "channel": CHANNEL,
            "event": "new_message",
            "data": message,
        }
        await client.do("trigger", CHANNEL)
        assert (await client.until(triggered=True)) == {"triggered": True}
        assert (await client.tells())["error"]["code"] == 4301


async def test_a_channel_of_another_is_refused() -> None:
    async with Backend() as backend, pusher_js(backend) as client:
        await client.do("subscribe", "private-session-bob-1")
        told = await client.until(event="pusher:subscription_error")
        assert told["data"]["status"] == 403
        assert backend.hub.channels() == {}


async def test_a_wrong_token_is_refused() -> None:
    async with Backend() as backend:
        authorization = backend.options(token="another")["channelAuthorization"]
        async with pusher_js(backend, channelAuthorization=authorization) as client:
            await client.do("subscribe", CHANNEL)
            assert (await client.until(event="pusher:subscription_error"))["data"]["status"] == 401


async def test_it_comes_back_when_the_server_does() -> None:
    async with Backend() as backend, pusher_js(backend) as client:
        await client.do("subscribe", CHANNEL)
        await client.until(event=SUCCEEDED)
        await backend.stop()
        await backend.start()
        await client.until(event=SUCCEEDED)
        await backend.publisher.publish(CHANNEL, "new_message", {"again": True})
        assert (await client.until(event="new_message"))["data"] == {"again": True}


async def test_it_comes_back_when_it_is_sent_away() -> None:
    async with Backend() as backend, pusher_js(backend) as client:
        await client.do("subscribe", CHANNEL)
        await client.until(event=SUCCEEDED)
        backend.hub.send_away(4100, "over capacity")
        assert (await client.until(error={"code": 4100, "message": "over capacity"}))["error"]
        await client.until(event=SUCCEEDED)


async def test_silence_is_no_reason_to_close() -> None:
    async with Backend(Limits(activity_timeout_s=0.5, pong_timeout_s=20)) as backend, pusher_js(backend) as client:
        await client.do("subscribe", CHANNEL)
        await client.until(event=SUCCEEDED)
        await client.do("id")
        before = (await client.until())["id"]
        heard = [await backend.heard() for _ in range(5)]
        assert {"pusher:pong", "pusher:ping"} >= set(heard[1:]), heard
        await client.do("id")
        assert await client.tells() == {"id": before}


async def test_a_page_hears_a_session(context: BrowserContext) -> None:
    await asyncio.to_thread(node)
    async with Backend() as backend:
        tab = await context.new_tab(backend.url)
        await tab.evaluate(f"start({TOKEN!r})")
        await tab.evaluate(f"until({CHANNEL!r}, {SUCCEEDED!r})")
        await tab.evaluate(f"void (window.came = until({CHANNEL!r}, 'new_message'))")
        await backend.publisher.publish(CHANNEL, "new_message", {"content": "hello"})
        assert await tab.evaluate("came") == {"content": "hello"}
        refused = await tab.evaluate("until('private-session-bob-1', 'pusher:subscription_error')")
        assert refused["status"] == 403

        await backend.stop()
        await backend.start()
        await tab.evaluate(f"void (window.came = until({CHANNEL!r}, 'new_message'))")
        await tab.evaluate(f"until({CHANNEL!r}, {SUCCEEDED!r})")
        await backend.publisher.publish(CHANNEL, "new_message", {"content": "again"})
        assert await tab.evaluate("came") == {"content": "again"}
        await tab.close()
