from __future__ import annotations

import pytest

from airbench_edge.report.html.strip import SCORES, SHARES, Mark
from airbench_edge.statistics.interval import Interval


@pytest.mark.parametrize(("value", "place"), [(0.0, 0), (0.5641, 56.41), (1.0, 100), (-0.2, 0), (1.7, 100)])
def test_shares_are_placed_in_percent_of_the_width(value: float, place: float) -> None:
    assert SHARES.at(value) == place


def test_scores_below_the_line_are_put_on_its_end() -> None:
    # cal_score.py lets a score of -3 pass.
    assert SCORES.points("official", 4.77, None, -3) == [Mark("official", 47.7), Mark("official", 0)]


def test_no_mark_without_an_interval() -> None:
    assert SHARES.span("strict-interval", None) == []
    assert SCORES.span("strict-interval", Interval(4.44, 5.09)) == [Mark("strict-interval", 44.4, 50.9)]
