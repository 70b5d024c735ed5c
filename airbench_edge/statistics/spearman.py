"""Rank correlation of Spearman."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from airbench_edge.statistics.pearson import pearson

Values = npt.NDArray[np.float64]


def spearman(first: Values, second: Values) -> float | None:
    """Spearman (1904): the correlation of the ranks, equal values sharing the mean of their ranks.

    None where one side is constant or there are fewer than two pairs.
    """
    return pearson(_ranks(first), _ranks(second))


def _ranks(values: Values) -> Values:
    """Ranks from 1 on; equal values get their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    shared = ends - (counts - 1) / 2
    return np.asarray(shared[place], dtype=np.float64)
