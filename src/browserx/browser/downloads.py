"""Downloads: what pages make the browser save, where it goes, and what became of it."""

import asyncio
import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from browserx.browser.files import clean_name, reserve
from browserx.cdp import Session
from browserx.cdp.protocol import DownloadProgress, DownloadWillBegin
from browserx.errors import DownloadError, InvalidArgumentError, OperationTimeoutError

if TYPE_CHECKING:
    from browserx.browser.context import BrowserContext
    from browserx.browser.tab import Tab

DownloadState = Literal["in_progress", "completed", "cancelled", "failed"]

DOWNLOAD_TIMEOUT_S = 300.0
_CANCEL_TIMEOUT_S = 5.0
_MOST_KEPT = 1000
_REMOVE_FOR_S = 3.0
_REMOVE_AGAIN_S = 0.02


class DownloadFolder:
    """Where the files of a context go.

    While a file is on its way it is in a folder of its own inside; it gets its name when it is complete. ``remove``
    takes away what is incomplete, and, of a folder nobody asked for, everything.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """``folder``: a folder that is there; without one, a private one is made.

        Raises:
            InvalidArgumentError: it cannot be written to.
        """
        self.is_private = folder is None
        self.folder = folder or Path(tempfile.mkdtemp(prefix="browserx-downloads-"))
        try:
            self.partial = Path(tempfile.mkdtemp(prefix=".browserx-", dir=self.folder))
        except OSError as error:
            raise InvalidArgumentError(
                f"{self.folder} cannot be written to: {error.strerror}; choose another downloads_dir"
            ) from error

    @property
    def temporary(self) -> Path:
        """What must be gone when the browser is."""
        return self.folder if self.is_private else self.partial

    def take(self, guid: str, name: str) -> Path:
        """Give a complete file its name, or the next that is free; where it is now.

        Raises:
            InvalidArgumentError: it cannot be moved.
        """
        path = reserve(self.folder, name)
        try:
            os.replace(self.partial / guid, path)
        except OSError as error:
            path.unlink(missing_ok=True)
            raise InvalidArgumentError(f"{path} cannot be written: {error.strerror}") from error
        return path

    def drop(self, guid: str) -> None:
        """Take away what there is of a file that will not be complete."""
        for name in (guid, f"{guid}.crdownload"):
            with contextlib.suppress(OSError):
                (self.partial / name).unlink(missing_ok=True)

    async def remove(self) -> None:
        """Take away what is temporary."""
        await asyncio.to_thread(_remove, self.temporary)


def _remove(folder: Path) -> None:
    # The browser gives up a file a moment after it says so, and nothing tells of that moment.
    give_up = time.monotonic() + _REMOVE_FOR_S
    while os.path.lexists(folder):
        shutil.rmtree(folder, ignore_errors=True)
        if time.monotonic() > give_up:
            return
        if os.path.lexists(folder):
            time.sleep(_REMOVE_AGAIN_S)


class Download:
    """One download.

    Attributes:
        url: where it comes from.
        suggested_name: what the page calls it, as it is.
        tab: the tab that began it, None if that is not known.
        state: ``in_progress``, ``completed``, ``cancelled`` or ``failed``.
        received_bytes: how much is here.
        total_bytes: how much there will be, None if that is not known.
        path: the file, once it is complete; None before, and where the browser saves it by itself.
        error: why it failed.
    """

    def __init__(
        self, guid: str, url: str, suggested_name: str, tab: "Tab | None", folder: DownloadFolder | None
    ) -> None:
        self.url = url
        self.suggested_name = suggested_name
        self.tab = tab
        self.state: DownloadState = "in_progress"
        self.received_bytes = 0
        self.total_bytes: int | None = None
        self.path: Path | None = None
        self.error = ""
        self._guid = guid
        self._folder = folder
        self._unwanted = False
        self._ended = asyncio.Event()

    def __repr__(self) -> str:
        return f"<Download {self.suggested_name!r} {self.state}, {self.received_bytes} bytes>"

    @property
    def name(self) -> str:
        """What the file is called, or will be unless there is one of that name."""
        return self.path.name if self.path is not None else clean_name(self.suggested_name)

    async def finished(self, timeout_s: float = DOWNLOAD_TIMEOUT_S) -> Path:
        """Wait until it is complete; where the file is.

        Raises:
            DownloadError: it failed or was cancelled, or the browser saved it by itself and does not say where.
            OperationTimeoutError: it is not complete within ``timeout_s`` seconds; it goes on.
        """
        if not await self.ended(timeout_s):
            raise OperationTimeoutError(
                f"{self.name} is not complete within {timeout_s:g} s ({self.received_bytes} bytes are here); "
                "allow more time, or cancel it",
                timeout_s=timeout_s,
            )
        if self.state != "completed":
            raise DownloadError(f"{self.name} was not saved: {self.error}; try again", url=self.url)
        if self.path is None:
            raise DownloadError(
                f"{self.name} was saved by the browser itself; connect with downloads_dir=… to say where", url=self.url
            )
        return self.path

    async def ended(self, timeout_s: float) -> bool:
        """Wait until nothing more comes of it, for whatever reason; whether that is so within ``timeout_s`` seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, timeout_s)):
                await self._ended.wait()
        return self._ended.is_set()

    async def cancel(self) -> None:
        """Stop it, and take away what is here of it. One that has ended stays as it is.

        Raises:
            DownloadError: it began in a tab that is not known, so the browser cannot be told.
        """
        if self._ended.is_set():
            return
        if self.tab is None:
            raise DownloadError(f"{self.name} began in no tab that is known; it cannot be cancelled", url=self.url)
        self._unwanted = True
        browser = self.tab.browser.connection.browser
        await browser.send("Browser.cancelDownload", self._in_context(self.tab.context))
        await self.ended(_CANCEL_TIMEOUT_S)

    def _in_context(self, context: "BrowserContext") -> dict[str, str]:
        its = {} if context.context_id is None else {"browserContextId": context.context_id}
        return {"guid": self._guid, **its}

    # the browser's side

    def progress(self, event: DownloadProgress) -> None:
        """The browser tells how far it is."""
        if self._ended.is_set():
            return
        self.received_bytes = round(event.received_bytes)
        self.total_bytes = round(event.total_bytes) or self.total_bytes
        if event.state == "completed":
            self._complete()
        elif event.state == "canceled":
            self.fail("it was cancelled" if self._unwanted else "the connection broke, or somebody cancelled it")

    def fail(self, why: str) -> None:
        """Nothing more will come."""
        if self._ended.is_set():
            return
        self.state = "cancelled" if self._unwanted else "failed"
        self.error = why
        if self._folder is not None:
            self._folder.drop(self._guid)
        self._ended.set()

    def _complete(self) -> None:
        if self._folder is not None:
            try:
                self.path = self._folder.take(self._guid, clean_name(self.suggested_name))
            except InvalidArgumentError as error:
                self.fail(error.message)
                return
        self.state = "completed"
        self.total_bytes = self.received_bytes
        self._ended.set()


