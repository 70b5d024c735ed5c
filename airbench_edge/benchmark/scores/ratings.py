"""Chat items one by one: the scores that a judge gave in both orders, under both rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from airbench_edge.benchmark.items import ChatItem, ItemKey, UniqId
from airbench_edge.benchmark.records import Order, Response, Verdict
from airbench_edge.benchmark.verdicts import read_verdict


class Scores(msgspec.Struct, frozen=True):
    """The two scores of one verdict, named by whose answer they are for."""

    model: float
    reference: float


class OrderRating(msgspec.Struct, frozen=True):
    """One verdict, read.

    Attributes:
        official: Scores by the rule of ``cal_score.py``; None where it drops the reply.
        official_why: The reason, where there are none.
        strict: Scores by the careful rule; None where it reads none.
        strict_why: The reason, where there are none.
        expected: Expected scores from the distribution of the judge, if it has one.
    """

    official: Scores | None
    official_why: str
    strict: Scores | None
    strict_why: str
    expected: Scores | None


class Rating(msgspec.Struct, frozen=True):
    """What one chat item comes to; an order is None while the judge has not come to it."""

    item: ChatItem
    response: Response | None
    reference_first: OrderRating | None
    model_first: OrderRating | None

    @property
    def is_judged(self) -> bool:
        """Whether there are scores in both orders, by either of the two rules."""
        orders = self.reference_first, self.model_first
        return all(order is not None and (order.official or order.strict) for order in orders)

    @property
    def both_strict(self) -> tuple[Scores, Scores] | None:
        """The scores of both orders, where ``strict`` reads both."""
        first, second = self.reference_first, self.model_first
        if first and second and first.strict and second.strict:
            return first.strict, second.strict
        return None


def rate(
    items: Iterable[ChatItem],
    responses: Mapping[ItemKey, Response],
    verdicts: Mapping[tuple[UniqId, Order], Verdict],
) -> list[Rating]:
    """Read every verdict of a judge once under each rule."""
    ratings = []
    for item in items:
        first, second = (verdicts.get((item.uniq_id, order)) for order in (Order.REFERENCE_FIRST, Order.MODEL_FIRST))
        ratings.append(
            Rating(item, responses.get(item.key), _read(first) if first else None, _read(second) if second else None)
        )
    return ratings


def _read(verdict: Verdict) -> OrderRating:
    if verdict.text is None:
        return OrderRating(None, verdict.failure, None, verdict.failure, None)
    official = read_verdict("official", verdict.text, verdict.finish)
    strict = read_verdict("strict", verdict.text, verdict.finish)
    return OrderRating(
        official=_named(official.scores, verdict.order),
        official_why=official.why,
        strict=_named(strict.scores, verdict.order),
        strict_why=strict.why,
        expected=_named(verdict.expected, verdict.order),
    )


def _named(pair: tuple[float, float] | None, order: Order) -> Scores | None:
    """The judge's first score belongs to the answer that it read first."""
    if pair is None:
        return None
    first, second = pair
    return Scores(model=second, reference=first) if order is Order.REFERENCE_FIRST else Scores(first, second)
