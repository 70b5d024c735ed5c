from __future__ import annotations

import pytest
from helpers.made_items import answered, question, unanswered

from airbench_edge.benchmark.records import State
from airbench_edge.benchmark.scores.counts import Counts, count, total


def test_every_state_is_counted() -> None:
    item = question(1)
    counts = count(
        [
            answered(item, "B"),
            answered(item, " \n"),
            answered(item, "B B B", finish="length"),
            unanswered(item, State.MISSING_AUDIO),
            unanswered(item, State.UNDECODABLE_AUDIO),
            unanswered(item, State.REFUSED_PATH),
            unanswered(item, State.FAILED),
            unanswered(item, State.NOT_RECORDED),
            None,
        ]
    )
    assert counts == Counts(
        planned=9,
        answered=3,
        empty=1,
        truncated=1,
        failed=1,
        missing_audio=1,
        undecodable_audio=1,
        refused_path=1,
        not_recorded=1,
        pending=1,
    )
    # Answered and failed items reached the model: 3 + 1 of 9.
    assert counts.heard == 4
    assert counts.coverage == pytest.approx(4 / 9)


def test_every_state_of_the_records_has_a_count() -> None:
    for state in State:
        assert getattr(count([unanswered(question(1), state)]), state.value) == 1


def test_nothing_planned_has_no_coverage() -> None:
    assert count([]).coverage is None


def test_total_adds_up() -> None:
    assert total([Counts(planned=3, answered=2, pending=1), Counts(planned=1, answered=1)]) == Counts(
        planned=4, answered=3, pending=1
    )
