"""A mean of a few measurements with its interval."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from airbench_edge.statistics.interval import Interval
from airbench_edge.statistics.student import t_quantile


class MeanOf(msgspec.Struct, frozen=True):
    """The mean of independent values.

    Attributes:
        n: How many.
        value: Their mean; None of no value.
        interval: Student's interval (1908), mean ± t s / sqrt(n); None of fewer than two values.
    """

    n: int
    value: float | None = None
    interval: Interval | None = None


def mean_of(values: Sequence[float]) -> MeanOf:
    """Mean and interval of values that do not hang together."""
    if not values:
        return MeanOf(0)
    n, mean = len(values), float(np.mean(values))
    if n == 1:
        return MeanOf(1, mean)
    half = float(t_quantile(n - 1)) * float(np.std(values, ddof=1)) / n**0.5
    return MeanOf(n, mean, Interval(mean - half, mean + half))
