from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airbench_edge.statistics.wilson import wilson


def test_half_of_ten_by_hand() -> None:
    # z^2 = 3.8415, so z^2/n = 0.38415. Centre (0.5 + 0.192073) / 1.384146 = 0.5.
    # Half width 1.959964 / 1.384146 * sqrt(0.025 + 0.0096037) = 1.416009 * 0.1860206 = 0.263407.
    interval = wilson(5, 10)
    assert interval.low == pytest.approx(0.236593, abs=1e-6)
    assert interval.high == pytest.approx(0.763407, abs=1e-6)


def test_none_of_ten_still_has_a_width() -> None:
    # Centre 0.192073 / 1.384146 = 0.138766; half width 1.416009 * sqrt(0.0096037) = 0.138766: from 0 to 2 * 0.138766.
    assert wilson(0, 10).low == 0.0
    assert wilson(0, 10).high == pytest.approx(0.277533, abs=1e-6)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_holds_the_share_and_mirrors(case: tuple[int, int]) -> None:
    right, n = case
    interval, mirrored = wilson(right, n), wilson(n - right, n)
    assert 0 <= interval.low <= right / n <= interval.high <= 1
    assert interval.low == pytest.approx(1 - mirrored.high, abs=1e-12)


@pytest.mark.parametrize(("right", "n"), [(0, 0), (3, 2), (-1, 2)])
def test_no_share_is_refused(right: int, n: int) -> None:
    with pytest.raises(ValueError, match="is not a share"):
        wilson(right, n)
