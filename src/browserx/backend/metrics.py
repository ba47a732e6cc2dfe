"""What a server counts, for Prometheus."""

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess

_SHARE_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The counters of one process; with several workers those of all, where they share a folder."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "browserx_requests_total", "Requests answered", ("route", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "browserx_request_seconds", "Time to an answer", ("route",), registry=self.registry, buckets=_SHARE_BUCKETS
        )
        self.own_seconds = Histogram(
            "browserx_interact_own_seconds",
            "Time of an interact request without that of the brain",
            registry=self.registry,
            buckets=_SHARE_BUCKETS,
        )
        self.turns = Counter(
            "browserx_turns_total", "Turns taken, by the status they end with", ("status",), registry=self.registry
        )
        self.working = Gauge(
            "browserx_tasks_working",
            "Tasks being worked now",
            registry=self.registry,
            multiprocess_mode="livesum",
        )

    def text(self) -> bytes:
        """As Prometheus reads it."""
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self.registry)
        shared = CollectorRegistry()
        multiprocess.MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
        return generate_latest(shared)
