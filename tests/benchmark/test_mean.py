from __future__ import annotations

import numpy as np
import pytest

from airbench_edge.benchmark.scores.mean import Cell, Mean, mean, mean_of_cells
from airbench_edge.statistics.interval import Interval


def test_sums_from_left_to_right() -> None:
    # (0.1 + 0.2) + 0.3 = 0.6000000000000001 in doubles; a compensated sum gives 0.6.
    assert mean([0.1, 0.2, 0.3]) == 0.6000000000000001 / 3


def test_mean_and_interval_of_cells() -> None:
    # Draws of the mean: (0 + 1) / 2 = 0.5 and (0.5 + 0.5) / 2 = 0.5, hence no width.
    shown, whole = mean_of_cells({"a": Cell(0.2, np.array([0.0, 0.5])), "b": Cell(0.4, np.array([1.0, 0.5]))})
    assert shown.value == pytest.approx(0.3)
    assert shown.interval == Interval(0.5, 0.5)
    assert whole is not None
    assert whole.value == shown.value


def test_one_missing_figure_makes_the_mean_missing() -> None:
    draws = np.array([0.4, 0.4])
    shown, whole = mean_of_cells({"a": Cell(0.2, draws), "b": None, "c": Cell(0.6, draws)})
    assert shown == Mean(missing=("b",), partial=0.4)
    assert whole is None


def test_nothing_known_has_not_even_a_partial_mean() -> None:
    assert mean_of_cells({"a": None})[0] == Mean(missing=("a",))