class Downloads:
    """The downloads of one browser, oldest first; the last thousand of them."""

    def __init__(self, find_tab: "Callable[[str], Tab | None]") -> None:
        self._find_tab = find_tab
        self._by_guid: dict[str, Download] = {}
        self._folders: list[DownloadFolder] = []
        #: Called with each download that begins.
        self.on_begin: list[Callable[[Download], None]] = []

    def __iter__(self) -> Iterator[Download]:
        return iter(tuple(self._by_guid.values()))

    async def keep_in(self, browser: Session, folder: DownloadFolder, context_id: str | None) -> None:
        """Have the browser save what a context downloads in ``folder``, and tell of it."""
        params: dict[str, object] = {
            "behavior": "allowAndName",
            "downloadPath": str(folder.partial),
            "eventsEnabled": True,
        }
        if context_id is not None:
            params["browserContextId"] = context_id
        await browser.send("Browser.setDownloadBehavior", params)
        if folder not in self._folders:
            self._folders.append(folder)

    def follow(self, browser: Session) -> None:
        """Hear of downloads in contexts that have a folder."""
        browser.on("Browser.downloadWillBegin", DownloadWillBegin, self._begins)
        browser.on("Browser.downloadProgress", DownloadProgress, self._progress)
        browser.on_end(lambda error: self._browser_ended())

    def follow_page(self, session: Session) -> None:
        """Hear of downloads of one page, whose context saves them where the browser likes."""
        session.on("Page.downloadWillBegin", DownloadWillBegin, self._begins)
        session.on("Page.downloadProgress", DownloadProgress, self._progress)

    def give_up(self, browser: Session, context: "BrowserContext") -> None:
        """A context is about to be closed: what it has not completed is cancelled."""
        for download in self:
            if download.state == "in_progress" and download.tab is not None and download.tab.context is context:
                browser.post("Browser.cancelDownload", download._in_context(context))
                download.fail("its context was closed")

    async def forget(self, folder: DownloadFolder) -> None:
        """The context a folder was for is gone."""
        if folder in self._folders:
            self._folders.remove(folder)
        await folder.remove()

    async def close(self) -> None:
        """The browser is gone, for us: so are the folders nobody asked for."""
        self._browser_ended()
        for folder in tuple(self._folders):
            await self.forget(folder)

    def _begins(self, event: DownloadWillBegin) -> None:
        if event.guid in self._by_guid:
            return
        tab = self._find_tab(event.frame_id)
        folder = tab.context.download_folder if tab is not None else None
        download = Download(event.guid, event.url, event.suggested_filename, tab, folder)
        self._by_guid[event.guid] = download
        if len(self._by_guid) > _MOST_KEPT:
            del self._by_guid[next(iter(self._by_guid))]
        for hook in tuple(self.on_begin):
            hook(download)

    def _progress(self, event: DownloadProgress) -> None:
        if (download := self._by_guid.get(event.guid)) is None:
            return
        if download._folder is None:
            # It began in a frame of a tab nobody is attached to; the file itself tells whose it is.
            names = (event.guid, f"{event.guid}.crdownload")
            download._folder = next((f for f in self._folders if any((f.partial / n).exists() for n in names)), None)
        download.progress(event)

    def _browser_ended(self) -> None:
        for download in self:
            download.fail("the browser ended")


__all__ = ["DOWNLOAD_TIMEOUT_S", "Download", "DownloadFolder", "DownloadState", "Downloads"]
