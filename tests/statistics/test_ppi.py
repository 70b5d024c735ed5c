"""The estimate by hand, against the published formula, and its coverage over 1500 simulated samples."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from airbench_edge.statistics.ppi import (
    Estimate,
    Stratum,
    mean_estimate,
    narrower,
    prediction_powered,
    reference_alone,
)

Values = npt.NDArray[np.float64]

SAMPLES = 1500
FOLDERS = ((200, 200, 200, 200), (400, 100), (400, 100), (200, 200))  # as large as those of the four chat categories


def drawn(random: np.random.Generator, size: int, n: int, follows: float, level: float) -> tuple[Stratum, float]:
    """Many samples of one folder, and the true mean reference score.

    Reference scores are half points from 1 to 10; the cheap judge sees half of their range, two points too high, and
    follows them with a correlation of about ``follows``.
    """
    quality, noise = random.normal(size=(2, SAMPLES, size))
    reference = np.clip(np.round(2 * (level + 2 * quality)) / 2, 1, 10)
    seen = follows * quality + (1 - follows**2) ** 0.5 * noise
    cheap = np.clip(level / 2 + 4 + seen, 1, 10)
    return Stratum(reference[:, :n], cheap[:, :n], cheap[:, n:]), float(reference.mean())


@functools.cache
def judged(n: int, follows: float) -> tuple[list[Estimate], list[Estimate], list[float]]:
    """Corrected, reference alone and truth of each category, then of their mean, from ``n`` items of each folder."""
    random = np.random.default_rng(7)
    corrected, alone, truth = [], [], []
    for sizes in FOLDERS:
        folders = [drawn(random, size, n, follows, level) for size, level in zip(sizes, (6, 4, 5, 7), strict=False)]
        strata = [stratum for stratum, _ in folders]
        corrected.append(prediction_powered(strata))
        alone.append(reference_alone(strata))
        truth.append(sum(size * mean for size, (_, mean) in zip(sizes, folders, strict=True)) / sum(sizes))
    average = mean_estimate(alone)
    return (
        [*corrected, narrower(mean_estimate(corrected), average)],
        [*alone, average],
        [*truth, sum(truth) / len(truth)],
    )


def coverage(estimates: Sequence[Estimate], truth: Sequence[float]) -> Values:
    """Share of the samples whose interval holds the truth."""
    return np.array(
        [
            float((np.abs(one.value - value) <= one.half_width).mean())
            for one, value in zip(estimates, truth, strict=True)
        ]
    )


@pytest.mark.parametrize("follows", [0.0, 0.4, 0.9])
@pytest.mark.parametrize(("n", "least"), [(5, 0.915), (20, 0.93)])
def test_intervals_hold_the_truth_95_times_in_100(n: int, least: float, follows: float) -> None:
    """10 folders of 5 and of 20 are samples of 50 and 200; a share of 1500 is uncertain by 0.011."""
    corrected, alone, truth = judged(n, follows)
    shares = coverage(corrected, truth)
    assert (shares >= least).all(), shares
    assert float(shares.mean()) + 0.01 >= 0.94, shares
    assert (shares <= 0.985).all(), shares
    for one, other in zip(corrected, alone, strict=True):
        assert (one.half_width <= other.half_width).all()


def test_a_cheap_judge_that_follows_is_worth_more_reference_verdicts() -> None:
    """At a correlation of 0.9 the error is that of 1 / (1 - 0.81) = 5 times the sample, so the width less than 0.7."""
    corrected, alone, _ = judged(20, 0.9)
    for one, other in zip(corrected, alone, strict=True):
        assert float((one.half_width / other.half_width).mean()) < 0.7


def test_the_estimate_is_unbiased_however_wrong_the_cheap_judge_is() -> None:
    corrected, _, truth = judged(20, 0.9)
    for one, value in zip(corrected, truth, strict=True):
        assert float(one.value.mean()) == pytest.approx(value, abs=0.02)


def test_one_stratum_by_hand() -> None:
    """Reference 2, 4, 6, 8 on cheap 5, 6, 7, 8, and cheap 5, 6, 7, 8 on the four others.

    cov = 10/3, var of the sample = 5/3, of all eight cheap scores 10/7 (squares 10 over 7).
    lambda = (10/3 / 4) / (5/3 / 4 + 10/7 / 4) = 0.833333 / 0.773810 = 1.0769, cut to 1.
    Value: 6.5 + mean(-3, -2, -1, 0) = 6.5 - 1.5 = 5, the mean of the reference, as the means of the cheap agree.
    Variance: var(-3, -2, -1, 0) = 5/3, times 3 / (3 - 2) for what was fitted, over 4, plus 10/7 / 4: 1.25 + 0.357143.
    The reference alone: var(2, 4, 6, 8) = 20/3, over 4: 1.666667.
    Freedom: 1.607143^2 / (1.607143^2 / 3) = 3 for both, so the corrected interval is the narrower one.
    """
    sample = Stratum(np.array([2.0, 4, 6, 8]), np.array([5.0, 6, 7, 8]), np.array([5.0, 6, 7, 8]))
    estimate = prediction_powered([sample])
    assert float(estimate.weight) == 1.0
    assert float(estimate.value) == pytest.approx(5.0)
    assert float(estimate.variance) == pytest.approx(1.607143, abs=1e-6)
    assert float(reference_alone([sample]).variance) == pytest.approx(1.666667, abs=1e-6)


def test_strata_weigh_as_much_as_they_hold() -> None:
    """30 items with a mean of 2 and 10 with a mean of 6: (30 * 2 + 10 * 6) / 40 = 3."""
    large = Stratum(np.array([1.0, 3.0]), np.zeros(2), np.zeros(28))
    small = Stratum(np.array([5.0, 7.0]), np.zeros(2), np.zeros(8))
    assert float(reference_alone([large, small]).value) == pytest.approx(3.0)


def test_a_cheap_judge_that_knows_nothing_is_left_out() -> None:
    constant = Stratum(np.array([2.0, 4, 6, 8]), np.full(4, 10.0), np.full(50, 10.0))
    opposite = Stratum(np.array([2.0, 4, 6, 8]), np.array([9.0, 8, 5, 2]), np.linspace(2, 9, 50))
    for stratum in (constant, opposite):
        estimate = prediction_powered([stratum])
        assert float(estimate.weight) == 0.0
        assert (float(estimate.value), float(estimate.variance)) == pytest.approx((5.0, 5 / 3))


def test_where_everything_is_judged_by_the_reference_nothing_is_left_to_predict() -> None:
    whole = Stratum(np.array([2.0, 4, 6, 8]), np.array([3.0, 5, 7, 9]), np.empty(0))
    estimate = prediction_powered([whole])
    assert (float(estimate.weight), float(estimate.value)) == (0.0, 5.0)
