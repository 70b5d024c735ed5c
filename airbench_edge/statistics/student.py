"""Quantiles of Student's t, for means of few values."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from airbench_edge.statistics.interval import LEVEL

Z = NormalDist().inv_cdf((1 + LEVEL) / 2)


def t_quantile(freedom: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The t that an interval at our level takes, for each number of degrees of freedom.

    The expansion of Abramowitz and Stegun (1964), 26.7.5, which from 3 degrees on is right to 0.2 percent; 1 and 2
    degrees have closed forms. Fractions of a degree below 3 (Satterthwaite) are interpolated, log t over 1 / degrees.

    Args:
        freedom: Degrees of freedom, any shape; below 1 there is none, and the quantile is infinite.
    """
    degrees = np.asarray(freedom, dtype=np.float64)
    tail = (1 - LEVEL) / 2
    one = float(np.tan(np.pi * (0.5 - tail)))
    two = (1 - 2 * tail) / (2 * tail * (1 - tail)) ** 0.5
    known = np.log([float(_expansion(np.float64(3.0))), two, one])
    few = np.exp(np.interp(1 / np.maximum(degrees, 1.0), [1 / 3, 1 / 2, 1.0], known))
    many = _expansion(np.maximum(degrees, 3.0))
    return np.where(degrees < 1, np.inf, np.where(degrees < 3, few, many))


def _expansion(degrees: npt.NDArray[np.float64] | np.float64) -> npt.NDArray[np.float64]:
    terms = (
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
        (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160,
    )
    return np.asarray(Z + sum(term / degrees**power for power, term in enumerate(terms, 1)), dtype=np.float64)
