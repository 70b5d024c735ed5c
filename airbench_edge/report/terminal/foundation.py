"""The foundation track in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from airbench_edge.benchmark.scores.accuracy import Accuracy
from airbench_edge.benchmark.scores.counts import Counts
from airbench_edge.benchmark.scores.foundation import FoundationMean, FoundationScores, TaskScore
from airbench_edge.benchmark.scores.mean import Mean
from airbench_edge.report.model import FoundationReading
from airbench_edge.report.terminal.columns import Column, Row, table
from airbench_edge.report.terminal.console import Room, heading, literal, print_remarks, room_of
from airbench_edge.report.terminal.figures import (
    NONE,
    coverage,
    number,
    percent,
    percent_interval,
    plural,
    shares,
)
from airbench_edge.report.terminal.incomplete import incomplete

_BAR = 16


@dataclass(frozen=True)
class _Line:
    """A task, a category or the average, as the table shows it."""

    label: str
    counts: Counts
    official: Accuracy | Mean
    dropped: int
    strict: Accuracy | Mean
    undecided: int
    chance: float | None


_INTERVAL = Column[_Line]("95 %", lambda line: percent_interval(line.strict.interval))

_COLUMNS = (
    Column[_Line]("Task", lambda line: line.label, justify="left"),
    Column[_Line]("Heard", lambda line: number(line.counts.heard)),
    Column[_Line]("in %", lambda line: coverage(line.counts.heard, line.counts.planned)),
    Column[_Line]("Offi-\ncial", lambda line: percent(line.official.value), until=Room.MEDIUM),
    Column[_Line]("Official", lambda line: percent(line.official.value), Room.MEDIUM),
    Column[_Line]("95 %", lambda line: percent_interval(line.official.interval), Room.HUGE),
    Column[_Line]("Dropped", lambda line: number(line.dropped), Room.MEDIUM),
    Column[_Line]("Strict", lambda line: _coloured(line)),
    _INTERVAL,
    Column[_Line]("Unde-\ncided", lambda line: number(line.undecided)),
    Column[_Line]("Chan-\nce", lambda line: percent(line.chance), until=Room.MEDIUM),
    Column[_Line]("Chance", lambda line: percent(line.chance), Room.MEDIUM),
    Column[_Line]("", lambda line: _bar(line), Room.WIDE, "left"),
)


def print_foundation(console: Console, reading: FoundationReading) -> None:
    """Print the table of one source of letters, and what belongs below it."""
    heading(console, "Foundation", _source(reading))
    console.print(_table(console, reading.scores))
    print_remarks(console, _remarks(reading))


def _table(console: Console, scores: FoundationScores) -> Table:
    """The table; without the intervals where there is so little room that they would break a name."""
    room = room_of(console)
    whole = table(_COLUMNS, _rows(scores), room)
    needed = console.measure(whole, options=console.options.update(max_width=Room.WHOLE)).maximum
    if room > Room.NARROW or needed <= console.width:
        return whole
    return table([column for column in _COLUMNS if column is not _INTERVAL], _rows(scores), room)


def _source(reading: FoundationReading) -> str:
    if reading.aligner is None:
        return "accuracy in %, letters read from the responses"
    replied = f"which replied to {number(reading.replied)} of {plural(reading.planned, 'response')}"
    return f"accuracy in %, letters with the help of {literal(reading.aligner.name)}, {replied}"


def _rows(scores: FoundationScores) -> Iterator[Row[_Line]]:
    for category in scores.categories:
        tasks = [task for task in scores.tasks if task.category == category.name]
        yield Row(_mean_line(category.name.capitalize(), category, tasks), "bold")
        for task in tasks:
            yield Row(_task_line(task), ends=task is tasks[-1])
    for task in scores.others:
        yield Row(_task_line(task), ends=task is scores.others[-1])
    yield Row(_mean_line("Average", scores.average, scores.tasks), "bold")


def _task_line(task: TaskScore) -> _Line:
    label = f" {literal(task.label)}"
    official, strict = task.official, task.strict
    return _Line(label, task.counts, official, official.undecided, strict, strict.undecided, task.chance)


def _mean_line(label: str, part: FoundationMean, tasks: list[TaskScore] | tuple[TaskScore, ...]) -> _Line:
    return _Line(
        label,
        part.counts,
        part.official,
        sum(task.official.undecided for task in tasks),
        part.strict,
        sum(task.strict.undecided for task in tasks),
        part.chance,
    )


def _coloured(line: _Line) -> Text:
    """Green above chance, red below, yellow where the interval holds it."""
    interval, style = line.strict.interval, ""
    if interval and line.chance is not None:
        style = "green" if interval.low > line.chance else "red" if interval.high < line.chance else "yellow"
    return Text(percent(line.strict.value), style=style)


def _bar(line: _Line) -> Text:
    """The strict accuracy as a bar with a notch where guessing would end."""
    if line.strict.value is None or line.chance is None:
        return Text(NONE, style="dim")
    filled, notch = round(line.strict.value * _BAR), min(round(line.chance * _BAR), _BAR - 1)
    cells = ["━" if place < filled else "─" for place in range(_BAR)]
    cells[notch] = "┿" if notch < filled else "┼"
    style = _coloured(line).style
    return Text.assemble(("".join(cells[:filled]), style), ("".join(cells[filled:]), "dim"))


def _remarks(reading: FoundationReading) -> Iterator[str]:
    scores = reading.scores
    if pooled := [_sources(task) for task in scores.tasks if _sources_matter(task)]:
        yield f"Mean of the sources, instead of pooling them (official, strict): {'; '.join(pooled)}."
    if scores.how:
        yield f"Strict letters were found by: {shares(scores.how)}."
    if bounds := scores.average.bounds:
        yield (
            "If every planned item without a letter were wrong, or right, the strict average would be "
            f"{percent(bounds.worst)}, or {percent(bounds.best)}."
        )
    if scores.others:
        names = ", ".join(literal(task.task) for task in scores.others)
        yield f"Not among the tasks of AIR-Bench, and part of no mean: {names}."
    for category in scores.categories:
        yield from incomplete(category.name.capitalize(), "tasks", category.official, category.strict, percent)
    yield from incomplete("The average", "categories", scores.average.official, scores.average.strict, percent)


def _sources_matter(task: TaskScore) -> bool:
    pooled = task.official.value, task.strict.value
    apart = task.official_mean_of_sources, task.strict_mean_of_sources
    return [percent(value) for value in pooled] != [percent(value) for value in apart]


def _sources(task: TaskScore) -> str:
    official, strict = percent(task.official_mean_of_sources), percent(task.strict_mean_of_sources)
    return f"{literal(task.label)} {official}, {strict}"
