"""The pair of ends that every interval of the report is."""

from __future__ import annotations

import msgspec

LEVEL = 0.95


class Interval(msgspec.Struct, frozen=True):
    """A two-sided 95 % interval, in the unit of the figure that it belongs to."""

    low: float
    high: float
