"""Interval of a share that was counted: right answers out of n."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from airbench_edge.statistics.interval import LEVEL, Interval

_Z = NormalDist().inv_cdf((1 + LEVEL) / 2)


def wilson(right: int, n: int) -> Interval:
    """Score interval of Wilson (1927), which stays inside 0 to 1 and keeps a width at 0 of n and n of n.

    With p = right / n and z the normal quantile of the level: centre (p + z^2 / 2n) / (1 + z^2 / n), half width
    z / (1 + z^2 / n) * sqrt(p (1 - p) / n + z^2 / 4n^2).

    Raises:
        ValueError: ``right`` is not between 0 and ``n``, or ``n`` is 0.
    """
    if not 0 <= right <= n or n == 0:
        raise ValueError(f"{right} of {n} is not a share")
    share, spread = right / n, _Z * _Z / n
    centre = (share + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * sqrt(share * (1 - share) / n + spread / (4 * n))
    return Interval(0.0 if right == 0 else centre - half, 1.0 if right == n else centre + half)
