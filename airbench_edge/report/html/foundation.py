"""The foundation track on the page: a row and a line of the chart for each task, category and the average."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.published import published_column
from airbench_edge.benchmark.scores.accuracy import Accuracy
from airbench_edge.benchmark.scores.counts import Counts
from airbench_edge.benchmark.scores.foundation import FoundationMean, TaskScore
from airbench_edge.benchmark.scores.mean import Mean
from airbench_edge.report.html.strip import SHARES, Mark
from airbench_edge.report.model import FoundationReading
from airbench_edge.report.terminal.figures import percent
from airbench_edge.report.terminal.incomplete import incomplete


class FoundationRow(NamedTuple):
    """One row.

    Attributes:
        label: Its name for people.
        task: ``task_name`` of a task; None for a mean.
        counts: What became of its items.
        official: Under the rule of the released scorer.
        strict: Under the careful rule.
        dropped: Responses that ``official`` leaves out.
        undecided: Responses without a letter under ``strict``.
        chance: Accuracy of guessing.
        tone: ``above`` or ``below`` chance, ``unclear`` where the strict interval holds it; empty if unknown.
        marks: Its line of the chart.
    """

    label: str
    task: str | None
    counts: Counts
    official: Accuracy | Mean
    strict: Accuracy | Mean
    dropped: int
    undecided: int
    chance: float | None
    tone: str
    marks: list[Mark]


def foundation_rows(reading: FoundationReading, beside_published: bool) -> Iterator[FoundationRow]:
    """Every category with its tasks, tasks that AIR-Bench does not know, and the average.

    Args:
        reading: The scores with letters from one source.
        beside_published: Whether the chart may show the published models.
    """
    scores = reading.scores
    for category in scores.categories:
        tasks = [task for task in scores.tasks if task.category == category.name]
        yield _mean_row(category, tasks, beside_published)
        for task in tasks:
            yield _task_row(task, beside_published)
    for task in scores.others:
        yield _task_row(task, False)
    yield _mean_row(scores.average, scores.tasks, beside_published)


def foundation_remarks(reading: FoundationReading) -> Iterator[str]:
    """What belongs below the table: bounds, and why a figure is missing."""
    scores = reading.scores
    if bounds := scores.average.bounds:
        yield (
            "If every planned item without a letter were wrong, or right, the strict average would be "
            f"{percent(bounds.worst)}, or {percent(bounds.best)}."
        )
    for category in scores.categories:
        yield from incomplete(category.name.capitalize(), "tasks", category.official, category.strict, percent)
    yield from incomplete("The average", "categories", scores.average.official, scores.average.strict, percent)


def _task_row(task: TaskScore, beside_published: bool) -> FoundationRow:
    published = published_column(Track.FOUNDATION, task.task) if beside_published else {}
    return FoundationRow(
        task.label,
        task.task,
        task.counts,
        task.official,
        task.strict,
        task.official.undecided,
        task.strict.undecided,
        task.chance,
        _tone(task.strict, task.chance),
        _marks(task, published),
    )


def _mean_row(part: FoundationMean, tasks: Sequence[TaskScore], beside_published: bool) -> FoundationRow:
    published = published_column(Track.FOUNDATION, part.name) if beside_published else {}
    return FoundationRow(
        part.name.capitalize(),
        None,
        part.counts,
        part.official,
        part.strict,
        sum(task.official.undecided for task in tasks),
        sum(task.strict.undecided for task in tasks),
        part.chance,
        _tone(part.strict, part.chance),
        _marks(part, published),
    )


def _tone(strict: Accuracy | Mean, chance: float | None) -> str:
    if strict.interval is None or chance is None:
        return ""
    return "above" if strict.interval.low > chance else "below" if strict.interval.high < chance else "unclear"


def _marks(part: TaskScore | FoundationMean, published: dict[str, float]) -> list[Mark]:
    return [
        *SHARES.points("chance", part.chance),
        *SHARES.points("published", *(figure / 100 for figure in published.values())),
        *SHARES.span("official-interval", part.official.interval),
        *SHARES.span("strict-interval", part.strict.interval),
        *SHARES.points("official", part.official.value),
        *SHARES.points("strict", part.strict.value),
    ]
