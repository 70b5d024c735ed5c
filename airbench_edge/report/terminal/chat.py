"""The chat track in the terminal, a block for each judge."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from airbench_edge.benchmark.scores.chat import ChatScores
from airbench_edge.benchmark.scores.chat_score import ChatScore
from airbench_edge.report.extent import sample_of
from airbench_edge.report.model import ChatReading, ReportModel
from airbench_edge.report.terminal.columns import Column, Row, table
from airbench_edge.report.terminal.console import Room, heading, literal, print_remarks, room_of
from airbench_edge.report.terminal.figures import (
    coverage,
    number,
    percent,
    plural,
    score,
    score_interval,
)
from airbench_edge.report.terminal.incomplete import incomplete
from airbench_edge.report.terminal.judge_facts import health_fact

_LABELS = {"speech_and_sound": "  speech + sound", "speech_and_music": "  speech + music"}
_EXPECTED = "Ex-\npected"

_Labelled = tuple[str, ChatScore]

_COLUMNS = (
    Column[_Labelled]("Category", lambda line: line[0], justify="left"),
    Column[_Labelled]("Judged", lambda line: number(line[1].judged)),
    Column[_Labelled]("in %", lambda line: coverage(line[1].judged, line[1].counts.planned), Room.MEDIUM),
    Column[_Labelled]("Ref.\nfirst", lambda line: score(line[1].reference_first.model)),
    Column[_Labelled]("Model\nfirst", lambda line: score(line[1].model_first.model)),
    Column[_Labelled]("Official", lambda line: score(line[1].official.value)),
    Column[_Labelled]("95 %", lambda line: score_interval(line[1].official.interval)),
    Column[_Labelled]("Win rates\nin %", lambda line: _win_rates(line[1])),
    Column[_Labelled]("Dropped", lambda line: number(_dropped(line[1])), Room.WIDE),
    Column[_Labelled]("Strict", lambda line: score(line[1].strict.score.value)),
    Column[_Labelled]("95 %", lambda line: score_interval(line[1].strict.score.interval), Room.WIDE),
    Column[_Labelled]("Unread", lambda line: number(line[1].strict.failed), Room.MEDIUM),
    Column[_Labelled](_EXPECTED, lambda line: score(line[1].expected)),
    Column[_Labelled]("Reference\nscores", lambda line: _reference(line[1]), Room.HUGE),
)


def print_chat(console: Console, model: ReportModel, reading: ChatReading) -> None:
    """Print the table of one judge, and what belongs below it."""
    sample = sample_of(model, reading)
    on = f", on a {sample}" if sample else ""
    heading(console, "Chat", f"scores of 1 to 10 by {literal(reading.judge.name)}{on}")
    columns = [column for column in _COLUMNS if column.head != _EXPECTED or has_expected(reading.scores)]
    console.print(table(columns, _rows(reading.scores), room_of(console)))
    console.print()
    console.print(health_fact(reading.judge, reading.health))
    print_remarks(console, _remarks(reading))


def _rows(scores: ChatScores) -> Iterator[Row[_Labelled]]:
    for category in scores.categories:
        yield Row((category.name.capitalize(), category))
        if category.name == "mixed":
            for group in scores.groups:
                if group.name in _LABELS:
                    yield Row((_LABELS[group.name], group), "dim")
    for task in scores.others:
        yield Row((literal(task.name), task))
    yield Row(("Average", scores.average), "bold")


def _win_rates(part: ChatScore) -> str:
    """The two orders: they differ by the bias of the judge for a position."""
    return f"{percent(part.reference_first.win_rate)} {percent(part.model_first.win_rate)}"


def _dropped(part: ChatScore) -> int:
    return part.reference_first.failed + part.model_first.failed


def _reference(part: ChatScore) -> str:
    return f"{score(part.reference_first.reference)} {score(part.model_first.reference)}"


def has_expected(scores: ChatScores) -> bool:
    """Whether the judge tells what it expects."""
    return any(group.expected is not None for group in (*scores.groups, *scores.others))


def _remarks(reading: ChatReading) -> Iterator[str]:
    scores = reading.scores
    for rules, failures in (
        ("Official drops", scores.average.official_failures),
        ("Strict cannot read", scores.average.strict_failures),
    ):
        if failures:
            reasons = ", ".join(f"{literal(why).replace('_', ' ')} {count}" for why, count in failures.items())
            yield f"{rules} {plural(sum(failures.values()), 'verdict')}: {reasons}."
    if again := reading.usage.asked_again:
        yield f"{plural(again, 'verdict')} took more than one attempt, which the released script never makes."
    if bounds := scores.average.strict.bounds:
        yield (
            f"If every verdict that is not there were a 1, or a 10, the strict average over all "
            f"{plural(reading.planned, 'item')} would be {score(bounds.worst)}, or {score(bounds.best)}."
        )
    if scores.others:
        names = ", ".join(literal(task.name) for task in scores.others)
        yield f"Not among the tasks of AIR-Bench, and part of no mean: {names}."
    for category in scores.categories:
        yield from incomplete(category.name.capitalize(), "groups", category.official, category.strict.score, score)
    average = scores.average
    yield from incomplete("The average", "categories", average.official, average.strict.score, score)
