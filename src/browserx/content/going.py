"""Going elsewhere by script, and waiting for what is to come."""

from functools import partial
from urllib.parse import urlsplit

from browserx.actions import ActionResult
from browserx.content.hand import ContentHand
from browserx.content.performing import Performance
from browserx.errors import InvalidArgumentError, NavigationError
from browserx.page import waiting
from browserx.page.expectation import State, expectation
from browserx.page.hand import Expected

_NAVIGATION_MS = 30_000
_ERROR_PAGES = ("chrome-error:", "about:neterror", "about:certerror")


class Going(ContentHand):
    """Navigation, and ``wait_for``."""

    async def navigate(self, url: str, *, expect: Expected = None) -> ActionResult:
        """Open ``url`` in the page; returns when its document is there and quiet.

        Raises:
            NavigationError: no page came.
        """
        if urlsplit(url).scheme not in ("http", "https", "file", "data", "about"):
            raise InvalidArgumentError(f"{url!r} is no address of a page; give one like https://example.com/")
        return await self._go("navigate", url, expect)

    async def back(self, *, expect: Expected = None) -> ActionResult:
        """Go back in the page's history."""
        return await self._go("back", -1, expect)

    async def forward(self, *, expect: Expected = None) -> ActionResult:
        """Go forward in the page's history."""
        return await self._go("forward", 1, expect)

    async def reload(self, *, expect: Expected = None) -> ActionResult:
        """Load the page anew."""
        return await self._go("reload", 0, expect)

    async def _go(self, name: str, where: str | int, expect: Expected) -> ActionResult:
        async def act(performance: Performance) -> ActionResult:
            await performance.act("go", where)
            result = await performance.finish(leaving_ms=_NAVIGATION_MS)
            url = self._sight.eye.world and (result.changes.url if result.changes is not None else None)
            if url and url.startswith(_ERROR_PAGES):
                raise NavigationError(f"{where} did not load; check the address", url=str(where), reason=url)
            return result

        return await self._act(name, act, expect)

    async def wait_for(
        self,
        *,
        text: str | None = None,
        gone: str | None = None,
        url: str | None = None,
        node_id: str | int | None = None,
        state: State | None = None,
        value: str | None = None,
        timeout_s: float = 10.0,
    ) -> ActionResult:
        """Wait until a text is there, or gone, the address fits, or an element is in a state or holds a value.

        Raises:
            OperationTimeoutError: it did not come to that within ``timeout_s`` seconds; says what is so instead.
        """
        given = {"text": text, "gone": gone, "url": url, "node_id": node_id, "state": state, "value": value}
        wanted = expectation({name: one for name, one in given.items() if one is not None})

        async def act(performance: Performance) -> ActionResult:
            self._sight.url = performance.before.url
            return await waiting.wait(partial(self._until, wanted), lambda: self._sight.url, timeout_s)

        return await self._act("wait", act)
