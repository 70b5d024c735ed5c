"""An export against its checkpoint, in the terminal."""

from __future__ import annotations

from typing import TextIO

from airbench_edge.export.parity import FolderParity, Parity, TypeParity
from airbench_edge.report.terminal.columns import Column, Row, table
from airbench_edge.report.terminal.console import heading, literal, print_remarks, printing, room_of
from airbench_edge.report.terminal.figures import percent, plural

_COLUMNS = (
    Column[Parity]("Clip", lambda one: literal(one.clip), justify="left"),
    Column[Parity]("Tokens", lambda one: str(one.tokens)),
    Column[Parity](
        "First that\ndiffers", lambda one: "none" if one.first_difference is None else f"{one.first_difference + 1}"
    ),
    Column[Parity]("Logits\nat most off", lambda one: f"{one.logit_difference:.2g}"),
    Column[Parity]("of a\nrange of", lambda one: f"{one.logit_range:.1f}"),
)


def print_parity(result: FolderParity, file: TextIO) -> None:
    """Print every clip in every number type, and what it comes to."""
    with printing(file) as console:
        for one in result.types:
            heading(console, "PyTorch and ONNX", _types(one))
            console.print(table(_COLUMNS, [Row(clip) for clip in one.clips], room_of(console)))
            print_remarks(console, [_summary(one)])
        wrong = [one for one in result.types if not one.holds]
        console.print()
        if wrong:
            console.print("The export does not say what its checkpoint says.", style="bold red")
        elif any(set(one.dtypes.values()) == {"fp32"} for one in result.types):
            console.print("The export says what its checkpoint says.", style="bold green")
        else:
            console.print("Nothing here computes in float32 alone, so differences may be those of the type.")


def _types(one: TypeParity) -> str:
    kinds = set(one.dtypes.values())
    return kinds.pop() if len(kinds) == 1 else ", ".join(f"{graph} {dtype}" for graph, dtype in one.dtypes.items())


def _summary(one: TypeParity) -> str:
    share = percent(one.equal / len(one.clips))
    return (
        f"{one.equal} of {plural(len(one.clips), 'response')} equal ({share} %); logits at most "
        f"{one.logit_difference:.2g} off, up to the first token that differs."
    )
