"""Whether two models differ in how many of the same questions they get right."""

from __future__ import annotations


def mcnemar(only_first: int, only_second: int) -> float:
    """Two-sided p of the exact test of McNemar (1947): the questions that one alone gets right are a fair coin's.

    Twice the binomial tail with p = 1/2, at most 1; exact in whole numbers at any count.

    Args:
        only_first: Questions that the first gets right and the second does not.
        only_second: The reverse.
    """
    n = only_first + only_second
    term = tail = 1
    for drawn in range(min(only_first, only_second)):
        term = term * (n - drawn) // (drawn + 1)
        tail += term
    return min(1.0, 2 * tail / (1 << n))
