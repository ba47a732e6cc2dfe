"""Counting looks and actions: one line in the log each, and one value for whoever asked to hear."""

import logging
import time

from browserx.page.config import Metric, ServiceConfig
from browserx.page.observation import Observation

_log = logging.getLogger("browserx.page")


class Counting:
    """What every service has, whatever its ``engine`` ("cdp", "content")."""

    def __init__(self, config: ServiceConfig, engine: str) -> None:
        self.config = config
        self._engine = engine

    def _count(
        self,
        kind: str,
        name: str,
        started: float,
        *,
        verdict: str = "",
        failure: str = "",
        partial: bool = False,
        seen: Observation | None = None,
    ) -> None:
        duration_ms = (time.perf_counter() - started) * 1000
        _log.debug("engine=%s %s %s: %.1f ms %s%s", self._engine, kind, name, duration_ms, verdict, failure)
        if self.config.metrics is not None:
            told = {"tokens": seen.tokens, "interactive": len(seen.ids)} if seen is not None else {}
            self.config.metrics(Metric(kind, name, duration_ms, verdict, failure, partial, told))
