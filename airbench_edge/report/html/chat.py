"""The chat track on the page: a row and a line of the chart for each category, its groups and the average."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from airbench_edge.benchmark.scores.chat_score import ChatScore
from airbench_edge.benchmark.tasks import CHAT_TASKS
from airbench_edge.report.health import health_line
from airbench_edge.report.html.strip import SCORES, Mark
from airbench_edge.report.model import ChatReading
from airbench_edge.report.terminal.figures import plural, score
from airbench_edge.report.terminal.incomplete import incomplete

_LABELS = {"speech_and_sound": "Speech + sound", "speech_and_music": "Speech + music"}


class ChatRow(NamedTuple):
    """One row.

    Attributes:
        label: Its name for people.
        level: ``category``, ``group`` below a category, ``other`` for a task that AIR-Bench does not know, or
            ``average``.
        score: Its scores.
        marks: Its line of the chart.
    """

    label: str
    level: str
    score: ChatScore
    marks: list[Mark]


def chat_rows(reading: ChatReading) -> Iterator[ChatRow]:
    """Every category, the groups of those that have several, unknown tasks, and the average."""
    scores = reading.scores
    for category in scores.categories:
        yield _row(category.name.capitalize(), "category", category)
        groups = {task.group for task in CHAT_TASKS if task.category == category.name}
        if len(groups) > 1:
            yield from (_row(_LABELS[part.name], "group", part) for part in scores.groups if part.name in groups)
    for task in scores.others:
        yield _row(task.name, "other", task)
    yield _row("Average", "average", scores.average)


def chat_remarks(reading: ChatReading) -> Iterator[str]:
    """What belongs below the table: the judge's health, unread verdicts, bounds, and why a figure is missing."""
    yield health_line(reading.judge, reading.health)
    average = reading.scores.average
    for rules, failures in (
        ("Official drops", average.official_failures),
        ("Strict cannot read", average.strict_failures),
    ):
        if failures:
            reasons = ", ".join(f"{why.replace('_', ' ')} {count}" for why, count in failures.items())
            yield f"{rules} {plural(sum(failures.values()), 'verdict')}: {reasons}."
    if bounds := average.strict.bounds:
        yield (
            "If every verdict that is not there were a 1, or a 10, the strict average over all "
            f"{plural(reading.planned, 'item')} would be {score(bounds.worst)}, or {score(bounds.best)}."
        )
    for category in reading.scores.categories:
        yield from incomplete(category.name.capitalize(), "groups", category.official, category.strict.score, score)
    yield from incomplete("The average", "categories", average.official, average.strict.score, score)


def _row(label: str, level: str, part: ChatScore) -> ChatRow:
    marks = [
        *SCORES.points("reference", part.reference_first.reference, part.model_first.reference),
        *SCORES.span("official-interval", part.official.interval),
        *SCORES.span("strict-interval", part.strict.score.interval),
        *SCORES.points("reference-first", part.reference_first.model),
        *SCORES.points("model-first", part.model_first.model),
        *SCORES.points("official", part.official.value),
        *SCORES.points("strict", part.strict.score.value),
    ]
    return ChatRow(label, level, part, marks)
