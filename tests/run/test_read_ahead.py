"""Ahead, but not far; in order; and never holding anybody up."""

from __future__ import annotations

import threading
import time
from contextlib import closing

import pytest

from airbench_edge.run.read_ahead import read_ahead


def test_results_come_in_order_though_the_first_takes_longest() -> None:
    def work(value: int) -> int:
        time.sleep(0.05 if value == 0 else 0.0)
        return value * value

    assert list(read_ahead(work, range(50))) == [value * value for value in range(50)]


def test_work_runs_on_other_threads_a_bounded_way_ahead() -> None:
    begun: list[int] = []
    threads: set[str] = set()

    def work(value: int) -> int:
        begun.append(value)
        threads.add(threading.current_thread().name)
        return value

    with closing(read_ahead(work, range(1000))) as results:
        assert next(results) == 0
        time.sleep(0.1)
        assert 1 < len(begun) <= 9  # two inputs for each of at most four threads, and the one that was taken
    assert threading.current_thread().name not in threads


def test_an_error_comes_out_at_its_place() -> None:
    def work(value: int) -> float:
        return 1 / (value - 2)

    results = read_ahead(work, range(5))
    assert [next(results), next(results)] == [-0.5, -1.0]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_leaving_early_begins_nothing_further() -> None:
    begun: list[int] = []
    with closing(read_ahead(begun.append, range(1000))) as results:
        for _ in range(4):
            next(results)
    time.sleep(0.05)
    assert len(begun) <= 12
