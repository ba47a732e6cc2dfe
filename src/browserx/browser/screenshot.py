"""Pictures of what a tab shows.

Source: https://chromedevtools.github.io/devtools-protocol/tot/Page/#method-captureScreenshot
"""

import base64
from typing import Any, Literal

from browserx.browser.attachment import Attachment
from browserx.browser.settle import unless_dialog
from browserx.cdp.protocol import LayoutMetricsReply, ScreenshotReply
from browserx.errors import CdpError, InvalidArgumentError, SnapshotError

PictureFormat = Literal["png", "jpeg", "webp"]
#: x, y, width and height in CSS px.
Clip = tuple[float, float, float, float]

_FORMATS = ("png", "jpeg", "webp")
_TIMEOUT_S = 30.0


async def take_screenshot(
    attachment: Attachment,
    *,
    full_page: bool = False,
    clip: Clip | None = None,
    format: PictureFormat = "png",  # noqa: A002 (the protocol's word)
    quality: int | None = None,
) -> bytes:
    """A picture of the viewport, of the whole page, or of ``clip``.

    ``clip`` is a part of the viewport, or, with ``full_page``, of the page. ``quality`` is 0 to 100, not for PNG.

    Raises:
        InvalidArgumentError: an argument makes no sense.
        SnapshotError: a dialog holds the page, or the picture would be too large.
    """
    check_picture(clip, format, quality)
    params: dict[str, Any] = {"format": format}
    if quality is not None:
        params["quality"] = quality
    if full_page or clip is not None:
        metrics = await attachment.session.send("Page.getLayoutMetrics", None, LayoutMetricsReply)
        size, view = metrics.css_content_size, metrics.css_layout_viewport
        # The protocol's clip is always a part of the page.
        area = clip or (0, 0, size.width, size.height)
        if clip is not None and not full_page:
            area = (clip[0] + view.page_x, clip[1] + view.page_y, clip[2], clip[3])
        params["clip"] = dict(zip(("x", "y", "width", "height"), area, strict=True)) | {"scale": 1}
        params["captureBeyondViewport"] = full_page or (
            clip is not None and not _inside(clip, (view.client_width, view.client_height))
        )
    if attachment.dialogs.current is not None:
        raise SnapshotError(attachment.dialogs.current.describe())
    taking = attachment.session.start("Page.captureScreenshot", params, ScreenshotReply, timeout_s=_TIMEOUT_S)
    try:
        reply = await unless_dialog(attachment, taking, timeout_s=_TIMEOUT_S)
    except CdpError as error:
        raise SnapshotError(
            f"there is no picture of it ({error.message}); ask for less of the page: the viewport, or a clip"
        ) from error
    if reply is None:
        dialog = attachment.dialogs.current
        raise SnapshotError(dialog.describe() if dialog else "a dialog opened meanwhile; try again")
    return base64.b64decode(reply.data)


def check_picture(clip: Clip | None, format_: str, quality: int | None) -> None:
    """Raise ``InvalidArgumentError`` unless there are such pictures."""
    if format_ not in _FORMATS:
        raise InvalidArgumentError(f"format is one of {', '.join(_FORMATS)}, not {format_!r}")
    if quality is not None and (format_ == "png" or not 0 <= quality <= 100):
        raise InvalidArgumentError("quality is 0 to 100, and for jpeg and webp only")
    if clip is not None and (len(clip) != 4 or clip[2] <= 0 or clip[3] <= 0):
        raise InvalidArgumentError(f"clip {clip!r} is no (x, y, width, height) in CSS px")


def _inside(clip: Clip, size: tuple[float, float]) -> bool:
    return clip[0] >= 0 and clip[1] >= 0 and clip[0] + clip[2] <= size[0] and clip[1] + clip[3] <= size[1]
