from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airbench_edge.audiolm.whisper.loops import without_loop


@pytest.mark.parametrize(
    ("made", "kept"),
    [
        ([1, 2, 3, 3, 3, 3, 3], [1, 2, 3]),
        ([1, 7, 8, 7, 8, 7, 8, 7, 8], [1, 7, 8]),
        ([1, 7, 8, 9, 7, 8, 9, 7, 8, 9, 7, 8, 9, 7], [1, 7, 8, 9]),  # the last round was broken off
        ([5, 5, 5], [5, 5, 5]),  # three times is what people say
        ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]),
        ([], []),
    ],
)
def test_a_loop_at_the_end_is_cut_to_its_first_round(made: list[int], kept: list[int]) -> None:
    assert without_loop(made) == kept


@settings(max_examples=60)
@given(st.lists(st.integers(0, 3), max_size=40), st.lists(st.integers(0, 3), min_size=1, max_size=8), st.integers(4, 9))
def test_what_is_left_begins_the_text_and_loops_no_more(start: list[int], loop: list[int], rounds: int) -> None:
    made = start + loop * rounds
    kept = without_loop(made)
    assert made[: len(kept)] == kept
    assert len(kept) <= len(start) + len(loop)
