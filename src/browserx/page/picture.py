"""A picture of a page with its controls marked ("set of marks"): for people, and for models that can see.

The numbers on it are the node ids of the text that belongs to the same look.
"""

import asyncio
import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from browserx.browser.screenshot import Clip
from browserx.dom import DomSnapshot
from browserx.dom.marks import ControlKind, Mark, marks, overlap, place_labels
from browserx.dom.tree import Rect
from browserx.errors import InvalidArgumentError

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

    from browserx.page.picturing import Camera

Color = tuple[int, int, int]

#: Two shades of a colour for each kind, by turns, so that a label and its box are told from those beside them. Dark
#: enough for white digits (contrast 4.5 and more), and far from each other for the color-blind too.
COLORS: dict[ControlKind, tuple[Color, Color]] = {
    ControlKind.FIELD: ((0, 84, 180), (0, 48, 110)),
    ControlKind.BUTTON: ((0, 116, 62), (0, 72, 44)),
    ControlKind.LINK: ((160, 24, 150), (96, 8, 110)),
    ControlKind.TOGGLE: ((186, 70, 0), (128, 40, 0)),
    ControlKind.OTHER: ((92, 92, 92), (48, 48, 48)),
}
_WHITE: Color = (255, 255, 255)
#: Sizes in CSS px.
_FONT_SIZE = 12
_PADDING = 2
_LINE = 1.5
_CORNER = 2
#: A place whose brightness differs by more than this has something on it that can be read.
_BUSY = 48


async def annotated(camera: "Camera", snapshot: DomSnapshot) -> bytes:
    """A PNG of the viewport with what can be acted on marked, as ``snapshot``, just taken, has it.

    Raises:
        InvalidArgumentError: Pillow is not installed.
    """
    _pillow()
    png = await camera.screenshot(full_page=False, clip=None, format="png", quality=None)
    return await asyncio.to_thread(annotate, png, marks(snapshot), _png_width(png) / max(1, snapshot.facts.viewport[0]))


def annotate(png: bytes, marked: Sequence[Mark], scale: float) -> bytes:
    """Draw a thin box around each mark, and its node id on a small label beside it.

    ``scale`` is how many px of the picture a CSS px is: the screen's density times the zoom. What lies outside of the
    picture is cut away.

    Raises:
        InvalidArgumentError: Pillow is not installed.
    """
    image_module, draw_module, font_module = _pillow()
    image = image_module.open(io.BytesIO(png)).convert("RGB")
    boxes = [_in_picture(mark.box, scale, image.size) for mark in marked]
    shown = [(mark, box) for mark, box in zip(marked, boxes, strict=True) if box[2] > 0 and box[3] > 0]
    font = font_module.load_default(size=max(_FONT_SIZE, round(_FONT_SIZE * scale)))
    sizes = [_label_size(mark.node_id, font, scale) for mark, _ in shown]
    gray = image.convert("L")
    labels = place_labels([box for _, box in shown], sizes, image.size, lambda rect: _is_busy(gray, rect))
    draw = draw_module.Draw(image, "RGBA")
    colors = [COLORS[mark.kind][number % 2] for number, (mark, _) in enumerate(shown)]
    # The large ones first, so that a small one is whole where they cross; labels last, over all boxes.
    for number in sorted(range(len(shown)), key=lambda n: -shown[n][1][2] * shown[n][1][3]):
        _draw_box(draw, shown[number][1], colors[number], scale)
    for (mark, _), label, color in zip(shown, labels, colors, strict=True):
        _draw_label(draw, label, mark.node_id, color, font, scale)
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def cropped(png: bytes, clip: Clip | None, view_width: float, format_: str, quality: int | None) -> bytes:
    """A part of a picture of the viewport, ``view_width`` CSS px wide, in the format asked for.

    Raises:
        InvalidArgumentError: Pillow is not installed.
    """
    image_module, *_ = _pillow()
    image = image_module.open(io.BytesIO(png)).convert("RGB")
    if clip is not None:
        scale = image.width / max(1.0, view_width)
        x, y, width, height = (round(length * scale) for length in clip)
        image = image.crop((x, y, x + width, y + height))
    written = io.BytesIO()
    image.save(written, format_.upper(), **({} if quality is None else {"quality": quality}))
    return written.getvalue()


def _pillow() -> tuple[Any, Any, Any]:
    """Loaded when a picture is drawn: nothing else needs it."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise InvalidArgumentError("annotating a picture needs the package pillow: install it") from error
    return Image, ImageDraw, ImageFont


def _png_width(png: bytes) -> int:
    # The first chunk of a PNG is its header, and the width the first number in it.
    return int.from_bytes(png[16:20], "big")


def _in_picture(box: Rect, scale: float, size: tuple[int, int]) -> Rect:
    """What shows of a box, in px of the picture, and its line around it: not over the text that fills it."""
    x, y, width, height = (round(length * scale) for length in box)
    shown = overlap((x, y, width, height), (0, 0, *size))
    if not (shown[2] and shown[3]):
        return shown
    line = _line(scale)
    return overlap((shown[0] - line, shown[1] - line, shown[2] + 2 * line, shown[3] + 2 * line), (0, 0, *size))


def _line(scale: float) -> int:
    return max(1, round(_LINE * scale))


def _label_size(text: str, font: "FreeTypeFont", scale: float) -> tuple[int, int]:
    padding = round(_PADDING * scale)
    return (math.ceil(font.getlength(text)) + 2 * padding + 2, round(font.size) + padding + 1)


def _is_busy(gray: "Image", rect: Rect) -> bool:
    x, y, width, height = rect
    darkest, brightest = gray.crop((x, y, x + width, y + height)).getextrema()
    return bool(brightest - darkest > _BUSY)  # type: ignore[operator]  # a gray picture has one band


def _draw_box(draw: "ImageDraw", box: Rect, color: Color, scale: float) -> None:
    """A line, and a light one around it for dark pages."""
    left, top = box[0], box[1]
    right, bottom = left + box[2] - 1, top + box[3] - 1
    draw.rectangle((left - 1, top - 1, right + 1, bottom + 1), outline=(*_WHITE, 170))
    draw.rectangle((left, top, right, bottom), outline=(*color, 255), width=_line(scale))


def _draw_label(draw: "ImageDraw", rect: Rect, text: str, color: Color, font: "FreeTypeFont", scale: float) -> None:
    x, y, width, height = rect
    draw.rounded_rectangle(
        (x, y, x + width - 1, y + height - 1), round(_CORNER * scale), fill=(*color, 255), outline=(*_WHITE, 255)
    )
    draw.text((x + width / 2, y + height / 2), text, fill=_WHITE, font=font, anchor="mm")
