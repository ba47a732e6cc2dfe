"""Pictures and prints of a page, whatever takes them: a tab of our own, or a driver."""

from abc import abstractmethod
from typing import Protocol

from browserx.browser.printing import Margins, Paper
from browserx.browser.screenshot import Clip, PictureFormat
from browserx.dom import DomSnapshot
from browserx.errors import InvalidArgumentError
from browserx.page import picture
from browserx.page.looking import Looking, S


class Camera(Protocol):
    """What takes pictures. A ``Tab`` is one."""

    async def screenshot(
        self,
        *,
        full_page: bool,
        clip: Clip | None,
        format: PictureFormat,  # noqa: A002 (the protocol's word)
        quality: int | None,
    ) -> bytes:
        """A picture of the viewport, of the whole page, or of ``clip``, a part of the viewport."""

    async def pdf(
        self,
        *,
        paper: Paper,
        landscape: bool,
        background: bool,
        margins: Margins,
        page_ranges: str | None,
        scale: float,
        prefer_css_page_size: bool,
    ) -> bytes:
        """The page as it would be printed."""


class Picturing(Looking[S]):
    """The calls that give pictures."""

    @abstractmethod
    async def _camera(self) -> Camera:
        """What takes pictures of this page.

        Raises:
            SnapshotError: a dialog holds the page.
            NotSupportedError: nothing here can.
        """

    @abstractmethod
    async def _place(self, node_id: str | int) -> Clip:
        """Scroll to an element, if nothing of it shows, and say where it is in the viewport."""

    @abstractmethod
    async def _glance(self) -> DomSnapshot:
        """A new snapshot of the viewport."""

    async def screenshot(
        self,
        *,
        node_id: str | int | None = None,
        full_page: bool = False,
        annotated: bool = False,
        format: PictureFormat = "png",  # noqa: A002 (the protocol's word)
        quality: int | None = None,
    ) -> bytes:
        """A picture of the viewport, of the whole page, or of one element, which is scrolled to if need be.

        ``annotated`` draws a box and the node id on all that can be acted on in the viewport, as a PNG.

        Raises:
            InvalidArgumentError: what is asked for does not go together.
            NodeNotFoundError: there is no such element.
            NotActionableError: the element is hidden, or has no size.
            SnapshotError: a dialog holds the page, or the picture would be too large.
            NotSupportedError: the driver takes no such pictures (content engine only).
        """
        if node_id is not None and (full_page or annotated):
            raise InvalidArgumentError("a picture of one element is neither full_page nor annotated; leave that out")
        if annotated and (full_page or format != "png"):
            raise InvalidArgumentError("annotated pictures are PNGs of the viewport; leave full_page and format out")
        async with self._lock:
            camera = await self._camera()
            if annotated:
                return await picture.annotated(camera, await self._glance())
            clip = await self._place(node_id) if node_id is not None else None
            return await camera.screenshot(full_page=full_page, clip=clip, format=format, quality=quality)

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
        """The page as it would be printed, as PDF; the arguments are those of ``Tab.pdf``.

        Raises:
            InvalidArgumentError: an argument makes no sense, or there are no such pages.
            SnapshotError: a dialog holds the page, or this browser cannot print.
            NotSupportedError: the driver does not print (content engine only).
        """
        async with self._lock:
            camera = await self._camera()
            return await camera.pdf(
                paper=paper,
                landscape=landscape,
                background=background,
                margins=margins,
                page_ranges=page_ranges,
                scale=scale,
                prefer_css_page_size=prefer_css_page_size,
            )
