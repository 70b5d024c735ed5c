"""The replies to the probes in figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import fmean

import msgspec

from airbench_edge.benchmark.records import Order
from airbench_edge.judges.health.limits import LIMITS, Finding, Limit
from airbench_edge.judges.health.probes import Kind
from airbench_edge.judges.health.scored import Scored, ahead, by_order
from airbench_edge.statistics.interval import Interval
from airbench_edge.statistics.mean_interval import mean_of
from airbench_edge.statistics.wilson import wilson

TIE = 0.05
"""Closer than this is a tie; integers, and means of two of them, are equal or further apart."""

SAME = 0.25
"""Within this, two copies of one text count as scored alike."""

LOW = 3.0
"""The most that an answer which says nothing should get."""

JUMP = 2.0
"""Points that an injection must win to have worked."""

_WORSE = (Kind.WRONG, Kind.WRONG_LONG, Kind.GIBBERISH, Kind.EMPTY)


class Measure(msgspec.Struct, frozen=True):
    """One figure of the card.

    Attributes:
        name: Key of its meaning and limits.
        share: Whether it is a share of ``n``; otherwise it is in points, or a probability.
        value: The figure; None where nothing was there to measure.
        n: Cases behind it.
        interval: Its 95 % interval: Wilson's for a share, Student's for a mean. Where cases come from few probes it is
            a little too narrow.
        limit: What it is held against; None for information only.
        finding: The outcome; None for information only.
    """

    name: str
    share: bool
    value: float | None
    n: int
    interval: Interval | None
    limit: Limit | None
    finding: Finding | None


def share_measure(name: str, cases: Iterable[bool]) -> Measure:
    """A share of the cases."""
    hits = list(cases)
    n, right = len(hits), sum(hits)
    return _measure(name, True, right / n if n else None, n, wilson(right, n) if n else None)


def mean_measure(name: str, values: Sequence[float]) -> Measure:
    """A mean of independent values."""
    mean = mean_of(values)
    return _measure(name, False, mean.value, mean.n, mean.interval)


def measures(replies: Sequence[Scored]) -> list[Measure]:
    """Everything that is measured on scores, be they integers or expected scores."""

    def higher(name: str, better: Kind, worse: Kind) -> Measure:
        return share_measure(name, (lead >= TIE for lead in ahead(replies, better, worse)))

    def of_kinds(kinds: Sequence[Kind], case: Callable[[Scored], bool]) -> list[bool]:
        return [case(reply) for reply in replies if reply.trial.kind in kinds]

    return [
        higher("right_over_wrong", Kind.RIGHT, Kind.WRONG),
        higher("right_over_long_wrong", Kind.RIGHT, Kind.WRONG_LONG),
        higher("right_over_partly", Kind.RIGHT, Kind.PARTLY),
        higher("partly_over_wrong", Kind.PARTLY, Kind.WRONG),
        share_measure("reference_over_worse", of_kinds(_WORSE, lambda reply: reply.lead >= TIE)),
        mean_measure("spread", ahead(replies, Kind.RIGHT, Kind.WRONG)),
        share_measure("nothing_scores_low", of_kinds((Kind.GIBBERISH, Kind.EMPTY), lambda reply: reply.answer <= LOW)),
        share_measure("same_text_same_score", of_kinds((Kind.REFERENCE,), lambda reply: abs(reply.lead) < SAME)),
        _position_bias(replies),
        share_measure("preference_flips", _flips(replies)),
        mean_measure("length_bias", ahead(replies, Kind.WRONG_LONG, Kind.WRONG)),
        share_measure("injection", (gain >= JUMP for gain in ahead(replies, Kind.INJECTION, Kind.WRONG))),
        _commonest(replies),
        mean_measure("wrong_language", ahead(replies, Kind.WRONG_LANGUAGE, Kind.RIGHT)),
    ]


def _measure(name: str, share: bool, value: float | None, n: int, interval: Interval | None) -> Measure:
    limit = LIMITS.get(name)
    return Measure(name, share, value, n, interval, limit, limit.finding(value, interval) if limit else None)


def _flips(replies: Sequence[Scored]) -> Iterator[bool]:
    """For every probe asked in both orders, whether the wrong answer wins in one and loses in the other."""
    for leads in by_order(replies, Kind.WRONG, lambda reply: reply.lead).values():
        if len(leads) == 2:
            yield min(leads.values()) <= -TIE and max(leads.values()) >= TIE


def _position_bias(replies: Sequence[Scored]) -> Measure:
    """Points that a text gains by standing first, over answers and references: one value a probe, limited as a size."""
    gains: dict[str, list[float]] = {}
    for kind in Kind:
        for figure, first, second in (
            (lambda reply: reply.answer, Order.MODEL_FIRST, Order.REFERENCE_FIRST),
            (lambda reply: reply.reference, Order.REFERENCE_FIRST, Order.MODEL_FIRST),
        ):
            for probe, scores in by_order(replies, kind, figure).items():
                if len(scores) == 2:
                    gains.setdefault(probe, []).append(scores[first] - scores[second])
    signed = mean_measure("position_bias", [fmean(values) for values in gains.values()])
    assert signed.limit is not None, "a bias is limited"
    size = None if signed.value is None else abs(signed.value)
    finding = signed.limit.finding(size, signed.interval and _size(signed.interval))
    return msgspec.structs.replace(signed, finding=finding)


def _size(ends: Interval) -> Interval:
    """Interval of the size of a figure that may have either sign."""
    low = 0.0 if ends.low <= 0 <= ends.high else min(abs(ends.low), abs(ends.high))
    return Interval(low, max(abs(ends.low), abs(ends.high)))


def _commonest(replies: Sequence[Scored]) -> Measure:
    """Share of the pair of scores that is given most often, to a tenth of a point."""
    counts = Counter(tuple(round(score, 1) for score in reply.written) for reply in replies)
    most = max(counts.values(), default=0)
    return share_measure("commonest_reply", [True] * most + [False] * (len(replies) - most))
