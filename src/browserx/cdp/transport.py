"""The seam between the wire and the world: what a transport is."""

from collections.abc import Callable
from typing import Protocol

#: Called with each whole message, in the order of arrival.
MessageReceiver = Callable[[bytes], None]
#: Called once when no more messages will come, with the reason in words.
CloseReceiver = Callable[[str], None]


class Transport(Protocol):
    """Carries whole JSON messages both ways, in order.

    ``send`` queues and returns at once, so that commands started one after the other leave in that order.
    Messages arrive by callback, in the event loop's own turn: no task stands between the socket and the reply.
    """

    def start(self, on_message: MessageReceiver, on_close: CloseReceiver) -> None:
        """Begin delivering. Messages that came before are delivered first."""

    def send(self, message: bytes) -> None:
        """Queue one message. A message sent after the end is dropped: ``on_close`` has told."""

    async def close(self) -> None:
        """End it. ``on_close`` is called if it has not been."""
