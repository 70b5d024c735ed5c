from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from airbench_edge.statistics.mean_interval import mean_of
from airbench_edge.statistics.student import t_quantile


def test_quantiles_are_those_of_scipy() -> None:
    degrees = np.array([1, 2, 3, 4, 5, 7, 10, 30, 100, 2000])
    assert t_quantile(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=0.0015)


def test_fractions_of_a_degree_lie_between() -> None:
    degrees = np.linspace(1, 6, 51)
    assert t_quantile(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=0.03)
    assert (np.diff(t_quantile(degrees)) < 0).all()


def test_below_one_degree_nothing_is_known() -> None:
    assert np.isinf(t_quantile(0.5))


def test_mean_of_three_by_hand() -> None:
    # 1, 2, 6: mean 3, s^2 = (4 + 1 + 9) / 2 = 7; t(2) = 4.30265; half width 4.30265 * sqrt(7 / 3) = 6.57238.
    mean = mean_of([1.0, 2.0, 6.0])
    assert mean.value == 3.0
    assert mean.interval is not None
    assert mean.interval.high - 3.0 == pytest.approx(6.57238, abs=1e-4)
    assert 3.0 - mean.interval.low == pytest.approx(6.57238, abs=1e-4)


def test_one_value_has_no_interval_and_none_has_no_mean() -> None:
    assert (mean_of([4.0]).value, mean_of([4.0]).interval) == (4.0, None)
    assert (mean_of([]).n, mean_of([]).value) == (0, None)
