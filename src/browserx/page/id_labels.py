"""Node ids drawn over a page, as one rule of style: a label and a box for each control, in a single pseudo-element.

Labels are lines of text 1 px high, in a font whose characters are all as wide: so a label stands at any pixel from the
top, and at any whole character from the left. Boxes are backgrounds. Nothing is fetched, so no security policy of the
page is in the way.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from browserx.dom.marks import Mark, place_labels
from browserx.dom.tree import Rect
from browserx.page.picture import COLORS, Color

FONT = "bold 10px monospace"
_HEIGHT = 13
_PADDING = 2
_LINE_PX = 1.5


class Canvas(NamedTuple):
    """What is drawn on: ``pseudo`` of the root (``after``, ``before``), in a viewport of ``size`` CSS px.

    ``character`` is how wide a character of ``FONT`` is there.
    """

    pseudo: str
    size: tuple[int, int]
    character: float


def rule(marked: Sequence[Mark], canvas: Canvas) -> str:
    """The style that draws ``marked``; "" where there is nothing to draw."""
    if not marked:
        return ""
    boxes = [mark.box for mark in marked]
    sizes = [(math.ceil(len(mark.node_id) * canvas.character) + 2 * _PADDING, _HEIGHT) for mark in marked]
    labels = place_labels(boxes, sizes, canvas.size)
    colors = [COLORS[mark.kind][number % 2] for number, mark in enumerate(marked)]
    content, columns = _text([mark.node_id for mark in marked], labels, canvas.character)
    # What comes first lies above: a label is moved to where its text begins.
    layers = [
        _layer(color, column * canvas.character - _PADDING, label[1], label[2], label[3])
        for label, color, column in zip(labels, colors, columns, strict=True)
    ]
    for box, color in zip(boxes, colors, strict=True):
        layers += _edges(box, color)
    declarations = {
        "all": "initial",
        # Without words for those who hear the page: it is for the eyes only.
        "content": f'"{content}" / ""',
        "position": "fixed",
        "inset": "0",
        "z-index": "2147483647",
        "pointer-events": "none",
        "white-space": "pre",
        "overflow": "hidden",
        "font": FONT.replace(" monospace", "/1px monospace"),
        "color": "#fff",
        "background": ",".join(layers),
    }
    body = ";".join(f"{name}:{value} !important" for name, value in declarations.items())
    return f":root:root:root::{canvas.pseudo}{{{body}}}"


def _text(ids: Sequence[str], labels: Sequence[Rect], character: float) -> tuple[str, list[int]]:
    """All labels as text, and the column that each begins in; one that has no room goes to a line below."""
    lines: dict[int, str] = {}
    columns = [0] * len(ids)
    for number in sorted(range(len(ids)), key=lambda n: (labels[n][1], labels[n][0])):
        x, y, _, height = labels[number]
        column = max(0, round((x + _PADDING) / character))
        line = y + height // 2
        while len(lines.get(line, "")) > column:
            line += 1
        lines[line] = lines.get(line, "").ljust(column) + ids[number]
        columns[number] = column
    last = max(lines, default=-1)
    # The blank after "\a" ends the escape and is none itself.
    return "\\a ".join(lines.get(line, "") for line in range(last + 1)), columns


def _edges(box: Rect, color: Color) -> list[str]:
    x, y, width, height = box
    return [
        _layer(color, x - _LINE_PX, y - _LINE_PX, width + 2 * _LINE_PX, _LINE_PX),
        _layer(color, x - _LINE_PX, y + height, width + 2 * _LINE_PX, _LINE_PX),
        _layer(color, x - _LINE_PX, y, _LINE_PX, height),
        _layer(color, x + width, y, _LINE_PX, height),
    ]


def _layer(color: Color, x: float, y: float, width: float, height: float) -> str:
    shade = f"#{color[0]:02x}{color[1]:02x}{color[2]:02x}"
    return f"linear-gradient({shade},{shade}) {x:.1f}px {y:.1f}px/{width:.1f}px {height:.1f}px no-repeat"
