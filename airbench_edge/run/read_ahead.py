"""Work done on threads a little ahead of the one who needs it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")

_THREADS = min(4, os.cpu_count() or 1)


def read_ahead(work: Callable[[Given], Made], inputs: Iterable[Given]) -> Generator[Made, None, None]:
    """Yield ``work(input)`` in order, at most two inputs a thread ahead, so that memory stays bounded.

    When the reader stops early (an error, Ctrl-C) nothing further is begun and nothing is waited for.

    Raises:
        Exception: Whatever ``work`` raised, at the place of its input.
    """
    rest = iter(inputs)
    pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="read-ahead")
    try:
        under_way: deque[Future[Made]] = deque(pool.submit(work, value) for value in islice(rest, 2 * _THREADS))
        while under_way:
            made = under_way.popleft().result()
            under_way.extend(pool.submit(work, value) for value in islice(rest, 1))
            yield made
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
