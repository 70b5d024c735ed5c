"""What moved between two instruments, in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from rich.console import Console
from rich.text import Text

from airbench_edge.report.judge_diff import JudgeDiff, MovedVerdict
from airbench_edge.report.terminal.columns import Column, Row, table
from airbench_edge.report.terminal.console import heading, literal, print_remarks, printing, room_of, short_hashes
from airbench_edge.report.terminal.figures import NONE, percent, plural
from airbench_edge.report.terminal.grids import print_facts

_TERMINAL_LINES = 20
"""Verdicts shown on a terminal; a file gets all of them."""

_LONGEST = 40
"""Letters of a reply that fit into its column."""

_COLUMNS = (
    Column[MovedVerdict]("Folder", lambda one: literal(one.folder), justify="left"),
    Column[MovedVerdict]("Item", lambda one: literal(str(one.uniq_id))),
    Column[MovedVerdict]("Order", lambda one: one.order.replace("_", " "), justify="left"),
    Column[MovedVerdict]("First", lambda one: _said(one.first, one.first_text)),
    Column[MovedVerdict]("Second", lambda one: _said(one.second, one.second_text)),
    Column[MovedVerdict]("Points", lambda one: NONE if one.points is None else f"{one.points:+d}"),
)


def print_judge_diff(diff: JudgeDiff, file: TextIO) -> None:
    """Print how the instruments differ, and every verdict that moved."""
    with printing(file) as console:
        heading(console, "Verdicts that moved", literal(diff.run))
        print_facts(console, _facts(console, diff))
        if diff.moved:
            console.print()
            shown = diff.moved[:_TERMINAL_LINES] if console.is_terminal else diff.moved
            console.print(table(_COLUMNS, [Row(one) for one in shown], room_of(console)))
            if rest := len(diff.moved) - len(shown):
                print_remarks(console, [f"{plural(rest, 'more verdict')} moved: --json has them all."])


def _facts(console: Console, diff: JudgeDiff) -> Iterator[tuple[str, str | Text]]:
    yield "First", Text(literal(diff.first.name), "bold")
    yield "Second", Text(literal(diff.second.name), "bold")
    for name, (first, second) in diff.details.items():
        change = f"{literal(name)}: {literal(first) or NONE} → {literal(second) or NONE}"
        yield "Differs", Text(short_hashes(console, change), "dim")
    share = f" ({percent(len(diff.moved) / diff.common)} %)" if diff.common else ""
    yield "Moved", f"{len(diff.moved):,} of {plural(diff.common, 'common verdict')}{share}"
    if diff.only_first or diff.only_second:
        yield "Alone", f"{plural(diff.only_first, 'verdict')} of the first, {diff.only_second:,} of the second"
    if diff.expected is not None:
        yield "Expected", f"scores differ by at most {diff.expected:.3f}"


def _said(scores: tuple[int, int] | None, text: str) -> str:
    if scores:
        return f"{scores[0]} {scores[1]}"
    shown = literal(text)
    return f"“{shown}”" if len(shown) <= _LONGEST else f"“{shown[: _LONGEST - 1]}…”"
