"""``audio``: what the reader makes of sound files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from airbench_edge.audio import probe as probe_file
from airbench_edge.errors import InputError

app = typer.Typer(help="Look at sound files as the model would hear them.", no_args_is_help=True)


@app.command()
def probe(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Sound files, or folders of them.")],
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Decode files and print what reaches the model: rate, channels, seconds, loudness, warnings, errors.

    Exits with 1 if a file cannot be used.

    For example: airbench-edge audio probe clips/*.wav --json
    """
    bad = False
    for path in paths:
        files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        if not files:
            raise InputError(f"There is no file in {path}: give sound files, or a folder that holds some.")
        for file in files:
            line = probe_file(file)
            bad |= line.error_kind is not None
            if json:
                sys.stdout.write(msgspec.json.encode(line).decode() + "\n")
            elif line.error_kind is not None:
                print(f"{line.path}: {line.error_kind}: {line.message}")
            else:
                print(
                    f"{line.path}: {line.sample_rate} Hz, {line.channels} channels, {line.duration_s:.2f} s, "
                    f"RMS {line.rms:.4f}{''.join(f'; {warning}' for warning in line.warnings)}"
                )
    raise typer.Exit(1 if bad else 0)
