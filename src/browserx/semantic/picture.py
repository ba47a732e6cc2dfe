"""A picture of a page for a backend: small, and told from the one before by what it shows (SPEC 8, *Hybrid*)."""

import base64
import io
from itertools import pairwise
from typing import NamedTuple

from browserx.semantic.request import MAX_SCREENSHOT_BYTES

MAX_WIDTH = 1024
QUALITY = 70
_HASH_SIDE = 8


class Screenshot(NamedTuple):
    """A JPEG as base64 text, and the 64 bits of what it shows as 16 hex digits."""

    jpeg: str
    hash: str


def screenshot(png: bytes) -> Screenshot:
    """A picture made small: at most 1024 px wide and 2 MB as text, quality 0.7."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        image = picture.convert("RGB")
    seen = perceptual_hash(png)
    if image.width > MAX_WIDTH:
        image = image.resize((MAX_WIDTH, max(1, round(image.height * MAX_WIDTH / image.width))))
    while True:
        held = io.BytesIO()
        image.save(held, "JPEG", quality=QUALITY)
        written = base64.b64encode(held.getvalue()).decode("ascii")
        if len(written) <= MAX_SCREENSHOT_BYTES:
            return Screenshot(written, seen)
        image = image.resize((max(1, image.width // 2), max(1, image.height // 2)))


def perceptual_hash(png: bytes) -> str:
    """Whether each of 8x8 parts is brighter than its neighbour to the left (dHash): equal for what looks the same."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        grey = picture.convert("L").resize((_HASH_SIDE + 1, _HASH_SIDE)).tobytes()
    bits = 0
    for row in range(_HASH_SIDE):
        line = grey[row * (_HASH_SIDE + 1) : (row + 1) * (_HASH_SIDE + 1)]
        for left, right in pairwise(line):
            bits = bits << 1 | (right > left)
    return f"{bits:016x}"
