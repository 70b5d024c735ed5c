"""All that two judges' scores of the same answers say about each other."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from airbench_edge.statistics.bland_altman import limits_of_agreement
from airbench_edge.statistics.interval import Interval
from airbench_edge.statistics.kappa import quadratic_kappa
from airbench_edge.statistics.kendall import kendall
from airbench_edge.statistics.spearman import spearman

Values = npt.NDArray[np.float64]


class Agreement(msgspec.Struct, frozen=True):
    """Agreement of two judges.

    Attributes:
        n: Answers that both have scored in both orders.
        spearman: Rank correlation of the scores of the answers, a score being the mean of its two orders.
        kendall: The same as tau-b.
        kappa: Quadratic-weighted kappa over single verdicts.
        exact: Share of single verdicts in which both give the same score.
        within_one: Share of single verdicts in which they are at most one point apart.
        limits: Between which 95 % of the differences second minus first of an answer are expected.
    """

    n: int
    spearman: float | None
    kendall: float | None
    kappa: float | None
    exact: float | None
    within_one: float | None
    limits: Interval | None


def agree(first: Values, second: Values) -> Agreement:
    """Compare two judges.

    Args:
        first: Scores by the one, shape [answers, orders].
        second: Scores by the other, of the same answers in the same orders.
    """
    a, b = first.mean(axis=1), second.mean(axis=1)
    apart = np.abs(first - second)
    return Agreement(
        n=len(first),
        spearman=spearman(a, b),
        kendall=kendall(a, b),
        kappa=quadratic_kappa(first.ravel(), second.ravel()),
        exact=float((apart == 0).mean()) if len(first) else None,
        within_one=float((apart <= 1).mean()) if len(first) else None,
        limits=limits_of_agreement(b - a),
    )
