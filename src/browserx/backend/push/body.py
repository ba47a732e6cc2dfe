"""Bodies of requests, within a bound."""

from fastapi import Request


class TooLargeError(Exception):
    """The body is larger than it may be."""


async def read_body(request: Request, most_bytes: int) -> bytes:
    """The whole body; no more of it is kept than it may be large. Raises TooLargeError."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most_bytes:
            raise TooLargeError(f"a body here has at most {most_bytes} bytes")
    return bytes(body)
