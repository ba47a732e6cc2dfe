"""Requests as any client in any language would make them."""

from typing import Any

import httpx2

from tests.backend.served import Served

PATH = "/api/agent/interact"
#: As the contract's own examples have it.
TREE = [
    {"i": "12", "r": "link", "n": "Gmail", "xy": [900, 20]},
    {"i": "14", "r": "inp", "n": "Search", "v": "SpaceX", "xy": [400, 300]},
    {"i": "15", "r": "btn", "n": "Google Search", "xy": [400, 350]},
]


def asked(query: str = 'click "Google Search"', **more: Any) -> dict[str, Any]:
    return {
        "url": "https://google.com",
        "query": query,
        "domMode": "semantic",
        "interactiveTree": TREE,
        "viewport": {"width": 1280, "height": 800},
        "pageTitle": "Google",
        **more,
    }


async def post(served: Served, body: Any, **headers: str) -> httpx2.Response:
    async with served.client(**headers) as http:
        return await http.post(PATH, json=body)


async def data(served: Served, body: Any, **headers: str) -> dict[str, Any]:
    answer = await post(served, body, **headers)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    assert told["success"] is True
    return dict(told["data"])
