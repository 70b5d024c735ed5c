"""A run that two judges have scored, the one in whole and the other in part, to calibrated scores.

The sample is drawn folder by folder (``run.selection.spread``), so folders are the strata: within each it is a random
one, and a folder counts by its size.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from airbench_edge import __version__
from airbench_edge.benchmark.items import UniqId
from airbench_edge.benchmark.scores.ratings import Rating
from airbench_edge.benchmark.tasks import CHAT_CATEGORIES, CHAT_GROUPS, CHAT_TASKS, chat_task
from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.report.agreement.answers import ByJudge, by_expected, by_integers, readable
from airbench_edge.report.calibration.model import CALIBRATION_SCHEMA, Calibrated, CalibrationModel, Estimated
from airbench_edge.run.folder import Judged, RunData
from airbench_edge.statistics.interval import Interval
from airbench_edge.statistics.ppi import (
    Estimate,
    Stratum,
    mean_estimate,
    narrower,
    prediction_powered,
    reference_alone,
)

_LEAST = 2
"""Sampled items of a folder without which its spread is unknown."""


@dataclass(frozen=True)
class _Part:
    """A group or a mean, and what the mean above it needs."""

    shown: Calibrated
    alone: Estimate | None = None
    corrected: Estimate | None = None


def calibrate(run: RunData, cheap: Judged, reference: Judged, sample: Collection[UniqId]) -> CalibrationModel:
    """Estimate what the reference judge would give to the whole run.

    Args:
        run: The run.
        cheap: The judge of all items.
        reference: The judge of the sample.
        sample: Ids of the items that were drawn for it; other verdicts of this judge are not used, because nobody knows
            how their items were chosen.

    Raises:
        InputError: The sample is too small to learn from.
    """
    scored = readable(run, cheap)
    sampled = {uniq_id: rating for uniq_id, rating in readable(run, reference).items() if uniq_id in sample}
    if not scored.keys() & sampled.keys():
        raise InputError(
            f"{cheap.identity.name} and {reference.identity.name} have no item of {run.path} in common that both have "
            "scored in both orders: judge more."
        )
    expected = by_expected(list(scored.values()))
    strata = _strata(scored, expected or by_integers(list(scored.values())), sampled)
    groups: dict[str, _Part | None] = {name: _group(name, strata[name]) for name in CHAT_GROUPS if name in strata}
    if not any(part and part.alone for part in groups.values()):
        least = _LEAST * sum(map(len, strata.values()))
        raise InputError(
            f"A sample of {len(sampled)} items leaves every group of tasks a folder with fewer than {_LEAST}, so "
            f"that nothing can be calibrated: give --items {least} or more."
        )
    categories: dict[str, _Part | None] = {
        name: _mean(name, {group: groups.get(group) for group in _groups(name)}) for name in CHAT_CATEGORIES
    }
    return CalibrationModel(
        schema=CALIBRATION_SCHEMA,
        program=__version__,
        run=str(run.path),
        cheap=cheap.identity,
        reference=reference.identity,
        cheap_health=cheap.health,
        reference_health=reference.health,
        scores="expected" if expected else "integers",
        drawn=len(sample),
        groups=tuple(part.shown for part in groups.values() if part),
        categories=tuple(part.shown for part in categories.values() if part and part.shown.items),
        average=_mean("average", categories).shown,
    )


def refuse_one_judge(cheap: JudgeIdentity, reference: JudgeIdentity) -> None:
    """Refuse a judge that would correct itself, also one of another name.

    Raises:
        InputError: Both are one judge.
    """
    if (cheap.kind, cheap.details) == (reference.kind, reference.details):
        raise InputError(
            f"{cheap.name} is the cheap judge and the reference judge as well and cannot correct itself: give another "
            "--reference."
        )


def _strata(
    scored: Mapping[UniqId, Rating], cheap: ByJudge, sampled: Mapping[UniqId, Rating]
) -> dict[str, dict[str, Stratum]]:
    """The folders of each group of tasks."""
    cheap_scores = dict(zip(scored, cheap.means, strict=True))
    reference_scores = dict(zip(sampled, by_integers(list(sampled.values())).means, strict=True))
    folders: dict[tuple[str, str], list[UniqId]] = {}
    for uniq_id, rating in scored.items():
        if task := chat_task(rating.item.task):
            folders.setdefault((task.group, rating.item.folder), []).append(uniq_id)
    strata: dict[str, dict[str, Stratum]] = {}
    for (group, folder), ids in folders.items():
        drawn = [uniq_id for uniq_id in ids if uniq_id in sampled]
        strata.setdefault(group, {})[folder] = Stratum(
            reference=np.array([reference_scores[uniq_id] for uniq_id in drawn]),
            cheap=np.array([cheap_scores[uniq_id] for uniq_id in drawn]),
            others=np.array([cheap_scores[uniq_id] for uniq_id in ids if uniq_id not in sampled]),
        )
    return strata


def _groups(category: str) -> list[str]:
    return list(dict.fromkeys(task.group for task in CHAT_TASKS if task.category == category))


def _group(name: str, folders: Mapping[str, Stratum]) -> _Part:
    strata = list(folders.values())
    missing = tuple(folder for folder, stratum in folders.items() if len(stratum.reference) < _LEAST)
    every = np.concatenate([scores for stratum in strata for scores in (stratum.cheap, stratum.others)])
    estimates = None if missing else (reference_alone(strata), prediction_powered(strata))
    sample = sum(len(stratum.reference) for stratum in strata)
    return _part(name, len(every), sample, float(every.mean()), estimates, missing)


def _mean(name: str, parts: Mapping[str, _Part | None]) -> _Part:
    """The unweighted mean, complete or not at all."""
    known = [part for part in parts.values() if part]
    cheap = [part.shown.cheap for part in known if part.shown.cheap is not None]
    alone = [part.alone for part in known if part.alone]
    corrected = [part.corrected for part in known if part.corrected]
    estimates = None
    if len(alone) == len(parts):
        whole = mean_estimate(alone)
        estimates = whole, narrower(mean_estimate(corrected), whole)
    return _part(
        name,
        sum(part.shown.items for part in known),
        sum(part.shown.sample for part in known),
        float(np.mean(cheap)) if len(cheap) == len(parts) else None,
        estimates,
        tuple(key for key, part in parts.items() if not part or not part.alone),
    )


def _part(
    name: str,
    items: int,
    sample: int,
    cheap: float | None,
    estimates: tuple[Estimate, Estimate] | None,
    missing: Sequence[str],
) -> _Part:
    if estimates is None:
        return _Part(Calibrated(name, items, sample, cheap, None, None, 0.0, 1.0, tuple(missing)))
    alone, corrected = estimates
    weight = float(corrected.weight)
    gain = float(alone.variance / corrected.variance) if weight and corrected.variance > 0 else 1.0
    shown = Calibrated(name, items, sample, cheap, _estimated(alone), _estimated(corrected), weight, gain, ())
    return _Part(shown, alone, corrected)


def _estimated(estimate: Estimate) -> Estimated:
    value, half = float(estimate.value), float(estimate.half_width)
    return Estimated(value, Interval(value - half, value + half))
