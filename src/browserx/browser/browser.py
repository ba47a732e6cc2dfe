"""A browser: launched by us or connected to, its contexts and its tabs."""

import asyncio
import contextlib
import logging
import os
import re
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from types import TracebackType
from typing import Any

from browserx.browser.attachment import TabSettings
from browserx.browser.blank import BLANK_URL
from browserx.browser.context import BrowserContext
from browserx.browser.credentials import HttpCredentials, Logins, ProxySettings, read_http_credentials, read_proxy
from browserx.browser.downloads import Download, DownloadFolder, Downloads
from browserx.browser.emulation import ColorScheme, Emulation, Geolocation, of_device
from browserx.browser.endpoint import browser_websocket
from browserx.browser.executable import find_executable
from browserx.browser.files import make_folder
from browserx.browser.flags import command_line
from browserx.browser.permissions import protocol_names
from browserx.browser.process import BrowserProcess, make_profile
from browserx.browser.storage import read_state
from browserx.browser.tab import Tab
from browserx.cdp import Connection, MethodPolicy, Session, Transport
from browserx.cdp.policy import ALL_GROUPS
from browserx.cdp.protocol import (
    AttachedToTarget,
    CreateContextReply,
    CreateTargetReply,
    TargetCreated,
    TargetDestroyed,
    TargetInfo,
    VersionReply,
)
from browserx.errors import AttachError, BrowserXError, ConnectionClosedError, InvalidArgumentError, TabClosedError
from browserx.inpage import READ_ROOT, WORLD, reader_source

_log = logging.getLogger("browserx.browser")

DEFAULT_VIEWPORT = (1280, 800)
_START_TIMEOUT_S = 30.0
_QUIT_TIMEOUT_S = 3.0
_OLDEST_MAJOR = 125
_GONE_POPUPS_KEPT = 50
_PAGES_ONLY = [{"type": "page", "exclude": False}, {"exclude": True}]
_PORT_OPEN = re.compile(
    r"DevTools listening on ws://(?P<host>[^/]*):(?P<port>\d+)/|Cannot start http server for devtools"
)
_warned_of_root = False


class Opening:
    """What ``Browser.launch`` and ``Browser.connect`` return: enter it with ``async with``, or await it and close the
    browser yourself.
    """

    def __init__(self, open_browser: "Callable[[], Awaitable[Browser]]") -> None:
        self._open = open_browser
        self._browser: Browser | None = None

    def __await__(self) -> "Generator[Any, None, Browser]":
        return self._open().__await__()

    async def __aenter__(self) -> "Browser":
        self._browser = await self._open()
        return self._browser

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._browser is not None:
            await self._browser.close()


