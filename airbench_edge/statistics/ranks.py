"""Places in an order, shared by equal values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Ranks from 1 on, shape of ``values`` [n]; equal values get their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    shared = ends - (counts - 1) / 2
    return np.asarray(shared[place], dtype=np.float64)
