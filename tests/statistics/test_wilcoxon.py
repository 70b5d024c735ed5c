from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata
from scipy.stats import wilcoxon as of_scipy

from airbench_edge.statistics.wilcoxon import wilcoxon


def p(*differences: float) -> float:
    return wilcoxon(np.array(differences, dtype=np.float64))


def by_all_signs(differences: npt.NDArray[np.float64]) -> float:
    """Share of the sign patterns whose positive ranks' sum is at least as far from the middle."""
    there = differences[differences != 0]
    ranks = rankdata(np.abs(there))
    middle = ranks.sum() / 2
    seen = abs(ranks[there > 0].sum() - middle)
    sums = [ranks[np.array(signs, dtype=bool)].sum() for signs in product((0, 1), repeat=len(there))]
    return float(np.mean([abs(total - middle) >= seen - 1e-9 for total in sums]))


def test_by_hand() -> None:
    # Ranks 1, 2, 3, all positive: one of 8 patterns on each side.
    assert p(0.5, 1.0, 2.5) == 2 / 8
    # Positive ranks 1 and 3 of 1..3 make 4; the other side is 2: sums up to 2 are {}, {1}, {2}, so 3 of 8, twice.
    assert p(0.5, -1.0, 2.5) == 6 / 8


def test_nothing_differs() -> None:
    assert p() == p(0.0, 0.0) == 1.0


def test_zeros_are_left_out() -> None:
    assert p(0.5, 0.0, 1.0, 0.0, 2.5) == p(0.5, 1.0, 2.5)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0]), min_size=1, max_size=10))
def test_exact_with_ties(differences: list[float]) -> None:
    values = np.array(differences)
    expected = by_all_signs(values) if values.any() else 1.0
    assert wilcoxon(values) == pytest.approx(expected, rel=1e-12)


def test_as_scipy_without_ties() -> None:
    values = np.random.default_rng(0).normal(0.3, 1, 40)
    assert wilcoxon(values) == pytest.approx(of_scipy(values, method="exact").pvalue, rel=1e-9)


def test_as_scipy_with_many_ties() -> None:
    values = np.random.default_rng(1).integers(-6, 8, 1500) / 2
    assert wilcoxon(values) == pytest.approx(of_scipy(values, method="approx", correction=False).pvalue, rel=1e-9)


def test_where_the_approximation_takes_over_it_is_near_the_exact_value() -> None:
    values = np.random.default_rng(2).integers(-4, 6, 400) / 2
    there = values[values != 0][:200]
    assert wilcoxon(there) == pytest.approx(of_scipy(there, method="approx", correction=False).pvalue, rel=0.03)
