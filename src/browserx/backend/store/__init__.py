"""What the backend keeps: sessions, messages, tasks and answered requests, in SQLite or PostgreSQL.

Knows databases; knows nothing of HTTP, and not what the state of a task means.
"""

from browserx.backend.store.address import default_url
from browserx.backend.store.answers import Answered, Begun, Fresh, InProgress, Mismatch, fingerprint
from browserx.backend.store.messages import NewMessage
from browserx.backend.store.sessions import SessionPage
from browserx.backend.store.store import Purged, Store, Unit
from browserx.backend.store.tasks import Task
from browserx.backend.store.text import Json
from browserx.backend.store.versions import upgrade

__all__ = [
    "Answered",
    "Begun",
    "Fresh",
    "InProgress",
    "Json",
    "Mismatch",
    "NewMessage",
    "Purged",
    "SessionPage",
    "Store",
    "Task",
    "Unit",
    "default_url",
    "fingerprint",
    "upgrade",
]
