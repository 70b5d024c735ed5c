"""What a person sees while one thing is done after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from airbench_edge.report.terminal.console import literal


@contextmanager
def steps(file: TextIO) -> Iterator[Callable[[str, int, int], None]]:
    """Show steps: on a terminal as a bar, elsewhere as a line when one begins.

    The block is given a function of what is being done, how much of it is done, and how much there is (0 if unknown).
    """
    console = Console(file=file, markup=False, highlight=False, emoji=False)
    lively = console.is_terminal and not console.is_dumb_terminal
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not lively, transient=True) as bar:
        task = bar.add_task("", total=None)
        current = ""

        def advanced(doing: str, done: int, total: int) -> None:
            """Show where it is."""
            nonlocal current
            if doing != current and not lively:
                file.write(f"{literal(doing)} ...\n")
                file.flush()
            current = doing
            bar.update(task, description=literal(doing), completed=done, total=total or None)

        yield advanced
