"""The health card itself."""

from __future__ import annotations

import msgspec

from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.health.limits import Finding
from airbench_edge.judges.health.measures import Measure


class Reading(msgspec.Struct, frozen=True):
    """What one kind of score says about the judge.

    Attributes:
        finding: The gravest finding of its measures.
        measures: The figures.
    """

    finding: Finding
    measures: tuple[Measure, ...]


class HealthCard(msgspec.Struct, frozen=True):
    """How a judge did on the probes.

    The verdict is that of the integers that the judge writes, since the benchmark's scores are made of them; what its
    expected scores are worth stands beside it.

    Attributes:
        identity: The judge.
        edition: Probes and limits behind the card; one of another edition is out of date.
        probes: Probes that were asked about.
        verdicts: Verdicts that were asked for.
        full: Whether that is all there is.
        failures: Reasons for which there was no reply, or none that can be read.
        integers: By the integers.
        expected: By the expected scores; None for a judge that has none.
    """

    identity: JudgeIdentity
    edition: str
    probes: int
    verdicts: int
    full: bool
    failures: dict[str, int]
    integers: Reading
    expected: Reading | None

    @property
    def verdict(self) -> Finding:
        """Whether its scores can be relied on."""
        return self.integers.finding


def reading(measures: list[Measure]) -> Reading:
    """Put measures together: the gravest finding is that of the whole."""
    order = list(Finding)
    found = [measure.finding for measure in measures if measure.finding]
    return Reading(max(found, key=order.index), tuple(measures))
