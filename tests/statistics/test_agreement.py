"""Every figure against scipy or scikit-learn, on scores with many ties, and once by hand."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from airbench_edge.statistics.agreement import agree
from airbench_edge.statistics.bland_altman import limits_of_agreement
from airbench_edge.statistics.kappa import quadratic_kappa
from airbench_edge.statistics.kendall import kendall
from airbench_edge.statistics.pearson import pearson
from airbench_edge.statistics.spearman import spearman

Values = npt.NDArray[np.float64]


def two_judges(seed: int, n: int = 60) -> tuple[Values, Values]:
    """Scores from 1 to 10 of a strict judge and of a mild one that follows it."""
    random = np.random.default_rng(seed)
    first = random.integers(1, 11, n).astype(np.float64)
    second = np.clip(first + random.integers(-2, 4, n), 1, 10)
    return first, second


@pytest.mark.parametrize("seed", range(5))
def test_correlations_are_those_of_scipy(seed: int) -> None:
    first, second = two_judges(seed)
    assert pearson(first, second) == pytest.approx(stats.pearsonr(first, second).statistic)
    assert spearman(first, second) == pytest.approx(stats.spearmanr(first, second).statistic)
    assert kendall(first, second) == pytest.approx(stats.kendalltau(first, second, variant="b").statistic)


@pytest.mark.parametrize("seed", range(5))
def test_kappa_is_that_of_scikit_learn(seed: int) -> None:
    first, second = two_judges(seed)
    expected = cohen_kappa_score(first.astype(int), second.astype(int), labels=range(1, 11), weights="quadratic")
    assert quadratic_kappa(first, second) == pytest.approx(expected)


def test_a_constant_judge_has_no_rank_and_no_kappa_beyond_chance() -> None:
    first, second = np.full(4, 8.0), np.array([1.0, 9.0, 3.0, 8.0])
    assert spearman(first, second) is None
    assert kendall(first, second) is None
    assert quadratic_kappa(first, second) == pytest.approx(0.0)
    assert quadratic_kappa(first, first) is None


def test_three_answers_by_hand() -> None:
    # Orders in columns. Differences of single verdicts 0, 1, 2, 0, 0, 3: half of them equal, 4 of 6 within one.
    first = np.array([[5.0, 5.0], [3.0, 4.0], [9.0, 6.0]])
    second = np.array([[5.0, 6.0], [5.0, 4.0], [9.0, 9.0]])
    agreement = agree(first, second)
    assert agreement.n == 3
    assert agreement.exact == pytest.approx(0.5)
    assert agreement.within_one == pytest.approx(4 / 6)
    # Means 5, 3.5, 7.5 against 5.5, 4.5, 9: the same ranking.
    assert agreement.spearman == pytest.approx(1.0)
    assert agreement.kendall == pytest.approx(1.0)
    # Differences 0.5, 1, 1.5: mean 1, s = 0.5, so 1 ± 0.979982.
    assert agreement.limits is not None
    assert (agreement.limits.low, agreement.limits.high) == pytest.approx((0.020018, 1.979982), abs=1e-6)


def test_nothing_and_one_say_nothing() -> None:
    nothing = agree(np.empty((0, 2)), np.empty((0, 2)))
    assert (nothing.n, nothing.exact, nothing.kappa, nothing.spearman, nothing.limits) == (0, None, None, None, None)
    assert limits_of_agreement(np.array([1.0])) is None
    assert kendall(np.array([1.0]), np.array([2.0])) is None
