"""The health card of a judge in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TextIO

from rich.console import Console
from rich.text import Text

from airbench_edge.judges.health.card import HealthCard
from airbench_edge.judges.health.check import Checked
from airbench_edge.judges.health.measures import Measure
from airbench_edge.report.health import MEASURES, figure, limits
from airbench_edge.report.terminal.columns import Column, Row, table
from airbench_edge.report.terminal.console import Room, heading, literal, print_remarks, printing, room_of
from airbench_edge.report.terminal.figures import NONE, percent_interval, plural
from airbench_edge.report.terminal.grids import print_facts, print_words
from airbench_edge.report.terminal.judge_facts import STYLES, health_fact, judge_fact
from airbench_edge.statistics.interval import Interval


class _Line(NamedTuple):
    """One measure by both kinds of score."""

    integers: Measure
    expected: Measure | None


def print_health(checked: Checked, file: TextIO) -> None:
    """Print what was checked, every measure with its limits, and the verdict."""
    card = checked.card
    with printing(file) as console:
        _print_head(console, checked)
        expected = ", and by its expected scores" if card.expected else ""
        heading(console, "Measures", f"by the integers that the judge writes{expected}")
        console.print(table(_columns(card), _rows(card), room_of(console)))
        console.print()
        console.print(health_fact(card.identity, card))
        print_remarks(console, _remarks(card))
        print_words(console, dict(MEASURES.values()))


def _print_head(console: Console, checked: Checked) -> None:
    card = checked.card
    heading(console, "Health card", literal(card.identity.name))
    asked = f"{plural(card.verdicts, 'verdict')} on {plural(card.probes, 'probe')}"
    speed = f"{60 * card.verdicts / max(checked.seconds, 0.1):.1f} verdicts a minute, {checked.seconds:.0f} s in all"
    print_facts(console, [("Judge", judge_fact(console, card.identity)), ("Asked", asked), ("Speed", speed)])


def _columns(card: HealthCard) -> list[Column[_Line]]:
    columns = [
        Column[_Line]("Measure", lambda line: MEASURES[line.integers.name].label, justify="left"),
        Column[_Line]("Integers", lambda line: _figure(line.integers)),
        Column[_Line]("95 %", lambda line: _interval(line.integers), Room.MEDIUM),
    ]
    if card.expected:
        columns += [
            Column[_Line]("Expected", lambda line: _figure(line.expected) if line.expected else NONE),
            Column[_Line]("95 %", lambda line: _interval(line.expected) if line.expected else NONE, Room.MEDIUM),
        ]
    return [
        *columns,
        Column[_Line]("Passes", lambda line: limits(line.integers)[0]),
        Column[_Line]("Fails", lambda line: limits(line.integers)[1]),
    ]


def _rows(card: HealthCard) -> Iterator[Row[_Line]]:
    expected = {measure.name: measure for measure in card.expected.measures} if card.expected else {}
    for measure in card.integers.measures:
        yield Row(_Line(measure, expected.get(measure.name)))


def _figure(measure: Measure) -> Text:
    return Text(figure(measure), STYLES[measure.finding] if measure.finding else "")


def _interval(measure: Measure) -> str:
    if measure.interval is None:
        return NONE
    return percent_interval(measure.interval) if measure.share else _points(measure.interval)


def _points(interval: Interval) -> str:
    return f"{interval.low:+z.2f} to {interval.high:+z.2f}"


def _remarks(card: HealthCard) -> Iterator[str]:
    if card.failures:
        reasons = ", ".join(f"{literal(why).replace('_', ' ')} {count}" for why, count in card.failures.items())
        yield f"Not read: {reasons}."
    if not card.full:
        yield (
            f"{plural(card.verdicts, 'verdict')} show gross faults only: a measure fails where its whole interval lies "
            "beyond the limit, and these are wide. --probes asks about more, --full about everything."
        )
