"""Runs side by side in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.report.compare.model import (
    Comparison,
    ComparisonModel,
    Drift,
    Moved,
    Section,
    Side,
    TaskDifference,
)
from airbench_edge.report.compare.words import (
    Difference,
    direction,
    label,
    lines,
    p_value,
    result,
    signed,
    signed_interval,
    unit,
)
from airbench_edge.report.terminal.columns import Column, Row, table
from airbench_edge.report.terminal.console import Room, heading, literal, print_remarks, printing, room_of, short_hashes
from airbench_edge.report.terminal.figures import NONE, number, percent, plural, score
from airbench_edge.statistics.interval import Interval

_TERMINAL_LINES = 10
"""Items, and differences of settings, shown on a terminal; a file gets all of them."""

_LONGEST = 60
"""Letters of a response that fit beside another one."""


def print_comparison(model: ComparisonModel, file: TextIO) -> None:
    """Print every run against the first one; elsewhere than on a terminal nothing is left out or coloured."""
    with printing(file) as console:
        for other in model.others:
            _print_pair(console, model, other)
        _print_legend(console)


def _print_pair(console: Console, model: ComparisonModel, other: Comparison) -> None:
    heading(console, "Comparison", f"{model.rules} rules, airbench-edge {model.program}")
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("First", _side(model.first))
    grid.add_row("Second", _side(other.second))
    for difference in _differences(console, other):
        grid.add_row("Differs", Text(difference, "dim"))
    for drift in other.drift:
        grid.add_row("Responses", _drift(drift))
    console.print(grid)
    for section in other.sections:
        _print_section(console, section, model.rules)
    print_remarks(console, map(literal, other.remarks))


def _differences(console: Console, other: Comparison) -> Iterator[str]:
    names = list(other.differs)
    shown = names[:_TERMINAL_LINES] if console.is_terminal else names
    for name in shown:
        first, second = map(literal, other.differs[name])
        yield short_hashes(console, f"{literal(name)}: {first} → {second}")
    if rest := len(names) - len(shown):
        yield f"… and {number(rest)} more: --html FILE shows them all"


def _side(side: Side) -> Text:
    return Text("  ").join([Text(literal(side.path), "bold"), Text(literal(side.audiolm.name), "dim")])


def _drift(drift: Drift) -> str:
    share = f" ({percent(drift.identical / drift.answered)} %)" if drift.answered else ""
    return (
        f"{drift.track}: {number(drift.identical)} of {number(drift.answered)} the very same{share}, "
        f"{number(drift.common - drift.answered)} of {plural(drift.common, 'common item')} not answered by both"
    )


def _print_section(console: Console, section: Section, rules: RulesName) -> None:
    heading(console, section.track.value.capitalize(), literal(unit(section)))
    console.print(table(_columns(section.track), _rows(section), room_of(console)))
    if section.moved:
        console.print()
        console.print(f"{plural(len(section.moved), 'item')} came out otherwise:", style="dim")
        shown = section.moved[:_TERMINAL_LINES] if console.is_terminal else section.moved
        for item in shown:
            console.print(_moved(section.track, item))
        if rest := len(section.moved) - len(shown):
            console.print(f"  … and {number(rest)} more: --html FILE shows them all", style="dim")


def _columns(track: Track) -> Sequence[Column[Difference]]:
    chat = track is Track.CHAT
    figure = score if chat else percent
    fell, rose = ("Fell", "Rose") if chat else ("Only\n1st", "Only\n2nd")
    return (
        Column("Group" if chat else "Task", _label, justify="left"),
        Column("Both", lambda line: number(line.n)),
        Column("First", lambda line: figure(line.first)),
        Column("Second", lambda line: figure(line.second)),
        Column("Change", lambda line: Text(signed(line.difference, track), _style(line))),
        Column("95 %", lambda line: _margin(line.interval, chat), until=Room.MEDIUM),
        Column("95 %", lambda line: signed_interval(line.interval, track), Room.MEDIUM),
        Column(fell, lambda line: number(line.fell) if isinstance(line, TaskDifference) else ""),
        Column(rose, lambda line: number(line.rose) if isinstance(line, TaskDifference) else ""),
        Column("p", lambda line: p_value(line.p) if isinstance(line, TaskDifference) else "", Room.MEDIUM),
        Column("p Holm", lambda line: p_value(line.p_holm) if isinstance(line, TaskDifference) else ""),
    )


def _rows(section: Section) -> Iterator[Row[Difference]]:
    for line in lines(section):
        yield Row(line.figures, "" if line.part else "bold", line.ends)


def _label(line: Difference) -> str:
    part = isinstance(line, TaskDifference) and line.name != line.category
    return f"{' ' if part else ''}{literal(label(line))}"


def _margin(interval: Interval | None, chat: bool) -> str:
    """Half its width."""
    if interval is None:
        return NONE
    half = (interval.high - interval.low) / 2
    return f"±{half:.2f}" if chat else f"±{100 * half:.1f}"


def _style(line: Difference) -> str:
    return {"rose": "green", "fell": "red", "level": ""}[direction(line.interval)]


def _moved(track: Track, item: Moved) -> Text:
    change = f"{result(track, item.first, item.first_read)} → {result(track, item.second, item.second_read)}"
    said = f"{_short(item.first_response)} → {_short(item.second_response)}"
    return Text.assemble(f"  {literal(item.folder)} {literal(str(item.uniq_id))}: {change}  ", (said, "dim"))


def _short(response: str) -> str:
    shown = literal(response)
    return f"“{shown}”" if len(shown) <= _LONGEST else f"“{shown[: _LONGEST - 1]}…”"


def _print_legend(console: Console) -> None:
    heading(console, "How to read it")
    console.print(
        "Only items count that both runs have answered and, for chat, whose verdicts can be read in both, so figures "
        "may differ from those of a report. Change is second minus first, its interval a bootstrap over the pairs (± "
        "is half its width), green or red where it leaves out 0. Only 1st: right in the first run alone. p is the "
        "exact test of McNemar for accuracy and the signed-rank test of Wilcoxon for scores, two-sided; p Holm is "
        "adjusted for the number of tests in its table.",
        style="dim",
    )
