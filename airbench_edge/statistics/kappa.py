"""Agreement of two judges on a scale, beyond what their habits alone would give."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]


def quadratic_kappa(first: Values, second: Values) -> float | None:
    """Weighted kappa of Cohen (1968) with quadratic weights, on a scale of equal steps.

    1 - observed / expected mean squared difference, the expected one over every value of the first side against every
    value of the second. It needs no table: with means m, n and variances v, w it is v + w + (m - n)^2.

    None where both sides are one and the same constant, or empty.
    """
    if not len(first):
        return None
    expected = float(first.var() + second.var() + (first.mean() - second.mean()) ** 2)
    observed = float(np.mean((first - second) ** 2))
    return 1 - observed / expected if expected > 0 else None
