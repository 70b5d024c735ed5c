"""Rank correlation of Spearman."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from airbench_edge.statistics.pearson import pearson
from airbench_edge.statistics.ranks import ranks

Values = npt.NDArray[np.float64]


def spearman(first: Values, second: Values) -> float | None:
    """Spearman (1904): the correlation of the ranks, equal values sharing the mean of their ranks.

    None where one side is constant or there are fewer than two pairs.
    """
    return pearson(ranks(first), ranks(second))
