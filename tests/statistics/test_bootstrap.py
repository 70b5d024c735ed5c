from __future__ import annotations

import numpy as np
import pytest

from airbench_edge.statistics.bootstrap import (
    DRAWS,
    column_mean_draws,
    generator,
    percentile_interval,
    share_draws,
)


def test_share_draws_have_the_spread_of_a_resampled_share() -> None:
    # 30 of 100 right: mean 0.3, standard deviation sqrt(0.3 * 0.7 / 100) = 0.0458; the mean of 2000 draws has a
    # standard error of 0.0458 / sqrt(2000) = 0.0010, so that 0.004 is four of them.
    draws = share_draws(30, 100, generator())
    assert draws.shape == (DRAWS,)
    assert draws.mean() == pytest.approx(0.3, abs=0.004)
    assert draws.std() == pytest.approx(0.0458, abs=0.004)


def test_share_draws_agree_with_resampling_the_items_one_by_one() -> None:
    items = np.array([1.0] * 30 + [0.0] * 70)
    one_by_one = column_mean_draws(items[:, None], generator())
    at_once = share_draws(30, 100, generator())
    assert one_by_one.std() == pytest.approx(at_once.std(), rel=0.08)
    assert one_by_one.mean() == pytest.approx(at_once.mean(), abs=0.004)


def test_certain_cells_do_not_move() -> None:
    assert set(share_draws(7, 7, generator())) == {1.0}
    assert set(column_mean_draws(np.full((5, 2), 6.0), generator())) == {6.0}


def test_columns_are_averaged_over_the_rows_that_have_them() -> None:
    # A resample is row 1 twice (no second column), one of each (3 and 8: 5.5), or row 2 twice (4 and 8: 6).
    values = np.array([[2.0, np.nan], [4.0, 8.0]])
    draws = column_mean_draws(values, generator())
    known = draws[~np.isnan(draws)]
    # Row 1 twice has probability 1/4.
    assert np.isnan(draws).mean() == pytest.approx(0.25, abs=0.04)
    assert set(known) == {5.5, 6.0}


def test_rows_stay_together() -> None:
    # The two columns always add up to 10, so that the mean of the column means is 5 in every resample; resampling the
    # columns apart would spread it.
    first = np.arange(11.0)
    draws = column_mean_draws(np.stack([first, 10 - first], axis=1), generator())
    assert draws == pytest.approx(5.0)


def test_mean_of_cells_is_stratified() -> None:
    # Two cells of 50, shares 0 and 1: within each nothing can change, so the mean is 0.5 for certain. Resampling the
    # 100 items together would give a standard deviation of 0.05.
    random = generator()
    both = np.mean([share_draws(0, 50, random), share_draws(50, 50, random)], axis=0)
    interval = percentile_interval(both)
    assert interval is not None
    assert (interval.low, interval.high) == (0.5, 0.5)


def test_interval_cuts_equal_tails() -> None:
    # Positions 0.025 * 1000 = 25 and 0.975 * 1000 = 975 of the sorted 0..1000.
    interval = percentile_interval(np.arange(1001.0)[::-1])
    assert interval is not None
    assert interval.low == pytest.approx(25.0)
    assert interval.high == pytest.approx(975.0)


def test_one_item_has_no_spread_and_so_no_interval() -> None:
    random = generator()
    one, many = share_draws(1, 1, random), share_draws(5, 9, random)
    assert percentile_interval(one) is None
    assert percentile_interval(column_mean_draws(np.array([[6.0]]), random)) is None
    assert percentile_interval(np.mean([one, many], axis=0)) is None


def test_no_figure_no_interval() -> None:
    assert percentile_interval(np.full(DRAWS, np.nan)) is None


def test_chunks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.arange(40.0).reshape(20, 2)
    whole = column_mean_draws(values, generator())
    monkeypatch.setattr("airbench_edge.statistics.bootstrap._CELLS_AT_ONCE", 400)
    assert np.array_equal(column_mean_draws(values, generator()), whole)


def test_same_seed_same_interval() -> None:
    once, again = (percentile_interval(share_draws(13, 40, generator())) for _ in range(2))
    assert once == again
