"""A tab: where it is, going elsewhere, its dialogs, and script in the page's own world."""

import asyncio
import os
import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import msgspec

from browserx.browser import navigation
from browserx.browser.attachment import Attachment
from browserx.browser.console import ConsoleMessage
from browserx.browser.dialogs import Dialog
from browserx.browser.downloads import Download
from browserx.browser.emulation import ColorScheme, Emulation, Geolocation, Media, ReducedMotion, of_device
from browserx.browser.har import Archive, to_har
from browserx.browser.interception import Rules
from browserx.browser.navigation import NAVIGATION_TIMEOUT_S, Navigation
from browserx.browser.network import Request
from browserx.browser.printing import Margins, Paper, print_params, print_pdf
from browserx.browser.recording import Recording
from browserx.browser.routing import HANDLER_TIMEOUT_S, Handler, Pattern, Routing, blocker
from browserx.browser.screenshot import Clip, PictureFormat, take_screenshot
from browserx.browser.settle import settle
from browserx.browser.storage import write_private
from browserx.cdp import Session
from browserx.cdp.protocol import AttachReply, EvaluateReply, TargetInfo
from browserx.errors import (
    AttachError,
    CdpError,
    ConnectionClosedError,
    EvaluateError,
    InvalidArgumentError,
    NotActionableError,
    OperationTimeoutError,
    SnapshotError,
    TabClosedError,
)

if TYPE_CHECKING:
    from browserx.browser.browser import Browser
    from browserx.browser.context import BrowserContext

_CLOSE_TIMEOUT_S = 5.0


