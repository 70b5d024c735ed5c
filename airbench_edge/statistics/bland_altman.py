"""How far two judges differ on one item."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from airbench_edge.statistics.interval import Interval
from airbench_edge.statistics.student import Z


def limits_of_agreement(differences: npt.NDArray[np.float64]) -> Interval | None:
    """Bland and Altman (1986): mean ± 1.96 standard deviations, between which 95 % of the differences are expected.

    None of fewer than two differences.
    """
    if len(differences) < 2:
        return None
    mean, spread = float(differences.mean()), Z * float(differences.std(ddof=1))
    return Interval(mean - spread, mean + spread)
