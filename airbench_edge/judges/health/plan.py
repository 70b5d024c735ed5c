"""Which verdicts a check asks for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

from airbench_edge.benchmark.records import Order
from airbench_edge.judges.health.probes import Kind, Probe

QUICK_PROBES = 4
"""One of each category: 24 verdicts, a minute or two for a model of 1.5 billion parameters on two cores."""

_SEED = 0
_BOTH_ORDERS = (Kind.RIGHT, Kind.WRONG)
# Four probes have each of these once and injections, whose styles differ, twice.
_IN_TURN = (
    (Kind.INJECTION, Kind.PARTLY),
    (Kind.WRONG_LONG, Kind.EMPTY),
    (Kind.REFERENCE, Kind.GIBBERISH),
    (Kind.INJECTION, Kind.WRONG_LANGUAGE),
)


class Trial(NamedTuple):
    """One verdict to ask for."""

    probe: Probe
    kind: Kind
    order: Order


def quick_plan(probes: Sequence[Probe], count: int = QUICK_PROBES) -> list[Trial]:
    """Six verdicts for each of ``count`` probes, taken from the categories in turn.

    The right and the wrong answer in both orders, and two of the other kinds behind the reference, where they share
    most of their prompt with what was asked before.
    """
    trials = []
    for place, probe in enumerate(_drawn(probes, count)):
        trials += [Trial(probe, kind, order) for kind in _BOTH_ORDERS for order in Order]
        trials += [Trial(probe, kind, Order.REFERENCE_FIRST) for kind in _IN_TURN[place % len(_IN_TURN)]]
    return trials


def full_plan(probes: Sequence[Probe]) -> list[Trial]:
    """Every answer of every probe in both orders; the reference against itself once, as both orders are the same."""
    return [
        Trial(probe, kind, order)
        for probe in probes
        for kind in Kind
        for order in Order
        if kind is not Kind.REFERENCE or order is Order.REFERENCE_FIRST
    ]


def _drawn(probes: Sequence[Probe], count: int) -> list[Probe]:
    """Probes by turns of their categories, within a category in the order of a hash; more keep what fewer drew."""
    categories = [
        sorted((probe for probe in probes if probe.category == category), key=_rank)
        for category in dict.fromkeys(probe.category for probe in probes)
    ]
    return list(_present(chain.from_iterable(zip_longest(*categories))))[:count]


def _present(probes: Iterator[Probe | None]) -> Iterator[Probe]:
    return (probe for probe in probes if probe is not None)


def _rank(probe: Probe) -> bytes:
    return hashlib.sha256(f"{_SEED}/{probe.id}".encode()).digest()