class Browser:
    """One browser. ``Browser.launch`` starts one of our own, ``Browser.connect`` uses one that runs."""

    def __init__(
        self,
        connection: Connection,
        process: BrowserProcess | None,
        settings: TabSettings,
        logins: Logins | None = None,
    ) -> None:
        self.connection = connection
        self.default_context = BrowserContext(self, None, settings, logins=logins)
        self.version = ""
        #: Where other tools can connect; "" unless a port was asked for.
        self.debugging_url = ""
        #: Called with each tab that the page, or a person, opened.
        self.on_tab_opened: list[Callable[[Tab], None]] = []
        self._downloads = Downloads(self._tab_of_frame)
        #: Called with each download that begins.
        self.on_download = self._downloads.on_begin
        self._process = process
        self._contexts: dict[str, BrowserContext] = {}
        self._tabs: dict[str, Tab] = {}
        #: Popups that are gone: what they were opened for may be heard of only now.
        self._gone_popups: dict[str, Tab] = {}
        self._next_tab_id = 1
        self._blank: str | None = None
        self._ours: set[str] = set()
        self._arrived = asyncio.Event()
        self._holds_new_tabs = False

    @classmethod
    def launch(
        cls,
        executable_path: str | os.PathLike[str] | None = None,
        *,
        headless: bool = True,
        args: Iterable[str] = (),
        user_data_dir: str | os.PathLike[str] | None = None,
        downloads_dir: str | os.PathLike[str] | None = None,
        proxy: ProxySettings | None = None,
        http_credentials: HttpCredentials | None = None,
        storage_state: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        viewport: tuple[int, int] | None = None,
        user_agent: str | None = None,
        extra_headers: Mapping[str, str] | None = None,
        ignore_https_errors: bool = False,
        locale: str | None = None,
        timezone: str | None = None,
        color_scheme: ColorScheme | None = None,
        geolocation: Geolocation | tuple[float, float] | tuple[float, float, float] | None = None,
        permissions: Iterable[str] = (),
        debugging_port: int | None = None,
    ) -> Opening:
        """Start a browser of our own: ``async with Browser.launch() as browser: …``.

        It talks over a pipe, not a port, and leaves neither process nor profile behind however the program ends.

        Args:
            executable_path: the browser to start; found by itself when left out.
            headless: without a window.
            args: more command-line arguments; they win over ours.
            user_data_dir: a profile to use and keep; a fresh one, removed afterwards, when left out.
            downloads_dir: where downloads go; a private folder, removed with the browser, when left out.
            proxy: ``http://host:port`` or ``socks5://host:port``, or ``{"server": …, "username": …, "password": …,
                "bypass": …}``.
            http_credentials: for servers that ask who we are: ``{"origin": …, "username": …, "password": …}``, or
                several of them. Each goes to its origin only.
            storage_state: what ``BrowserContext.storage_state`` gave, as a dict or a file of it.
            viewport: width and height of the page in CSS px; 1280 x 800 without a window, the window's own with one.
            user_agent: instead of the browser's own.
            extra_headers: sent with every request.
            ignore_https_errors: open pages whose certificate is not trusted.
            locale: such as "de-DE": the language pages are shown in, and their formats.
            timezone: such as "Europe/Berlin".
            color_scheme: ``light``, ``dark`` or ``no-preference``.
            geolocation: latitude and longitude in degrees, and accuracy in m; needs the permission "geolocation" too.
            permissions: granted to every page, by the names of the Permissions API.
            debugging_port: also listen on this port of loopback, for other tools; 0: any free one, ``debugging_url``
                says which. Whoever can reach it can drive the browser; without it nobody can.

        Raises (on entering):
            BrowserNotFoundError: there is none to start; says what to install.
            AttachError: it started, but did not become ready.
        """

        async def open_browser() -> Browser:
            told_proxy = read_proxy(proxy)
            logins = Logins(read_http_credentials(http_credentials), told_proxy.login if told_proxy else None)
            state = None if storage_state is None else read_state(storage_state)
            size = viewport or DEFAULT_VIEWPORT
            granted = list(permissions)
            protocol_names(granted)
            emulation = Emulation(
                viewport=size if headless or viewport else None,
                locale=locale,
                timezone=timezone,
                color_scheme=color_scheme,
                geolocation=geolocation,
            )
            executable = find_executable(executable_path)
            downloads = None if downloads_dir is None else make_folder(downloads_dir)
            profile = make_folder(user_data_dir) if user_data_dir is not None else make_profile()
            line = command_line(
                user_data_dir=str(profile),
                headless=headless,
                window=size,
                no_sandbox=_must_go_without_sandbox(),
                proxy=told_proxy.server if told_proxy else None,
                user_agent=user_agent,
                ignore_https_errors=ignore_https_errors,
                extra=[
                    *([f"--proxy-bypass-list={told_proxy.bypass}"] if told_proxy and told_proxy.bypass else []),
                    *([] if debugging_port is None else [f"--remote-debugging-port={debugging_port}"]),
                    *args,
                ],
            )
            process, pipe = await BrowserProcess.start(
                executable, line, profile, keep_profile=user_data_dir is not None
            )
            settings = TabSettings(emulation, extra_headers or {})
            browser = cls(_connection(pipe), process, settings, logins)
            try:
                await browser._start()
                await browser._keep_downloads(browser.default_context, DownloadFolder(downloads))
                if granted:
                    await browser.default_context.grant_permissions(granted)
                if logins:
                    await browser.hold_new_tabs()
                if state is not None:
                    await browser.default_context.restore(state)
                if debugging_port is not None:
                    browser.debugging_url = await _debugging_url(process, debugging_port)
            except BaseException as error:
                await asyncio.shield(browser.close())
                if isinstance(error, BrowserXError) and not isinstance(error, AttachError):
                    raise _did_not_get_ready(executable, error, process.last_words()) from error
                raise
            return browser

        return Opening(open_browser)

    @classmethod
    def connect(
        cls, url: str, *, timeout_s: float = 10.0, downloads_dir: str | os.PathLike[str] | None = None
    ) -> Opening:
        """Use a browser that runs with ``--remote-debugging-port``: ``async with Browser.connect("http://127.0.0.1:9222")``.

        Its tabs stay as they are, also when the connection ends.

        Args:
            url: ``http://host:port``, or the browser's own ``ws://…/devtools/browser/…``.
            timeout_s: how long it may take to answer.
            downloads_dir: where its downloads go, on the machine it runs on; when left out it saves them as it always
                does, and does not say where.

        Raises (on entering):
            AttachError: nothing answers there, or it is no browser.
            OperationTimeoutError: it did not answer in time.
        """

        async def open_browser() -> Browser:
            from browserx.cdp.websocket import WebSocketTransport

            address = await browser_websocket(url, timeout_s=timeout_s)
            transport = await WebSocketTransport.connect(address, timeout_s=timeout_s)
            browser = cls(_connection(transport), None, TabSettings())
            try:
                await browser._start()
                if downloads_dir is not None:
                    await browser._keep_downloads(browser.default_context, DownloadFolder(make_folder(downloads_dir)))
            except BaseException:
                await asyncio.shield(browser.close())
                raise
            return browser

        return Opening(open_browser)

    def __repr__(self) -> str:
        return f"<Browser {self.version}, {len(self._tabs)} tabs>"

    @property
    def process_id(self) -> int | None:
        """Of the browser we launched; None for one we connected to."""
        return self._process.pid if self._process is not None else None

    @property
    def tabs(self) -> list[Tab]:
        """The open tabs, oldest first."""
        return sorted(
            (tab for target_id, tab in self._tabs.items() if target_id != self._blank), key=lambda tab: tab.id
        )

    def tab(self, tab_id: int) -> Tab:
        """The open tab of this id.

        Raises:
            TabClosedError: there is none; the message names those that are open.
        """
        for tab in self.tabs:
            if tab.id == tab_id:
                return tab
        there = ", ".join(str(tab.id) for tab in self.tabs) or "none"
        raise TabClosedError(f"No tab with id {tab_id}; open tabs: {there}")

    @property
    def downloads(self) -> list[Download]:
        """What was downloaded or is being downloaded, oldest first."""
        return list(self._downloads)

    async def new_tab(self, url: str | None = None) -> Tab:
        """Open a tab, and ``url`` in it; returns when its page is loaded and quiet.

        Raises:
            NavigationError: ``url`` did not load; the tab is closed again.
        """
        return await self.default_context.new_tab(url)

    async def new_context(
        self,
        *,
        proxy: ProxySettings | None = None,
        http_credentials: HttpCredentials | None = None,
        storage_state: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        device: str | None = None,
        viewport: tuple[int, int] | None = None,
        user_agent: str | None = None,
        extra_headers: Mapping[str, str] | None = None,
        ignore_https_errors: bool | None = None,
        locale: str | None = None,
        timezone: str | None = None,
        color_scheme: ColorScheme | None = None,
        geolocation: Geolocation | tuple[float, float] | tuple[float, float, float] | None = None,
        permissions: Iterable[str] = (),
        downloads_dir: str | os.PathLike[str] | None = None,
    ) -> BrowserContext:
        """An isolated context, for agents that must not see each other's cookies. It ends with the connection.

        The arguments are those of ``launch``, and what is left out is as it was given there; ``device`` is the name of
        a well-known one ("iPhone 15").

        Raises:
            InvalidArgumentError: an argument makes no sense, or there is no such device or permission.
        """
        inherited = self.default_context.tab_settings
        emulation = inherited.emulation
        if device is not None:
            emulation = of_device(device, self.version).over(emulation)
        given = Emulation(
            viewport=viewport,
            user_agent=user_agent,
            locale=locale,
            timezone=timezone,
            color_scheme=color_scheme,
            geolocation=geolocation,
        )
        settings = TabSettings(
            given.over(emulation),
            inherited.extra_headers if extra_headers is None else extra_headers,
            inherited.ignore_https_errors if ignore_https_errors is None else ignore_https_errors,
        )
        granted = list(permissions)
        protocol_names(granted)
        downloads = None if downloads_dir is None else make_folder(downloads_dir)
        told_proxy = read_proxy(proxy)
        launched_with = self.default_context.rules.logins
        logins = Logins(
            launched_with.by_origin if http_credentials is None else read_http_credentials(http_credentials),
            told_proxy.login if told_proxy is not None else launched_with.proxy,
        )
        state = None if storage_state is None else read_state(storage_state)
        params: dict[str, object] = {"disposeOnDetach": True}
        if told_proxy is not None:
            params |= {"proxyServer": told_proxy.server, "proxyBypassList": told_proxy.bypass}
        if logins:
            await self.hold_new_tabs()
        reply = await self.connection.browser.send("Target.createBrowserContext", params, CreateContextReply)
        context = BrowserContext(self, reply.browser_context_id, settings, logins=logins)
        self._contexts[reply.browser_context_id] = context
        try:
            folder = self.default_context.download_folder if downloads is None else DownloadFolder(downloads)
            if folder is not None:
                await self._keep_downloads(context, folder)
            if granted:
                await context.grant_permissions(granted)
            if state is not None:
                await context.restore(state)
        except BaseException:
            await asyncio.shield(context.close())
            raise
        return context

    async def close(self) -> None:
        """End the browser we launched, with its profile; let go of one we connected to. Closing twice is fine."""
        if self._process is not None and not self.connection.closed:
            with contextlib.suppress(BrowserXError):
                await self.connection.browser.send("Browser.close", timeout_s=_QUIT_TIMEOUT_S)
        await self.connection.close()
        if self._process is not None:
            process, self._process = self._process, None
            await process.end()
        for tab in self._tabs.values():
            tab.gone()
        self._tabs.clear()
        await self._downloads.close()

    # for contexts and tabs

    async def open_tab(self, context: BrowserContext, url: str | None) -> Tab:
        """Open a tab in ``context``."""
        if url is not None and not url.strip():
            raise InvalidArgumentError("the address is empty; give one like https://example.com/")
        tab = await self._blank_tab(context)
        try:
            await tab.attach()
            if url is not None:
                await tab.goto(url)
        except BaseException:
            if not self.connection.closed:
                with contextlib.suppress(BrowserXError):
                    await asyncio.shield(tab.close())
            raise
        return tab

    async def hold_new_tabs(self) -> None:
        """Have tabs wait, when they open, until they are attached to: of those in whose requests somebody has a say."""
        if self._holds_new_tabs:
            return
        self._holds_new_tabs = True
        session = self.connection.browser
        session.on("Target.attachedToTarget", AttachedToTarget, self._tab_waits)
        params = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": _PAGES_ONLY}
        await session.send("Target.setAutoAttach", params)

    async def dispose(self, context: BrowserContext) -> None:
        """Close a context of ours, with its tabs and what they had not yet downloaded."""
        assert context.context_id is not None
        browser = self.connection.browser
        self._downloads.give_up(browser, context)
        with contextlib.suppress(ConnectionClosedError):
            await browser.send("Target.disposeBrowserContext", {"browserContextId": context.context_id})
        self._contexts.pop(context.context_id, None)
        folder = context.download_folder
        if folder is not None and folder is not self.default_context.download_folder:
            await self._downloads.forget(folder)

    def follow_downloads_of(self, session: Session) -> None:
        """Hear of the downloads of a page whose context saves them where the browser likes."""
        self._downloads.follow_page(session)

    # inside

    async def _start(self) -> None:
        session = self.connection.browser
        session.on("Target.targetCreated", TargetCreated, self._target_created)
        session.on("Target.targetInfoChanged", TargetCreated, self._target_changed)
        session.on("Target.targetDestroyed", TargetDestroyed, self._target_destroyed)
        session.on_end(lambda error: self._all_gone())
        self._downloads.follow(session)
        version_reply = session.start("Browser.getVersion", None, VersionReply, timeout_s=_START_TIMEOUT_S)
        discover = session.start(
            "Target.setDiscoverTargets", {"discover": True, "filter": _PAGES_ONLY}, timeout_s=_START_TIMEOUT_S
        )
        version, _ = await asyncio.gather(version_reply, discover)
        self.version = version.product
        if self._process is not None:
            # The window it starts with shows nothing and belongs to nobody: it becomes the first tab asked for.
            self._blank = next((t.target_id for t in self._tabs.values() if t.url == "about:blank"), None)
        major = self.version.rpartition("/")[2].partition(".")[0]
        if major.isdigit() and int(major) < _OLDEST_MAJOR:
            _log.warning("%s is older than %d; some of what BrowserX does will fail", self.version, _OLDEST_MAJOR)

    async def _keep_downloads(self, context: BrowserContext, folder: DownloadFolder) -> None:
        if self._process is not None:
            self._process.take_along(folder.temporary)
        context.download_folder = folder
        await self._downloads.keep_in(self.connection.browser, folder, context.context_id)

    def _tab_of_frame(self, frame_id: str) -> Tab | None:
        """The tab a frame is in, as far as that is known; the frame at the top goes by the tab's own id."""
        if (tab := self._tabs.get(frame_id) or self._gone_popups.get(frame_id)) is not None:
            return tab
        return next((t for t in self._tabs.values() if t.attachment and t.attachment.frames.get(frame_id)), None)

    async def _blank_tab(self, context: BrowserContext) -> Tab:
        if self._blank is not None and context is self.default_context:
            target_id, self._blank = self._blank, None
            if target_id in self._tabs:
                return self._tabs[target_id]
        params: dict[str, object] = {"url": "about:blank"}
        if context.context_id is not None:
            params["browserContextId"] = context.context_id
        reply = await self.connection.browser.send("Target.createTarget", params, CreateTargetReply)
        tab = self._tabs.get(reply.target_id)
        if tab is None:
            tab = self._add(TargetInfo(reply.target_id, "page", browser_context_id=context.context_id))
        tab.context = context
        return tab

    def _add(self, info: TargetInfo) -> Tab:
        context = self._contexts.get(info.browser_context_id or "", self.default_context)
        tab = Tab(self, context, self._next_tab_id, info)
        self._next_tab_id += 1
        self._tabs[info.target_id] = tab
        return tab

    def _target_created(self, event: TargetCreated) -> None:
        info = event.target_info
        if info.type != "page" or info.target_id in self._tabs:
            return
        if info.url == BLANK_URL and info.opener_id is None:
            return
        tab = self._add(info)
        for hook in tuple(self.on_tab_opened):
            hook(tab)

    def _target_changed(self, event: TargetCreated) -> None:
        if tab := self._tabs.get(event.target_info.target_id):
            tab.note(event.target_info)
            self._tell_opener(tab)

    def _tell_opener(self, tab: Tab) -> None:
        """What becomes of a tab that a page opened, whoever acts on that page waits for."""
        opener = self._tabs.get(tab.opener_id) if tab.opener_id is not None else None
        if opener is not None and opener.attachment is not None:
            opener.attachment.changes.notify()

    def _tab_waits(self, event: AttachedToTarget) -> None:
        if not event.waiting_for_debugger:
            return
        session = self.connection.session(event.session_id)
        tab = self._tabs.get(event.target_info.target_id)
        if tab is None or not tab.context.rules:
            session.post("Runtime.runIfWaitingForDebugger")
            return
        tab.hold(session)
        self.connection.tasks.start(_attach_held(tab, session), name="attaching a tab that opened")

    def _target_destroyed(self, event: TargetDestroyed) -> None:
        if tab := self._tabs.pop(event.target_id, None):
            tab.gone()
            self._tell_opener(tab)
            if tab.opener_id is not None:
                self._gone_popups[event.target_id] = tab
                if len(self._gone_popups) > _GONE_POPUPS_KEPT:
                    del self._gone_popups[next(iter(self._gone_popups))]

    def _all_gone(self) -> None:
        for tab in self._tabs.values():
            tab.gone()


