"""The wire: one connection to a browser that speaks the Chrome DevTools Protocol.

Knows ids, sessions, what goes over the wire and which methods are allowed. Knows nothing of pages, of what the
DOM means, or of retrying.

Source: https://chromedevtools.github.io/devtools-protocol/
"""

from browserx.cdp.connection import Connection
from browserx.cdp.policy import MethodPolicy
from browserx.cdp.session import Session, Subscription
from browserx.cdp.tasks import TaskOwner
from browserx.cdp.transport import Transport

__all__ = ["Connection", "MethodPolicy", "Session", "Subscription", "TaskOwner", "Transport"]
