"""Several tests at once."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p of each test by Holm's step-down procedure (1979), in the order given.

    With m tests, the smallest p times m, the next times m - 1, and so on, never falling, at most 1. Calling those below
    5 % different keeps the risk of any false call among the m below 5 %.
    """
    adjusted, least = [0.0] * len(p_values), 0.0
    for done, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, p_values[place] * (len(p_values) - done)))
        adjusted[place] = least
    return adjusted
