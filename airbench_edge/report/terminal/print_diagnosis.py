"""What the doctor found, on one screen."""

from __future__ import annotations

from typing import TextIO

from rich.table import Table
from rich.text import Text

from airbench_edge.report.terminal.console import heading, literal, printing
from airbench_edge.run.doctor import Diagnosis, Level

_MARKS = {
    Level.OK: ("✓", "green"),
    Level.INFO: ("·", "dim"),
    Level.WARNING: ("!", "yellow"),
    Level.PROBLEM: ("✗", "bold red"),
}


def print_diagnosis(diagnosis: Diagnosis, file: TextIO) -> None:
    """Print a line a finding, with the remedy below it."""
    with printing(file) as console:
        heading(console, "Doctor", f"airbench-edge {diagnosis.program}")
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for finding in diagnosis.findings:
            mark, style = _MARKS[finding.level]
            found = Text(literal(finding.found), "dim" if finding.level is Level.INFO else "")
            grid.add_row(Text(mark, style), finding.topic, found)
            if finding.remedy:
                grid.add_row("", "", Text(f"→ {literal(finding.remedy)}", style))
        console.print(grid)
        console.print()
        problems = sum(finding.level is Level.PROBLEM for finding in diagnosis.findings)
        if problems:
            console.print(f"It will not run like this: see the {problems} marked with ✗.", style="bold red")
        else:
            console.print("Nothing stands in the way.", style="green")
