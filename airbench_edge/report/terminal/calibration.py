"""Calibrated scores in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from rich.console import Console

from airbench_edge.report.calibration import CalibrationModel
from airbench_edge.report.calibration.model import Calibrated, Estimated
from airbench_edge.report.terminal.columns import Column, Row, table
from airbench_edge.report.terminal.console import Room, heading, literal, print_remarks, printing, room_of
from airbench_edge.report.terminal.figures import NONE, number, plural, score, score_interval
from airbench_edge.report.terminal.grids import print_facts, print_words
from airbench_edge.report.terminal.judge_facts import health_fact, judge_fact

_LABELS = {"speech_and_sound": "  speech + sound", "speech_and_music": "  speech + music"}

_WORDS = {
    "Cheap": "Mean score by the cheap judge as it is.",
    "Reference": "What the sample of the reference judge says by itself, folders weighted by their size.",
    "Calibrated": "Estimate of what the reference judge would give to all items: the sample, helped by the cheap judge "
    "(prediction-powered inference, Angelopoulos et al. 2023). Right on average however wrong the cheap judge is.",
    "95 %": "Interval of Student for items like these: it has a width even where all of them were sampled.",
    "Weight": "How much the cheap judge counts; 0 where it does not narrow the interval.",
    "Worth": "How many times more reference verdicts would be needed to know as much without the cheap judge.",
}

_COLUMNS = (
    Column[Calibrated]("Category", lambda part: _LABELS.get(part.name, part.name.capitalize()), justify="left"),
    Column[Calibrated]("Items", lambda part: number(part.items)),
    Column[Calibrated]("Sample", lambda part: number(part.sample)),
    Column[Calibrated]("Cheap", lambda part: score(part.cheap)),
    Column[Calibrated]("Refer-\nence", lambda part: _value(part.alone)),
    Column[Calibrated]("95 %", lambda part: _interval(part.alone)),
    Column[Calibrated]("Cali-\nbrated", lambda part: _value(part.corrected)),
    Column[Calibrated]("95 %", lambda part: _interval(part.corrected)),
    Column[Calibrated]("Weight", lambda part: score(part.weight) if part.corrected else NONE, Room.MEDIUM),
    Column[Calibrated]("Worth", lambda part: f"×{part.gain:.1f}" if part.corrected else NONE),
)


def print_calibration(model: CalibrationModel, file: TextIO) -> None:
    """Print the scores of a cheap judge before and after their correction."""
    with printing(file) as console:
        _print_head(console, model)
        console.print()
        console.print(table(_COLUMNS, _rows(model), room_of(console)))
        print_remarks(console, _remarks(model))
        print_words(console, _WORDS)


def _print_head(console: Console, model: CalibrationModel) -> None:
    heading(console, "Calibration", literal(model.run))
    predicts = "its expected scores predict" if model.scores == "expected" else "its integers predict"
    facts = [
        ("Cheap", judge_fact(console, model.cheap)),
        (predicts, health_fact(model.cheap, model.cheap_health)),
        ("Reference", judge_fact(console, model.reference)),
        ("", health_fact(model.reference, model.reference_health)),
    ]
    print_facts(console, facts)


def _rows(model: CalibrationModel) -> Iterator[Row[Calibrated]]:
    for category in model.categories:
        yield Row(category)
        if category.name == "mixed":
            for group in model.groups:
                if group.name in _LABELS:
                    yield Row(group, "dim")
    yield Row(model.average, "bold")


def _value(estimated: Estimated | None) -> str:
    return score(estimated.value if estimated else None)


def _interval(estimated: Estimated | None) -> str:
    return score_interval(estimated.interval if estimated else None)


def _remarks(model: CalibrationModel) -> Iterator[str]:
    if lost := model.drawn - sum(part.sample for part in model.groups):
        yield (
            f"{plural(lost, 'drawn item')} left out: not scored by both judges in both orders, or of a task that "
            "AIR-Bench does not know."
        )
    for part in (*model.groups, model.average):
        if part.missing:
            yield f"{_LABELS.get(part.name, part.name.capitalize()).strip()} lacks a sample: {', '.join(part.missing)}."
    if not any(part.weight for part in model.groups):
        yield "The cheap judge narrows no interval: the figures are those of the sample alone."
