"""A clock that only moves when somebody waits."""

from __future__ import annotations

import threading


class FakeClock:
    """Keeps the waits and lets them pass at once."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self._now = 1000.0
        self._lock = threading.Lock()

    def now(self) -> float:
        with self._lock:
            return self._now

    def wait(self, event: threading.Event, seconds: float) -> None:
        with self._lock:
            self.waits.append(seconds)
            self._now += seconds
