"""The mean of cells that the benchmark asks for: of tasks in a category, of categories in an average."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import add

import msgspec
import numpy as np

from airbench_edge.statistics.bootstrap import SEED, Draws, percentile_interval
from airbench_edge.statistics.interval import Interval


class Cell(msgspec.Struct, frozen=True):
    """A figure and what it becomes in each resample of its items."""

    value: float
    draws: Draws


def resamples_of(name: str) -> np.random.Generator:
    """The source of the resamples of one cell, the same every time.

    Each rule draws from one of its own, so that rules which count the same have the same interval, and nothing else in
    the run moves it.
    """
    return np.random.Generator(np.random.PCG64([SEED, *name.encode()]))


class Mean(msgspec.Struct, frozen=True):
    """The unweighted mean of several figures, complete or not at all.

    Attributes:
        value: The mean; None as soon as one of the figures is missing.
        interval: Its 95 % interval, bootstrap over items within their cells.
        missing: Names of the figures that are missing.
        partial: The mean of those that are there, only where some are missing: another quantity, never to be compared
            with a complete one.
    """

    value: float | None = None
    interval: Interval | None = None
    missing: tuple[str, ...] = ()
    partial: float | None = None


def mean(values: list[float]) -> float:
    """Plain mean, summed from left to right.

    ``sum`` compensates for rounding from Python 3.12 on, and would differ from the released scripts in the last digit.
    """
    return reduce(add, values) / len(values)


def mean_of_cells(cells: Mapping[str, Cell | None]) -> tuple[Mean, Cell | None]:
    """The mean as shown, and, where it is complete, as a cell of the next mean up.

    Args:
        cells: Name to figure, None where there is none, in the order of summation.
    """
    missing = tuple(name for name, cell in cells.items() if cell is None)
    known = [cell for cell in cells.values() if cell is not None]
    if missing:
        return Mean(missing=missing, partial=mean([cell.value for cell in known]) if known else None), None
    whole = Cell(mean([cell.value for cell in known]), np.mean([cell.draws for cell in known], axis=0))
    return Mean(whole.value, percentile_interval(whole.draws)), whole
