"""Rank correlation of Kendall, with ties."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]


def kendall(first: Values, second: Values) -> float | None:
    """Tau-b (Kendall 1945): (concordant - discordant) / sqrt(pairs untied in the first * pairs untied in the second).

    None where one side is constant or there are fewer than two pairs.
    """
    concordance = untied_first = untied_second = 0
    for place in range(len(first) - 1):
        a = np.sign(first[place + 1 :] - first[place])
        b = np.sign(second[place + 1 :] - second[place])
        concordance += int(a @ b)
        untied_first += int(np.count_nonzero(a))
        untied_second += int(np.count_nonzero(b))
    scale = (untied_first * untied_second) ** 0.5
    return concordance / scale if scale else None