async def _attach_held(tab: Tab, session: Session) -> None:
    """Attach to a tab that waits. It runs on with that, or when somebody else has attached to it before."""
    try:
        await tab.attach()
    finally:
        session.post("Runtime.runIfWaitingForDebugger")


def _connection(transport: Transport) -> Connection:
    return Connection(transport, MethodPolicy(ALL_GROUPS, world=WORLD, audited=(reader_source(), READ_ROOT)))


def _did_not_get_ready(executable: object, error: BrowserXError, words: str) -> AttachError:
    why = f"; it said: {words}" if words else "; is another browser using this user_data_dir?"
    return AttachError(f"{executable} started but did not become ready: {error.message}{why}")


async def _debugging_url(process: BrowserProcess, port: int) -> str:
    said = await process.wait_for_words(_PORT_OPEN, _START_TIMEOUT_S)
    # When the port is taken, the browser quietly listens on the other loopback, where nobody looks.
    if said is None or said["host"] != "127.0.0.1":
        raise AttachError(f"port {port} cannot be listened on; it is probably taken: choose another, or 0 for any")
    return f"http://127.0.0.1:{said['port']}"


def _must_go_without_sandbox() -> bool:
    # Chromium refuses to start its sandbox as root.
    global _warned_of_root  # noqa: PLW0603  (said once a process)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root and not _warned_of_root:
        _warned_of_root = True
        _log.warning("running as root: the browser runs without its sandbox; run as another user where you can")
    return root
