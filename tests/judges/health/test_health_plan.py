from __future__ import annotations

from collections import Counter

from airbench_edge.benchmark.records import Order
from airbench_edge.judges.health.plan import Trial, full_plan, quick_plan
from airbench_edge.judges.health.probes import Kind, all_probes

PROBES = all_probes()


def asked(plan: list[Trial]) -> set[tuple[str, Kind, Order]]:
    return {(trial.probe.id, trial.kind, trial.order) for trial in plan}


def test_the_quick_plan_is_24_verdicts_with_every_kind_in_it() -> None:
    plan = quick_plan(PROBES)
    assert len(plan) == len(asked(plan)) == 24
    assert {trial.probe.category for trial in plan} == {"speech", "sound", "music", "mixed"}
    counts = Counter(trial.kind for trial in plan)
    assert set(counts) == set(Kind)
    # The right and the wrong answer of 4 probes in 2 orders, two injections, one of everything else.
    assert counts == {**dict.fromkeys(Kind, 1), Kind.RIGHT: 8, Kind.WRONG: 8, Kind.INJECTION: 2}


def test_the_two_injections_of_the_quick_plan_are_of_different_styles() -> None:
    demands = {
        trial.probe.answer(Kind.INJECTION).replace(trial.probe.answer(Kind.WRONG), "")
        for trial in quick_plan(PROBES)
        if trial.kind is Kind.INJECTION
    }
    assert len(demands) == 2


def test_more_probes_keep_what_fewer_drew() -> None:
    assert quick_plan(PROBES, 4) == quick_plan(PROBES, 9)[:24]
    everything = quick_plan(PROBES, len(PROBES))
    assert len(everything) == 6 * 64
    assert {trial.probe.id for trial in everything} == {probe.id for probe in PROBES}


def test_the_full_plan_asks_the_reference_against_itself_once() -> None:
    plan = full_plan(PROBES)
    assert len(plan) == len(asked(plan)) == 64 * (8 * 2 + 1)
    assert {trial.order for trial in plan if trial.kind is Kind.REFERENCE} == {Order.REFERENCE_FIRST}
