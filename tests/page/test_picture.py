"""Drawing the marks."""

import io
import subprocess
import sys

import pytest
from PIL import Image

from browserx.dom.marks import ControlKind, Mark
from browserx.errors import InvalidArgumentError
from browserx.page.picture import COLORS, Color, annotate

WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def picture(size: tuple[int, int] = (200, 100), color: Color = WHITE) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", size, color).save(written, "PNG")
    return written.getvalue()


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def pixel(image: Image.Image, x: int, y: int) -> Color:
    found = image.getpixel((x, y))
    assert isinstance(found, tuple)
    return (int(found[0]), int(found[1]), int(found[2]))


def luminance(color: Color) -> float:
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_picture_without_marks_is_as_it_was() -> None:
    assert opened(annotate(picture(), [], 1)).tobytes() == opened(picture()).tobytes()


def test_a_box_is_around_what_it_marks_in_the_colour_of_its_kind() -> None:
    for kind in ControlKind:
        image = opened(annotate(picture(), [Mark("7", (50, 40, 60, 20), kind)], 1))
        color = COLORS[kind][0]
        assert [pixel(image, x, y) for x, y in ((49, 50), (110, 50), (80, 39), (80, 60))] == [color] * 4
        # What is marked is not drawn over.
        assert {pixel(image, x, y) for x in range(50, 110) for y in range(40, 60)} == {WHITE}


def test_neighbours_differ() -> None:
    image = opened(annotate(picture(), [Mark("1", (20, 40, 20, 20)), Mark("2", (80, 40, 20, 20))], 1))
    assert pixel(image, 19, 50) != pixel(image, 79, 50)


def test_boxes_are_where_they_are_on_a_denser_screen() -> None:
    image = opened(annotate(picture((400, 200)), [Mark("7", (50, 40, 60, 20), ControlKind.LINK)], 2))
    color = COLORS[ControlKind.LINK][0]
    assert [pixel(image, x, y) for x, y in ((98, 100), (221, 100), (160, 78), (160, 121))] == [color] * 4
    assert pixel(image, 101, 100) == WHITE


def test_the_label_says_the_id_in_white_on_its_colour() -> None:
    one = opened(annotate(picture(), [Mark("7", (50, 40, 60, 20), ControlKind.FIELD)], 1))
    above = one.crop((46, 18, 76, 37))
    colors = above.getcolors(1000)
    assert colors is not None
    found = {color: count for count, color in colors}
    assert found[COLORS[ControlKind.FIELD][0]] > 40
    other = opened(annotate(picture(), [Mark("4", (50, 40, 60, 20), ControlKind.FIELD)], 1))
    assert above.tobytes() != other.crop((46, 18, 76, 37)).tobytes()


def test_marks_can_be_seen_on_a_dark_page_too() -> None:
    marked = [Mark("7", (50, 40, 60, 20), ControlKind.OTHER)]
    dark = opened(annotate(picture(color=BLACK), marked, 1))
    beside = pixel(dark, 47, 50)
    assert luminance(beside) > 0.3


def test_white_can_be_read_on_every_colour() -> None:
    for shades in COLORS.values():
        for color in shades:
            assert 1.05 / (luminance(color) + 0.05) >= 4.5, color


def test_what_lies_outside_is_cut_away() -> None:
    png = annotate(picture(), [Mark("1", (180, 80, 100, 100)), Mark("2", (500, 500, 10, 10))], 1)
    alone = annotate(picture(), [Mark("1", (180, 80, 100, 100))], 1)
    assert opened(png).size == (200, 100)
    assert png == alone


def test_the_same_comes_out_the_same() -> None:
    marked = [Mark(str(n), (10 * n, 5 * n, 30, 12)) for n in range(12)]
    assert annotate(picture(), marked, 1) == annotate(picture(), marked, 1)


def test_without_its_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    png = picture()
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(InvalidArgumentError, match="pillow: install it"):
        annotate(png, [], 1)


def test_it_is_loaded_only_for_a_picture() -> None:
    code = "import sys, browserx, browserx.page.picture; print('PIL' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
