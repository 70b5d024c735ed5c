from __future__ import annotations

import pytest

from airbench_edge.judges.health.limits import LIMITS, Finding, Limit
from airbench_edge.statistics.interval import Interval
from airbench_edge.statistics.wilson import wilson

UP, DOWN = Limit(0.9, 0.75, upward=True), Limit(0.05, 0.15, upward=False)


@pytest.mark.parametrize(
    ("limit", "value", "interval", "finding"),
    [
        (UP, 0.9, Interval(0.5, 1.0), Finding.PASS),
        (UP, 0.8, Interval(0.5, 1.0), Finding.CAUTION),
        (UP, 0.1, Interval(0.0, 0.75), Finding.CAUTION),  # the upper end reaches the limit: not shown
        (UP, 0.1, Interval(0.0, 0.74), Finding.FAIL),
        (UP, 0.1, None, Finding.CAUTION),
        (UP, None, None, Finding.CAUTION),
        (DOWN, 0.05, Interval(0.0, 0.5), Finding.PASS),
        (DOWN, 0.2, Interval(0.1, 0.5), Finding.CAUTION),
        (DOWN, 0.5, Interval(0.16, 0.9), Finding.FAIL),
    ],
)
def test_findings(limit: Limit, value: float | None, interval: Interval | None, finding: Finding) -> None:
    assert limit.finding(value, interval) is finding


def test_what_a_quick_card_can_show_with_four_probes() -> None:
    """Wilson's upper end of 1 in 4 is 0.70, of 2 in 4 it is 0.85: at a limit of 0.75 one hit fails and two do not."""
    limit = LIMITS["right_over_wrong"]
    findings = [limit.finding(right / 4, wilson(right, 4)) for right in range(5)]
    assert findings == [Finding.FAIL, Finding.FAIL, Finding.CAUTION, Finding.CAUTION, Finding.PASS]


@pytest.mark.parametrize("limit", LIMITS.values(), ids=LIMITS)
def test_between_pass_and_fail_there_is_room(limit: Limit) -> None:
    assert limit.passes > limit.fails if limit.upward else limit.passes < limit.fails
