"""What a comparison of two judges says, as data: the one source of its forms. It holds neither clock nor host name."""

from __future__ import annotations

from typing import Literal

import msgspec

from airbench_edge.benchmark.items import UniqId
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.health.card import HealthCard
from airbench_edge.statistics.agreement import Agreement
from airbench_edge.statistics.interval import Interval
from airbench_edge.statistics.mean_interval import MeanOf

AGREEMENT_SCHEMA = 1


class Side(msgspec.Struct, frozen=True):
    """One of the judges.

    Attributes:
        judge: Which instrument.
        health: Its health card; None where it was not checked.
        only: Answers that it has scored in both orders and the other judge has not.
    """

    judge: JudgeIdentity
    health: HealthCard | None
    only: int


class Preference(msgspec.Struct, frozen=True):
    """How often both judges say the same of two answers: the one is better, the other is better, or neither.

    Attributes:
        n: Pairs of answers.
        same: Share of the pairs about which both say the same; None of no pair.
        interval: Wilson's, 95 %; a little too narrow where one item is part of several pairs.
    """

    n: int
    same: float | None
    interval: Interval | None


class Part(msgspec.Struct, frozen=True):
    """A category, or all answers together.

    Attributes:
        name: Its name.
        agreement: Correlations, kappa, shares and limits of agreement.
        first: Mean score by the first judge.
        second: Mean score by the second judge.
        difference: Second minus first, a value an item, averaged over the runs before its interval is taken.
        against_reference: Preference between the answer and the reference answer.
        between_runs: Preference between the answers of two runs to the same item.
        first_bias: Points that an answer gains by standing first, by the first judge.
        second_bias: The same by the second judge.
        bias_difference: Second minus first.
    """

    name: str
    agreement: Agreement
    first: float | None
    second: float | None
    difference: MeanOf
    against_reference: Preference
    between_runs: Preference
    first_bias: float | None
    second_bias: float | None
    bias_difference: MeanOf


class Rank(msgspec.Struct, frozen=True):
    """A run among several, over the answers that both judges have scored in every run.

    Attributes:
        run: Its folder as given.
        first: Mean score by the first judge.
        first_rank: Its place by that, 1 for the best; equal means share the better place.
        second: Mean score by the second judge.
        second_rank: Its place by that.
    """

    run: str
    first: float
    first_rank: int
    second: float
    second_rank: int


class Point(msgspec.Struct, frozen=True):
    """Answers to which both judges gave the same: a dot in the figure of Bland and Altman.

    Attributes:
        mean: Mean of the scores of the two judges, each a mean of both orders.
        difference: Second minus first.
        answers: How many answers.
    """

    mean: float
    difference: float
    answers: int


class Reading(msgspec.Struct, frozen=True):
    """All figures by one kind of score.

    Attributes:
        scores: ``integers``: as written by the judges. ``expected``: expected scores of a judge that has them for all
            of these answers, integers of one that has not.
        parts: The categories that have answers, then all together.
        ranks: The runs, where there are several and they share answers; best by the first judge first.
        points: All answers, those with the same scores together.
    """

    scores: Literal["integers", "expected"]
    parts: tuple[Part, ...]
    ranks: tuple[Rank, ...]
    points: tuple[Point, ...]


class Apart(msgspec.Struct, frozen=True):
    """An answer about which the judges differ.

    Attributes:
        run: Folder of its run.
        uniq_id: Id of its item.
        task: Task of its item.
        question: The question.
        reference: The reference answer.
        response: The answer.
        first: Scores of the answer by the first judge, reference first and model first.
        second: The same by the second judge.
        difference: Mean of the second minus mean of the first.
    """

    run: str
    uniq_id: UniqId
    task: str
    question: str
    reference: str
    response: str
    first: tuple[float, float]
    second: tuple[float, float]
    difference: float


class AgreementModel(msgspec.Struct, frozen=True):
    """The whole comparison.

    Attributes:
        schema: Version of this form; it grows when a field changes its meaning or goes.
        program: Version of airbench-edge that computed it.
        runs: The run folders as given.
        first: The first judge.
        second: The second judge.
        readings: By the integers, and by expected scores where a judge has them.
        furthest: Answers about which the judges differ, by their integers, the widest apart first.
    """

    schema: int
    program: str
    runs: tuple[str, ...]
    first: Side
    second: Side
    readings: tuple[Reading, ...]
    furthest: tuple[Apart, ...]
