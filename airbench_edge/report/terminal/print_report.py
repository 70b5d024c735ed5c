"""The whole report, from what was run to what is missing."""

from __future__ import annotations

import sys
from typing import TextIO

from rich.console import Console

from airbench_edge.benchmark.items import Track
from airbench_edge.report.model import ReportModel
from airbench_edge.report.terminal.chat import print_chat
from airbench_edge.report.terminal.console import printing
from airbench_edge.report.terminal.foundation import print_foundation
from airbench_edge.report.terminal.gaps import print_gaps
from airbench_edge.report.terminal.header import print_header
from airbench_edge.report.terminal.headline import print_headline
from airbench_edge.report.terminal.legend import print_legend
from airbench_edge.report.terminal.standing import print_standing


def print_report(model: ReportModel, file: TextIO | None = None) -> None:
    """Print the report to ``file``, or to the standard output.

    On a terminal it fits the width, from 80 columns on. Elsewhere no line is wrapped or cut, and nothing is coloured.
    """
    with printing(file or sys.stdout) as console:
        print_on(console, model)


def print_on(console: Console, model: ReportModel) -> None:
    """Print the report on a console."""
    print_header(console, model)
    print_headline(console, model)
    for letters in model.letters:
        print_foundation(console, letters)
        figures = {part.name: part.official.value for part in (*letters.scores.categories, letters.scores.average)}
        percent = {name: None if value is None else 100 * value for name, value in figures.items()}
        print_standing(console, Track.FOUNDATION, model.audiolm.name, percent, letters.places)
    for judge in model.judges:
        print_chat(console, model, judge)
        figures = {part.name: part.official.value for part in (*judge.scores.categories, judge.scores.average)}
        print_standing(console, Track.CHAT, model.audiolm.name, figures, judge.places)
    print_gaps(console, model)
    print_legend(console, model)
