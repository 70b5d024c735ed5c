"""The averages, before everything else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console

from airbench_edge.report.extent import sample_of
from airbench_edge.report.health import is_meaningful
from airbench_edge.report.model import ChatReading, ReportModel
from airbench_edge.report.terminal.columns import Column, Row, table
from airbench_edge.report.terminal.console import heading, literal, room_of
from airbench_edge.report.terminal.figures import (
    NONE,
    coverage,
    number,
    percent,
    percent_interval,
    score,
    score_interval,
)


@dataclass(frozen=True)
class _Line:
    """One average."""

    label: str
    items: int
    planned: int
    official: str
    official_interval: str
    strict: str
    strict_interval: str
    chance: str


_COLUMNS = (
    Column[_Line]("Average of", lambda line: line.label, justify="left"),
    Column[_Line]("Items", lambda line: number(line.items)),
    Column[_Line]("in %", lambda line: coverage(line.items, line.planned)),
    Column[_Line]("Official", lambda line: line.official),
    Column[_Line]("95 %", lambda line: line.official_interval),
    Column[_Line]("Strict", lambda line: line.strict),
    Column[_Line]("95 %", lambda line: line.strict_interval),
    Column[_Line]("Chance", lambda line: line.chance),
)


def print_headline(console: Console, model: ReportModel) -> None:
    """Print a line for each source of letters and each judge."""
    rows = [Row(line, "bold") for line in _lines(model)]
    if rows:
        heading(console, "Result")
        console.print(table(_COLUMNS, rows, room_of(console)))
    if model.data.synthetic:
        console.print(
            "The clips and questions of this data set are synthetic: its figures show that everything works, and must "
            "not be set beside published ones.",
            style="yellow",
        )


def _lines(model: ReportModel) -> Iterator[_Line]:
    for letters in model.letters:
        average, counts = letters.scores.average, letters.scores.counts
        yield _Line(
            f"Foundation in %, letters by {literal(letters.aligner.name)}" if letters.aligner else "Foundation in %",
            counts.heard,
            counts.planned,
            percent(average.official.value),
            percent_interval(average.official.interval),
            percent(average.strict.value),
            percent_interval(average.strict.interval),
            percent(average.chance),
        )
    for judge in model.judges:
        chat = judge.scores.average
        yield _Line(
            f"Chat, {literal(judge.judge.name)}{_warning(model, judge)}",
            chat.judged,
            chat.counts.planned,
            score(chat.official.value),
            score_interval(chat.official.interval),
            score(chat.strict.score.value),
            score_interval(chat.strict.score.interval),
            NONE,
        )


def _warning(model: ReportModel, judge: ChatReading) -> str:
    """What keeps the scores of a judge from being taken for others."""
    words = [sample_of(model, judge)]
    if judge.judge.prompt != "official":
        words.append(f"{judge.judge.prompt} prompt, not official")
    elif not is_meaningful(judge.health):
        words.append("not meaningful")
    said = ", ".join(filter(None, words))
    return f" ({said})" if said else ""
