"""Correlation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]


def pearson(first: Values, second: Values) -> float | None:
    """Pearson's product-moment correlation; None where one side is constant or there are fewer than two pairs."""
    if len(first) < 2:
        return None
    a, b = first - first.mean(), second - second.mean()
    scale = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / scale if scale > 0 else None
