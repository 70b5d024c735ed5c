"""How far a figure could move if everything that is not known were known."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from airbench_edge.benchmark.scores.mean import mean


class Bounds(msgspec.Struct, frozen=True):
    """A figure over all planned items if everything that is not known went wrong, and if it all went well."""

    worst: float
    best: float


def mean_bounds(parts: Sequence[Bounds | None]) -> Bounds | None:
    """Bounds of the mean of several figures; None as soon as one of them is missing."""
    known = [part for part in parts if part]
    if len(known) < len(parts):
        return None
    return Bounds(mean([part.worst for part in known]), mean([part.best for part in known]))
