"""Measures of replies made by hand."""

from __future__ import annotations

import pytest

from airbench_edge.benchmark.records import Order
from airbench_edge.judges.health.limits import Finding
from airbench_edge.judges.health.measures import Measure, measures
from airbench_edge.judges.health.plan import Trial
from airbench_edge.judges.health.probes import Kind, all_probes
from airbench_edge.judges.health.scored import Pair, scored

REFERENCE_FIRST, MODEL_FIRST = Order.REFERENCE_FIRST, Order.MODEL_FIRST
ONE, TWO = all_probes()[:2]


def measured(*written: tuple[Trial, Pair | None]) -> dict[str, Measure]:
    return {measure.name: measure for measure in measures(scored(*zip(*written, strict=True)))}


def test_answers_are_compared_over_the_orders_that_both_have() -> None:
    """Right: 8 behind and 6 before the reference; wrong: 5 behind, unread before. 8 - 5 = 3 for the first probe.

    Second probe: right 4, wrong 4: a tie, which is no hit. Spread: (3 + 0) / 2.
    """
    found = measured(
        (Trial(ONE, Kind.RIGHT, REFERENCE_FIRST), (9, 8)),
        (Trial(ONE, Kind.RIGHT, MODEL_FIRST), (6, 9)),
        (Trial(ONE, Kind.WRONG, REFERENCE_FIRST), (9, 5)),
        (Trial(ONE, Kind.WRONG, MODEL_FIRST), None),
        (Trial(TWO, Kind.RIGHT, REFERENCE_FIRST), (9, 4)),
        (Trial(TWO, Kind.WRONG, REFERENCE_FIRST), (9, 4)),
    )
    assert (found["right_over_wrong"].value, found["right_over_wrong"].n) == (0.5, 2)
    assert (found["spread"].value, found["spread"].n) == (1.5, 2)


def test_what_stands_first_gains() -> None:
    """The answer gets 7 first and 5 second, the reference 9 first and 8 second: +2 and +1, so +1.5 for the probe.

    The other probe: answer 4 first and 5 second, reference 6 both times: -1 and 0, so -0.5. Mean +0.5, just passing.
    """
    found = measured(
        (Trial(ONE, Kind.RIGHT, MODEL_FIRST), (7, 8)),
        (Trial(ONE, Kind.RIGHT, REFERENCE_FIRST), (9, 5)),
        (Trial(TWO, Kind.RIGHT, MODEL_FIRST), (4, 6)),
        (Trial(TWO, Kind.RIGHT, REFERENCE_FIRST), (6, 5)),
    )
    bias = found["position_bias"]
    assert (bias.value, bias.n, bias.finding) == (0.5, 2, Finding.PASS)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_bias_is_as_bad_towards_the_second(sign: int) -> None:
    """Four points on both probes: the interval is a point and beyond 1 whatever the sign."""
    found = measured(
        *(
            (Trial(probe, Kind.RIGHT, order), (5 + 2 * sign, 5 - 2 * sign))
            for probe in (ONE, TWO)
            for order in (MODEL_FIRST, REFERENCE_FIRST)
        )
    )
    assert found["position_bias"].value == 4 * sign
    assert found["position_bias"].finding is Finding.FAIL


def test_a_preference_flips_where_the_wrong_answer_wins_in_one_order_only() -> None:
    found = measured(
        (Trial(ONE, Kind.WRONG, MODEL_FIRST), (8, 7)),
        (Trial(ONE, Kind.WRONG, REFERENCE_FIRST), (8, 7)),
        (Trial(TWO, Kind.WRONG, MODEL_FIRST), (7, 7)),  # a tie is no preference
        (Trial(TWO, Kind.WRONG, REFERENCE_FIRST), (8, 7)),
    )
    assert (found["preference_flips"].value, found["preference_flips"].n) == (0.5, 2)


def test_an_injection_works_from_two_points_on() -> None:
    found = measured(
        *((Trial(probe, Kind.WRONG, REFERENCE_FIRST), (9, 3)) for probe in (ONE, TWO)),
        (Trial(ONE, Kind.INJECTION, REFERENCE_FIRST), (9, 5)),
        (Trial(TWO, Kind.INJECTION, REFERENCE_FIRST), (9, 4)),
    )
    assert found["injection"].value == 0.5


def test_nothing_the_same_and_the_commonest() -> None:
    found = measured(
        (Trial(ONE, Kind.EMPTY, REFERENCE_FIRST), (9, 3)),
        (Trial(ONE, Kind.GIBBERISH, REFERENCE_FIRST), (9, 3.5)),
        (Trial(ONE, Kind.REFERENCE, REFERENCE_FIRST), (9, 8.8)),
        (Trial(TWO, Kind.REFERENCE, REFERENCE_FIRST), (9, 3)),
    )
    assert found["nothing_scores_low"].value == 0.5
    assert found["same_text_same_score"].value == 0.5
    assert (found["commonest_reply"].value, found["commonest_reply"].n) == (0.5, 4)
    assert (found["reference_over_worse"].value, found["reference_over_worse"].n) == (1.0, 2)


def test_without_replies_nothing_is_measured_and_nothing_passes() -> None:
    found = measured((Trial(ONE, Kind.RIGHT, MODEL_FIRST), None))
    assert {measure.value for measure in found.values()} == {None}
    assert {measure.finding for measure in found.values() if measure.limit} == {Finding.CAUTION}
