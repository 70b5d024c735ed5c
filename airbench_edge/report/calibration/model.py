"""What a calibration says, as data: the one source of its forms. It holds neither clock nor host name."""

from __future__ import annotations

from typing import Literal

import msgspec

from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.health.card import HealthCard
from airbench_edge.statistics.interval import Interval

CALIBRATION_SCHEMA = 1


class Estimated(msgspec.Struct, frozen=True):
    """A mean reference score.

    Attributes:
        value: The estimate.
        interval: 95 %, the drawing of the sample included.
    """

    value: float
    interval: Interval


class Calibrated(msgspec.Struct, frozen=True):
    """A group of tasks, a category, or the average; figures are None where a part lacks a sample of two in a folder.

    Attributes:
        name: Its name.
        items: Items that the cheap judge has scored in both orders.
        sample: Of these, items that the reference judge has scored in both orders too.
        cheap: Mean score by the cheap judge as it is.
        alone: What the sample says by itself.
        corrected: The same with the help of the cheap judge; equal to ``alone`` where it does not help.
        weight: How much the cheap judge counts, from 0 (not at all) to 1; a mean for means.
        gain: By what factor a sample would have to grow to be as good without the cheap judge; 1 where it does not
            help.
        missing: Parts, or folders, that lack a sample.
    """

    name: str
    items: int
    sample: int
    cheap: float | None
    alone: Estimated | None
    corrected: Estimated | None
    weight: float
    gain: float
    missing: tuple[str, ...]


class CalibrationModel(msgspec.Struct, frozen=True):
    """The whole calibration.

    Attributes:
        schema: Version of this form; it grows when a field changes its meaning or goes.
        program: Version of airbench-edge that computed it.
        run: The run folder as given.
        cheap: The cheap judge.
        reference: The reference judge.
        cheap_health: Its health card; None where it was not checked.
        reference_health: The same of the reference judge.
        scores: Which scores of the cheap judge predict: its expected scores if it has them for every item, else its
            integers. Of the reference judge it is always the integers.
        drawn: Items that were drawn for the reference judge, those included that one of the judges could not score.
        groups: The groups of ``cal_score.py``.
        categories: The categories of the published table.
        average: Mean of the four categories.
    """

    schema: int
    program: str
    run: str
    cheap: JudgeIdentity
    reference: JudgeIdentity
    cheap_health: HealthCard | None
    reference_health: HealthCard | None
    scores: Literal["integers", "expected"]
    drawn: int
    groups: tuple[Calibrated, ...]
    categories: tuple[Calibrated, ...]
    average: Calibrated
