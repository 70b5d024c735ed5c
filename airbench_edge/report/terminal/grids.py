"""Two columns without lines: what a thing is called, and what there is to say of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from airbench_edge.report.terminal.console import heading


def print_facts(console: Console, facts: Iterable[tuple[str, str | Text]]) -> None:
    """Print what stands at the head of a page; long facts go on below themselves."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, fact in facts:
        grid.add_row(name, fact)
    console.print(grid)


def print_words(console: Console, words: Mapping[str, str]) -> None:
    """Print what the words of a page mean, at its end."""
    heading(console, "How to read it")
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(style="dim")
    for word, meaning in words.items():
        grid.add_row(word, meaning)
    console.print(grid)
