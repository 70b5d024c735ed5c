from __future__ import annotations

import time

import pytest
from scipy.stats import binomtest

from airbench_edge.statistics.mcnemar import mcnemar


def test_by_hand() -> None:
    # 1 against 5 of 6: (C(6,0) + C(6,1)) / 2^6 = 7/64 on one side, 14/64 on both.
    assert mcnemar(1, 5) == 14 / 64
    assert mcnemar(5, 1) == 14 / 64


@pytest.mark.parametrize(("first", "second"), [(0, 0), (3, 3), (0, 1)])
def test_nothing_to_tell(first: int, second: int) -> None:
    assert mcnemar(first, second) == 1.0


@pytest.mark.parametrize(("first", "second"), [(2, 9), (40, 61), (300, 390), (0, 20)])
def test_as_the_binomial_test(first: int, second: int) -> None:
    assert mcnemar(first, second) == pytest.approx(binomtest(first, first + second).pvalue, rel=1e-12)


def test_exact_at_the_size_of_the_whole_benchmark() -> None:
    began = time.perf_counter()
    # Normal approximation with continuity: z = (|9500 - 10000| - 1) / sqrt(19500) = 3.5734, p = 0.000352.
    assert mcnemar(9500, 10000) == pytest.approx(3.52e-4, rel=0.01)
    assert time.perf_counter() - began < 5
