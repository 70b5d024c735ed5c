"""The figures of one category."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from airbench_edge.benchmark.items import UniqId
from airbench_edge.report.agreement.answers import Answer, ByJudge
from airbench_edge.report.agreement.model import Part, Preference
from airbench_edge.statistics.agreement import agree
from airbench_edge.statistics.mean_interval import MeanOf, mean_of
from airbench_edge.statistics.wilson import wilson

Values = npt.NDArray[np.float64]

TIE = 0.05
"""Scores closer than this are no preference; integers, and means of two of them, are equal or further apart."""


def measure(name: str, answers: Sequence[Answer], first: ByJudge, second: ByJudge) -> Part:
    """Compare two judges on a list of answers."""
    ids = [answer.item.uniq_id for answer in answers]
    return Part(
        name=name,
        agreement=agree(first.answer, second.answer),
        first=_mean(first.means),
        second=_mean(second.means),
        difference=_by_item(ids, second.means - first.means),
        against_reference=_preference(first.leads, second.leads),
        between_runs=_between_runs(ids, first.means, second.means),
        first_bias=_mean(first.gains),
        second_bias=_mean(second.gains),
        bias_difference=_by_item(ids, second.gains - first.gains),
    )


def _mean(values: Values) -> float | None:
    return float(values.mean()) if len(values) else None


def _by_item(ids: Sequence[UniqId], values: Values) -> MeanOf:
    """Mean and interval of items: answers of several runs to one item hang together."""
    return mean_of([float(np.mean(values[places])) for places in _places(ids)])


def _places(ids: Sequence[UniqId]) -> Iterator[list[int]]:
    """Places of the answers to each item."""
    found: dict[UniqId, list[int]] = {}
    for place, uniq_id in enumerate(ids):
        found.setdefault(uniq_id, []).append(place)
    return iter(found.values())


def _between_runs(ids: Sequence[UniqId], first: Values, second: Values) -> Preference:
    """Preference between every two answers to the same item."""
    pairs = [pair for places in _places(ids) for pair in combinations(places, 2)]
    left, right = (np.array([pair[side] for pair in pairs], dtype=np.intp) for side in (0, 1))
    return _preference(first[left] - first[right], second[left] - second[right])


def _preference(first: Values, second: Values) -> Preference:
    n = len(first)
    same = int((_sign(first) == _sign(second)).sum())
    return Preference(n, same / n if n else None, wilson(same, n) if n else None)


def _sign(leads: Values) -> Values:
    return np.where(np.abs(leads) < TIE, 0.0, np.sign(leads))
