"""One tab's life: when to look, when a snapshot is dead, which action runs.

Composes ``dom`` and ``actions``; the only room where capture meets the pure stages. Knows no prompts and no HTTP.
"""

from browserx.page.config import Metric, ServiceConfig
from browserx.page.observation import DialogSeen, Observation
from browserx.page.service import DomService

__all__ = ["DialogSeen", "DomService", "Metric", "Observation", "ServiceConfig"]
