"""Answers that both judges have scored in both orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from airbench_edge.benchmark.items import ChatItem, UniqId
from airbench_edge.benchmark.scores.ratings import OrderRating, Rating, Scores, rate
from airbench_edge.run.folder import Judged, RunData

Values = npt.NDArray[np.float64]


class Answer(NamedTuple):
    """One answer of one run, as two judges see it."""

    run: str
    first: Rating
    second: Rating

    @property
    def item(self) -> ChatItem:
        """Its item."""
        return self.first.item


class ByJudge(NamedTuple):
    """What one judge gave to a list of answers.

    Attributes:
        answer: Scores of the answers, shape [answers, 2], reference first and model first.
        reference: Scores of the reference beside them, of the same shape.
    """

    answer: Values
    reference: Values

    def of(self, chosen: Sequence[int]) -> ByJudge:
        """A part of the answers."""
        places = np.array(chosen, dtype=np.intp)
        return ByJudge(self.answer[places], self.reference[places])

    @property
    def means(self) -> Values:
        """Score of each answer, the mean of its orders."""
        return np.asarray(self.answer.mean(axis=1))

    @property
    def leads(self) -> Values:
        """By how much each answer is ahead of its reference."""
        return np.asarray(self.means - self.reference.mean(axis=1))

    @property
    def gains(self) -> Values:
        """Points that each answer gains by standing first."""
        return np.asarray(self.answer[:, 1] - self.answer[:, 0])


def readable(run: RunData, judged: Judged) -> dict[UniqId, Rating]:
    """The answers of a run that a judge has scored in both orders, by the careful rule."""
    chat = [item for item in run.items if isinstance(item, ChatItem)]
    ratings = rate(chat, run.responses, judged.records)
    return {rating.item.uniq_id: rating for rating in ratings if rating.both_strict}


def common(run: RunData, first: Mapping[UniqId, Rating], second: Mapping[UniqId, Rating]) -> list[Answer]:
    """The answers of a run that both judges have scored."""
    return [Answer(str(run.path), rating, second[uniq_id]) for uniq_id, rating in first.items() if uniq_id in second]


def by_integers(ratings: Sequence[Rating]) -> ByJudge:
    """The scores that a judge wrote."""
    return _arrays([rating.both_strict for rating in ratings])


def by_expected(ratings: Sequence[Rating]) -> ByJudge | None:
    """The expected scores of a judge; None unless it has them for every answer."""
    pairs = [_both_expected(rating.reference_first, rating.model_first) for rating in ratings]
    return _arrays(pairs) if pairs and all(pairs) else None


def _both_expected(first: OrderRating | None, second: OrderRating | None) -> tuple[Scores, Scores] | None:
    return (first.expected, second.expected) if first and second and first.expected and second.expected else None


def _arrays(pairs: Sequence[tuple[Scores, Scores] | None]) -> ByJudge:
    known = [pair for pair in pairs if pair]
    answer = [[order.model for order in pair] for pair in known]
    reference = [[order.reference for order in pair] for pair in known]
    return ByJudge(*(np.array(values, dtype=np.float64).reshape(-1, 2) for values in (answer, reference)))
