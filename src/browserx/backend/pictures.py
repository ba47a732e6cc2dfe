"""Whether what was sent as a picture is one."""

import base64
import binascii

from browserx.backend.refusals import RefusedError

_JPEG, _PNG, _WEBP = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF"


def check_screenshot(text: str) -> None:
    """Refuse what is no base64, or no JPEG, PNG or WebP, by its first bytes: a model would be asked in vain."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if not data.startswith((_JPEG, _PNG)) and not (data.startswith(_WEBP) and data[8:12] == b"WEBP"):
        raise RefusedError(
            422,
            "VALIDATION_ERROR",
            "screenshot: it is no picture; send a JPEG as base64, or leave it out",
            fields=[{"field": "screenshot", "problem": "no picture"}],
        )
