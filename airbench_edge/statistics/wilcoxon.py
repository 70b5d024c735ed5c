"""Whether two models differ in the scores that they get for the same questions."""

from __future__ import annotations

from math import erfc, sqrt

import numpy as np
import numpy.typing as npt

from airbench_edge.statistics.ranks import ranks

_EXACT = 200
"""Differences up to which all is exact. There the approximation is off by 2 % at p = 0.01, by 12 % at p = 0.0002."""


def wilcoxon(differences: npt.NDArray[np.float64]) -> float:
    """Two-sided p of the signed-rank test of Wilcoxon (1945); 1 where nothing differs.

    Differences of 0 are left out, equal ones share their mean rank. The distribution of the positive ranks' sum, given
    the ranks, is that of independent fair signs: exact up to 200 differences, ties included, else normal with the
    variance of those ranks, sum of squares / 4.

    Args:
        differences: Second minus first of each question, shape [n].
    """
    there = differences[differences != 0]
    if not len(there):
        return 1.0
    # Halves come from ties; twice the rank is whole.
    doubled = (2 * ranks(np.abs(there))).round().astype(np.int64)
    positive, whole = int(doubled[there > 0].sum()), int(doubled.sum())
    lesser = min(positive, whole - positive)
    if len(there) > _EXACT:
        return erfc((whole / 2 - lesser) / sqrt(2 * float((doubled**2).sum()) / 4))
    chances = np.zeros(whole + 1)
    chances[0] = 1.0
    for rank in doubled:
        moved = np.zeros_like(chances)
        moved[rank:] = chances[:-rank]
        chances = (chances + moved) / 2
    return min(1.0, 2 * float(chances[: lesser + 1].sum()))
