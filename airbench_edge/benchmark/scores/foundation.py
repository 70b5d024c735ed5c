"""Scores of the foundation track: folders, tasks, categories and the average, under both rules.

A task pools its sources (the paper does not say whether it does; the mean of the sources stands beside it), a category
is the unweighted mean of its tasks, and the average is the unweighted mean of the three categories, which is what
reproduces the published averages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from airbench_edge.benchmark.scores.accuracy import (
    Accuracy,
    accuracy_bounds,
    chance,
    official_accuracy,
    strict_accuracy,
)
from airbench_edge.benchmark.scores.bounds import Bounds, mean_bounds
from airbench_edge.benchmark.scores.counts import Counts, count, total
from airbench_edge.benchmark.scores.marks import Mark
from airbench_edge.benchmark.scores.mean import Cell, Mean, mean, mean_of_cells, resamples_of
from airbench_edge.benchmark.tasks import FOUNDATION_CATEGORIES, FOUNDATION_TASKS, foundation_task


class FolderScore(msgspec.Struct, frozen=True):
    """One task and source: the group that the released scorer prints."""

    folder: str
    dataset: str
    counts: Counts
    official: Accuracy
    strict: Accuracy


class TaskScore(msgspec.Struct, frozen=True):
    """One task, its sources pooled.

    Attributes:
        task: ``task_name`` of the data set.
        label: Name in the paper.
        category: Category in the paper; None for a task that AIR-Bench does not know.
        folders: The sources, in the order of the metadata.
        counts: What became of the items.
        chance: Accuracy of guessing among the real options.
        official: Under the rule of the released scorer.
        official_mean_of_sources: The other reading of the paper; None where a source has no readable response.
        strict: Under the careful rule.
        strict_mean_of_sources: The same under the careful rule.
        bounds: Of ``strict`` over all planned items.
        how: How the ``strict`` letters were found, most frequent first.
    """

    task: str
    label: str
    category: str | None
    folders: tuple[FolderScore, ...]
    counts: Counts
    chance: float
    official: Accuracy
    official_mean_of_sources: float | None
    strict: Accuracy
    strict_mean_of_sources: float | None
    bounds: Bounds
    how: dict[str, int]


class FoundationMean(msgspec.Struct, frozen=True):
    """A category, or the average of the categories.

    Attributes:
        name: Name of the category, or ``average``.
        counts: What became of the items below it.
        chance: Mean of the chance levels below it; None where one is missing.
        official: Mean under the rule of the released scorer.
        strict: Mean under the careful rule.
        bounds: Of ``strict`` over all planned items; None where a figure is missing.
    """

    name: str
    counts: Counts
    chance: float | None
    official: Mean
    strict: Mean
    bounds: Bounds | None


class FoundationScores(msgspec.Struct, frozen=True):
    """The whole track. Tasks and categories without a planned item have no entry.

    Attributes:
        tasks: Tasks in the order of the paper.
        others: Tasks that AIR-Bench does not know; part of no mean.
        categories: Categories in the order of the paper.
        average: Mean of the three categories.
        counts: What became of all items, those of ``others`` included.
        how: How the ``strict`` letters were found, most frequent first.
    """

    tasks: tuple[TaskScore, ...]
    others: tuple[TaskScore, ...]
    categories: tuple[FoundationMean, ...]
    average: FoundationMean
    counts: Counts
    how: dict[str, int]


class _Part(msgspec.Struct, frozen=True):
    """What a task or a category passes on to the mean above it."""

    counts: Counts = Counts()
    chance: float | None = None
    bounds: Bounds | None = None
    official: Cell | None = None
    strict: Cell | None = None


def score_foundation(marks: Sequence[Mark]) -> FoundationScores:
    """Score the items of a run; a selection of tasks gives no category or average that lacks one of its parts."""
    by_task: dict[str, list[Mark]] = {}
    for mark in marks:
        by_task.setdefault(mark.item.task, []).append(mark)
    tasks = {task: _task_score(task, group) for task, group in by_task.items()}
    in_order = [tasks[task.name] for task in FOUNDATION_TASKS if task.name in tasks]
    others = [score for name, score in tasks.items() if foundation_task(name) is None]
    categories = {name: _category(name, tasks) for name in FOUNDATION_CATEGORIES}
    average, _ = _mean("average", {name: part for name, (_, part) in categories.items()})
    return FoundationScores(
        tasks=tuple(in_order),
        others=tuple(others),
        categories=tuple(shown for shown, _ in categories.values() if shown.counts.planned),
        average=average,
        counts=total(score.counts for score in tasks.values()),
        how=_how(marks),
    )


def _category(name: str, tasks: dict[str, TaskScore]) -> tuple[FoundationMean, _Part]:
    members = [task for task in FOUNDATION_TASKS if task.category == name]
    return _mean(name, {task.label: _task_part(tasks.get(task.name)) for task in members})


def _task_score(name: str, marks: Sequence[Mark]) -> TaskScore:
    by_folder: dict[str, list[Mark]] = {}
    for mark in marks:
        by_folder.setdefault(mark.item.folder, []).append(mark)
    folders = tuple(_folder_score(folder, group) for folder, group in by_folder.items())
    task = foundation_task(name)
    return TaskScore(
        task=name,
        label=task.label if task else name,
        category=task.category if task else None,
        folders=folders,
        counts=count(mark.response for mark in marks),
        chance=chance(marks),
        official=official_accuracy(marks),
        official_mean_of_sources=_mean_of_sources([folder.official for folder in folders]),
        strict=strict_accuracy(marks),
        strict_mean_of_sources=_mean_of_sources([folder.strict for folder in folders]),
        bounds=accuracy_bounds(marks),
        how=_how(marks),
    )


def _folder_score(folder: str, marks: Sequence[Mark]) -> FolderScore:
    counts = count(mark.response for mark in marks)
    return FolderScore(folder, marks[0].item.dataset, counts, official_accuracy(marks), strict_accuracy(marks))


def _task_part(score: TaskScore | None) -> _Part:
    if score is None:
        return _Part()
    official, strict = (rule.cell(resamples_of(score.task)) for rule in (score.official, score.strict))
    return _Part(score.counts, score.chance, score.bounds, official, strict)


def _mean(name: str, below: dict[str, _Part]) -> tuple[FoundationMean, _Part]:
    official, official_cell = mean_of_cells({key: part.official for key, part in below.items()})
    strict, strict_cell = mean_of_cells({key: part.strict for key, part in below.items()})
    chances = [part.chance for part in below.values() if part.chance is not None]
    guessing = mean(chances) if len(chances) == len(below) else None
    bounds = mean_bounds([part.bounds for part in below.values()])
    counts = total(part.counts for part in below.values())
    shown = FoundationMean(name, counts, guessing, official, strict, bounds)
    return shown, _Part(counts, guessing, bounds, official_cell, strict_cell)


def _mean_of_sources(sources: Sequence[Accuracy]) -> float | None:
    values = [source.value for source in sources if source.value is not None]
    return mean(values) if len(values) == len(sources) else None


def _how(marks: Sequence[Mark]) -> dict[str, int]:
    return dict(Counter(mark.strict.how for mark in marks if mark.strict.letter is not None).most_common())
