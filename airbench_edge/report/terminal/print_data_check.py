"""Whether a data set is whole, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from rich.console import Console

from airbench_edge.report.terminal.columns import Column, Row, table
from airbench_edge.report.terminal.console import Room, heading, literal, open_console, room_of
from airbench_edge.run.data_check import DataCheck, FolderCheck

_TERMINAL_LINES = 20
"""Faults shown on a terminal; a file gets all of them."""


def print_data_check(check: DataCheck, file: TextIO) -> None:
    """Print a row per folder, then every fault and note with its place."""
    console = open_console(file)
    rows = [Row(folder, style="" if _is_whole(folder) else "yellow") for folder in check.folders]
    heading(console, "Data set", literal(check.root))
    console.print(table(_columns(check.decoded), rows, room_of(console)))
    _print_lines(console, "Folders that are not there", check.missing_folders)
    _print_lines(
        console,
        "Clips that cannot be heard",
        [f"{fault.track} {fault.uniq_id}: {fault.kind}: {fault.message}" for fault in check.faults],
    )
    _print_lines(
        console,
        "Records to look at",
        [f"{note.track} {note.place}: {note.severity}: {note.kind}: {note.message}" for note in check.notes],
    )
    console.print()
    if check.complete:
        console.print("Complete: every record is usable and every clip is there.", style="green")
        published = sum(folder.published_rows or 0 for folder in check.folders)
        if (rows_there := sum(folder.rows for folder in check.folders)) < published:
            console.print(f"It holds {rows_there:,} records where the published set has {published:,}.")
    else:
        console.print("Not complete. A run goes on without these items, and its report counts them.", style="yellow")


def _columns(decoded: bool) -> Sequence[Column[FolderCheck]]:
    columns: list[Column[FolderCheck]] = [
        Column("folder", lambda folder: literal(folder.folder), justify="left"),
        Column("track", lambda folder: folder.track, room=Room.MEDIUM, justify="left"),
        Column("rows", lambda folder: f"{folder.rows:,}"),
        Column("usable", lambda folder: f"{folder.usable:,}", room=Room.MEDIUM),
        Column("with\naudio", lambda folder: f"{folder.with_audio:,}"),
        Column("published\nrows", lambda folder: _known(folder.published_rows)),
        Column("published\nwith audio", lambda folder: _known(folder.published_with_audio), room=Room.WIDE),
    ]
    if decoded:
        columns.insert(5, Column("not\ndecodable", lambda folder: _known(folder.undecodable)))
    return columns


def _known(count: int | None) -> str:
    return "" if count is None else f"{count:,}"


def _is_whole(folder: FolderCheck) -> bool:
    return folder.rows == folder.usable == folder.with_audio and not folder.undecodable


def _print_lines(console: Console, title: str, lines: Iterable[str]) -> None:
    lines = list(lines)
    if not lines:
        return
    heading(console, title, f"{len(lines)}")
    shown = lines[:_TERMINAL_LINES] if console.is_terminal else lines
    for line in shown:
        console.print(f"  {literal(line)}")
    if len(lines) > len(shown):
        console.print(f"  ... and {len(lines) - len(shown)} more: --json lists them all", style="dim")
