"""Tables that give up columns, not letters, where there is little room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rich import box
from rich.console import JustifyMethod
from rich.table import Table
from rich.text import Text

from airbench_edge.report.terminal.console import Room

Line = TypeVar("Line")


@dataclass(frozen=True)
class Column(Generic[Line]):
    """One column.

    Attributes:
        head: Its heading; may have two lines.
        cell: What it shows of a line.
        room: The least room in which it is shown.
        until: The least room in which something better takes its place.
        justify: Where its cells lean.
    """

    head: str
    cell: Callable[[Line], str | Text]
    room: Room = Room.NARROW
    justify: JustifyMethod = "right"
    until: Room | None = None


@dataclass(frozen=True)
class Row(Generic[Line]):
    """One line of a table and how it looks.

    Attributes:
        line: What the columns show.
        style: Style of the whole line.
        ends: Whether a rule follows.
    """

    line: Line
    style: str = ""
    ends: bool = False


def table(columns: Sequence[Column[Line]], rows: Iterable[Row[Line]], room: Room) -> Table:
    """Lay out the columns for which there is room; the first one folds if a name is longer than the room."""
    shown = [column for column in columns if column.room <= room and (column.until is None or room < column.until)]
    grid = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 0) if room == Room.NARROW else (0, 1, 0, 0),
        header_style="dim",
        show_edge=False,
    )
    for column in shown:
        first = column is shown[0]
        grid.add_column(column.head, justify=column.justify, no_wrap=not first, overflow="fold", vertical="bottom")
    for row in rows:
        cells = [column.cell(row.line) for column in shown]
        grid.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in cells), style=row.style)
        if row.ends:
            grid.add_section()
    return grid
