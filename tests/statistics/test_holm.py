from __future__ import annotations

import pytest

from airbench_edge.statistics.holm import holm


def test_by_hand() -> None:
    # Sorted 0.01, 0.02, 0.03: times 3, 2, 1 gives 0.03, 0.04, 0.03, and the last may not fall below 0.04.
    assert holm([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])


def test_one_test_stays_as_it_is_and_none_is_above_one() -> None:
    assert holm([0.04]) == [0.04]
    assert holm([0.9, 0.6]) == [1.0, 1.0]
    assert holm([]) == []
