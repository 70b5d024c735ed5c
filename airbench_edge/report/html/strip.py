"""Figures as marks on a line of fixed ends: the geometry of the charts, in percent of the width of the line.

Percentages let a chart take any width without stretching its marks or its letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from airbench_edge.statistics.interval import Interval


class Mark(NamedTuple):
    """One mark.

    Attributes:
        kind: What it stands for; decides how it is drawn.
        x: Where it is, or begins.
        end: Where it ends; None for a point.
    """

    kind: str
    x: float
    end: float | None = None


@dataclass(frozen=True)
class Scale:
    """The ends of a line and the values that are named on it."""

    low: float
    high: float
    ticks: dict[str, float]

    def at(self, value: float) -> float:
        """Place of a value in percent; what lies beyond the ends is put on them."""
        return round(100 * min(max((value - self.low) / (self.high - self.low), 0.0), 1.0), 2)

    def points(self, kind: str, *values: float | None) -> list[Mark]:
        """A mark for each value that there is."""
        return [Mark(kind, self.at(value)) for value in values if value is not None]

    def span(self, kind: str, interval: Interval | None) -> list[Mark]:
        """A mark over an interval, if there is one."""
        return [Mark(kind, self.at(interval.low), self.at(interval.high))] if interval else []


SHARES = Scale(0, 1, {"0": 0, "25": 0.25, "50": 0.5, "75": 0.75, "100 %": 1})
SCORES = Scale(0, 10, {"0": 0, "2": 2, "4": 4, "6": 6, "8": 8, "10": 10})
