"""Workers of one judge hold back together and stop together."""

from __future__ import annotations

import random
import threading
import time
from typing import Protocol


class Stopped(Exception):
    """The stage ended while this worker was waiting."""


class Clock(Protocol):
    """Time as the judge sees it; replaced in tests."""

    def now(self) -> float:
        """Seconds since some moment in the past."""
        ...

    def wait(self, event: threading.Event, seconds: float) -> None:
        """Return after that many seconds, or as soon as the event is set."""
        ...


class RealClock:
    """The clock of the machine."""

    def now(self) -> float:
        """Seconds that no change of the date disturbs."""
        return time.monotonic()

    def wait(self, event: threading.Event, seconds: float) -> None:
        """Sleep until the event."""
        event.wait(seconds)


class Pace:
    """One back-off for all workers: what a server asks of one of them, all of them obey.

    Args:
        clock: Tells the time and waits.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._until = clock.now()
        self._stopped = threading.Event()

    def turn(self) -> None:
        """Wait until nobody has to hold back.

        Raises:
            Stopped: The stage ended.
        """
        while (rest := self._until - self._clock.now()) > 0:
            # Up to a tenth longer, so that workers that held back together do not return together.
            self.sleep(rest * random.uniform(1.0, 1.1))
        if self._stopped.is_set():
            raise Stopped

    def hold(self, seconds: float) -> None:
        """Let nobody have a turn before that many seconds have passed."""
        with self._lock:
            self._until = max(self._until, self._clock.now() + seconds)

    def sleep(self, seconds: float) -> None:
        """Let this worker alone wait.

        Raises:
            Stopped: The stage ended.
        """
        self._clock.wait(self._stopped, seconds)
        if self._stopped.is_set():
            raise Stopped

    def stop(self) -> None:
        """End every wait, now and later."""
        self._stopped.set()
