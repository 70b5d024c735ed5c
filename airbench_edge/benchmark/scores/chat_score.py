"""The score of a group of chat items, and the mean of such scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from airbench_edge.benchmark.scores.bounds import Bounds, mean_bounds
from airbench_edge.benchmark.scores.counts import Counts, count, total
from airbench_edge.benchmark.scores.mean import Cell, Mean, mean, mean_of_cells, resamples_of
from airbench_edge.benchmark.scores.ratings import OrderRating, Rating
from airbench_edge.statistics.bootstrap import column_mean_draws

LOWEST, HIGHEST = 1.0, 10.0


class OrderScore(msgspec.Struct, frozen=True):
    """One order under ``official``: what ``cal_score.py`` prints, its columns named by whose score they hold.

    Attributes:
        n: Verdicts that it reads.
        failed: Verdicts that it drops, from sum and count alike.
        model: Mean score of the audio-LM.
        reference: Mean score of the reference answer.
        win_rate: Share of verdicts in which the audio-LM scores strictly higher.
        expected: Mean expected score of the audio-LM, from the distribution of the judge; None if it has none.
    """

    n: int
    failed: int
    model: float | None
    reference: float | None
    win_rate: float | None
    expected: float | None


class StrictScore(msgspec.Struct, frozen=True):
    """The score by the careful rule: an item counts once, with the mean of its two orders.

    Attributes:
        n: Items whose verdicts can be read in both orders.
        failed: Verdicts that cannot be read.
        score: Mean item score.
        reference: Mean item score of the reference answer.
        win_rate: Share of items whose score is higher than that of the reference.
        tie_rate: Share of items whose score equals that of the reference.
        bounds: ``score`` over all planned items if every verdict that is not there had been a 1, or a 10.
    """

    n: int
    failed: int
    score: Mean
    reference: float | None
    win_rate: float | None
    tie_rate: float | None
    bounds: Bounds | None


class ChatScore(msgspec.Struct, frozen=True):
    """A group of tasks, a category or the average.

    Attributes:
        name: Its name.
        counts: What became of its items.
        judged: Items with two scores in both orders, by either of the two rules.
        reference_first: The order in which the judge reads the reference answer first.
        model_first: The other order.
        official: Mean of the two orders.
        strict: Under the careful rule.
        expected: Mean of the expected scores of the two orders.
        official_failures: Reasons for which ``official`` drops verdicts, most frequent first.
        strict_failures: Reasons for which ``strict`` reads none.
    """

    name: str
    counts: Counts
    judged: int
    reference_first: OrderScore
    model_first: OrderScore
    official: Mean
    strict: StrictScore
    expected: float | None
    official_failures: dict[str, int]
    strict_failures: dict[str, int]


class Part(msgspec.Struct, frozen=True):
    """A score and what the mean above it needs."""

    score: ChatScore
    official: Cell | None
    strict: Cell | None


def group_part(name: str, ratings: Sequence[Rating]) -> Part:
    """Score the items of one group."""
    first = [rating.reference_first for rating in ratings]
    second = [rating.model_first for rating in ratings]
    scores = _order_score(first), _order_score(second)
    official = None
    if (value := _whole_mean([score.model for score in scores])) is not None:
        official = Cell(value, column_mean_draws(_official_values(first, second), resamples_of(name)))
    strict, strict_cell = _strict_score(name, ratings)
    given = [rating for rating in (*first, *second) if rating]
    score = ChatScore(
        name=name,
        counts=count(rating.response for rating in ratings),
        judged=sum(rating.is_judged for rating in ratings),
        reference_first=scores[0],
        model_first=scores[1],
        official=mean_of_cells({name: official})[0],
        strict=strict,
        expected=_whole_mean([score.expected for score in scores]),
        official_failures=_reasons(rating.official_why for rating in given if rating.official is None),
        strict_failures=_reasons(rating.strict_why for rating in given if rating.strict is None),
    )
    return Part(score, official, strict_cell)


def mean_part(name: str, parts: Mapping[str, Part | None]) -> Part:
    """The unweighted mean of groups or categories; None stands for one without items.

    Numbers of items and verdicts are added up; figures are None as soon as one of them is missing.
    """
    known = [part.score for part in parts.values() if part]
    official, official_cell = mean_of_cells({key: part.official if part else None for key, part in parts.items()})
    strict, strict_cell = mean_of_cells({key: part.strict if part else None for key, part in parts.items()})

    def figure(of: Callable[[ChatScore], float | None]) -> float | None:
        return _whole_mean([of(part.score) if part else None for part in parts.values()])

    score = ChatScore(
        name=name,
        counts=total(score.counts for score in known),
        judged=sum(score.judged for score in known),
        reference_first=_mean_order([part.score.reference_first if part else None for part in parts.values()]),
        model_first=_mean_order([part.score.model_first if part else None for part in parts.values()]),
        official=official,
        strict=StrictScore(
            n=sum(score.strict.n for score in known),
            failed=sum(score.strict.failed for score in known),
            score=strict,
            reference=figure(lambda score: score.strict.reference),
            win_rate=figure(lambda score: score.strict.win_rate),
            tie_rate=figure(lambda score: score.strict.tie_rate),
            bounds=mean_bounds([part.score.strict.bounds if part else None for part in parts.values()]),
        ),
        expected=figure(lambda score: score.expected),
        official_failures=_added(score.official_failures for score in known),
        strict_failures=_added(score.strict_failures for score in known),
    )
    return Part(score, official_cell, strict_cell)


def _order_score(ratings: Sequence[OrderRating | None]) -> OrderScore:
    given = [rating for rating in ratings if rating]
    scores = [rating.official for rating in given if rating.official]
    expected = [rating.expected.model for rating in given if rating.expected]
    return OrderScore(
        n=len(scores),
        failed=len(given) - len(scores),
        model=_mean_or_none([score.model for score in scores]),
        reference=_mean_or_none([score.reference for score in scores]),
        win_rate=_mean_or_none([float(score.model > score.reference) for score in scores]),
        expected=_mean_or_none(expected),
    )


def _mean_order(orders: Sequence[OrderScore | None]) -> OrderScore:
    def figure(of: Callable[[OrderScore], float | None]) -> float | None:
        return _whole_mean([of(order) if order else None for order in orders])

    return OrderScore(
        n=sum(order.n for order in orders if order),
        failed=sum(order.failed for order in orders if order),
        model=figure(lambda order: order.model),
        reference=figure(lambda order: order.reference),
        win_rate=figure(lambda order: order.win_rate),
        expected=figure(lambda order: order.expected),
    )


def _strict_score(name: str, ratings: Sequence[Rating]) -> tuple[StrictScore, Cell | None]:
    pairs = [pair for rating in ratings if (pair := rating.both_strict)]
    models = [(first.model + second.model) / 2 for first, second in pairs]
    references = [(first.reference + second.reference) / 2 for first, second in pairs]
    outcomes = list(zip(models, references, strict=True))
    cell = Cell(mean(models), column_mean_draws(np.array(models)[:, None], resamples_of(name))) if models else None
    orders = [order for rating in ratings for order in (rating.reference_first, rating.model_first)]
    score = StrictScore(
        n=len(pairs),
        failed=sum(order is not None and order.strict is None for order in orders),
        score=mean_of_cells({"items judged in both orders": cell})[0],
        reference=_mean_or_none(references),
        win_rate=_mean_or_none([float(model > reference) for model, reference in outcomes]),
        tie_rate=_mean_or_none([float(model == reference) for model, reference in outcomes]),
        bounds=Bounds(mean(_filled(orders, LOWEST)), mean(_filled(orders, HIGHEST))),
    )
    return score, cell


def _filled(orders: Sequence[OrderRating | None], unknown: float) -> list[float]:
    """Strict scores of the audio-LM, every missing one taken to be ``unknown``."""
    return [order.strict.model if order and order.strict else unknown for order in orders]


def _official_values(*orders: Sequence[OrderRating | None]) -> npt.NDArray[np.float64]:
    """Official scores of the audio-LM, NaN where one is missing, of items that have any: shape [items, orders]."""
    values = np.array(
        [[rating.official.model if rating and rating.official else np.nan for rating in order] for order in orders]
    ).T
    return np.asarray(values[~np.isnan(values).all(axis=1)])


def _mean_or_none(values: list[float]) -> float | None:
    return mean(values) if values else None


def _whole_mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if len(known) == len(values) else None


def _reasons(whys: Iterable[str]) -> dict[str, int]:
    return dict(Counter(whys).most_common())


def _added(reasons: Iterable[dict[str, int]]) -> dict[str, int]:
    return dict(sum((Counter(reason) for reason in reasons), Counter[str]()).most_common())
