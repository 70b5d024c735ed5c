"""Percentile bootstrap over items (Efron and Tibshirani 1993, chapter 13), stratified by cell.

A *cell* is a set of items that is averaged on its own (a task, a group of tasks). Each function gives the figure of one
cell in every resample, as an array of shape [DRAWS]; the figure of several cells is then plain arithmetic on those
arrays, for example their mean, and ``percentile_interval`` of the outcome. Items are resampled within their cell only.
A cell of one item tells nothing about the spread: its draws are NaN, and so are all figures that it is part of.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from airbench_edge.statistics.interval import LEVEL, Interval

Draws: TypeAlias = npt.NDArray[np.float64]

DRAWS = 2000
SEED = 20240212

_CELLS_AT_ONCE = 4_000_000


def generator() -> np.random.Generator:
    """A source of random numbers that starts at the same place every time."""
    return np.random.Generator(np.random.PCG64(SEED))


def share_draws(right: int, n: int, random: np.random.Generator) -> Draws:
    """Share of right items in each resample of a cell of ``n`` items, ``right`` of them right.

    Drawing n items with replacement, each right with probability right / n, is one draw from a binomial distribution:
    the same distribution as resampling the items one by one, at a thousandth of the cost.
    """
    if n == 1:
        return np.full(DRAWS, np.nan)
    return random.binomial(n, right / n, size=DRAWS) / n


def column_mean_draws(values: npt.NDArray[np.float64], random: np.random.Generator) -> Draws:
    """Mean of the column means of a cell in each resample of its rows.

    Args:
        values: One row an item, one column a measurement of it, shape [items, columns]; NaN where it has none. Each
            column is averaged over the rows that have it; the columns of one item stay together in a resample.
        random: Source of the resamples.

    Returns:
        Shape [DRAWS]; NaN for a resample that holds no value at all in some column, which happens in tiny cells only.
    """
    present = ~np.isnan(values)
    filled = np.where(present, values, 0.0)
    items = len(values)
    if items == 1:
        return np.full(DRAWS, np.nan)
    step = max(1, _CELLS_AT_ONCE // max(1, values.size))
    means = np.empty(DRAWS)
    for start in range(0, DRAWS, step):
        rows = random.integers(items, size=(min(step, DRAWS - start), items))
        with np.errstate(invalid="ignore"):
            columns = filled[rows].sum(axis=1) / present[rows].sum(axis=1)
        means[start : start + len(rows)] = columns.mean(axis=1)
    return means


def percentile_interval(draws: Draws) -> Interval | None:
    """Ends that cut off equal tails of the resampled figures; None where no resample has a figure."""
    known = draws[~np.isnan(draws)]
    if not known.size:
        return None
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))
