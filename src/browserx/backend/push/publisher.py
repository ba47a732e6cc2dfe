"""The seam through which the backend tells clients something, and its plainest form: to those of this process."""

import asyncio
from typing import Any, Final, Protocol

from browserx.backend.push.hub import Hub
from browserx.backend.push.protocol import check_channel, check_event, event_frame, json_text
from browserx.errors import InvalidArgumentError

#: The channel of a session is this and its id; clients that get this event there fetch its messages.
SESSION_PREFIX: Final = "private-session-"
REFETCH_EVENT: Final = "interact_response"


class Publisher(Protocol):
    """Tells everybody who listens to a channel."""

    async def publish(self, channel: str, event: str, data: Any, socket_id: str | None = None) -> None:
        """Send an event to all who listen to ``channel``, but not to the connection ``socket_id``.

        ``data`` is anything JSON has; a text goes as it is. Returns before anybody has it, never waits for a client,
        and never fails because somebody cannot be reached.

        Raises:
            InvalidArgumentError: a bad name, data that is no JSON, or more of it than an event may carry (publish
                less, and let clients fetch the rest).
        """
        ...


class LocalPublisher:
    """Tells the clients of one hub: all there are, where the backend is one process."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def publish(self, channel: str, event: str, data: Any, socket_id: str | None = None) -> None:
        """See ``Publisher``."""
        self._hub.publish(channel, compose(channel, event, data, self._hub.limits.event_chars), socket_id)
        # Lets the writers run, so that who publishes many in a row does not outrun clients that would keep up.
        await asyncio.sleep(0)


def compose(channel: str, event: str, data: Any, most_chars: int) -> str:
    """The one frame that all receivers of an event get.

    Raises:
        InvalidArgumentError: see ``Publisher.publish``.
    """
    check_channel(channel)
    check_event(event)
    text = json_text(data)
    if len(text) > most_chars:
        raise InvalidArgumentError(
            f"the data of an event has at most {most_chars} characters, these have {len(text)}:"
            " publish less, and let clients fetch the rest"
        )
    return event_frame(event, text, channel)


def refetch_all(hub: Hub) -> None:
    """Tell everybody who listens to a session that something may have been missed: what there is has to be fetched."""
    for channel in hub.channels(SESSION_PREFIX):
        told = {"type": REFETCH_EVENT, "sessionId": channel.removeprefix(SESSION_PREFIX)}
        hub.publish(channel, event_frame(REFETCH_EVENT, json_text(told), channel))