class Tab:
    """One tab. It is attached to when it is first used, and detached when nobody has used it for long.

    ``id`` is a small number, unique within its browser and never used again.
    """

    def __init__(self, browser: "Browser", context: "BrowserContext", tab_id: int, info: TargetInfo) -> None:
        self.browser = browser
        self.context = context
        self.id = tab_id
        self.target_id = info.target_id
        self.opener_id = info.opener_id
        self._info = info
        self._emulation = Emulation()
        self._attachment: Attachment | None = None
        self._attaching = asyncio.Lock()
        self._gone = asyncio.Event()
        self._held: Session | None = None
        self._recording: Recording | None = None
        self.rules = Rules(self.rules_changed)

    def __repr__(self) -> str:
        return f"<Tab {self.id} {self.url!r}{' closed' if self.closed else ''}>"

    @property
    def url(self) -> str:
        """Its address."""
        attachment = self._attachment
        if attachment is not None and attachment.frames.main_id and attachment.frames.main.url:
            return attachment.frames.main.url
        return self._info.url

    @property
    def title(self) -> str:
        """The title of its page, as far as it is known; its address until it has one."""
        return self._announced_title or (self._attachment.title if self._attachment else "") or self._info.title

    @property
    def _announced_title(self) -> str:
        # A page that has said nothing of itself yet is announced under its address.
        title, url = self._info.title, self._info.url
        return "" if title and url.partition("://")[2].startswith(title) else title

    @property
    def closed(self) -> bool:
        """Whether it is gone."""
        return self._gone.is_set()

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that is open and holds the page, if one is."""
        return self._attachment.dialogs.current if self._attachment is not None else None

    @property
    def downloads(self) -> list[Download]:
        """What it has downloaded or is downloading, oldest first; what popups it opened only to download, too."""
        return [download for download in self.browser.downloads if download.tab and download.tab.is_or_serves(self)]

    @property
    def emulation(self) -> Emulation:
        """What its page is told of the screen, the place, the language and the network."""
        return self._emulation.over(self.context.tab_settings.emulation)

    @property
    def attachment(self) -> Attachment | None:
        """What is live while we are attached, None while we are not."""
        return self._attachment

    async def attach(self) -> Attachment:
        """Attach, unless we are attached.

        Raises:
            TabClosedError: the tab is gone.
            AttachError: the browser refused, or the tab does not answer.
        """
        async with self._attaching:
            if self._attachment is not None:
                return self._attachment
            connection = self.browser.connection
            if connection.browser.ended is not None:
                raise connection.browser.ended
            if self.closed:
                raise TabClosedError(f"tab {self.id} was closed; open or pick another")
            held, self._held = self._held, None
            session = held or await self._new_session()
            attachment = Attachment(
                session, self.context.tab_settings, self.emulation, (self.rules, self.context.rules)
            )
            if self.context.download_folder is None:
                attachment.on_session.append(self.browser.follow_downloads_of)
            session.on_end(lambda error: self._detached(attachment))
            try:
                await attachment.prepare(paused=held is not None)
            except (CdpError, OperationTimeoutError, InvalidArgumentError) as error:
                connection.browser.post("Target.detachFromTarget", {"sessionId": session.session_id})
                connection.forget(session)
                if isinstance(error, InvalidArgumentError):
                    raise
                raise AttachError(
                    f"tab {self.id} does not answer ({error.message}); a dialog may be open in it, or it may be busy"
                ) from error
            self._attachment = attachment
            return attachment

    async def _new_session(self) -> Session:
        connection = self.browser.connection
        try:
            reply = await connection.browser.send(
                "Target.attachToTarget", {"targetId": self.target_id, "flatten": True}, AttachReply
            )
        except CdpError as error:
            if self.closed or "No target" in error.message:
                raise TabClosedError(f"tab {self.id} was closed; open or pick another") from error
            raise AttachError(f"the browser refused to attach to tab {self.id}: {error.message}") from error
        return connection.session(reply.session_id)

    async def detach(self) -> None:
        """Let go of the tab: it costs nothing any more. The next use attaches again.

        A tab whose requests somebody has a say in (routes, logins, a HAR) is kept: else they went out unheard.
        """
        if self.rules or self.context.rules or self._recording is not None:
            return
        async with self._attaching:
            attachment, self._attachment = self._attachment, None
            if attachment is None:
                return
            connection = self.browser.connection
            if attachment.session.ended is None:
                connection.browser.post("Target.detachFromTarget", {"sessionId": attachment.session.session_id})
                connection.forget(attachment.session)

    async def goto(self, url: str, *, timeout_s: float = NAVIGATION_TIMEOUT_S) -> Navigation:
        """Open ``url``; returns when its page is loaded and quiet.

        Raises:
            NavigationError: no document came. ``reason`` says why (``net::ERR_…``, ``download``, ``dialog``).
            OperationTimeoutError: none came within ``timeout_s`` seconds.
        """
        return await navigation.navigate(await self.attach(), url, timeout_s=timeout_s)

    async def back(self, *, timeout_s: float = NAVIGATION_TIMEOUT_S) -> Navigation | None:
        """Go back; None when there is nothing to go back to."""
        return await navigation.go_through_history(await self.attach(), -1, timeout_s=timeout_s)

    async def forward(self, *, timeout_s: float = NAVIGATION_TIMEOUT_S) -> Navigation | None:
        """Go forward; None when there is nothing to go forward to."""
        return await navigation.go_through_history(await self.attach(), +1, timeout_s=timeout_s)

    async def reload(self, *, timeout_s: float = NAVIGATION_TIMEOUT_S) -> Navigation:
        """Load the page anew."""
        return await navigation.reload(await self.attach(), timeout_s=timeout_s)

    async def evaluate(self, script: str, *, timeout_s: float = 30.0) -> Any:
        """Run ``script`` in the page's own world, await what it promises, and return its result as JSON.

        Raises:
            EvaluateError: it threw, or its result is no JSON.
        """
        attachment = await self.attach()
        params = {"expression": script, "returnByValue": True, "awaitPromise": True, "userGesture": True}
        try:
            answer = await attachment.session.send("Runtime.evaluate", params, EvaluateReply, timeout_s=timeout_s)
        except CdpError as error:
            raise EvaluateError(f"the script gave no result: {error.message}") from error
        if answer.exception_details is not None:
            raise EvaluateError(f"the script threw: {answer.exception_details.describe()}")
        result = answer.result
        if result.unserializable_value or result.type in ("function", "symbol"):
            shown = result.unserializable_value or result.description or result.type
            raise EvaluateError(f"the script's result is no JSON: {shown}; return a plain value")
        return result.value

    async def screenshot(
        self,
        *,
        full_page: bool = False,
        clip: Clip | None = None,
        format: PictureFormat = "png",  # noqa: A002 (the protocol's word)
        quality: int | None = None,
    ) -> bytes:
        """A picture of what the viewport shows, or of the whole page, or of a part of either.

        Args:
            full_page: the whole page, not only the viewport.
            clip: x, y, width and height in CSS px, of the viewport or the whole page.
            format: ``png``, ``jpeg`` or ``webp``.
            quality: 0 to 100, for jpeg and webp.

        Raises:
            InvalidArgumentError: an argument makes no sense.
            SnapshotError: a dialog holds the page, or the picture would be too large.
        """
        attachment = await self.attach()
        return await take_screenshot(attachment, full_page=full_page, clip=clip, format=format, quality=quality)

    async def pdf(
        self,
        *,
        paper: Paper = "letter",
        landscape: bool = False,
        background: bool = False,
        margins: Margins = 0.4,
        page_ranges: str | None = None,
        scale: float = 1.0,
        prefer_css_page_size: bool = False,
    ) -> bytes:
        """The page as it would be printed, as PDF.

        Args:
            paper: ``letter``, ``legal``, ``tabloid``, ``ledger``, ``a0`` to ``a6``, or width and height in inches.
            landscape: the long side at the top.
            background: print backgrounds too.
            margins: in inches: one for all sides, or top, right, bottom and left.
            page_ranges: which pages, such as "1-3, 5"; all, when left out.
            scale: 0.1 to 2.
            prefer_css_page_size: a size the page itself asks for wins over ``paper``.

        Raises:
            InvalidArgumentError: an argument makes no sense, or there are no such pages.
            SnapshotError: a dialog holds the page, or this browser cannot print: it was launched with a window.
        """
        params = print_params(
            paper=paper,
            landscape=landscape,
            background=background,
            margins=margins,
            page_ranges=page_ranges,
            scale=scale,
            prefer_css_page_size=prefer_css_page_size,
        )
        attachment = await self.attach()
        if attachment.dialogs.current is not None:
            raise SnapshotError(attachment.dialogs.current.describe())
        return await print_pdf(attachment.session, params)

    async def emulate(
        self,
        *,
        device: str | None = None,
        viewport: tuple[int, int] | None = None,
        device_scale_factor: float | None = None,
        mobile: bool | None = None,
        touch: bool | None = None,
        user_agent: str | None = None,
        locale: str | None = None,
        timezone: str | None = None,
        color_scheme: ColorScheme | None = None,
        reduced_motion: ReducedMotion | None = None,
        media: Media | None = None,
        geolocation: Geolocation | tuple[float, float] | tuple[float, float, float] | None = None,
        offline: bool | None = None,
        cpu_throttling: float | None = None,
    ) -> Emulation:
        """Show pages to this tab as if it were elsewhere, wherever it goes from now on; returns all that is emulated.

        What is left out stays as it is; ``clear_emulation`` takes everything back. ``device`` is the name of a
        well-known one ("iPhone 15"), whose settings the others change; they are those of ``Emulation``. A page that is
        there sees a new user agent when it is loaded again.

        Raises:
            InvalidArgumentError: a value makes no sense, or there is no such device, locale or time zone.
            NotActionableError: a dialog is open and holds the page.
        """
        change = Emulation(
            viewport=viewport,
            device_scale_factor=device_scale_factor,
            mobile=mobile,
            touch=touch,
            user_agent=user_agent,
            locale=locale,
            timezone=timezone,
            color_scheme=color_scheme,
            reduced_motion=reduced_motion,
            media=media,
            geolocation=geolocation,
            offline=offline,
            cpu_throttling=cpu_throttling,
        )
        base = self._emulation
        if device is not None:
            base = of_device(device, self.browser.version).over(base)
        return await self._emulate(change.over(base))

    async def clear_emulation(self) -> Emulation:
        """Emulate only what the tab's context says; returns that."""
        return await self._emulate(Emulation())

    async def _emulate(self, own: Emulation) -> Emulation:
        attachment = await self.attach()
        if attachment.dialogs.current is not None:
            raise NotActionableError(attachment.dialogs.current.describe(), node_id="", reason="dialog")
        await attachment.emulate(own.over(self.context.tab_settings.emulation))
        self._emulation = own
        await settle(attachment)
        return self.emulation

    async def bring_to_front(self) -> None:
        """Make it the tab that is shown in its window."""
        attachment = await self.attach()
        await attachment.session.send("Page.bringToFront")

    async def close(self) -> None:
        """Close the tab without asking its page."""
        if self.closed:
            return
        try:
            await self.browser.connection.browser.send("Target.closeTarget", {"targetId": self.target_id})
        except ConnectionClosedError:
            return
        except CdpError:
            if not self.closed:
                raise
        try:
            async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                await self._gone.wait()
        except TimeoutError as error:
            raise OperationTimeoutError(
                f"tab {self.id} did not close within {_CLOSE_TIMEOUT_S:g} s", timeout_s=_CLOSE_TIMEOUT_S
            ) from error

    def is_or_serves(self, tab: "Tab") -> bool:
        """Whether this is ``tab``, or a popup it opened that is gone: a link to a file often opens one for a moment."""
        return self is tab or (self.opener_id == tab.target_id and self.closed)

    # its requests and its console

    async def route(self, pattern: Pattern, handler: Handler, *, timeout_s: float = HANDLER_TIMEOUT_S) -> Routing:
        """Let ``handler`` decide what becomes of the requests that ``pattern`` means, in all frames and workers.

        It is called with a ``Route`` and answers it once: ``fulfill``, ``continue_`` or ``abort``. Of several the one
        added last decides, the tab's before the context's. Redirects are asked about anew. While anything is routed,
        caches and service workers are passed by; websockets are never held.

        Args:
            pattern: a glob for the whole address (``**/*.png``), a regular expression, or a predicate of the request.
            handler: a function, or a coroutine function.
            timeout_s: how long it may take; then the request goes out as it was.
        """
        return await self.rules.add(pattern, handler, timeout_s)

    async def unroute(self, which: Routing | Pattern | None = None) -> None:
        """End a routing, those of a pattern, or all of the tab.

        Raises:
            RouteHandlerError: a handler had failed.
        """
        await self.rules.remove(which)

    async def block(self, what: Sequence[str | re.Pattern[str]]) -> Routing:
        """Let no requests of some resource types (``image``, ``media``, ``font``, …) or to some addresses go out."""
        return await self.rules.add(blocker(what), lambda route: route.abort("blockedbyclient"))

    @property
    def console(self) -> list[ConsoleMessage]:
        """What the page said in its console and what went wrong in it, oldest first; the last 500 since attaching."""
        return list(self._attachment.console.messages) if self._attachment is not None else []

    @property
    def network_log(self) -> list[Request]:
        """The requests of the page, oldest first; the last 1,000 since attaching. ``start_har`` hears more of each."""
        return list(self._attachment.network.log) if self._attachment is not None else []

    async def start_har(self, *, bodies: bool = False) -> None:
        """Begin to record the requests of the tab for ``har``. With ``bodies`` also what is sent and answered."""
        await self.stop_har()
        attachment = await self.attach()
        self._recording = Recording(attachment, lambda: self.title, bodies=bodies)
        await self._recording.start()

    async def har(self, path: str | os.PathLike[str] | None = None, *, secrets: bool = False) -> dict[str, Any]:
        """What was recorded since ``start_har``, as HAR 1.2, also written to ``path`` (0600).

        Unless ``secrets``, the values of cookies and of Authorization headers are masked. Addresses and bodies are not.

        Raises:
            InvalidArgumentError: nothing was recorded: call ``start_har`` first.
        """
        recording = self._recording
        if recording is None:
            raise InvalidArgumentError("nothing was recorded; call start_har() first, then use the page")
        await recording.read_bodies()
        recording.finish()
        archive = to_har(
            Archive(recording.exchanges, recording.pages, version("browserx"), self.browser.version, secrets)
        )
        if path is not None:
            write_private(msgspec.json.format(msgspec.json.encode(archive), indent=2), path)
        return archive

    async def stop_har(self) -> None:
        """Record no more, and forget what was recorded."""
        recording, self._recording = self._recording, None
        if recording is not None:
            await recording.stop()

    # the browser's side

    async def rules_changed(self) -> None:
        """Somebody has, or has no longer, a say in the requests of the tab."""
        if self.closed or (self._attachment is None and not (self.rules or self.context.rules)):
            return
        await (await self.attach()).interception.update()

    def hold(self, session: Session) -> None:
        """Use this session to attach, unless it is too late for that: the tab just opened and waits to be let run."""
        if self._attachment is None and not self._attaching.locked():
            self._held = session

    def note(self, info: TargetInfo) -> None:
        """The browser announced a new address or title."""
        self._info = info
        self.context.note_address(info.url)

    def gone(self) -> None:
        """The browser announced its end."""
        self._gone.set()

    def _detached(self, attachment: Attachment) -> None:
        if self._attachment is attachment:
            self._attachment = None
