"""Replies to probes, sorted so that they can be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from airbench_edge.benchmark.records import Order
from airbench_edge.judges.health.plan import Trial
from airbench_edge.judges.health.probes import Kind

Pair = tuple[float, float]


class Scored(NamedTuple):
    """One reply that could be read.

    Attributes:
        trial: What was asked.
        answer: Score of the answer.
        reference: Score of the reference answer beside it.
    """

    trial: Trial
    answer: float
    reference: float

    @property
    def written(self) -> Pair:
        """The two scores in the order in which the judge gave them."""
        pair = self.answer, self.reference
        return pair if self.trial.order is Order.MODEL_FIRST else pair[::-1]

    @property
    def lead(self) -> float:
        """By how much the reference is ahead."""
        return self.reference - self.answer


def scored(trials: Iterable[Trial], pairs: Iterable[Pair | None]) -> list[Scored]:
    """Name the scores by whose they are; replies without scores are left out."""
    return [
        Scored(trial, *(pair if trial.order is Order.MODEL_FIRST else pair[::-1]))
        for trial, pair in zip(trials, pairs, strict=True)
        if pair is not None
    ]


def by_order(replies: Iterable[Scored], kind: Kind, figure: Callable[[Scored], float]) -> dict[str, dict[Order, float]]:
    """A figure of the replies about one kind of answer, by probe and order."""
    found: dict[str, dict[Order, float]] = {}
    for reply in replies:
        if reply.trial.kind is kind:
            found.setdefault(reply.trial.probe.id, {})[reply.trial.order] = figure(reply)
    return found


def ahead(replies: Sequence[Scored], better: Kind, worse: Kind) -> list[float]:
    """By how much one kind of answer is ahead of another, a value a probe, over the orders that both were asked in."""
    ours, theirs = (by_order(replies, kind, lambda reply: reply.answer) for kind in (better, worse))
    return [fmean(values) for probe in ours if (values := _differences(ours[probe], theirs.get(probe, {})))]


def _differences(ours: Mapping[Order, float], theirs: Mapping[Order, float]) -> list[float]:
    return [score - theirs[order] for order, score in ours.items() if order in theirs]
