"""Prediction-powered inference: a cheap judge on everything, corrected by a reference judge on a sample.

Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), with the power tuning of PPI++ (Angelopoulos, Duchi and Zrnic
2023) and strata (Fisch et al. 2024). In each stratum the mean reference score is estimated by

    lambda * mean(cheap score of the others) + mean(reference score - lambda * cheap score, over the sample)

which is right on average for every fixed lambda, however wrong the cheap judge is. Strata are weighted by their size.
All arrays may have leading axes, which are kept: a thousand samples at once are as good as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from airbench_edge.statistics.student import t_quantile

Values = npt.NDArray[np.float64]


class Stratum(NamedTuple):
    """Items among which the sample was drawn at random.

    Attributes:
        reference: Scores by the reference judge, of the sample, shape [..., n].
        cheap: Scores of the same items by the cheap judge, shape [..., n].
        others: Scores of all other items by the cheap judge, shape [..., N - n].
    """

    reference: Values
    cheap: Values
    others: Values

    @property
    def size(self) -> int:
        """Items in all, N."""
        return int(self.cheap.shape[-1] + self.others.shape[-1])


class Estimate(NamedTuple):
    """A mean, each field of shape [...].

    Attributes:
        value: The mean.
        variance: Its sampling variance.
        freedom: Degrees of freedom of that variance (Satterthwaite 1946).
        weight: The lambda of the cheap judge, 0 where it does not help.
    """

    value: Values
    variance: Values
    freedom: Values
    weight: Values

    @property
    def half_width(self) -> Values:
        """Of the 95 % interval."""
        return np.asarray(t_quantile(self.freedom) * np.sqrt(self.variance))


def reference_alone(strata: Sequence[Stratum]) -> Estimate:
    """The stratified mean of the sample, as if there were no cheap judge."""
    return _estimate(strata, np.zeros(strata[0].reference.shape[:-1]))


def prediction_powered(strata: Sequence[Stratum]) -> Estimate:
    """The corrected mean, or that of the reference alone wherever this is no narrower."""
    return narrower(_estimate(strata, _best_weight(strata)), reference_alone(strata))


def narrower(estimate: Estimate, alone: Estimate) -> Estimate:
    """The first estimate wherever its interval is narrower than that of the second."""
    helps = estimate.half_width < alone.half_width
    return Estimate(*(np.where(helps, a, b) for a, b in zip(estimate, alone, strict=True)))


def mean_estimate(parts: Sequence[Estimate]) -> Estimate:
    """The unweighted mean of independent estimates."""
    return _combined(
        [part.value for part in parts],
        [part.variance for part in parts],
        [part.freedom for part in parts],
        [1 / len(parts)] * len(parts),
        np.mean([part.weight for part in parts], axis=0),
    )


def _estimate(strata: Sequence[Stratum], weight: Values) -> Estimate:
    freedom = sum(one.reference.shape[-1] - 1 for one in strata)
    # On the same sample the weight was fitted and its use decided on, which costs a degree of freedom each.
    fitted = np.where(weight > 0, freedom / max(freedom - 2, 1), 1.0)
    values, variances = [], []
    for one in strata:
        used = weight if one.others.size else np.zeros_like(weight)
        rest = one.reference - used[..., None] * one.cheap
        value, variance = rest.mean(axis=-1), fitted * _variance(rest) / rest.shape[-1]
        if one.others.size:
            value = value + used * one.others.mean(axis=-1)
            variance = variance + used**2 * _variance(_all_cheap(one)) / one.others.shape[-1]
        values.append(value)
        variances.append(variance)
    size = sum(one.size for one in strata)
    freedoms = [np.asarray(one.reference.shape[-1] - 1.0) for one in strata]
    return _combined(values, variances, freedoms, [one.size / size for one in strata], weight)


def _best_weight(strata: Sequence[Stratum]) -> Values:
    """The lambda in [0, 1] of least variance; 0 where a sample is too small to tell."""
    shape = strata[0].reference.shape[:-1]
    covariance, spread = np.zeros(shape), np.zeros(shape)
    for one in (one for one in strata if one.others.size):
        n = one.reference.shape[-1]
        centred = one.cheap - one.cheap.mean(axis=-1, keepdims=True)
        covariance += one.size**2 * (centred * one.reference).sum(axis=-1) / (n - 1) / n
        spread += one.size**2 * (_variance(one.cheap) / n + _variance(_all_cheap(one)) / one.others.shape[-1])
    if sum(one.reference.shape[-1] - 1 for one in strata) < 2:
        return np.zeros(shape)
    return np.clip(np.divide(covariance, spread, out=np.zeros(shape), where=spread > 0), 0.0, 1.0)


def _combined(
    values: Sequence[Values],
    variances: Sequence[Values],
    freedoms: Sequence[Values],
    shares: Sequence[float],
    weight: Values,
) -> Estimate:
    parts = [share**2 * variance for share, variance in zip(shares, variances, strict=True)]
    variance = np.sum(parts, axis=0)
    doubt = np.sum([part**2 / freedom for part, freedom in zip(parts, freedoms, strict=True)], axis=0)
    known = np.asarray(np.min(np.broadcast_arrays(*freedoms), axis=0))
    freedom = np.divide(variance**2, doubt, out=np.array(np.broadcast_to(known, variance.shape)), where=doubt > 0)
    value = np.sum([share * value for share, value in zip(shares, values, strict=True)], axis=0)
    return Estimate(value, variance, freedom, weight)


def _variance(values: Values) -> Values:
    return np.asarray(values.var(axis=-1, ddof=1))


def _all_cheap(one: Stratum) -> Values:
    return np.concatenate([one.cheap, one.others], axis=-1)
